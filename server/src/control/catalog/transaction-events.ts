/**
 * Events that are read from transactions and not from logs: what a Safe executes, and attempts that failed.
 *
 * They have the hash of their transaction and no log. Their log index is 1,000,000,000 or more, and the same finding always
 * has the same one.
 */
import type { Hex } from 'viem'
import { concatHex, keccak256, numberToHex, stringToHex } from 'viem/utils'
import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { callsIn, type DecodedCall } from './inner-calls.ts'
import type { JsonValue } from './value.ts'

export type TransactionEventKind = { readonly key: string; readonly category: Category; readonly severity: Severity }

/** A Safe delegated to code that is not a library of Safe: that code can do anything with the Safe. */
export const DELEGATECALL_UNKNOWN: TransactionEventKind = {
  key: 'safe.delegatecall_unknown',
  category: 'multisig',
  severity: 'critical',
}
/** A Safe called a function that changes the control of a watched contract. The contract is the subject. */
export const CONTROL_CALL: TransactionEventKind = { key: 'safe.control_call', category: 'multisig', severity: 'high' }
/** A Safe executed a transaction that neither the calldata nor its logs contain, and no endpoint can trace. */
export const EXECUTION_HIDDEN: TransactionEventKind = {
  key: 'safe.execution_hidden',
  category: 'multisig',
  severity: 'high',
}
/** No owner of a Safe is the same as before the block, seven days ago, or after the last such event. */
export const OWNERS_REPLACED: TransactionEventKind = {
  key: 'safe.owners_replaced',
  category: 'multisig',
  severity: 'critical',
}
/** Fewer than half of the owners of a Safe can act for it now, which was not so before. */
export const THRESHOLD_BELOW_HALF: TransactionEventKind = {
  key: 'safe.threshold_below_half',
  category: 'multisig',
  severity: 'critical',
}
/** A call that would have changed control failed. Info if the sender has no control over the contract. */
export const ATTEMPT_FAILED: TransactionEventKind = { key: 'attempt.failed', category: 'access', severity: 'high' }

export const TRANSACTION_EVENTS: readonly TransactionEventKind[] = [
  DELEGATECALL_UNKNOWN,
  CONTROL_CALL,
  EXECUTION_HIDDEN,
  OWNERS_REPLACED,
  THRESHOLD_BELOW_HALF,
  ATTEMPT_FAILED,
]

const FIRST_INDEX = 1_000_000_000
const INDEXES = 1_000_000_000n

/** The log index of an event without a log: by its transaction, key, contract, and position among equal ones. */
export function indexOf(txHash: Hex, key: string, address: Hex, position: number): number {
  const name = concatHex([txHash, stringToHex(key), address, numberToHex(position, { size: 4 })])
  return FIRST_INDEX + Number(BigInt(keccak256(name)) % INDEXES)
}

/** What a call does, for the arguments of an event. */
export function summaryOf({ target, signature, selector, args, operation, value }: DecodedCall): {
  readonly [name: string]: JsonValue
} {
  return {
    to: target,
    ...(signature === undefined ? (selector === undefined ? {} : { function: selector }) : { function: signature }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(value === '0' ? {} : { value }),
    ...(operation === 'delegatecall' ? { operation } : {}),
  }
}

const MAX_LISTED = 10

const isSerious = ({ isControl, operation }: DecodedCall): boolean => isControl || operation === 'delegatecall'

/**
 * The calls that do something themselves, not those that only contain others. Of more than are listed, those that change control or
 * run other code come first.
 */
export function listedCalls(call: DecodedCall): { readonly [name: string]: JsonValue } {
  const inOrder = [...callsIn(call)].filter(({ calls }) => calls.length === 0)
  const isLong = inOrder.length > MAX_LISTED
  const leaves = isLong ? inOrder.toSorted((a, b) => Number(isSerious(b)) - Number(isSerious(a))) : inOrder
  const isComplete = [...callsIn(call)].every(({ problem }) => problem === undefined)
  return {
    calls: leaves.slice(0, MAX_LISTED).map(summaryOf),
    ...(leaves.length > MAX_LISTED ? { moreCalls: leaves.length - MAX_LISTED } : {}),
    ...(isComplete ? {} : { isIncomplete: true }),
  }
}
