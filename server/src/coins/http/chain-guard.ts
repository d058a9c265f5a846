/** Rejects requests for chains that are disabled or not synced. */
import type { CoinChain } from '../../config/config.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { type CoinFault, isSynced, type ServedChain, type ServedChains } from '../serve/served-chain.ts'

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
      throw refusal(wanted, coins?.faultsOf?.(wanted) ?? [])
    },
  }
}

/** What callers read about a fault of the reader, by its code. The reason itself can name hosts and files. */
const READER_FAULTS: Readonly<Record<string, string>> = {
  node_unreachable: 'does not answer',
  node_refused: 'refuses the calls of this service',
  node_rpc_error: 'is starting, or answers with errors',
  wrong_network: 'runs another network',
}
/** The same for the writer, after "The index of … does not advance, because its node". */
const WRITER_FAULTS: Readonly<Record<string, string>> = {
  ...READER_FAULTS,
  node_lacks_block: 'does not have all blocks',
  other_chain: 'downloads another chain',
  reorg_too_deep: 'follows another chain',
}

function refusal(chain: CoinChain, faults: readonly CoinFault[]): ApiError {
  const reader = faults.find(({ loop }) => loop === 'reader')
  const writer = faults.find(({ loop }) => loop === 'writer')
  if (reader !== undefined)
    return new ApiError({
      status: 503,
      code: 'UNAVAILABLE',
      message: `The node of ${chain} ${READER_FAULTS[reader.code] ?? 'cannot be used'}. Try again later; /status shows its state.`,
    })
  const state =
    writer === undefined
      ? 'is still catching up with its node'
      : `does not advance${writer.code in WRITER_FAULTS ? `, because its node ${WRITER_FAULTS[writer.code]}` : ''}`
  return new ApiError({
    status: 503,
    code: 'NODE_NOT_SYNCED',
    message: `The index of ${chain} ${state}. Try again later; /status shows its progress.`,
  })
}
