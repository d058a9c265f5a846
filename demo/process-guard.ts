/**
 * Starts programs that end with this process, even if it is killed.
 *
 * A shell kills the program as soon as the pipe from this process closes, which the kernel does for a killed process too.
 * The shell has its own process group, so that Ctrl-C reaches only this process.
 */
import { spawn, spawnSync } from 'node:child_process'

const GUARD = `exec 3<&0
"$@" </dev/null & program=$!
{ cat; kill -9 "$program"; } <&3 >/dev/null 2>&1 &
exec 3<&-
wait "$program"`

export type GuardedProcess = {
  /** Resolves when the program has ended for any reason. */
  readonly ended: Promise<void>
  readonly hasEnded: () => boolean
  /** Kills the program. Its data is not kept, so it need not end in order. */
  readonly stop: () => Promise<void>
}

export function startGuarded(
  command: string,
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): GuardedProcess {
  const shell = spawn('/bin/sh', ['-c', GUARD, 'gatewatch-demo', command, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { ...process.env, ...env },
  })
  shell.stdin.on('error', () => {}) // the shell ended first
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      isOver = true
      shell.stdin.destroy()
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

const RUN_TIMEOUT_MS = 20_000

export type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Why an installed program does not run (another architecture, a missing library), or false. */
export function runFailure(name: string, { command, args, env = {} }: Program): string | false {
  const { status, error, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
    timeout: RUN_TIMEOUT_MS,
  })
  if (status === 0) return false
  const reason = (error?.message ?? stderr).trim().split('\n')[0] || `it exited with status ${status}`
  return `${name} is installed but does not run on this machine (${reason})`
}
