import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { deleteEventsAbove, insertEvents } from '../feed/events.ts'
import { saveContract } from '../registry/contracts.ts'
import { collectSteps } from './collect.ts'
import { getPendingPage, type PendingFilter } from './pending-page.ts'

const { database } = await createTestDatabase()
const CHAIN = 1
const NOW = Math.floor(Date.now() / 1_000) * 1_000

const upgradeTo = (to: Hex): Hex =>
  encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), functionName: 'upgradeTo', args: [to] })

const scheduled = (id: number, blockNumber: number, args: EventRecord['args'] = {}): Partial<EventRecord> => ({
  key: 'timelock.scheduled',
  category: 'timelock',
  severity: 'high',
  blockNumber,
  blockTime: NOW - 60_000,
  args: { id: hexOf(id, 32), index: '0', target: hexOf(0x51, 20), value: '0', data: '0x', delay: String(id), ...args },
})

async function collect(): Promise<void> {
  while (await collectSteps(database)) {}
}

async function pages(filter: PendingFilter, limit: number) {
  const found = []
  let cursor: string | undefined
  do {
    const page = await getPendingPage({ database, clock: systemClock }, { filter, limit, cursor })
    assert.ok(page.data.length <= limit)
    found.push(...page.data)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

const timelockOf = async (n: number): Promise<Hex> => {
  const address = hexOf(0x7000 + n, 20)
  await saveContract(database, { chainId: CHAIN, address })
  return address
}

test('10,000 operations are listed once each, earliest first, over all pages', { timeout: 900_000 }, async () => {
  const address = await timelockOf(1)
  const events = Array.from({ length: 10_000 }, (_, n): EventRecord => {
    const blockNumber = 100 + Math.floor(n / 1_000)
    const part = scheduled(((n * 7_919) % 10_000) + 1, blockNumber, n % 3 === 0 ? { delay: '5000' } : {})
    const rest = {
      isInit: false,
      subject: undefined,
      blockHash: hexOf(1, 32),
      txHash: hexOf(n, 32),
      logIndex: n % 1_000,
    }
    return { ...part, ...rest, address } as EventRecord
  })
  for (let at = 0; at < events.length; at += 1_000)
    await insertEvents(database, CHAIN, events.slice(at, at + 1_000), false)
  await collect()
  const found = await pages({ chainId: CHAIN }, 100)
  assert.equal(found.length, 10_000)
  assert.equal(new Set(found.map(({ operation }) => operation)).size, 10_000)
  const times = found.map(({ earliestAt }) => Date.parse(earliestAt ?? ''))
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
})

test('a batch of 120 calls is one change', async () => {
  const address = await timelockOf(2)
  const code = hexOf(0x99, 20)
  for (let index = 0; index < 120; index++)
    await storeEvent(database, { chainId: CHAIN, address }, scheduled(1, 2_000 + index, { data: upgradeTo(code) }))
  await collect()
  const [change, ...others] = await pages({ address }, 10)
  assert.deepEqual(others, [])
  assert.deepEqual([change?.callCount, change?.calls.length], [120, 100])
  assert.equal(change?.summary, `Upgrade ${hexOf(0x51, 20)} to ${code}, and 119 more calls`)
})

test('calls before it do not displace the target of a control function, whatever the page of events', async () => {
  const address = await timelockOf(6)
  const [proxy, code] = [hexOf(0xa0000, 20), hexOf(0xb0000, 20)]
  const ref = { chainId: CHAIN, address }
  const harmless = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++)
      await storeEvent(database, ref, scheduled(1, 6_000 + n, { target: hexOf(0x60000 + n, 20) }))
    await collect()
  }
  await harmless(0, 60)
  await storeEvent(database, ref, scheduled(1, 6_100, { target: proxy, data: upgradeTo(code) }))
  await harmless(200, 210)
  const [change] = await pages({ address }, 10)
  const targets = new Set(change?.targets.map((target) => target.address))
  assert.deepEqual([targets.has(proxy), targets.has(code), targets.size], [true, true, 52])
})

test('an operation that was canceled can be queued again, and counts from then', async () => {
  const address = await timelockOf(3)
  const ref = { chainId: CHAIN, address }
  const args = { id: hexOf(1, 32) }
  await storeEvent(database, ref, scheduled(1, 3_000, { delay: '60' }))
  await storeEvent(database, ref, { key: 'timelock.cancelled', category: 'timelock', blockNumber: 3_001, args })
  await collect()
  assert.deepEqual(await pages({ address }, 10), [])
  assert.deepEqual(
    (await pages({ address, isClosed: true }, 10)).map(({ state }) => state),
    ['canceled'],
  )
  await storeEvent(database, ref, scheduled(1, 3_002, { delay: '7200' }))
  await collect()
  const [change] = await pages({ address }, 10)
  assert.deepEqual([change?.state, change?.callCount, change?.queuedBlock], ['queued', 1, 3_002])
})

test('a rollback of the cancellation opens the operation again, one of everything deletes it', async () => {
  const address = await timelockOf(4)
  const ref = { chainId: CHAIN, address }
  await storeEvent(database, ref, { ...scheduled(1, 4_000), blockTime: NOW })
  const args = { id: hexOf(1, 32) }
  await storeEvent(database, ref, {
    key: 'timelock.cancelled',
    category: 'timelock',
    blockNumber: 4_001,
    blockTime: NOW,
    args,
  })
  await collect()
  await deleteEventsAbove(database, CHAIN, { number: 4_000, time: NOW })
  await collect()
  assert.deepEqual(
    (await pages({ address }, 10)).map(({ callCount }) => callCount),
    [1],
  )
  await deleteEventsAbove(database, CHAIN, { number: 3_999, time: NOW })
  await collect()
  assert.deepEqual([...(await pages({ address }, 10)), ...(await pages({ address, isClosed: true }, 10))], [])
  const { rows } = await database.query(sql`select from pending_target t where not exists
    (select from pending_operation o where o.id = t.operation_id)`)
  assert.deepEqual(rows, [])
})

test('a contract that is neither registered nor a controller lists nothing', async () => {
  const unwatched = hexOf(0x7666, 20)
  const target = await timelockOf(5)
  await storeEvent(database, { chainId: CHAIN, address: unwatched }, scheduled(1, 5_000, { target }))
  await collect()
  assert.deepEqual([...(await pages({ address: unwatched }, 10)), ...(await pages({ address: target }, 10))], [])
})
