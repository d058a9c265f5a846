/** A chain whose queued changes are collected and read on demand, for tests of the families of queues. */
import { after } from 'node:test'
import type { Hex } from 'viem'
import { collectSteps } from '../../server/src/control/pending/collect.ts'
import { inspectOperations } from '../../server/src/control/pending/inspect.ts'
import { getPendingPage, type PendingFilter } from '../../server/src/control/pending/pending-page.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { systemClock, systemTiming } from '../../server/src/lib/clock.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { anvilForTests } from './anvil.ts'
import { controlContracts, FREE } from './control.ts'
import { evmOf } from './evm.ts'
import { caughtUp, startWatching } from './watching.ts'

export async function queueWorld() {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const { database } = await createTestDatabase()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => undefined },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  after(() => pool.close())
  const watching = startWatching(database, [node])
  after(() => watching.stop())
  const list = async (filter: PendingFilter) =>
    (await getPendingPage({ database, clock: systemClock }, { filter, limit: 50 })).data
  return {
    node,
    evm,
    database,
    made: controlContracts(node, evm),
    register: async (address: Hex, name: string) => await saveContract(database, { chainId: 1, address }, { name }),
    /** What is open and what is closed for a contract, after all events and the state of the chain are read. */
    of: async (address?: Hex) => {
      await caughtUp(database, node)
      while (await collectSteps(database)) {}
      await database.query(sql`update pending_operation set read_at = null`)
      while ((await inspectOperations({ database, pool, confirmations: 0 }, 1)) > 0) {}
      return { open: await list({ address }), closed: await list({ address, isClosed: true }) }
    },
    now: async (): Promise<number> => {
      const { timestamp } = await node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
      return Number(timestamp)
    },
  }
}

export const secondsOf = (time: string | null | undefined): number => Date.parse(time ?? '') / 1_000
