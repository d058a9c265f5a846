/** Whether coin chains can be shown: a question about a chain whose index is behind is refused. */
import type { IndexStatus } from '../../server/src/coins/serve/index-status.ts'

/** What is asked of `GET /public/status`. */
export type CoinsSeen = { readonly coins: readonly Pick<IndexStatus, 'chain' | 'state' | 'indexHeight'>[] }

/** The chains to be shown, each with the height its node has at least: the service may not have seen all of it yet. */
export type Heights = Readonly<Record<string, number>>

export const areIndexed = ({ coins }: CoinsSeen, heights: Heights): boolean =>
  Object.entries(heights).every(([shown, height]) =>
    coins.some(
      ({ chain, state, indexHeight }) =>
        chain === shown && state === 'keeping_up' && indexHeight !== null && indexHeight >= height,
    ),
  )
