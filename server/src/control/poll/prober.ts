/** Profiles contracts through given endpoints, without a database: all of them at one block of each chain. */
import { systemTiming } from '../../lib/clock.ts'
import { findChain } from '../chains/chains.ts'
import { type ContractState, refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { builtInRegistry } from '../registry/registry.ts'
import type { Header } from '../rpc/parse.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { beaconOf, type Probed, probeTwice } from './probe.ts'
import { openSession } from './session.ts'

/** Endpoints by chain slug. */
export type Endpoints = Readonly<Record<string, readonly string[]>>

export type ProbedContract = Probed & {
  readonly isContract: boolean
  /** Undefined if the contract has none. */
  readonly beacon: ContractState | undefined
  /** Undefined if no endpoint of the chain responds. */
  readonly block: Header | undefined
}

export type Prober = {
  readonly probe: (target: ContractRef) => Promise<ProbedContract>
  readonly close: () => Promise<void>
}

export function openProber(endpoints: Endpoints): Prober {
  const pools = new Map<number, RpcPool>()
  const poolOf = (chainId: number): RpcPool | undefined => {
    const slug = findChain(chainId)?.slug
    const urls = slug === undefined ? undefined : endpoints[slug]
    if (slug === undefined || urls === undefined) return undefined
    const pool =
      pools.get(chainId) ?? createRpcPool({ timing: systemTiming, report: () => {} }, { chain: slug, chainId, urls })
    pools.set(chainId, pool)
    return pool
  }
  const names = new Map(builtInRegistry().contracts.map((contract) => [refKey(contract), contract.name]))
  const codes = createCodeAnalyzer()
  const session = openSession({ poolOf, codes, confirmationsOf: () => 0 })
  return {
    probe: async (target) => {
      const block = await session.blockOf(target.chainId)
      const probed = await probeTwice({ session, nameOf: (ref: ContractRef) => names.get(refKey(ref)) }, target)
      const state = probed.graph.get(refKey(target))
      return { ...probed, block, beacon: await beaconOf(session, state), isContract: state?.code.type !== 'absent' }
    },
    close: async () => {
      for (const pool of pools.values()) pool.close()
      await codes.close()
    },
  }
}
