import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { saveContract } from '../registry/contracts.ts'
import { collectSteps } from './collect.ts'
import { announceDue, updateStates } from './inspections.ts'

const { database } = await createTestDatabase()
const NOW = Math.floor(Date.now() / 1_000) * 1_000
const timelock = hexOf(0x71, 20)
const contract = { chainId: 1, address: timelock }
await saveContract(database, contract)

async function moveCursor(number: number): Promise<void> {
  const hash = toBytes(hexOf(number, 32))
  await database.query(sql`delete from chain_block where number >= $1`, [number])
  await database.query(sql`insert into chain_block (chain_id, number, hash, time) values (1, $1, $2, $3)`, [
    number,
    hash,
    new Date(NOW),
  ])
  await database.query(
    sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values (1, $1, $2, 0, 0)
     on conflict (chain_id) do update set number = $1, hash = $2`,
    [number, hash],
  )
}

const schedule = async (id: number, block: number, agoSeconds: number, delaySeconds: number) =>
  await storeEvent(database, contract, {
    key: 'timelock.scheduled',
    category: 'timelock',
    severity: 'high',
    blockNumber: block,
    blockTime: NOW - agoSeconds * 1_000,
    args: { id: hexOf(id, 32), index: '0', target: hexOf(0x51, 20), data: '0x', delay: String(delaySeconds) },
  })

async function announced(): Promise<readonly string[]> {
  while (await collectSteps(database)) {}
  while ((await announceDue(database)) > 0) {}
  const { rows } = await database.query<{ operation: string }>(
    sql`select e.args ->> 'operation' as operation from control_event e join event_kind k on k.id = e.kind_id
     where k.key = 'pending.due' order by 1`,
  )
  return rows.map(({ operation }) => operation)
}

test('a change is announced once within the last hour, and again after a reorg of the announcement', async () => {
  await schedule(1, 10, 86_400, 86_400 + 1_800) // ready in 30 minutes
  await schedule(2, 11, 86_400, 2 * 86_400) // ready tomorrow
  await schedule(3, 12, 60, 1_800) // queued for less than an hour: its own event warns
  await schedule(4, 13, 86_400, 3_600) // ready since yesterday
  await moveCursor(20)
  assert.deepEqual(await announced(), [hexOf(1, 32)])
  assert.deepEqual(await announced(), [hexOf(1, 32)])
  await deleteEventsAbove(database, 1, { number: 19, time: NOW - 3_600_000 })
  await moveCursor(21)
  assert.deepEqual(await announced(), [hexOf(1, 32)])
  await schedule(1, 22, 3_600, 3_600 + 1_200) // queued again before the last hour
  assert.equal((await announced()).length, 1)
})

test('a change that replaces an executed one of the same contract has its own time and warning', async () => {
  const address = hexOf(0x73, 20)
  await saveContract(database, { chainId: 1, address })
  const submit = async (block: number, agoSeconds: number, newTimelock: string) =>
    await storeEvent(
      database,
      { chainId: 1, address },
      {
        key: 'morpho.timelock_submitted',
        category: 'timelock',
        blockNumber: block,
        blockTime: NOW - agoSeconds * 1_000,
        args: { newTimelock },
      },
    )
  const operation = async () => {
    while (await collectSteps(database)) {}
    const { rows } = await database.query<{ queued_block: number; call_count: number; due_event_id: number | null }>(
      sql`select queued_block, call_count, due_event_id from pending_operation where address = $1`,
      [toBytes(address)],
    )
    return rows[0]
  }
  await submit(30, 400_000, '3600')
  await operation()
  // Accepted, which has no event of the queue: the contract no longer has it.
  await database.query(
    sql`update pending_operation set state = 'executed', closed_at = now(), due_event_id = 7 where address = $1`,
    [toBytes(address)],
  )
  await submit(31, 60, '60')
  assert.deepEqual(await operation(), { queued_block: 31, call_count: 1, due_event_id: null })
})

test('an operation expires, and is listed once its contract is registered', async () => {
  const address = hexOf(0x72, 20)
  await storeEvent(
    database,
    { chainId: 1, address },
    {
      key: 'timelock.queued',
      category: 'timelock',
      args: { txHash: hexOf(5, 32), target: timelock, value: '0', signature: '', data: '0x', eta: String(NOW / 1_000) },
    },
  )
  while (await collectSteps(database)) {}
  const stateOf = async () => {
    const { rows } = await database.query<{ state: string; is_listed: boolean }>(
      sql`select state, is_listed from pending_operation where address = $1`,
      [toBytes(address)],
    )
    return [rows[0]?.state, rows[0]?.is_listed]
  }
  assert.deepEqual(await stateOf(), ['queued', false])
  await saveContract(database, { chainId: 1, address })
  await updateStates(database)
  assert.deepEqual(await stateOf(), ['queued', true])
  await database.query(sql`update pending_operation set expires_at = now() - interval '1 second'`)
  await updateStates(database)
  assert.deepEqual(await stateOf(), ['expired', true])
})
