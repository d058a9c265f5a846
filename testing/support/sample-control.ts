/** Stores sample contracts with real profiles and a history, for page tests. */

import type { EventRecord } from '../../server/src/control/catalog/catalog.ts'
import { insertEvents } from '../../server/src/control/feed/events.ts'
import { findSnapshot, savePoll } from '../../server/src/control/poll/profile-store.ts'
import type { Profile } from '../../server/src/control/profile/profile.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { at, SampleWorld } from '../evm/sample-world.ts'

const CHAIN = 1
const DAY = 86_400
const MINUTE_MS = 60_000
const hash = (seed: number): Hex => `0x${seed.toString(16).padStart(64, '0')}`

const keys = (...names: string[]): Hex[] => names.map(at)
const world = new SampleWorld(CHAIN)
const council = world.safe('council', 3, keys('ada', 'bo', 'cy', 'di', 'eve'))
const guardians = world.safe('guardians', 2, keys('fay', 'gus', 'hal'))
const timelock = world.timelock('timelock', 2 * DAY, [council])
const proxyAdmin = world.proxyAdmin('proxy admin', timelock)

export const SAMPLES = {
  /** Timelocked: proxy → ProxyAdmin → timelock of two days → Safe, 3 of 5. */
  vault: world.transparent('vault', proxyAdmin),
  /** A single key in addition to a Safe. */
  bridge: world.uups('bridge', { owner: at('mallory') }),
  market: world.transparent('market', world.proxyAdmin('market admin', guardians)),
  token: world.add('token', { calls: { owner: guardians } }),
  council,
  timelock,
} as const

const NAMES: Readonly<Record<string, { readonly name: string; readonly protocol?: string }>> = {
  vault: { name: 'Meadow Vault', protocol: 'Meadow' },
  bridge: { name: 'Meadow Bridge', protocol: 'Meadow' },
  market: { name: 'Market Proxy', protocol: 'Meadow' },
  token: { name: 'Clover Token', protocol: 'Clover' },
  council: { name: 'Meadow Council' },
  timelock: { name: 'Meadow Timelock' },
}

/** The state that a poll would read. */
const FIELDS: Readonly<Record<string, Record<string, string | null>>> = {
  vault: { implementation: at('vault logic'), admin: proxyAdmin, owner: null, paused: 'false' },
  bridge: { implementation: at('bridge logic'), admin: null, owner: at('mallory') },
  market: { implementation: at('market logic'), admin: at('old admin'), owner: null },
  council: { safeThreshold: '3', owners: keys('ada', 'bo', 'cy', 'di', 'eve').join(','), modules: '' },
  timelock: { minDelay: String(2 * DAY) },
}

export type SampleEvent = Pick<EventRecord, 'key' | 'category' | 'severity' | 'args'> & {
  readonly address: Hex
  readonly minutesAgo: number
  readonly isInit?: boolean
}

