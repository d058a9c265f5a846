/** Analyzes the addresses of a batch one after the other. */

import { GatewatchError } from '../../lib/errors.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { type AnalysisDeps, getAnalysis } from '../serve/analysis-view.ts'
import type { ServedChain } from '../serve/served-chain.ts'

export type AddressResult = {
  readonly address: string
  readonly ok: boolean
  readonly data?: Awaited<ReturnType<typeof getAnalysis>>
  readonly error?: { readonly code: string; readonly message: string }
}

export type AnalyzeAddressesDeps = AnalysisDeps & {
  /** Receives internal errors: those that the caller did not cause. */
  readonly onError: (error: unknown) => void
}

export type AnalyzeAddressesOptions = {
  readonly addresses: readonly string[]
  /** The most dust suspects that an analysis lists; null for all. */
  readonly utxoLimit: number | null
  /** Records a temporary error as the result of its address instead of throwing it. */
  readonly recordTemporaryErrors?: boolean
  /** Called after every ten addresses; false ends the work. */
  readonly canContinue?: () => Promise<boolean>
}

const CHECK_EVERY = 10

/** Returns one result per address, in order, or null if `canContinue` ended the work. */
export async function analyzeAddresses(
  deps: AnalyzeAddressesDeps,
  chain: ServedChain,
  { addresses, utxoLimit, recordTemporaryErrors = false, canContinue }: AnalyzeAddressesOptions,
): Promise<AddressResult[] | null> {
  const results: AddressResult[] = []
  for (const [i, address] of addresses.entries()) {
    if (i > 0 && i % CHECK_EVERY === 0 && (await canContinue?.()) === false) return null
    try {
      results.push({ address, ok: true, data: await getAnalysis(deps, chain, address, utxoLimit ?? undefined) })
    } catch (error) {
      if (isTemporary(error) && !recordTemporaryErrors) throw error
      results.push({ address, ok: false, error: errorView(deps, error) })
    }
  }
  return results
}

/** The node was unreachable; the same work can succeed later. */
export const isTemporary = (error: unknown): boolean => error instanceof GatewatchError && error.retryable

/** The result of an address that needs a node which does not answer. */
export const NODE_SILENT = {
  code: 'UNAVAILABLE',
  message: 'The node of this chain does not answer. Send this address again in a new batch.',
}

function errorView({ onError }: AnalyzeAddressesDeps, error: unknown): NonNullable<AddressResult['error']> {
  if (error instanceof ApiError) return { code: error.code, message: error.message }
  onError(error)
  if (isTemporary(error)) return NODE_SILENT
  return {
    code: 'INTERNAL_ERROR',
    message: 'This address could not be analyzed because of an error in the service. Send it again in a new batch.',
  }
}
