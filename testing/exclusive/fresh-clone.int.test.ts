/**
 * The first minutes of a new user: clone, `npm start`, the printed commands, `npm test`, with only the Node and npm of
 * the machine.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anvilMissing } from '../evm/anvil.ts'
import { browserMissing } from '../support/browser.ts'
import { freePort } from '../support/port.ts'
import { eventually } from '../support/receivers.ts'
import { REPOSITORY, untilReady } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkDemo } from './demo-pages.ts'
import { followNewUserPath } from './new-user-path.ts'

const clone = join(temporaryFolder(), 'gatewatch')
execFileSync('git', ['clone', '--quiet', REPOSITORY, clone])

/** The environment of a new shell, without the programs of this checkout and the variables of npm. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')
const env = { PATH, HOME: process.env.HOME ?? '/', PORT: String(await freePort()) }
const url = `http://127.0.0.1:${env.PORT}`

/** Returns the command lines of processes whose working directory is in the clone. */
const processesOfClone = () =>
  spawnSync(
    'sh',
    [
      '-c',
      `for p in /proc/[0-9]*; do case "$(readlink $p/cwd)" in ${clone}*) tr '\\0' ' ' < $p/cmdline; echo;; esac; done`,
    ],
    { encoding: 'utf8' },
  ).stdout
/** The database server deletes its pid file shortly before it ends. */
const untilNoProcessOfClone = () => eventually(() => processesOfClone() === '' || undefined)

type Started = {
  readonly npm: ChildProcess
  readonly exit: Promise<number | null>
  readonly readyAfterMs: number
  /** Waits until this text is printed. Returns the output so far. */
  readonly untilPrinted: (text: string) => Promise<string>
}

async function npmStart(): Promise<Started> {
  const startedAt = Date.now()
  const npm = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const exit = new Promise<number | null>((resolve) => npm.once('exit', resolve))
  const hasEnded = () => (npm.exitCode !== null || npm.signalCode !== null) && `npm start ended: ${output}`
  const untilPrinted = async (text: string) => {
    while (!output.includes(text)) {
      const reason = hasEnded()
      if (reason !== false) throw new Error(reason)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return output
  }
  // Wait for the output first: a previous process that is stopping may still respond on the port.
  await untilPrinted('listening on')
  await untilReady(url, hasEnded)
  return { npm, exit, readyAfterMs: Date.now() - startedAt, untilPrinted }
}

// Both subtests run at the same time, because they mostly wait for the next change in the demo.
test('npm start installs the runtime dependencies and starts the demo', { concurrency: 2 }, async (t) => {
  const { npm, exit, readyAfterMs, untilPrinted } = await npmStart()
  t.diagnostic(`first start ready after ${readyAfterMs} ms`)
  assert.equal((await fetch(`${url}/v1/events`)).status, 401)
  const printed = await untilPrinted('Ctrl-C stops')
  await Promise.all([
    t.test('the demo has new events and all promised data', { skip: anvilMissing }, () => checkDemo(printed)),
    t.test('a new user gets from the printed login to an alert', { skip: browserMissing || anvilMissing }, () =>
      followNewUserPath(printed),
    ),
  ])
  npm.kill('SIGTERM')
  await exit
  await untilNoProcessOfClone()
})

/** npm writes this file on every installation. */
const installedAt = () => statSync(join(clone, 'node_modules', '.package-lock.json')).mtimeMs

test('a second npm start installs nothing, and Ctrl-C ends all its processes', async (t) => {
  const before = installedAt()
  const { npm, exit, readyAfterMs } = await npmStart()
  t.diagnostic(`second start ready after ${readyAfterMs} ms`)
  process.kill(-(npm.pid ?? 0), 'SIGINT') // a terminal signals the whole group
  await exit
  await untilNoProcessOfClone()
  assert.equal(installedAt(), before)
})

test('npm start works again after kill -9', async () => {
  const first = await npmStart()
  first.npm.kill('SIGKILL')
  await first.exit
  const second = await npmStart()
  second.npm.kill('SIGTERM')
  await second.exit
  await untilNoProcessOfClone()
})

test('npm test installs the development dependencies and runs', async () => {
  const { status, stdout, stderr } = spawnSync('npm', ['test', '--', 'server/src/lib'], {
    cwd: clone,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /pass \d+/)
  assert.ok(existsSync(join(clone, 'node_modules', '.bin', 'biome')), 'the development tools are installed')
  await untilNoProcessOfClone()
})
