/** What this machine cannot show, and how to get it: said where the demo is started and on its pages. */
import { installAnvil } from '../scripts/anvil.mjs'
import type { Missing } from '../server/src/http/about.ts'
import { litecoinMissing } from './coins/litecoin-node.ts'
import { anvilMissing } from './evm/chain.ts'

/** Installs first what can be installed. */
export function findMissing(): readonly Missing[] {
  installAnvil()
  const [contracts, litecoin] = [anvilMissing(), litecoinMissing()]
  return [
    ...(contracts === false ? [] : [{ what: 'contracts', reason: contracts } as const]),
    ...(litecoin === false ? [] : [{ what: 'litecoin', reason: litecoin } as const]),
  ]
}

const BEGINNINGS: Readonly<Record<Missing['what'], string>> = {
  contracts: 'No contracts are shown',
  litecoin: 'No Litecoin is shown',
}

export const sentenceOf = ({ what, reason }: Missing): string => `${BEGINNINGS[what]}: ${reason}.`