const { vault, bridge, market, token } = SAMPLES
const EVENTS: readonly SampleEvent[] = [
  {
    key: 'ownable.transferred',
    category: 'ownership',
    severity: 'critical',
    address: bridge,
    minutesAgo: 4,
    args: { previousOwner: guardians, newOwner: at('mallory') },
  },
  {
    key: 'proxy.upgraded',
    category: 'upgrade',
    severity: 'critical',
    address: vault,
    minutesAgo: 61,
    args: { implementation: at('vault logic') },
  },
  {
    key: 'timelock.scheduled',
    category: 'timelock',
    severity: 'high',
    address: timelock,
    minutesAgo: 3 * 1440,
    args: {
      id: hash(7),
      index: '0',
      target: vault,
      value: '0',
      data: '0x',
      predecessor: hash(0),
      delay: String(2 * DAY),
    },
  },
  {
    key: 'slot.admin_changed',
    category: 'upgrade',
    severity: 'critical',
    address: market,
    minutesAgo: 95,
    args: { field: 'admin', previous: at('old admin'), current: at('market admin') },
  },
  {
    key: 'safe.removed_owner',
    category: 'multisig',
    severity: 'high',
    address: council,
    minutesAgo: 130,
    args: { owner: at('zed') },
  },
  {
    key: 'pause.paused',
    category: 'pause',
    severity: 'high',
    address: token,
    minutesAgo: 200,
    args: { account: guardians },
  },
  {
    key: 'pause.unpaused',
    category: 'pause',
    severity: 'info',
    address: token,
    minutesAgo: 190,
    args: { account: guardians },
  },
  {
    key: 'access.role_granted',
    category: 'access',
    severity: 'critical',
    address: token,
    minutesAgo: 400,
    args: { role: hash(0), account: council, sender: guardians },
  },
  {
    key: 'aave.oracle_updated',
    category: 'token_admin',
    severity: 'high',
    address: market,
    minutesAgo: 700,
    args: { oldAddress: at('old oracle'), newAddress: at('new oracle') },
  },
  {
    key: 'fiat.minter_configured',
    category: 'token_admin',
    severity: 'high',
    address: token,
    minutesAgo: 900,
    args: { minter: at('minter'), minterAllowedAmount: '5000000000000' },
  },
  {
    key: 'proxy.initialized',
    category: 'upgrade',
    severity: 'info',
    address: vault,
    minutesAgo: 50_000,
    isInit: true,
    args: { version: '1' },
  },
]

export async function seedControl(database: Database): Promise<void> {
  for (const [name, address] of Object.entries(SAMPLES)) {
    await saveContract(database, { chainId: CHAIN, address }, NAMES[name] ?? {})
    await pollContract(database, address, world.profile(address), FIELDS[name])
  }
  await publish(database, EVENTS)
  // The polls above have read what the events changed.
  await database.query(sql`delete from poll_request`)
}

/** Stores and publishes events as the watcher does. */
export async function publish(database: Database, events: readonly SampleEvent[]): Promise<void> {
  const now = Date.now()
  const records = events.map(({ minutesAgo, isInit = false, ...event }, index): EventRecord => {
    const blockTime = now - minutesAgo * MINUTE_MS
    const blockNumber = Math.floor(blockTime / 12_000)
    return {
      ...event,
      blockTime,
      blockNumber,
      blockHash: hash(blockNumber),
      txHash: hash(blockTime),
      logIndex: index,
      isInit,
      subject: undefined,
    }
  })
  await insertEvents(database, CHAIN, records, true)
}

/** Moves the market's admin to a single key, which the next poll finds. */
export async function loseTheKeys(database: Database): Promise<void> {
  world.transparent('market', world.proxyAdmin('market admin', at('mallory')))
  await pollContract(database, market, world.profile(market), { admin: at('market admin'), owner: null }, [
    { field: 'admin', previous: at('old admin'), current: at('market admin') },
  ])
}

let looks = 100
async function pollContract(
  database: Database,
  address: Hex,
  { label, kind, stale, reasons, tree, powers }: Profile,
  fields: Record<string, string | null> = { admin: null, owner: null },
  cause: object[] = [],
): Promise<void> {
  const contract = { chainId: CHAIN, address }
  looks += 1
  const { rows } = await database.query<{ id: number; eventKey: string | null; txHash: string | null }>(
    sql`select id, event_key as "eventKey", '0x' || encode(tx_hash, 'hex') as "txHash" from poll_request where chain_id = $1 and address = decode(substr($2, 3), 'hex')`,
    [CHAIN, address],
  )
  await savePoll(database, {
    ...contract,
    block: { number: looks, hash: hash(looks), time: Date.now() },
    fields,
    since: (await findSnapshot(database, contract))?.polledBlock,
    events: [],
    profile: { label, kind, stale, reasons, tree, powers },
    cause: [...rows.flatMap(({ eventKey, txHash }) => (eventKey === null ? [] : { eventKey, txHash })), ...cause],
    controllers: [],
    served: rows.map(({ id }) => id),
  })
}
