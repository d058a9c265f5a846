/** Whether the coin indexes are ready: requests for a chain whose index is behind are refused. */
import type { IndexStatus } from '../../server/src/coins/serve/index-status.ts'

/** The used part of `GET /public/status`. */
export type CoinStatuses = { readonly coins: readonly Pick<IndexStatus, 'chain' | 'state' | 'indexHeight'>[] }

/** Chain to the minimum height of its node, which the service may not have seen yet. */
export type Heights = Readonly<Record<string, number>>

export const areIndexesReady = ({ coins }: CoinStatuses, heights: Heights): boolean =>
  Object.entries(heights).every(([shown, height]) =>
    coins.some(
      ({ chain, state, indexHeight }) =>
        chain === shown && state === 'in_sync' && indexHeight !== null && indexHeight >= height,
    ),
  )
