/** Why an installation shows no contracts, or not one of the coin chains. Pure. */
import type { About } from '../api/service.ts'
import { COIN_TEXTS, type CoinChain } from './coins.ts'

/** Undefined where contracts are watched. */
export function whyNoContracts({ chains, missing }: About): string | undefined {
  const part = missing.find(({ what }) => what === 'contracts')
  if (part !== undefined) return `The chains of this demo do not run here: ${part.reason}.`
  return chains.some(({ enabled }) => enabled)
    ? undefined
    : 'Whoever runs this service switches chains on by naming their nodes in its settings: see docs/operations.md.'
}

/** Undefined where the chain is indexed. */
export function whyNoCoins({ coins, missing }: About, chain: CoinChain): string | undefined {
  if (coins.some(({ id, enabled }) => id === chain && enabled)) return undefined
  const part = missing.find(({ what }) => what === 'litecoin')
  return chain === 'ltc' && part !== undefined
    ? `The Litecoin of this demo does not run here: ${part.reason}.`
    : `Whoever runs this service switches it on by naming a ${COIN_TEXTS[chain].name} node in its settings: see docs/operations.md.`
}
