/** A stored control event with the name of the contract that emitted it, as the feed, alerts and the API return it. */
import type { Category } from '../../../../vocabulary/categories.ts'
import { SEVERITIES, type Severity } from '../../../../vocabulary/severities.ts'
import { type Hex, toHex } from '../../lib/hex.ts'
import { findChain } from '../chains/chains.ts'

export type ControlEvent = {
  readonly id: number
  readonly chainId: number
  readonly chainSlug: string
  readonly blockNumber: number
  readonly blockTime: Date
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Hex
  readonly eventKey: string
  readonly category: Category
  readonly severity: Severity
  readonly args: Record<string, unknown>
  readonly isInit: boolean
  readonly contract: { readonly name: string | null; readonly protocol: string | null; readonly kind: string | null }
}

export type ControlEventRow = {
  id: number
  chain_id: number
  block_number: number
  block_time: Date
  tx_hash: Buffer
  log_index: number
  address: Buffer
  event_key: string
  category: Category
  severity: number
  args: Record<string, unknown>
  is_init: boolean
  name: string | null
  protocol: string | null
  kind: string | null
}

export function controlEventOf(row: ControlEventRow): ControlEvent {
  const severity = SEVERITIES[row.severity]
  if (severity === undefined) throw new Error(`Event ${row.id} has the unknown severity ${row.severity}.`)
  return {
    id: row.id,
    chainId: row.chain_id,
    chainSlug: findChain(row.chain_id)?.slug ?? String(row.chain_id),
    blockNumber: row.block_number,
    blockTime: row.block_time,
    txHash: toHex(row.tx_hash),
    logIndex: row.log_index,
    address: toHex(row.address),
    eventKey: row.event_key,
    category: row.category,
    severity,
    args: row.args,
    isInit: row.is_init,
    contract: { name: row.name, protocol: row.protocol, kind: row.kind },
  }
}

/** Formats an event for JSON responses. */
export const eventView = (event: ControlEvent) => ({ ...event, blockTime: event.blockTime.toISOString() })
