/** The demo's life: it answers at once, takes its chains along however it ends, begins anew, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, test } from 'node:test'
import { anvilMissing } from '../evm/anvil.ts'
import { freePort } from '../support/port.ts'
import { GATEWATCH, hasEnded, spawnGatewatch } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { curlLines, pasted } from './demo-pages.ts'

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

async function until(what: string, isSo: () => boolean, demo?: Demo): Promise<void> {
  while (!isSo()) {
    if (demo !== undefined && hasEnded(demo.child)) throw new Error(`${what}: it ended\n${demo.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const saying = async (demo: Demo, words: string): Promise<string> => {
  await until(words, () => demo.output().includes(words), demo)
  return demo.output()
}
const complete = (demo: Demo) => saying(demo, 'Ctrl-C stops')

/** Programs that work in the demo's folder or on its data; a process may go while it is looked at. */
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
  'a demo that is killed takes its chains along, and the next one begins anew and leaves nothing',
  options,
  async (t) => {
    const begun = Date.now()
    const killed = startDemo()
    const early = await saying(killed, 'listening on')
    assert.ok(!early.includes('"chain":"ethereum"'), 'HTTP does not wait for the chains to have their past')
    await complete(killed)
    t.diagnostic(`complete after ${Date.now() - begun} ms`)
    killed.child.kill('SIGKILL')
    await killed.exit
    await until('the chains are gone', () => !processes().some((command) => /anvil|litecoind/.test(command)))

    const next = startDemo()
    const [line = ''] = curlLines(await complete(next))
    assert.equal((JSON.parse(pasted(line)) as { data: readonly unknown[] }).data.length, 5)
    const status = spawnGatewatch(['status'], { cwd: folder, env: { HOME: home, PORT: port, ROLES: '' } })
    await status.exit
    assert.ok(status.output().includes(`http://127.0.0.1:${port}/status shows them`), status.output())
    next.child.kill('SIGINT')
    assert.equal(await next.exit, 0)
    await until('nobody is left', () => processes().length === 0)
    assert.deepEqual(readdirSync(folder), ['data'])
    assert.deepEqual(readdirSync(home), [])
  },
)
