/**
 * Safe transactions in calldata, and which of them has a hash that a Safe logged. Pure.
 *
 * What surrounds a transaction in calldata is not trusted: a hash covers every field.
 */
import type { Hex } from 'viem'
import { decodeFunctionData, parseAbi } from 'viem/utils'
import type { ContractRef } from '../registry/contracts.ts'
import { type SafeTransaction, type SafeVersion, safeTransactionHash } from './safe-transaction.ts'

/** A transaction whose nonce is not known: calldata does not contain it. */
export type SafeFields = Omit<SafeTransaction, 'nonce'>

const ABI = parseAbi([
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
])
/** The selector of `execTransaction`. */
const EXEC_CALL = /6a761202/g
/** Releases that hash different fields: since 1.3.0 also the chain. */
const VERSIONS: readonly SafeVersion[] = [
  [1, 3, 0],
  [1, 0, 0],
]

/** Calls of `execTransaction` in calldata, also inside of other calls. What is found by chance has another hash. */
export function transactionsIn(input: Hex, limit: number): readonly SafeFields[] {
  return [...input.matchAll(EXEC_CALL)].slice(0, limit).flatMap(({ index }) => {
    try {
      const { args } = decodeFunctionData({ abi: ABI, data: `0x${input.slice(index)}` })
      return fieldsOf(args.slice(0, 9) as unknown as Values)
    } catch {
      return []
    }
  })
}

/** The values in the order in which `execTransaction` and the events of L2 releases have them. */
export type Values = readonly [Hex, bigint, Hex, number, bigint, bigint, bigint, Hex, Hex]

export function fieldsOf([to, amount, data, operation, ...gas]: Values): readonly SafeFields[] {
  if (operation !== 0 && operation !== 1) return []
  const [safeTxGas, baseGas, gasPrice, gasToken, refundReceiver] = gas
  return [{ to, value: amount, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver }]
}

/** The nonce with which a transaction of a Safe has this hash. */
export const nonceOf = (
  safe: ContractRef,
  hash: Hex,
  fields: SafeFields,
  nonces: readonly number[],
): number | undefined =>
  nonces.find((nonce) =>
    VERSIONS.some((version) => safeTransactionHash(safe, version, { ...fields, nonce: BigInt(nonce) }) === hash),
  )
