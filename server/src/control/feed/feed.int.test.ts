/** Compares the feed with a list that is filtered and sorted in memory. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import type { Category } from '../../../../vocabulary/categories.ts'
import { SEVERITIES, type Severity } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { CHAINS } from '../chains/chains.ts'
import { insertEvents } from './events.ts'
import { type FeedFilter, type FeedPosition, getEvents } from './feed.ts'

const { database } = await createTestDatabase()
const random = seededRandom(7)
const { pick } = random
const hex = (n: number, bytes: number): Hex => `0x${n.toString(16).padStart(bytes * 2, '0')}`

const ADDRESSES = [1, 2, 3, 4].map((n) => hex(n, 20))
const KEYS: readonly (readonly [string, Category])[] = [
  ['proxy.upgraded', 'upgrade'],
  ['ownable.transferred', 'ownership'],
  ['pause.paused', 'pause'],
]

type Stored = EventRecord & { readonly chainId: number }
const stored: Stored[] = Array.from({ length: 400 }, (_, n) => {
  const [key, category] = pick(KEYS)
  return {
    chainId: pick(CHAINS).id,
    blockNumber: n,
    blockTime: Date.parse('2026-11-01T00:00:00Z') + random.below(61) * 12_000, // many share a block time
    blockHash: hex(n, 32),
    txHash: hex(n, 32),
    logIndex: 0,
    address: pick(ADDRESSES),
    subject: undefined,
    key,
    category,
    severity: pick(SEVERITIES),
    isInit: random.below(4) === 0,
    args: { n },
  }
})
for (const event of stored) await insertEvents(database, event.chainId, [event], false)

const isAtLeast = (severity: Severity, least: Severity) => SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)

function expected({ chainId, address, minSeverity, key, category, includeInit }: FeedFilter): unknown[] {
  return stored
    .map((event, id) => ({ event, id }))
    .filter(
      ({ event }) =>
        (chainId === undefined || event.chainId === chainId) &&
        (address === undefined || event.address === address) &&
        (minSeverity === undefined || isAtLeast(event.severity, minSeverity)) &&
        (key === undefined || event.key === key) &&
        (category === undefined || event.category === category) &&
        (includeInit || !event.isInit),
    )
    .sort((a, b) => b.event.blockTime - a.event.blockTime || b.id - a.id)
    .map(({ event }) => event.args.n)
}

async function readAll(filter: FeedFilter, limit: number): Promise<unknown[]> {
  const read: unknown[] = []
  let after: FeedPosition | undefined
  for (;;) {
    const page = await getEvents(database, filter, { after, limit })
    read.push(...page.map(({ args }) => args.n))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return read
    after = { blockTime: last.blockTime.getTime(), id: last.id }
  }
}

test('every combination of filters returns each event once, newest first, over all pages', async () => {
  for (let round = 0; round < 150; round++) {
    const maybe = <T>(value: T): T | undefined => (random.below(2) === 0 ? undefined : value)
    const [key, category] = pick(KEYS)
    const filter: FeedFilter = {
      chainId: maybe(pick(CHAINS).id),
      address: maybe(pick(ADDRESSES)),
      minSeverity: maybe(pick(SEVERITIES)),
      key: maybe(key),
      category: maybe(category),
      includeInit: random.below(2) === 0,
    }
    assert.deepEqual(await readAll(filter, 1 + random.below(40)), expected(filter), JSON.stringify(filter))
  }
})

test('an event has the name of a registered contract, otherwise null', async () => {
  await database.query(
    sql`insert into contract (chain_id, address, kind, name, source) values (1, $1, 'safe', 'Treasury', 'manual')`,
    [Buffer.from(`${'0'.repeat(39)}1`, 'hex')],
  )
  const [known] = await getEvents(database, { chainId: 1, address: ADDRESSES[0], includeInit: true }, { limit: 1 })
  assert.deepEqual(known?.contract, { name: 'Treasury', protocol: null, kind: 'safe' })
  const [unknown] = await getEvents(database, { chainId: 1, address: ADDRESSES[1], includeInit: true }, { limit: 1 })
  assert.deepEqual(unknown?.contract, { name: null, protocol: null, kind: null })
})
