/** Rejects requests for chains that are disabled or not synced. */
import type { CoinChain } from '../../config/config.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { isSynced, type ServedChain, type ServedChains } from '../serve/served-chain.ts'

export type ChainGuard = {
  /** An enabled chain; undefined while its index cannot be read. Throws CHAIN_DISABLED. */
  readonly find: (chain: CoinChain) => ServedChain | undefined
  /** A synced chain. Throws CHAIN_DISABLED, UNAVAILABLE or NODE_NOT_SYNCED. */
  readonly served: (chain: CoinChain) => ServedChain
}

export type ChainGuardDeps = {
  readonly enabledChains: readonly CoinChain[]
  /** The chains that this process has an index of. */
  readonly coins?: ServedChains | undefined
}

export function createChainGuard({ enabledChains, coins }: ChainGuardDeps): ChainGuard {
  const find = (wanted: CoinChain): ServedChain | undefined => {
    if (!enabledChains.includes(wanted))
      throw new ApiError({
        status: 400,
        code: 'CHAIN_DISABLED',
        message: `The chain ${wanted} is not enabled on this service. See /chains for the enabled ones.`,
      })
    return coins?.find(wanted)
  }
  return {
    find,
    served: (wanted) => {
      const found = find(wanted)
      if (found !== undefined && isSynced(found)) return found
      if (coins?.isNodeSilent?.(wanted) === true)
        throw new ApiError({
          status: 503,
          code: 'UNAVAILABLE',
          message: `The node of ${wanted} does not answer. Try again later; /status shows its state.`,
        })
      throw new ApiError({
        status: 503,
        code: 'NODE_NOT_SYNCED',
        message: `The index of ${wanted} is still catching up with its node. Try again later; /status shows its progress.`,
      })
    },
  }
}
