/**
 * The weights of inputs, outputs and transactions before they are signed.
 *
 * A signature is counted as 72 bytes, the longest with a low S value. docs/analysis.md lists the figures.
 */
import { isUnspendable, type ScriptType, witnessVersion } from '../parse/script.ts'

export type InputSize = {
  readonly weight: number
  readonly isSegwit: boolean
}

/** Bytes of a DER signature with its sighash type. */
export const SIGNATURE = 72
export const KEY = 33
/** Bytes of outpoint and sequence. */
const OUTPOINT = 40
/** Bytes of a multisig script: the threshold, the keys, their number, OP_CHECKMULTISIG. */
export const multisigBytes = (keys: number): number => 1 + keys * (KEY + 1) + (keys > 16 ? 2 : 1) + 1
/** Nodes relay transactions up to this weight. */
export const MAX_STANDARD_WEIGHT = 400_000

export function compactSizeBytes(count: number): number {
  if (count < 0xfd) return 1
  return count < 0x1_0000 ? 3 : 5
}

/** `witnessBytes` includes the item count. */
export function inputSize(scriptBytes: number, witnessBytes: number): InputSize {
  const weight = 4 * (OUTPOINT + compactSizeBytes(scriptBytes) + scriptBytes) + witnessBytes
  return { weight, isSegwit: witnessBytes > 0 }
}

const KEY_WITNESS = 1 + (1 + SIGNATURE) + (1 + KEY)
const multisigWitness = (needed: number, keys: number): number =>
  1 + 1 + needed * (1 + SIGNATURE) + compactSizeBytes(multisigBytes(keys)) + multisigBytes(keys)

/** Input sizes by script type, if nothing else is known about the script. */
const INPUTS = {
  p2pk: inputSize(1 + SIGNATURE, 0),
  p2pkh: inputSize(1 + SIGNATURE + 1 + KEY, 0),
  // Most P2SH addresses are P2SH-P2WPKH.
  p2sh: inputSize(1 + 22, KEY_WITNESS),
  p2wpkh: inputSize(0, KEY_WITNESS),
  p2wsh: inputSize(0, multisigWitness(2, 3)),
  p2tr: inputSize(0, 1 + 1 + 64),
  p2a: inputSize(0, 0),
} as const satisfies Partial<Record<ScriptType, InputSize>>

/** Undefined if spending the script type is not standard. */
export function findInputSize(type: ScriptType): InputSize | undefined {
  return type in INPUTS ? INPUTS[type as keyof typeof INPUTS] : undefined
}

/**
 * The smallest and largest inputs that script hashes usually have: P2SH from one nested SegWit key, P2WSH from one key,
 * both to a 3-of-5 multisig.
 */
export const INPUT_RANGES: Readonly<Partial<Record<ScriptType, readonly [least: InputSize, most: InputSize]>>> = {
  p2sh: [INPUTS.p2sh, inputSize(1 + 3 * (1 + SIGNATURE) + 2 + multisigBytes(5), 0)],
  p2wsh: [inputSize(0, 1 + (1 + SIGNATURE) + 1 + (1 + KEY + 1)), inputSize(0, multisigWitness(3, 5))],
}

/** Bytes of value, script length and script. */
export function outputBytes(script: Buffer): number {
  return 8 + compactSizeBytes(script.length) + script.length
}

export type TxParts = {
  readonly inputs: number
  readonly input: InputSize
  readonly outputs: number
  /** Bytes of all outputs together. */
  readonly outputBytes: number
}

/** The weight of version, lock time, counts, marker and flag, inputs and outputs. */
export function txWeight({ inputs, input, outputs, outputBytes }: TxParts): number {
  const base = 4 * (8 + compactSizeBytes(inputs) + compactSizeBytes(outputs) + outputBytes)
  return base + (input.isSegwit ? 2 : 0) + inputs * input.weight
}

export const virtualSize = (weight: number): number => Math.ceil(weight / 4)

/** Virtual bytes that Bitcoin Core assumes for spending an output without and with witness. */
const SPENDING = 148
const WITNESS_SPENDING = 67

/**
 * The value below which an output is dust, as Bitcoin Core's `GetDustThreshold` computes it. `dustRelayRate` is in
 * satoshi per 1,000 virtual bytes.
 */
export function dustThreshold(script: Buffer, dustRelayRate: number): number {
  if (isUnspendable(script, 0, script.length)) return 0
  const spending = witnessVersion(script) >= 0 ? WITNESS_SPENDING : SPENDING
  return Math.floor(((outputBytes(script) + spending) * dustRelayRate) / 1000)
}
