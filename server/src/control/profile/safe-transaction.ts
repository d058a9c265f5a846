/**
 * A Safe transaction, its EIP-712 hash, and the owners behind its signatures. Pure.
 *
 * The hash covers every field, the Safe and, since release 1.3.0, the chain. A field that differs from what the owners
 * signed gives another hash.
 */
import type { Hex } from 'viem'
import { concatHex, hashMessage, hashStruct, keccak256, recoverAddress } from 'viem/utils'
import type { ContractRef } from '../registry/contracts.ts'

export type SafeTransaction = {
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
  readonly operation: 0 | 1
  readonly safeTxGas: bigint
  readonly baseGas: bigint
  readonly gasPrice: bigint
  readonly gasToken: Hex
  readonly refundReceiver: Hex
  readonly nonce: bigint
}

/** The release of a Safe, such as [1, 4, 1]. */
export type SafeVersion = readonly [number, number, number]

/** Undefined for a text that is not a version. Forks append their name. */
export function parseSafeVersion(text: string): SafeVersion | undefined {
  const [, major, minor, patch] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

export const isAtLeast = ([major, minor]: SafeVersion, toMajor: number, toMinor: number): boolean =>
  major > toMajor || (major === toMajor && minor >= toMinor)

const typesOf = (gasField: 'baseGas' | 'dataGas') =>
  ({
    SafeTx: [
      { type: 'address', name: 'to' },
      { type: 'uint256', name: 'value' },
      { type: 'bytes', name: 'data' },
      { type: 'uint8', name: 'operation' },
      { type: 'uint256', name: 'safeTxGas' },
      { type: 'uint256', name: gasField },
      { type: 'uint256', name: 'gasPrice' },
      { type: 'address', name: 'gasToken' },
      { type: 'address', name: 'refundReceiver' },
      { type: 'uint256', name: 'nonce' },
    ],
  }) as const

/** What signatures for a Safe are bound to: its address and, since release 1.3.0, its chain. */
export function safeDomain(verifyingContract: Hex, chainId?: number): Hex {
  const chain = chainId === undefined ? [] : [{ type: 'uint256', name: 'chainId' }]
  const types = { EIP712Domain: [...chain, { type: 'address', name: 'verifyingContract' }] }
  return hashStruct({ data: { chainId, verifyingContract }, types, primaryType: 'EIP712Domain' })
}

/** What is hashed. Contracts that sign for a Safe before release 1.5.0 get it instead of the hash. */
export function safeTransactionPreimage(
  { chainId, address }: ContractRef,
  version: SafeVersion,
  transaction: SafeTransaction,
): Hex {
  const types = typesOf(isAtLeast(version, 1, 0) ? 'baseGas' : 'dataGas')
  const domain = isAtLeast(version, 1, 3) ? safeDomain(address, chainId) : safeDomain(address)
  const data = { ...transaction, dataGas: transaction.baseGas }
  return concatHex(['0x1901', domain, hashStruct({ data, types, primaryType: 'SafeTx' })])
}

/** The hash that the owners of this Safe sign. */
export const safeTransactionHash = (safe: ContractRef, version: SafeVersion, transaction: SafeTransaction): Hex =>
  keccak256(safeTransactionPreimage(safe, version, transaction))

/** An empty transaction to the Safe itself: it only uses up the nonce. */
export const isRejection = (safe: Hex, { to, value, data, operation }: SafeTransaction): boolean =>
  to === safe && value === 0n && data === '0x' && operation === 0

/** How a signature is checked: by its signer, by what the Safe stores, or by a call of the contract that signed. */
export type Signature =
  | { readonly kind: 'key'; readonly signer: Hex }
  | { readonly kind: 'approved'; readonly signer: Hex }
  | { readonly kind: 'contract'; readonly signer: Hex; readonly signature: Hex }

const WORD = 64

/** Reads one signature as `checkNSignatures` of a Safe does. Undefined for one that no Safe accepts. */
export async function readSignature(hash: Hex, signature: Hex): Promise<Signature | undefined> {
  const digits = signature.slice(2)
  if (digits.length < 2 * WORD + 2) return undefined
  const [r, s] = [digits.slice(0, WORD), digits.slice(WORD, 2 * WORD)]
  const v = Number.parseInt(digits.slice(2 * WORD, 2 * WORD + 2), 16)
  if (v === 1) return { kind: 'approved', signer: `0x${r.slice(24)}` }
  if (v === 0) return contractSignature(digits, r, s)
  const isMessage = v > 30
  const recovery = isMessage ? v - 4 : v
  if (recovery !== 27 && recovery !== 28) return undefined
  const signed = `0x${r}${s}${recovery.toString(16)}` as const
  try {
    const signer = await recoverAddress({ hash: isMessage ? hashMessage({ raw: hash }) : hash, signature: signed })
    return { kind: 'key', signer: signer.toLowerCase() as Hex }
  } catch {
    return undefined
  }
}

/** The word in place of `s` is the position of the signature, which follows with its length. */
function contractSignature(digits: string, r: string, s: string): Signature | undefined {
  const at = BigInt(`0x${s}`) * 2n
  if (at < BigInt(2 * WORD + 2) || at + BigInt(WORD) > BigInt(digits.length)) return undefined
  const start = Number(at) + WORD
  const size = BigInt(`0x${digits.slice(Number(at), start)}`) * 2n
  if (BigInt(start) + size > BigInt(digits.length)) return undefined
  return { kind: 'contract', signer: `0x${r.slice(24)}`, signature: `0x${digits.slice(start, start + Number(size))}` }
}
