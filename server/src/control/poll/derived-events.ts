/** Events derived from state, without a log of their own: their identity, and the SQL that stores them. */
import { concatHex, keccak256, numberToHex, stringToHex } from 'viem/utils'
import type { Category } from '../../../../vocabulary/categories.ts'
import { type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { matchEvents, type NewEvent } from '../alerts/alert-matches.ts'
import { getEventKinds } from '../feed/event-kinds.ts'
import { notifyEvents } from '../feed/events.ts'
import type { ContractRef } from '../registry/contracts.ts'

export type DerivedEvent = {
  readonly txHash: Hex
  readonly logIndex: number
  readonly key: string
  readonly category: Category
  readonly severity: Severity
  readonly args: object
  /** Part of a deployment. */
  readonly isInit?: boolean
}

/** A transaction hash for an event derived from state: the same finding always gives the same hash. */
export function derivedHash(
  what: 'slot' | 'source' | 'layout' | 'pending',
  { chainId, address }: ContractRef,
  { field, block }: { readonly field: string; readonly block: number },
): Hex {
  return keccak256(
    concatHex([
      stringToHex(what),
      numberToHex(chainId, { size: 32 }),
      address,
      stringToHex(field),
      numberToHex(block, { size: 32 }),
    ]),
  )
}

export type Derived = ContractRef & {
  /** Time in milliseconds since the epoch. */
  readonly block: { readonly number: number; readonly time: number }
  readonly events: readonly DerivedEvent[]
}

/** Returns the ids of the events that were not stored before. */
export async function insertDerived(
  client: Queryable,
  { chainId, address, block, events }: Derived,
): Promise<readonly number[]> {
  const stored: number[] = []
  const kindOf = await getEventKinds(client, events)
  for (const event of events) {
    const kind = kindOf(event)
    const { rowCount, rows } = await client.query<NewEvent>(
      sql`select id, block_time as "blockTime"
       from store_derived_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        chainId,
        block.number,
        block.time,
        toBytes(event.txHash),
        event.logIndex,
        toBytes(address),
        kind.id,
        kind.categoryId,
        severityRank(event.severity),
        event.isInit === true,
        JSON.stringify(event.args),
      ],
    )
    if (rowCount !== 1) continue
    stored.push(...rows.map(({ id }) => id))
    await matchEvents(client, chainId, rows)
    await notifyEvents(client, chainId)
  }
  return stored
}
