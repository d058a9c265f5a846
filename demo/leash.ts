/**
 * Programs that live no longer than this process, however it ends.
 *
 * A shell stands between: it ends the program as soon as the pipe from this process closes, which the kernel does for
 * a process that was killed too. The shell is a group of its own, so that Ctrl-C reaches only us.
 */
import { spawn, spawnSync } from 'node:child_process'

const LEASH = `exec 3<&0
"$@" </dev/null & program=$!
{ cat; kill -9 "$program"; } <&3 >/dev/null 2>&1 &
exec 3<&-
wait "$program"`

export type Leashed = {
  /** Resolves when the program has ended, by itself or not. */
  readonly ended: Promise<void>
  readonly hasEnded: () => boolean
  /** Nothing of what it holds is kept, so nothing is waited for. */
  readonly stop: () => Promise<void>
}

export function startLeashed(
  command: string,
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Leashed {
  const shell = spawn('/bin/sh', ['-c', LEASH, 'gatewatch-demo', command, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { ...process.env, ...env },
  })
  shell.stdin.on('error', () => {}) // it ended first
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      isOver = true
      shell.stdin.destroy() // and with it what waits for the pipe
      resolve()
    }
    shell.once('exit', over).once('error', over)
  })
  return {
    ended,
    hasEnded: () => isOver,
    stop: async () => {
      shell.stdin.end()
      await ended
    },
  }
}

const ANSWER_MS = 20_000

export type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Why a program that is there does not run (made for another machine, a library missing), or false. */
export function cannotRun(name: string, { command, args, env = {} }: Program): string | false {
  const { status, error, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
    timeout: ANSWER_MS,
  })
  if (status === 0) return false
  const said = (error?.message ?? stderr).trim().split('\n')[0] || `it ended with status ${status}`
  return `${name} is installed but does not run here (${said})`
}
