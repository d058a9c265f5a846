/**
 * What transactions weigh before they are signed, in weight units; four of them are one virtual byte.
 *
 * Owns the sizes of inputs by script type and of outputs by script. A signature counts 72 bytes: one byte more than
 * wallets that look for a short one make, and never too few. docs/analysis.md lists the figures.
 */
import type { ScriptType } from '../parse/script.ts'

export type InputSize = {
  readonly weight: number
  readonly isSegwit: boolean
}

/** A DER signature with its hash type. */
export const SIGNATURE = 72
const KEY = 33
/** Outpoint and sequence. */
const OUTPOINT = 40
/** OP_2, three keys, OP_3, OP_CHECKMULTISIG. */
const TWO_OF_THREE = 3 + 3 * (KEY + 1)
/** The largest transaction that nodes relay. */
export const MAX_STANDARD_WEIGHT = 400_000

export function compactSizeBytes(count: number): number {
  if (count < 0xfd) return 1
  return count < 0x1_0000 ? 3 : 5
}

/** An input whose script takes so many bytes, and whose witness, its item count included, so many. */
export function inputSize(scriptBytes: number, witnessBytes: number): InputSize {
  const weight = 4 * (OUTPOINT + compactSizeBytes(scriptBytes) + scriptBytes) + witnessBytes
  return { weight, isSegwit: witnessBytes > 0 }
}

const KEY_WITNESS = 1 + (1 + SIGNATURE) + (1 + KEY)
const MULTISIG_WITNESS = 1 + 1 + 2 * (1 + SIGNATURE) + (1 + TWO_OF_THREE)

/** What spending takes where nothing more is known than the type of the script. */
const INPUTS = {
  p2pk: inputSize(1 + SIGNATURE, 0),
  p2pkh: inputSize(1 + SIGNATURE + 1 + KEY, 0),
  // Most of what is paid to a script hash today is a single key behind a witness.
  p2sh: inputSize(1 + 22, KEY_WITNESS),
  p2wpkh: inputSize(0, KEY_WITNESS),
  p2wsh: inputSize(0, MULTISIG_WITNESS),
  p2tr: inputSize(0, 1 + 1 + 64),
  p2a: inputSize(0, 0),
} as const satisfies Partial<Record<ScriptType, InputSize>>

/** Sizes that an address alone does not tell; a spend that was seen tells them (`learn-size.ts`). */
export const SCRIPT_INPUTS = {
  p2shMultisig: inputSize(1 + 2 * (1 + SIGNATURE) + 2 + TWO_OF_THREE, 0),
  p2shP2wsh: inputSize(1 + 34, MULTISIG_WITNESS),
} as const

/** Undefined for scripts whose spending is not standard. */
export function findInputSize(type: ScriptType): InputSize | undefined {
  return type in INPUTS ? INPUTS[type as keyof typeof INPUTS] : undefined
}

/** Amount, length, script. */
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

/** Version, lock time, counts, marker and flag, inputs, outputs. */
export function txWeight({ inputs, input, outputs, outputBytes }: TxParts): number {
  const base = 4 * (8 + compactSizeBytes(inputs) + compactSizeBytes(outputs) + outputBytes)
  return base + (input.isSegwit ? 2 : 0) + inputs * input.weight
}

export const virtualSize = (weight: number): number => Math.ceil(weight / 4)
