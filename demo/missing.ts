/** The parts of the demo that cannot run on this machine, with the reason. Printed at the start and shown on the pages. */
import { installAnvil } from '../scripts/anvil.mjs'
import type { MissingPart } from '../server/src/http/about.ts'
import { anvilMissing } from './evm/chain.ts'

/** Installs what can be installed, then returns what is still missing. */
export function findMissingParts(): readonly MissingPart[] {
  installAnvil()
  const contracts = anvilMissing()
  return contracts === false ? [] : [{ what: 'contracts', reason: contracts }]
}

const BEGINNINGS: Readonly<Record<MissingPart['what'], string>> = {
  contracts: 'Contracts are not available',
  litecoin: 'Litecoin is not available',
}

export const missingSentence = ({ what, reason }: MissingPart): string => `${BEGINNINGS[what]}: ${reason}.`
