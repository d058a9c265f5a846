/** The demo: one command, what it prints, what it shows, and what it leaves behind. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, test } from 'node:test'
import { anvilMissing } from '../chain/anvil.ts'
import { litecoindPath } from '../coins/litecoind.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { freePort } from '../support/port.ts'
import { GATEWATCH } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const folder = temporaryFolder()
const home = temporaryFolder()
const port = String(await freePort())
const url = `http://127.0.0.1:${port}`

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

type Look<T> = () => Promise<T | undefined> | T | undefined

async function until<T>(what: string, look: Look<T>, { demo, everyMs = 100 }: { demo?: Demo; everyMs?: number } = {}) {
  for (;;) {
    if (demo !== undefined && demo.child.exitCode !== null) throw new Error(`${what}: it ended\n${demo.output()}`)
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** A key may ask 60 times a minute. */
const WITHIN_LIMITS = { everyMs: 3_000 }

const complete = (demo: Demo) =>
  until('complete', () => (demo.output().includes('Ctrl-C stops') ? demo.output() : undefined), { demo })

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

type Page = { readonly data: readonly { readonly id: string; readonly eventKey: string }[] }
type Protocol = {
  readonly data: { readonly contracts: readonly { readonly controlProfile: { readonly label: string } }[] }
}

type Delivery = {
  readonly status: string
  readonly channel: string
  readonly event: { readonly contract: { readonly name: string | null } | null }
}
type Deliveries = { readonly data: readonly Delivery[] }

const PROTOCOLS = [
  'harbor-lending',
  'foxglove-exchange',
  'meridian-dollar',
  'lantern-dao',
  'drift-bridge',
  'kestrel-perps',
  'tidepool-vaults',
  'sundial-names',
]

test('npm start without a chain shows a demo that moves, and leaves nothing behind', options, async (t) => {
  const begun = Date.now()
  const demo = startDemo()
  await until('listening', () => (demo.output().includes('listening on') ? true : undefined), { demo, everyMs: 5 })
  assert.ok(!demo.output().includes('"chain":"ethereum"'), 'HTTP does not wait for the chains to have their past')
  const printed = await complete(demo)
  t.diagnostic(`complete after ${Date.now() - begun} ms`)

  const lines = printed.split('\n').filter((line) => line.startsWith('  curl '))
  const [v1Key, v2Key] = [/gw_live_[\w-]{43}/, /utxo_live_[\w-]{43}/].map((key) =>
    keepSecretOfTest(key.exec(printed)?.[0] ?? ''),
  )
  const answers = lines.map((line) => execFileSync('sh', ['-c', line], { encoding: 'utf8' }))
  for (const [at, answer] of answers.entries()) {
    const { data, success } = answer.startsWith('<svg') ? { data: answer } : JSON.parse(answer)
    assert.ok(data !== undefined && data !== null && success !== false, `${lines[at]}: ${answer}`)
  }
  assert.equal(lines.length, litecoindPath === undefined ? 7 : 8)

  const v1 = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${v1Key}` } })).json()) as T
  const first = await v1<Page>('/v1/events?limit=1')
  await until(
    'the feed moves',
    async () => {
      const [newest] = (await v1<Page>('/v1/events?limit=1')).data
      return newest?.id === first.data[0]?.id ? undefined : newest
    },
    WITHIN_LIMITS,
  )
  const keys = new Set((await v1<Page>('/v1/events?limit=200&includeInit=true')).data.map(({ eventKey }) => eventKey))
  assert.ok(keys.size >= 20, [...keys].join(' '))

  const protocols = await Promise.all(PROTOCOLS.map((slug) => v1<Protocol>(`/v1/protocols/${slug}`)))
  const labels = new Set(
    protocols.flatMap(({ data }) => data.contracts.map(({ controlProfile }) => controlProfile.label)),
  )
  for (const label of ['immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock'])
    assert.ok(labels.has(label), `${label} among ${[...labels].join(' ')}`)
  assert.ok(!labels.has('unknown'), 'it is known of every contract who holds its keys')

  const silent = await until(
    'the silent change is found',
    async () => {
      const { data } = await v1<Page>('/v1/events?key=slot.implementation_changed')
      return data[0]
    },
    WITHIN_LIMITS,
  )
  assert.equal(silent.eventKey, 'slot.implementation_changed')

  for (const chain of litecoindPath === undefined ? ['btc'] : ['btc', 'ltc']) {
    const answer = await fetch(`${url}/api/v2/status?chain=${chain}`, { headers: { 'x-api-key': v2Key ?? '' } })
    const { data } = (await answer.json()) as { data: { synced: boolean; mempoolSize: number } }
    assert.ok(data.synced && data.mempoolSize > 0, `${chain}: ${JSON.stringify(data)}`)
  }
  assert.equal(((await (await fetch(`${url}/public/about`)).json()) as { demo: boolean }).demo, true)

  // What the demo subscribed its login to has arrived at the receiver that checks signatures.
  for (const name of ['Kestrel', 'Drift']) {
    const isArrived = ({ status, channel, event }: Delivery) =>
      status === 'sent' && channel === 'webhook' && event.contract?.name?.startsWith(name) === true
    await until(
      `an alert of ${name} is delivered`,
      async () => (await v1<Deliveries>('/v1/me/notifications?limit=200')).data.find(isArrived),
      WITHIN_LIMITS,
    )
  }

  demo.child.kill('SIGINT')
  assert.equal(await demo.exit, 0)
  assert.deepEqual(processes(), [])
  assert.deepEqual(readdirSync(folder), ['data'])
  assert.deepEqual(readdirSync(home), [])
})

test('a demo that is killed takes its chains along, and the next one begins anew', options, async () => {
  const killed = startDemo()
  await complete(killed)
  killed.child.kill('SIGKILL')
  await killed.exit
  const isChain = (command: string) => /anvil|litecoind/.test(command)
  await until('the chains are gone', () => (processes().some(isChain) ? undefined : true))

  const next = startDemo()
  const printed = await complete(next)
  const [line = ''] = printed.split('\n').filter((text) => text.startsWith('  curl '))
  assert.equal((JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' })) as Page).data.length, 5)
  next.child.kill('SIGTERM')
  assert.equal(await next.exit, 0)
  assert.deepEqual(processes(), [])
})
