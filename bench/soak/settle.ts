/** The calm after the soak: everything is healed, nothing new happens, and the service gets the time to be done. */

import { setTimeout as pause } from 'node:timers/promises'
import { numberToHex } from 'viem'
import type { Components } from '../../demo/components.ts'
import type { LiveChain } from '../../demo/evm/run.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { spawnKept } from './service.ts'
import { CONFIRMATIONS, type World } from './world.ts'

/** Far more than it takes; what is not done by then never will be. */
const PATIENCE_MS = 180_000

export async function settle(world: World): Promise<void> {
  const { bitcoin, evm, database } = world
  bitcoin.hold() // a busy machine takes longer to compare than the next block to come
  await evm.stop()
  // The last blocks are confirmed, so that their events count.
  for (const { chain } of evm.chains)
    for (let n = 0; n <= CONFIRMATIONS; n += 1) {
      const { timestamp } = await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
      await chain.mine(Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1_000)))
    }
  await untilRead(database, evm.chains)
  await until(async () => {
    // The pause before another try goes by; a message that is being sent is left alone.
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

/** Until the watcher has read each chain to its head, less what is to be confirmed, on the branch that holds now. */
export async function untilRead(database: Database, chains: readonly LiveChain[]): Promise<void> {
  for (const { slug, chain } of chains)
    await until(async () => {
      const target = Number(await chain.rpc('eth_blockNumber')) - CONFIRMATIONS
      const { hash } = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', numberToHex(target), false)
      const { rows } = await database.query<{ number: number; hash: string; unread: number }>(
        sql`select number, '0x' || encode(hash, 'hex') as hash,
           (select count(*)::int from contract k where k.chain_id = c.chain_id and k.watch_state <> 'watched') as unread
         from chain_cursor c where chain_id = $1`,
        [chain.chainId],
      )
      const isRead = rows[0]?.hash === hash && rows[0].unread === 0
      return isRead ? undefined : `${slug} is not read to block ${target} ${hash}: ${JSON.stringify(rows[0])}`
    })
}

/** `whyNot` says what is still missing. */
async function until(whyNot: () => Promise<string | undefined>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (let reason = await whyNot(); reason !== undefined; reason = await whyNot()) {
    if (Date.now() > deadline) throw new Error(`after ${PATIENCE_MS / 1_000} s: ${reason}`)
    await pause(200)
  }
}

/** `gatewatch verify`, again while a block comes between. Gives a fault, or what it said. */
export async function verifyIndex(
  components: Components,
  chain: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<{ readonly isSame: boolean; readonly said: string }> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { exit, output } = spawnKept(components, ['verify', chain], { env, cwd })
    const { code } = await exit
    const said = output().trim().replaceAll('\n', '; ')
    if (code === 0) return { isSame: true, said }
    if (!said.includes('does not stand on') || Date.now() > deadline) return { isSame: false, said }
    await pause(1_000)
  }
}
