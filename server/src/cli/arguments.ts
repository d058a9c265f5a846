/** Positional arguments that several commands share. */
import { CHAINS, type Chain, findChain } from '../control/chains/chains.ts'
import { parseAddress } from '../control/chains/parse-address.ts'
import type { Hex } from '../lib/hex.ts'
import { UsageError } from './command.ts'

/** Returns the EVM chain with this slug or chain id. */
export function chainArgument(text: string): Chain {
  const chain = findChain(text)
  if (chain === undefined)
    throw new UsageError(`Unknown chain "${text}". Use ${CHAINS.map(({ slug }) => slug).join(', ')} or a chain id.`)
  return chain
}

/** Returns an EVM address in lower case. */
export function addressArgument(text: string): Hex {
  const parsed = parseAddress(text)
  if ('refusal' in parsed) throw new UsageError(`ADDRESS ${parsed.refusal}.`)
  return parsed.address
}
