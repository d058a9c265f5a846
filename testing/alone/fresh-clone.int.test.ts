/**
 * A stranger's first minutes: clone, `npm start`, what it prints and offers, `npm test`, with nothing but the machine's
 * Node and npm.
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
import { seeDemo } from './demo-pages.ts'
import { walkStrangersPath } from './new-user-path.ts'

const clone = join(temporaryFolder(), 'gatewatch')
execFileSync('git', ['clone', '--quiet', REPOSITORY, clone])

/** The environment of a new shell: none of the programs this checkout installed, none of npm's variables. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')
const env = { PATH, HOME: process.env.HOME ?? '/', PORT: String(await freePort()) }
const url = `http://127.0.0.1:${env.PORT}`

/** Processes that work in the clone, whatever their command line says. */
const processesOfClone = () =>
  spawnSync(
    'sh',
    [
      '-c',
      `for p in /proc/[0-9]*; do case "$(readlink $p/cwd)" in ${clone}*) tr '\\0' ' ' < $p/cmdline; echo;; esac; done`,
    ],
    { encoding: 'utf8' },
  ).stdout
/** The database server takes its file away and then ends: there is a moment between. */
const nobodyOfClone = () => eventually(() => processesOfClone() === '' || undefined)

type Started = {
  readonly npm: ChildProcess
  readonly exit: Promise<number | null>
  readonly readyAfterMs: number
  /** What was printed by the time that it says this. */
  readonly saying: (words: string) => Promise<string>
}

async function npmStart(): Promise<Started> {
  const begun = Date.now()
  const npm = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const exit = new Promise<number | null>((resolve) => npm.once('exit', resolve))
  const hasEnded = () => (npm.exitCode !== null || npm.signalCode !== null) && `npm start ended: ${output}`
  const saying = async (words: string) => {
    while (!output.includes(words)) {
      const reason = hasEnded()
      if (reason !== false) throw new Error(reason)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return output
  }
  // Its own word first: a predecessor that is just ending would still answer on the port.
  await saying('listening on')
  await untilReady(url, hasEnded)
  return { npm, exit, readyAfterMs: Date.now() - begun, saying }
}

// What is seen of the demo is seen at once by both: most of the time they wait for its next change.
test('npm start installs what running needs and shows the demo', { concurrency: 2 }, async (t) => {
  const { npm, exit, readyAfterMs, saying } = await npmStart()
  t.diagnostic(`first start ready after ${readyAfterMs} ms`)
  assert.equal((await fetch(`${url}/v1/events`)).status, 401)
  const printed = await saying('Ctrl-C stops')
  await Promise.all([
    t.test('which moves and holds what it promises', { skip: anvilMissing }, () => seeDemo(printed)),
    t.test(
      "and a stranger's path leads from what is printed to an alert",
      { skip: browserMissing || anvilMissing },
      () => walkStrangersPath(printed),
    ),
  ])
  npm.kill('SIGTERM')
  await exit
  await nobodyOfClone()
})

/** Rewritten by npm whenever it installs. */
const installedAt = () => statSync(join(clone, 'node_modules', '.package-lock.json')).mtimeMs

test('a second npm start installs nothing, and Ctrl-C ends it without a process left', async (t) => {
  const before = installedAt()
  const { npm, exit, readyAfterMs } = await npmStart()
  t.diagnostic(`second start ready after ${readyAfterMs} ms`)
  process.kill(-(npm.pid ?? 0), 'SIGINT') // a terminal signals the whole group
  await exit
  await nobodyOfClone()
  assert.equal(installedAt(), before)
})

test('kill -9 of npm start is survived: the next start takes over', async () => {
  const first = await npmStart()
  first.npm.kill('SIGKILL')
  await first.exit
  const second = await npmStart()
  second.npm.kill('SIGTERM')
  await second.exit
  await nobodyOfClone()
})

test('npm test installs the rest by itself and runs', async () => {
  const { status, stdout, stderr } = spawnSync('npm', ['test', '--', 'server/src/lib'], {
    cwd: clone,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /pass \d+/)
  assert.ok(existsSync(join(clone, 'node_modules', '.bin', 'biome')), 'the development tools are there')
  await nobodyOfClone()
})
