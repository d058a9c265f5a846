/** Checks the running demo: every printed command works, events keep coming, and all promised data exists. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { PowerEffect } from '../../vocabulary/powers.ts'
import { keepSecretOfTest } from '../support/log.ts'

type Page = { readonly data: readonly { readonly id: string; readonly eventKey: string }[] }
type Profile = { readonly label: string; readonly tone: string }
type Protocol = {
  readonly data: {
    readonly contracts: readonly {
      readonly chainSlug: string
      readonly address: string
      readonly name: string
      readonly controlProfile: Profile
    }[]
  }
}
type Contract = {
  readonly data: { readonly controlProfile: Profile; readonly powers: readonly { readonly effect: string }[] | null }
}
type Delivery = {
  readonly status: string
  readonly channel: string
  readonly event: { readonly contract: { readonly name: string | null } | null }
}
type Deliveries = { readonly data: readonly Delivery[] }

/** A protocol that shows each effect. */
const EFFECT_PROTOCOLS: Readonly<Record<PowerEffect, string>> = {
  upgrade: 'tidepool-vaults',
  execute: 'copper-treasury',
  mint: 'juniper-token',
  move_funds: 'saltmarsh-staking',
  set_price: 'harbor-lending',
  set_verifier: 'pelican-messenger',
  grant: 'lantern-dao',
  set_dependency: 'willow-router',
  freeze: 'meridian-dollar',
  pause: 'kestrel-perps',
  set_terms: 'bramble-market',
  other: 'drift-bridge',
}
const PROTOCOLS = [...Object.values(EFFECT_PROTOCOLS), 'foxglove-exchange', 'sundial-names']
/** The demo has a contract with each of these labels. */
const LABELS = ['immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock']

/** Returns the curl commands that the demo printed. */
export const curlCommands = (printed: string): readonly string[] =>
  printed.split('\n').filter((line) => line.startsWith('  curl '))

/** Runs a printed command in a shell and returns its output. */
export const runInShell = (command: string): string => execFileSync('sh', ['-c', command], { encoding: 'utf8' })

export async function checkDemo(printed: string): Promise<void> {
  const [, url = ''] = /Open\s+(\S+)/.exec(printed) ?? []
  const [v1Key, v2Key] = [/gw_live_[\w-]{43}/, /utxo_live_[\w-]{43}/].map((key) =>
    keepSecretOfTest(key.exec(printed)?.[0] ?? ''),
  )
  const commands = curlCommands(printed)
  assert.equal(commands.length, 8)
  for (const command of commands) {
    const output = runInShell(command)
    const { data, success } = output.startsWith('<svg') ? { data: output } : JSON.parse(output)
    assert.ok(data !== undefined && data !== null && success !== false, `${command}: ${output}`)
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
  const unknown = protocols.flatMap(({ data }) =>
    data.contracts.filter(({ controlProfile }) => controlProfile.label === 'unknown').map(({ name }) => name),
  )
  assert.deepEqual(unknown, [], 'every contract has a known label')

  await checkPowers(url)

  // The poll finds the change that emitted no event.
  await until(async () => (await v1<Page>('/v1/events?key=slot.implementation_changed')).data[0])

  for (const chain of ['btc', 'ltc']) {
    const response = await fetch(`${url}/api/v2/status?chain=${chain}`, { headers: { 'x-api-key': v2Key ?? '' } })
    const { data } = (await response.json()) as { data: { synced: boolean; mempoolSize: number } }
    assert.ok(data.synced && data.mempoolSize > 0, `${chain}: ${JSON.stringify(data)}`)
  }
  assert.equal(((await (await fetch(`${url}/public/about`)).json()) as { demo: boolean }).demo, true)

  // Alerts of the demo account's subscriptions arrive at the receiver, which checks signatures.
  for (const name of ['Kestrel', 'Drift']) {
    const isArrived = ({ status, channel, event }: Delivery) =>
      status === 'sent' && channel === 'webhook' && event.contract?.name?.startsWith(name) === true
    await until(async () => (await v1<Deliveries>('/v1/me/notifications?limit=200')).data.find(isArrived))
  }
}

/** Some contract of the protocol has the power, and the token that one key mints is green by its label only. */
async function checkPowers(url: string): Promise<void> {
  const read = async <T>(path: string): Promise<T> => (await (await fetch(`${url}/public/control/${path}`)).json()) as T
  for (const [effect, slug] of Object.entries(EFFECT_PROTOCOLS)) {
    const { contracts } = (await read<Protocol>(`protocols/${slug}`)).data
    const found = await Promise.all(
      contracts.map(({ chainSlug, address }) => read<Contract>(`contracts/${chainSlug}/${address}`)),
    )
    assert.ok(
      found.some(({ data }) => data.powers?.some((power) => power.effect === effect)),
      `${slug}: ${effect}`,
    )
    if (effect === 'mint')
      assert.deepEqual(
        found.map(
          ({
            data: {
              controlProfile: { label, tone },
            },
          }) => [label, tone],
        ),
        [['immutable', 'red']],
      )
  }
}

/** Stays below the limit of 60 requests a minute per key. */
const POLL_INTERVAL_MS = 3_000

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
