/** Labels systems of the adversary suite on a local chain, with the polling and the profiles of the service. */
import type { Hex } from 'viem'
import { createCodeAnalyzer } from '../../server/src/control/poll/code-analyzer.ts'
import { probe } from '../../server/src/control/poll/probe.ts'
import { openSession } from '../../server/src/control/poll/session.ts'
import type { Profile } from '../../server/src/control/profile/profile.ts'
import { DEFAULT_POLICY } from '../../server/src/control/rpc/endpoint-health.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { systemTiming } from '../../server/src/lib/clock.ts'
import type { Anvil } from '../evm/anvil.ts'
import { type Environment, environmentOf } from './chain.ts'

/** The chain id of the node. */
export const CHAIN_ID = 1
/** The local node needs no rate limit. */
const policy = { ...DEFAULT_POLICY, rate: { start: 5_000, min: 5_000, max: 5_000 } }

export type Labeler = {
  readonly environment: Environment
  readonly profileOf: (address: Hex) => Promise<Profile>
  readonly close: () => Promise<void>
}

export async function createLabeler(node: Anvil): Promise<Labeler> {
  const environment = await environmentOf(node)
  await environment.controllers.deployMulticall()
  const codes = createCodeAnalyzer()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: CHAIN_ID, urls: [node.url], policy },
  )
  return {
    environment,
    profileOf: async (address) => {
      const poolOf = (chainId: number) => (chainId === CHAIN_ID ? pool : undefined)
      const session = openSession({ poolOf, codes, confirmationsOf: () => 0 })
      return (await probe({ session }, { chainId: CHAIN_ID, address })).profile
    },
    close: async () => {
      pool.close?.()
      await codes.close()
    },
  }
}
