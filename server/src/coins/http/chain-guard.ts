/** Which chains may be asked about at this moment, and in which words the others are refused. */
import type { CoinChain } from '../../config/config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isSynced, notSynced, type ServedChain, type ServedChains } from '../serve/served-chain.ts'

export type ChainGuard = {
  /** A chain that is switched on; undefined while its index cannot be read. */
  readonly find: (chain: CoinChain) => ServedChain | undefined
  /** A chain whose index has reached its node. */
  readonly served: (chain: CoinChain) => ServedChain
}

export type ChainGuardDeps = {
  readonly enabledChains: readonly CoinChain[]
  /** The chains this process has an index of; none while it runs without. */
  readonly coins?: ServedChains
}

export function createChainGuard({ enabledChains, coins }: ChainGuardDeps): ChainGuard {
  const find = (wanted: CoinChain): ServedChain | undefined => {
    if (!enabledChains.includes(wanted))
      throw new ApiError({
        status: 400,
        code: 'CHAIN_DISABLED',
        message: `The chain ${wanted} is not enabled on this service.`,
      })
    return coins?.find(wanted)
  }
  return {
    find,
    served: (wanted) => {
      const found = find(wanted)
      if (found === undefined || !isSynced(found)) throw notSynced(wanted)
      return found
    },
  }
}
