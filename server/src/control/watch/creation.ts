/**
 * Decides whether a contract existed before a block, and which transaction created it.
 *
 * The facts bracket the creation: the last block known without the contract's code, the first known with it. One request
 * ("did it have code before this block?") narrows the bracket, so an address costs one or two requests in total. Pure;
 * `resolve-creations.ts` sends the requests.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Receipt } from '../rpc/parse.ts'
import type { CreationFact } from './watch-store.ts'

export type Existence = 'existed' | 'created' | 'unknown'

/** Whether the contract existed before `block` or was created in it. Unknown if the facts do not decide. */
export function existenceBefore(fact: CreationFact | undefined, block: number): Existence {
  if (block === 0) return 'created'
  if (fact?.presentFrom !== undefined && fact.presentFrom <= block - 1) return 'existed'
  if (fact?.absentUntil !== undefined && fact.absentUntil >= block - 1) return 'created'
  return 'unknown'
}

/** Adds what an event in `block` proves: code after the block, and `hadCode` before it. */
export function learnFromEvent(
  fact: CreationFact | undefined,
  address: Hex,
  block: number,
  hadCode: boolean,
): CreationFact {
  const seen: CreationFact = {
    address,
    absentUntil: hadCode ? undefined : block - 1,
    presentFrom: hadCode ? block - 1 : block,
    txHash: undefined,
  }
  return mergeFact(fact, seen)
}

export function mergeFact(a: CreationFact | undefined, b: CreationFact): CreationFact {
  if (a === undefined) return b
  return {
    address: b.address,
    absentUntil: highest(a.absentUntil, b.absentUntil),
    presentFrom: lowest(a.presentFrom, b.presentFrom),
    txHash: b.txHash ?? a.txHash,
  }
}

/** The facts that hold after every block above `to` was rolled back. Undefined if none. */
export function rollBackFact(fact: CreationFact, to: number): CreationFact | undefined {
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
 * The transaction of a block that created the contract: the one whose receipt names it, otherwise (a factory created it)
 * one before its first log that used enough gas. Among several, the first with a log of the contract or about it, because
 * nearly every creation is logged; otherwise the last.
 */
export function creatorAmong(receipts: readonly Receipt[], address: Hex, codeBytes: number): Hex | undefined {
  const direct = receipts.find((receipt) => receipt.contractAddress === address && !receipt.hasFailed)
  if (direct !== undefined) return direct.txHash
  const inOrder = receipts.toSorted((a, b) => a.txIndex - b.txIndex)
  const firstLog = inOrder.findIndex(({ logs }) => logs.some((log) => log.address === address))
  const before = firstLog === -1 ? inOrder : inOrder.slice(0, firstLog + 1)
  const able = before.filter((receipt) => canCreate(receipt, codeBytes))
  const digits = address.slice(2)
  const names = (text: string): boolean => text.includes(digits)
  const mentions = ({ logs }: Receipt): boolean =>
    logs.some((log) => log.address === address || log.topics.some(names) || names(log.data))
  // If no transaction used enough gas, the chain has different gas costs.
  const candidates = able.length > 0 ? able : before
  return (candidates.find(mentions) ?? candidates.at(-1))?.txHash
}

/** The minimal gas of a transaction, a creation and each byte of code (Yellow Paper, appendix G). */
const TRANSACTION_GAS = 21_000
const CREATE_GAS = 32_000
const CODE_BYTE_GAS = 200
/** At most a fifth is refunded (EIP-3529). */
const AFTER_REFUND = 0.8

function canCreate({ hasFailed, gasUsed }: Receipt, codeBytes: number): boolean {
  if (hasFailed) return false
  const minGas = (TRANSACTION_GAS + CREATE_GAS + CODE_BYTE_GAS * codeBytes) * AFTER_REFUND
  return gasUsed === undefined || gasUsed >= minGas
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b)
}

function lowest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b)
}
