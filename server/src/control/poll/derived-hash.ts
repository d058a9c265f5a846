/** A transaction hash for an event derived from state: the same finding always gives the same hash. */
import { concatHex, keccak256, numberToHex, stringToHex } from 'viem'
import type { Hex } from '../../lib/hex.ts'
import type { ContractRef } from '../registry/contracts.ts'

export function derivedHash(
  what: 'slot' | 'source',
  { chainId, address }: ContractRef,
  { field, block }: { readonly field: string; readonly block: number },
): Hex {
  return keccak256(
    concatHex([
      stringToHex(what),
      numberToHex(chainId, { size: 32 }),
      address,
      stringToHex(field),
      numberToHex(block, { size: 32 }),
    ]),
  )
}
