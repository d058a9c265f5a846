/** Stores events, snapshots and profiles as watcher and poller do. */

import type { EventRecord } from '../../server/src/control/catalog/catalog.ts'
import { insertEvents } from '../../server/src/control/feed/events.ts'
import type { ContractRef } from '../../server/src/control/registry/contracts.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { toBytes } from '../../server/src/lib/hex.ts'
import type { Queryable } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import type { Reason } from '../../vocabulary/reasons.ts'

export const hexOf = (n: number, bytes: number): Hex => `0x${n.toString(16).padStart(bytes * 2, '0')}`

let block = 1_000

/** One event in a separate block; by default a critical upgrade, one hour ago. */
export async function storeEvent(
  database: Queryable,
  { chainId, address }: ContractRef,
  overrides: Partial<EventRecord> = {},
): Promise<EventRecord> {
  block += 1
  const event: EventRecord = {
    blockNumber: block,
    blockTime: Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000,
    blockHash: hexOf(block, 32),
    txHash: hexOf(block, 32),
    logIndex: 3,
    address,
    subject: undefined,
    key: 'proxy.upgraded',
    category: 'upgrade',
    severity: 'critical',
    isInit: false,
    args: { implementation: hexOf(block, 20) },
    ...overrides,
  }
  await insertEvents(database, chainId, [event], false)
  return event
}

export async function storeSnapshot(
  database: Queryable,
  { chainId, address }: ContractRef,
  { block: number, at, fields }: { block: number; at: string; fields: Readonly<Record<string, string | null>> },
): Promise<void> {
  await database.query(
    sql`insert into control_snapshot (chain_id, address, block_number, block_hash, taken_at, polled_block, polled_at, fields)
     values ($1, $2, $3, $4, $5, $3, $5, $6)`,
    [chainId, toBytes(address), number, toBytes(hexOf(number, 32)), at, JSON.stringify(fields)],
  )
}

export async function storeProfile(
  database: Queryable,
  { chainId, address }: ContractRef,
  overrides: { label: string; reasons?: readonly Reason[]; stale?: boolean; tree?: object },
): Promise<void> {
  await database.query(
    sql`insert into control_profile (chain_id, address, label, kind, stale, reasons, tree, block_number)
     values ($1, $2, $3, 'unknown', $4, $5, $6, 1)
     on conflict (chain_id, address) do update set label = $3, stale = $4, reasons = $5, tree = $6`,
    [
      chainId,
      toBytes(address),
      overrides.label,
      overrides.stale ?? false,
      JSON.stringify(overrides.reasons ?? [{ code: 'several_paths' }]),
      JSON.stringify(overrides.tree ?? { chainId, address, account: { kind: 'unjudged' }, paths: [] }),
    ],
  )
}
