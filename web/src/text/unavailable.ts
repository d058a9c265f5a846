/** Texts that explain why a service shows no contracts, or not one of the coin chains. */
import type { About } from '../api/service.ts'
import { COIN_TEXTS, type CoinChain } from './names.ts'

/** Undefined if the service watches contracts. */
export function noContractsReason({ chains, missing }: About): string | undefined {
  const part = missing.find(({ what }) => what === 'contracts')
  if (part !== undefined) return `The chains of this demo are not running: ${part.reason}.`
  return chains.some(({ enabled }) => enabled)
    ? undefined
    : 'The operator of this service has not enabled a chain for contract control.'
}

/** Undefined if the service indexes the chain. */
export function noCoinsReason({ coins, missing }: About, chain: CoinChain): string | undefined {
  if (coins.some(({ id, enabled }) => id === chain && enabled)) return undefined
  const part = missing.find(({ what }) => what === 'litecoin')
  return chain === 'ltc' && part !== undefined
    ? `The Litecoin node of this demo is not running: ${part.reason}.`
    : `The operator of this service has not enabled ${COIN_TEXTS[chain].name}.`
}
