/** What the demo owes whoever started it: every printed line answers, everything moves, all there is to see is there. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { litecoindPath } from '../coins/litecoind.ts'
import { keepSecretOfTest } from '../support/log.ts'

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
/** Every way of holding keys is shown by one of them. */
const LABELS = ['immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock']

export const curlLines = (printed: string): readonly string[] =>
  printed.split('\n').filter((line) => line.startsWith('  curl '))

export const pasted = (line: string): string => execFileSync('sh', ['-c', line], { encoding: 'utf8' })

export async function seeDemo(printed: string): Promise<void> {
  const [, url = ''] = /Open\s+(\S+)/.exec(printed) ?? []
  const [v1Key, v2Key] = [/gw_live_[\w-]{43}/, /utxo_live_[\w-]{43}/].map((key) =>
    keepSecretOfTest(key.exec(printed)?.[0] ?? ''),
  )
  const lines = curlLines(printed)
  assert.equal(lines.length, litecoindPath === undefined ? 7 : 8)
  for (const line of lines) {
    const answer = pasted(line)
    const { data, success } = answer.startsWith('<svg') ? { data: answer } : JSON.parse(answer)
    assert.ok(data !== undefined && data !== null && success !== false, `${line}: ${answer}`)
  }

  const v1 = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${v1Key}` } })).json()) as T
  const first = await v1<Page>('/v1/events?limit=1')
  await until(async () => {
    const [newest] = (await v1<Page>('/v1/events?limit=1')).data
    return newest?.id === first.data[0]?.id ? undefined : newest
  })
  const keys = new Set((await v1<Page>('/v1/events?limit=200&includeInit=true')).data.map(({ eventKey }) => eventKey))
  assert.ok(keys.size >= 20, [...keys].join(' '))

  const protocols = await Promise.all(PROTOCOLS.map((slug) => v1<Protocol>(`/v1/protocols/${slug}`)))
  const labels = new Set(
    protocols.flatMap(({ data }) => data.contracts.map(({ controlProfile }) => controlProfile.label)),
  )
  for (const label of LABELS) assert.ok(labels.has(label), `${label} among ${[...labels].join(' ')}`)
  assert.ok(!labels.has('unknown'), 'it is known of every contract who holds its keys')

  // The change that no event announced is found.
  await until(async () => (await v1<Page>('/v1/events?key=slot.implementation_changed')).data[0])

  for (const chain of litecoindPath === undefined ? ['btc'] : ['btc', 'ltc']) {
    const answer = await fetch(`${url}/api/v2/status?chain=${chain}`, { headers: { 'x-api-key': v2Key ?? '' } })
    const { data } = (await answer.json()) as { data: { synced: boolean; mempoolSize: number } }
    assert.ok(data.synced && data.mempoolSize > 0, `${chain}: ${JSON.stringify(data)}`)
  }
  assert.equal(((await (await fetch(`${url}/public/about`)).json()) as { demo: boolean }).demo, true)

  // What the demo subscribed its login to arrives at the receiver that checks signatures.
  for (const name of ['Kestrel', 'Drift']) {
    const isArrived = ({ status, channel, event }: Delivery) =>
      status === 'sent' && channel === 'webhook' && event.contract?.name?.startsWith(name) === true
    await until(async () => (await v1<Deliveries>('/v1/me/notifications?limit=200')).data.find(isArrived))
  }
}

/** A key may ask 60 times a minute. */
const WITHIN_LIMITS_MS = 3_000

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, WITHIN_LIMITS_MS))
  }
}
