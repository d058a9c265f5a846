/** The hash of an event that nobody emitted: its transaction exists on no chain; the same found twice is the same event. */
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
