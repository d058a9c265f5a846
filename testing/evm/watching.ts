/** Runs the watcher on a real database and real nodes, and reads what it stored. */

import { buildCatalog } from '../../server/src/control/catalog/catalog.ts'
import { catalogRows } from '../../server/src/control/catalog/events/rows.ts'
import type { EventArgs } from '../../server/src/control/catalog/layout.ts'
import { type Chain, findChain } from '../../server/src/control/chains/chains.ts'
import { type WatchedChain, type Watching, watchChains } from '../../server/src/control/watch/watch-chains.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { toHex } from '../../server/src/lib/hex.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { SEVERITIES, type Severity } from '../../vocabulary/severities.ts'
import { testLog } from '../support/log.ts'
import type { Anvil } from './anvil.ts'

export const catalog = buildCatalog(catalogRows)

export const chainOf = (id: number): Chain => {
  const chain = findChain(id)
  if (chain === undefined) throw new Error(`no chain ${id}`)
  return chain
}

export function startWatching(
  database: Database,
  nodes: readonly Anvil[],
  options: Partial<WatchedChain> = {},
): Watching {
  return watchChains(
    { database, log: testLog, catalog },
    nodes.map(({ chainId, url }) => ({
      chain: chainOf(chainId),
      rpcUrls: [url],
      startBlock: 0,
      confirmations: 0,
      pollMs: 50,
      verifyDelayMs: 500,
      ...options,
    })),
  )
}

/** Waits until the watcher has read the chain to its head (less confirmations) and finished every job. */
export async function caughtUp(database: Database, node: Anvil, confirmations = 0): Promise<void> {
  for (;;) {
    const head = await node.rpc<{ number: Hex }>('eth_getBlockByNumber', 'latest', false)
    const target = Math.max(0, Number(head.number) - confirmations)
    const block = await node.rpc<{ hash: Hex }>('eth_getBlockByNumber', `0x${target.toString(16)}`, false)
    const { rows } = await database.query<{ done: boolean }>(
      sql`select c.number = $2 and c.hash = decode($3, 'hex')
         and not exists (select from backfill_job j where j.chain_id = c.chain_id and j.phase <> 'done')
         and not exists (select from contract k where k.chain_id = c.chain_id and k.watch_state in ('new', 'changed', 'expiring')) as done
       from chain_cursor c where c.chain_id = $1`,
      [node.chainId, target, block.hash.slice(2)],
    )
    if (rows[0]?.done === true) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export type StoredRow = {
  readonly blockNumber: number
  readonly blockTime: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Hex
  readonly key: string
  readonly category: string
  readonly severity: Severity
  readonly isInit: boolean
  readonly args: EventArgs
}

/** Returns the stored events of a chain in chain order, without ids. */
export async function storedEvents(database: Database, chainId: number): Promise<readonly StoredRow[]> {
  const { rows } = await database.query(
    sql`select e.*, k.key, k.category from control_event e join event_kind k on k.id = e.kind_id
     where e.chain_id = $1 order by block_number, log_index`,
    [chainId],
  )
  return rows.map((row) => ({
    blockNumber: row.block_number,
    blockTime: row.block_time.getTime(),
    txHash: toHex(row.tx_hash),
    logIndex: row.log_index,
    address: toHex(row.address),
    key: row.key,
    category: row.category,
    severity: SEVERITIES[row.severity] ?? 'info',
    isInit: row.is_init,
    args: row.args,
  }))
}
