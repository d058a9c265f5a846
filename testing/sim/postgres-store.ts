/** The PostgreSQL store with leases that expire in simulated time. */

import { saveBackfillRequest } from '../../server/src/control/watch/backfill-jobs.ts'
import { createWatchStore } from '../../server/src/control/watch/watch-store-pg.ts'
import { toBytes, toHex } from '../../server/src/lib/hex.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { SEVERITIES } from '../../vocabulary/severities.ts'
import { accountWithWebhook } from '../support/alerts.ts'
import type { SimStore, StoredEvent } from './memory-store.ts'

export function postgresStore(
  { database, now }: { readonly database: Database; readonly now: () => number },
  chainId: number,
): SimStore {
  const name = `watch:${chainId}`
  let held: { holder: string; fence: number; expiresAt: number } | undefined
  return {
    ...createWatchStore({ database }, chainId),
    // The simulation expects every event. What is left out of contracts without a reference has its own tests.
    getReferenced: async (addresses) => new Set(addresses),
    subscribe: async (addresses) => {
      const account = await accountWithWebhook(database)
      await database.query(
        sql`insert into subscription (account_id, chain_id, address, min_severity, channels, include_controllers)
         select $1, $2, address, 0, array['webhook'], true from unnest($3::bytea[]) as address`,
        [account.id, chainId, addresses.map(toBytes)],
      )
    },
    getAlerts: async () => {
      const { rows } = await database.query(
        sql`select e.*, (select count(*)::int from delivery d where d.event_id = e.id) as deliveries
         from alert_event e where e.chain_id = $1 order by e.id`,
        [chainId],
      )
      return rows.flatMap((row) =>
        Array.from({ length: row.deliveries }, () => ({
          blockNumber: row.block_number,
          logIndex: row.log_index,
          txHash: toHex(row.tx_hash),
          address: toHex(row.address),
          key: row.event_key,
          severity: SEVERITIES[row.severity] ?? 'info',
          isConfirmed: row.confirmed_at !== null,
          isRetracted: row.retracted_at !== null,
        })),
      )
    },
    register: async ({ address }) => {
      await database.query(
        sql`insert into contract (chain_id, address, source) values ($1, $2, 'manual') on conflict do nothing`,
        [chainId, toBytes(address)],
      )
    },
    requestBackfill: (startBlock) => saveBackfillRequest(database, chainId, startBlock),
    getEvents: async () => {
      const { rows } = await database.query(
        sql`select e.*, k.key, k.category from control_event e join event_kind k on k.id = e.kind_id
         where e.chain_id = $1 order by e.id`,
        [chainId],
      )
      return rows.map(
        (row): StoredEvent => ({
          id: row.id,
          announced: row.announced,
          blockNumber: row.block_number,
          blockHash: '0x', // not stored; transactions of the simulation are unique to a block
          blockTime: row.block_time.getTime(),
          txHash: toHex(row.tx_hash),
          logIndex: row.log_index,
          address: toHex(row.address),
          key: row.key,
          category: row.category,
          severity: SEVERITIES[row.severity] ?? 'info',
          args: row.args,
          isInit: row.is_init,
          subject: row.subject === null ? undefined : toHex(row.subject),
        }),
      )
    },
    leasesOf: (holder) => ({
      take: async (ttlMs) => {
        if (held !== undefined && held.holder !== holder && held.expiresAt > now()) return undefined
        const fence = held?.holder === holder ? held.fence : (held?.fence ?? 0) + 1
        held = { holder, fence, expiresAt: now() + ttlMs }
        await database.query(
          sql`insert into lease (name, holder, fence, expires_at) values ($1, $2, $3, 'infinity')
           on conflict (name) do update set holder = excluded.holder, fence = excluded.fence`,
          [name, holder, fence],
        )
        return { name, holder, fence }
      },
      release: async ({ fence }) => {
        if (held?.holder === holder && held.fence === fence) held.expiresAt = 0
      },
    }),
  }
}
