/** Ends the faults and new blocks, and waits until the service has processed everything. */

import { setTimeout as pause } from 'node:timers/promises'
import { numberToHex } from 'viem'
import type { Components } from '../../demo/components.ts'
import type { LiveChain } from '../../demo/evm/run.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { spawnComponent } from './service.ts'
import { CONFIRMATIONS, type World } from './world.ts'

/** Far more than the service needs. */
const TIMEOUT_MS = 180_000

export async function settle(world: World): Promise<void> {
  const { bitcoin, evm, database } = world
  bitcoin.hold() // on a busy machine the comparison takes longer than the next block
  await evm.stop()
  // The events of the last blocks are stored only when they are confirmed.
  for (const { chain } of evm.chains)
    for (let n = 0; n <= CONFIRMATIONS; n += 1) {
      const { timestamp } = await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
      await chain.mine(Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1_000)))
    }
  await untilRead(database, evm.chains)
  await until(async () => {
    // Skips the pause before a retry, except for messages that are being sent.
    await database.query(
      sql`update alert_message set next_at = least(next_at, now()) where id in (
         select id from alert_message where status in ('pending', 'retrying') order by id for update skip locked)`,
    )
    const { rows } = await database.query<{ error: string | null }>(
      sql`select last_error as error from alert_message where status in ('pending', 'retrying')`,
    )
    return rows[0] && `${rows.length} alerts are not sent, the first because of ${rows[0].error}`
  })
}

/** Waits until the watcher has read each chain and its history up to the last confirmed block, on the current branch. */
export async function untilRead(database: Database, chains: readonly LiveChain[]): Promise<void> {
  for (const { slug, chain } of chains)
    await until(async () => {
      const target = Number(await chain.rpc('eth_blockNumber')) - CONFIRMATIONS
      const { hash } = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', numberToHex(target), false)
      const { rows } = await database.query<{ number: number; hash: string; unread: number }>(
        sql`select number, '0x' || encode(hash, 'hex') as hash,
           (select count(*)::int from contract k where k.chain_id = c.chain_id and k.watch_state <> 'watched')
             + (select count(*)::int from backfill_job j where j.chain_id = c.chain_id and phase <> 'done') as unread
         from chain_cursor c where chain_id = $1`,
        [chain.chainId],
      )
      const isRead = rows[0]?.hash === hash && rows[0].unread === 0
      return isRead ? undefined : `${slug} is not read to block ${target} ${hash}: ${JSON.stringify(rows[0])}`
    })
}

/** Waits until `whyNot` returns undefined; its last reason is the error after the timeout. */
async function until(whyNot: () => Promise<string | undefined>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  for (let reason = await whyNot(); reason !== undefined; reason = await whyNot()) {
    if (Date.now() > deadline) throw new Error(`after ${TIMEOUT_MS / 1_000} s: ${reason}`)
    await pause(200)
  }
}

/** Runs `gatewatch verify`, and repeats it while the index is behind the node. */
export async function verifyIndex(
  components: Components,
  chain: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<{ readonly isSame: boolean; readonly printed: string }> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const { exit, output } = spawnComponent(components, ['verify', chain], { env, cwd })
    const { code } = await exit
    const printed = output().trim().replaceAll('\n', '; ')
    if (code === 0) return { isSame: true, printed }
    if (!printed.includes("has not reached the node's tip") || Date.now() > deadline) return { isSame: false, printed }
    await pause(1_000)
  }
}
