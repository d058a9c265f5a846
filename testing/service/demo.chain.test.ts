/** The demo serves HTTP immediately, stops its nodes however it ends, starts again from scratch and leaves nothing. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, test } from 'node:test'
import { anvilMissing } from '../evm/anvil.ts'
import { curlCommands, runInShell } from '../exclusive/demo-pages.ts'
import { freePort } from '../support/port.ts'
import { GATEWATCH, hasEnded, spawnGatewatch } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const folder = temporaryFolder()
const home = temporaryFolder()
const port = String(await freePort())

type Demo = { readonly child: ChildProcess; readonly exit: Promise<number | null>; readonly output: () => string }

function startDemo(): Demo {
  const env = { PATH: process.env.PATH ?? '', HOME: home, PORT: port }
  const child = spawn(process.execPath, [GATEWATCH, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  after(() => child.kill('SIGKILL'))
  return { child, exit, output: () => text }
}

async function until(what: string, isTrue: () => boolean, demo?: Demo): Promise<void> {
  while (!isTrue()) {
    if (demo !== undefined && hasEnded(demo.child)) throw new Error(`${what}: the demo ended\n${demo.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const untilPrinted = async (demo: Demo, text: string): Promise<string> => {
  await until(text, () => demo.output().includes(text), demo)
  return demo.output()
}
const untilComplete = (demo: Demo) => untilPrinted(demo, 'Ctrl-C stops')

/** Returns the command lines of processes that use the demo's folder. A process may end while it is read. */
function processes(): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return readlinkSync(`/proc/${pid}/cwd`) === folder || command.includes(folder) ? [command] : []
    } catch {
      return []
    }
  })
}

test(
  'the nodes of a killed demo stop, and the next demo starts from scratch and leaves nothing',
  options,
  async (t) => {
    const startedAt = Date.now()
    const killed = startDemo()
    const early = await untilPrinted(killed, 'listening on')
    assert.ok(!early.includes('"chain":"ethereum"'), 'HTTP does not wait for the history of the chains')
    await untilComplete(killed)
    t.diagnostic(`complete after ${Date.now() - startedAt} ms`)
    killed.child.kill('SIGKILL')
    await killed.exit
    await until('the nodes stopped', () => !processes().some((command) => /anvil|litecoind/.test(command)))

    const next = startDemo()
    const [command = ''] = curlCommands(await untilComplete(next))
    assert.equal((JSON.parse(runInShell(command)) as { data: readonly unknown[] }).data.length, 5)
    const status = spawnGatewatch(['status'], { cwd: folder, env: { HOME: home, PORT: port, ROLES: '' } })
    await status.exit
    assert.ok(status.output().includes(`see http://127.0.0.1:${port}/status`), status.output())
    next.child.kill('SIGINT')
    assert.equal(await next.exit, 0)
    await until('no process is left', () => processes().length === 0)
    assert.deepEqual(readdirSync(folder), ['data'])
    assert.deepEqual(readdirSync(home), [])
  },
)
