/** The list of queued changes, for the filters that the routes take. */
import type { Clock } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Chain } from '../chains/chains.ts'
import { getPendingPage } from '../pending/pending-page.ts'
import { findProtocol } from '../registry/contracts.ts'

export type PendingQuery = {
  readonly chain?: Chain | undefined
  readonly address?: Hex | undefined
  readonly protocol?: string | undefined
  readonly state: 'open' | 'closed'
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Returns undefined if there is no protocol with this label or slug. */
export async function findPendingPage(
  deps: { readonly database: Queryable; readonly clock: Clock },
  { chain, address, protocol: text, state, limit, cursor }: PendingQuery,
) {
  const protocol = text === undefined ? undefined : await findProtocol(deps.database, text)
  if (text !== undefined && protocol === undefined) return undefined
  const filter = { chainId: chain?.id, address, protocolId: protocol?.id, isClosed: state === 'closed' }
  return await getPendingPage(deps, { filter, limit, cursor })
}
