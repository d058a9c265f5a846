/** Calls that move tokens, by their selectors, and the words that they pass. */
import type { Hex } from '../../lib/hex.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { selectorPassed } from '../code/passed-input.ts'
import type { Term } from '../code/terms.ts'

/** The places of the arguments: who gets the tokens or may take them, whose tokens they are, and how many. */
type Arguments = { readonly to: number; readonly from?: number; readonly amount?: number }

const TOKEN_CALLS: ReadonlyMap<string, Arguments> = new Map([
  ['0xa9059cbb', { to: 0, amount: 1 }], // transfer(address,uint256)
  ['0x23b872dd', { from: 0, to: 1, amount: 2 }], // transferFrom(address,address,uint256)
  ['0x095ea7b3', { to: 0, amount: 1 }], // approve(address,uint256)
  ['0x42842e0e', { from: 0, to: 1, amount: 2 }], // safeTransferFrom(address,address,uint256)
  ['0xb88d4fde', { from: 0, to: 1, amount: 2 }], // safeTransferFrom(address,address,uint256,bytes)
  ['0xf242432a', { from: 0, to: 1 }], // safeTransferFrom(address,address,uint256,uint256,bytes)
  ['0xa22cb465', { to: 0 }], // setApprovalForAll(address,bool)
  ['0x39509351', { to: 0, amount: 1 }], // increaseAllowance(address,uint256)
  ['0xbeabacc8', { to: 1, amount: 2 }], // transfer(address,address,uint256) of a treasury
  ['0xe1f21c67', { to: 1, amount: 2 }], // approve(address,address,uint256) of a treasury
  ['0x2eb2c2d6', { from: 0, to: 1 }], // safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)
  ['0x36c78516', { from: 0, to: 1, amount: 2 }], // transferFrom(address,address,uint160,address) of Permit2
  ['0x87517c45', { to: 1, amount: 2 }], // approve(address,address,uint160,uint48) of Permit2
  ['0x959b8c3f', { to: 0 }], // authorizeOperator(address)
  ['0x9bd9bbc6', { to: 0, amount: 1 }], // send(address,uint256,bytes)
  ['0x62ad1b83', { from: 0, to: 1, amount: 2 }], // operatorSend(address,address,uint256,bytes,bytes)
  ['0x4000aea0', { to: 0, amount: 1 }], // transferAndCall(address,uint256,bytes)
  ['0x1296ee62', { to: 0, amount: 1 }], // transferAndCall(address,uint256)
  ['0xd8fbe994', { from: 0, to: 1, amount: 2 }], // transferFromAndCall(address,address,uint256)
  ['0xc1d34b89', { from: 0, to: 1, amount: 2 }], // transferFromAndCall(address,address,uint256,bytes)
  ['0x3177029f', { to: 0, amount: 1 }], // approveAndCall(address,uint256)
  ['0xcae9ca51', { to: 0, amount: 1 }], // approveAndCall(address,uint256,bytes)
  ['0x095bcdb6', { to: 0, amount: 2 }], // transfer(address,uint256,uint256) of ERC-6909
  ['0xfe99049a', { from: 0, to: 1, amount: 3 }], // transferFrom(address,address,uint256,uint256) of ERC-6909
  ['0x426a8493', { to: 0, amount: 2 }], // approve(address,uint256,uint256) of ERC-6909
  ['0x558a7297', { to: 0 }], // setOperator(address,bool)
  ['0x205c2878', { to: 0, amount: 1 }], // withdrawTo(address,uint256)
  ['0xc04a8a10', { to: 0, amount: 1 }], // approveDelegation(address,uint256)
  ['0xb753a98c', { to: 0, amount: 1 }], // push(address,uint256)
  ['0xbb35783b', { from: 0, to: 1, amount: 2 }], // move(address,address,uint256)
  ['0x8fcb4e5b', { to: 0, amount: 1 }], // transferShares(address,uint256)
  ['0x6d780459', { from: 0, to: 1, amount: 2 }], // transferSharesFrom(address,address,uint256)
  ['0xd73dd623', { to: 0, amount: 1 }], // increaseApproval(address,uint256)
  ['0x8b72a2ec', { to: 0, amount: 1 }], // transferPunk(address,uint256)
  ['0xb460af94', { amount: 0, to: 1, from: 2 }], // withdraw(uint256,address,address)
  ['0xba087652', { amount: 0, to: 1, from: 2 }], // redeem(uint256,address,address)
  ['0x69328dec', { amount: 1, to: 2 }], // withdraw(address,uint256,address)
])

/** What a call of a token passes. A word is undefined where it is not known. */
export type TokenCall = {
  readonly to: Term | undefined
  readonly from: Term | undefined
  /** It names the account whose tokens they are, and does not move those of the calling contract. */
  readonly isNamed: boolean
  readonly amount: Term | undefined
}

export function tokenCallOf(effect: RawEffect): TokenCall | undefined {
  const selector: Hex | undefined = selectorPassed(effect.passed)
  const places = selector === undefined ? undefined : TOKEN_CALLS.get(selector)
  if (places === undefined) return undefined
  const at = (place: number | undefined): Term | undefined =>
    place === undefined ? undefined : argumentAt(effect, place)
  return { to: at(places.to), from: at(places.from), isNamed: places.from !== undefined, amount: at(places.amount) }
}

/** What a token returns about a transfer or an approval. */
export function isTokenAnswer({ kind, args: [, asked] }: Term): boolean {
  if (kind !== 'returned') return false
  return asked?.kind === 'opaque' || TOKEN_CALLS.has(selectorPassed(asked?.segments) ?? '')
}

/** `permit` of ERC-2612, of Dai and of Permit2: an account allows transfers by its signature, and pays nothing yet. */
const PERMITS: ReadonlySet<string> = new Set(['0xd505accf', '0x8fcbaf0c', '0x2b67b570', '0x2a2d80d1'])

export const isPermit = ({ passed }: RawEffect): boolean => PERMITS.has(selectorPassed(passed) ?? '')

const BALANCE_OF: Hex = '0x70a08231'

/** What a token returned as the balance of an account. */
export const isBalance = ({ kind, args: [, asked] }: Term): boolean =>
  kind === 'returned' && asked?.segments !== undefined && selectorPassed(asked.segments) === BALANCE_OF

/** What a token returns as the balance of the contract itself. */
export const isOwnBalance = (term: Term): boolean =>
  isBalance(term) && term.args[1]?.segments?.some((part) => part.term.kind === 'self') === true

/** The word of an argument of a call. */
function argumentAt({ passed = [] }: RawEffect, index: number): Term | undefined {
  let start = 0
  for (const { term, from, to } of passed) {
    const size = to - from
    if (start === 4 + index * 32 && from === 0 && size === 32) return term
    start += size
  }
  return undefined
}
