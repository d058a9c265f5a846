/**
 * Did this contract exist before this block, and which transaction made it?
 *
 * Owns the bracket around a contract's birth: the last block known without its code, the first known with it. Every
 * event asks one question ("was there code before this block?"), and its answer narrows the bracket for good, so an
 * address costs one or two questions in its whole life. Pure; `birth.ts` asks the node.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Receipt } from '../rpc/parse.ts'
import type { CreationFact } from './watch-store.ts'

export type Existed = 'before' | 'born' | 'unknown'

/** Whether the contract stood before `block`, was born in it, or must be asked about. */
export function existedBefore(fact: CreationFact | undefined, block: number): Existed {
  if (block === 0) return 'born'
  if (fact?.presentFrom !== undefined && fact.presentFrom <= block - 1) return 'before'
  if (fact?.absentUntil !== undefined && fact.absentUntil >= block - 1) return 'born'
  return 'unknown'
}

/** An event in `block` proves code after it; `hadCode` tells about the block before. */
export function learn(fact: CreationFact | undefined, address: Hex, block: number, hadCode: boolean): CreationFact {
  const seen: CreationFact = {
    address,
    absentUntil: hadCode ? undefined : block - 1,
    presentFrom: hadCode ? block - 1 : block,
    txHash: undefined,
  }
  return merge(fact, seen)
}

export function merge(a: CreationFact | undefined, b: CreationFact): CreationFact {
  if (a === undefined) return b
  return {
    address: b.address,
    absentUntil: highest(a.absentUntil, b.absentUntil),
    presentFrom: lowest(a.presentFrom, b.presentFrom),
    txHash: b.txHash ?? a.txHash,
  }
}

/** What stays true when every block above `to` is undone. Undefined: nothing. */
export function undo(fact: CreationFact, to: number): CreationFact | undefined {
  const absentUntil = fact.absentUntil === undefined ? undefined : Math.min(fact.absentUntil, to)
  const stays = fact.presentFrom !== undefined && fact.presentFrom <= to
  if (absentUntil === undefined && !stays) return undefined
  return {
    address: fact.address,
    absentUntil,
    presentFrom: stays ? fact.presentFrom : undefined,
    txHash: stays ? fact.txHash : undefined,
  }
}

/**
 * The transaction of a block that made the contract: the one whose receipt says so, else (a factory made it) the only
 * one before its first log that can have paid for its code. Of several such the first in which a log comes from it or
 * names it, else the last: a creation is told of by someone nearly always.
 */
export function creatorAmong(receipts: readonly Receipt[], address: Hex, codeBytes: number): Hex | undefined {
  const direct = receipts.find((receipt) => receipt.contractAddress === address && !receipt.hasFailed)
  if (direct !== undefined) return direct.txHash
  const inOrder = receipts.toSorted((a, b) => a.txIndex - b.txIndex)
  const spoke = inOrder.findIndex(({ logs }) => logs.some((log) => log.address === address))
  const before = spoke === -1 ? inOrder : inOrder.slice(0, spoke + 1)
  const able = before.filter((receipt) => canCreate(receipt, codeBytes))
  const bare = address.slice(2)
  const names = (text: string): boolean => text.includes(bare)
  const tells = ({ logs }: Receipt): boolean =>
    logs.some((log) => log.address === address || log.topics.some(names) || names(log.data))
  // Where nothing seems able, the chain counts gas in its own way.
  const candidates = able.length > 0 ? able : before
  return (candidates.find(tells) ?? candidates.at(-1))?.txHash
}

/** What a transaction, a creation in it and each byte of its code cost at least (Yellow Paper, appendix G). */
const TRANSACTION_GAS = 21_000
const CREATE_GAS = 32_000
const CODE_BYTE_GAS = 200
/** A fifth of it may be given back (EIP-3529). */
const AFTER_REFUND = 0.8

function canCreate({ hasFailed, gasUsed }: Receipt, codeBytes: number): boolean {
  if (hasFailed) return false
  const least = (TRANSACTION_GAS + CREATE_GAS + CODE_BYTE_GAS * codeBytes) * AFTER_REFUND
  return gasUsed === undefined || gasUsed >= least
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b)
}

function lowest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b)
}
