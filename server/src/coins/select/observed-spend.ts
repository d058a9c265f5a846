/**
 * Measures the input size of an address from an earlier spend.
 *
 * An address contains only a hash of its script. An input that spent from it reveals the script, and all later inputs
 * have the same size except for the length of their signatures, which are counted as 72 bytes.
 */
import type { Address } from '../parse/address.ts'
import { classifyScript } from '../parse/script.ts'
import { hash160, sha256 } from '../parse/sha256.ts'
import type { Transaction, TxInput } from '../parse/transaction.ts'
import { compactSizeBytes, type InputSize, inputSize, SIGNATURE } from './weights.ts'

export type ObservedSpend = {
  readonly size: InputSize
  /** The script behind the hash of a P2SH address. */
  readonly redeemScript: Buffer | undefined
  /** The script behind the hash of a witness program. */
  readonly witnessScript: Buffer | undefined
}

/** A DER signature: 0x30, the length of the rest without the sighash type, the rest, the sighash type. */
function isSignature(item: Buffer): boolean {
  return item.length >= 9 && item.length <= 73 && item[0] === 0x30 && item[1] === item.length - 3
}

const measuredLength = (item: Buffer): number => (isSignature(item) ? SIGNATURE : item.length)

/** The pushes of an input script; undefined if it contains another opcode. */
export function readPushes(script: Buffer): Buffer[] | undefined {
  const pushes: Buffer[] = []
  let at = 0
  while (at < script.length) {
    const opcode = script[at] ?? 0
    let start = at + 1
    let length = opcode
    if (opcode === 0x4c) {
      length = script[at + 1] ?? 0
      start = at + 2
    } else if (opcode === 0x4d) {
      if (at + 3 > script.length) return undefined
      length = script.readUInt16LE(at + 1)
      start = at + 3
    } else if (opcode > 0x4d) {
      // OP_1NEGATE and OP_1 to OP_16 push a number.
      if (opcode !== 0x4f && (opcode < 0x51 || opcode > 0x60)) return undefined
      length = 0
    }
    if (start + length > script.length) return undefined
    pushes.push(script.subarray(start, start + length))
    at = start + length
  }
  return pushes
}

function measuredScript(script: Buffer, pushes: readonly Buffer[]): number {
  return pushes.reduce((sum, push) => sum + measuredLength(push) - push.length, script.length)
}

/** Taproot signatures have a fixed length. */
function measuredWitness(witness: readonly Buffer[], isTaproot: boolean): number {
  if (witness.length === 0) return 0
  const lengths = witness.map((item) => (isTaproot ? item.length : measuredLength(item)))
  const items = lengths.reduce((sum, length) => sum + compactSizeBytes(length) + length, 0)
  return compactSizeBytes(witness.length) + items
}

/** Bytes of a signature as Core's wallet makes it: it tries again until the first half is short. */
const USUAL_SIGNATURE = 71

/** The weight that a transaction has more if it is signed again: signatures can be shorter by chance. */
export function signedAgainWeight({ inputs, weight }: Transaction): number {
  const missing = (items: readonly Buffer[]): number =>
    items.reduce((sum, item) => sum + (isSignature(item) ? Math.max(0, USUAL_SIGNATURE - item.length) : 0), 0)
  return inputs.reduce(
    (sum, { script, witness }) => sum + missing(witness) + 4 * missing(readPushes(script) ?? []),
    weight,
  )
}

/** Measures an input that spent from the address; undefined if its script does more than push. */
export function measureSpend(
  input: TxInput,
  type: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr',
): ObservedSpend | undefined {
  const pushes = readPushes(input.script)
  if (pushes === undefined) return undefined
  const { witness } = input
  const redeemScript = type === 'p2sh' ? pushes.at(-1) : undefined
  const isWitnessScript = type === 'p2wsh' || (redeemScript?.length === 34 && redeemScript[0] === 0)
  return {
    size: inputSize(measuredScript(input.script, pushes), measuredWitness(witness, type === 'p2tr')),
    redeemScript,
    witnessScript: isWitnessScript ? witness.at(-1) : undefined,
  }
}

/** Measures the first input of a transaction that reveals a key or script with the hash of the address. */
export function observeSpend(
  tx: Transaction,
  { type, script }: Pick<Address, 'type' | 'script'>,
): ObservedSpend | undefined {
  const { payload } = classifyScript(script, { mweb: false })
  if (payload === undefined || (type !== 'p2pkh' && type !== 'p2sh' && type !== 'p2wsh')) return undefined
  const reveals = ({ script: inputScript, witness }: TxInput): boolean => {
    const last = type === 'p2wsh' ? witness.at(-1) : readPushes(inputScript)?.at(-1)
    return last !== undefined && (type === 'p2wsh' ? sha256(last) : hash160(last)).equals(payload)
  }
  const input = tx.inputs.find(reveals)
  return input === undefined ? undefined : measureSpend(input, type)
}
