/**
 * Classifies output scripts, detects unspendable ones, and computes the keys by which they are indexed.
 *
 * Independent of the network; `address.ts` encodes addresses.
 */
import { sha256Into } from './sha256.ts'

const OP_RETURN = 0x6a
const OP_DUP = 0x76
const OP_HASH160 = 0xa9
const OP_EQUAL = 0x87
const OP_EQUALVERIFY = 0x88
const OP_CHECKSIG = 0xac
const OP_CHECKMULTISIG = 0xae
const OP_1 = 0x51
const OP_16 = 0x60

/** Longer scripts cannot be spent. */
const MAX_SCRIPT = 10_000

export type ScriptType =
  | 'p2pkh'
  | 'p2sh'
  | 'p2wpkh'
  | 'p2wsh'
  | 'p2tr'
  | 'p2a'
  | `witness_v${number}`
  | 'mweb_hogaddr'
  | 'mweb_pegin'
  | 'p2pk'
  | 'multisig'
  | 'nulldata'
  | 'nonstandard'

/** `payload` is the hash or witness program where the type has one. */
export type ScriptKind = { readonly type: ScriptType; readonly payload: Buffer | undefined; readonly version: number }

/** Whether an output is provably unspendable. Core does not store such outputs, and neither does the index. */
export function isUnspendable(bytes: Buffer, start: number, end: number): boolean {
  return (end > start && bytes[start] === OP_RETURN) || end - start > MAX_SCRIPT
}

/** Witness version 8 with 32 bytes: the balance of the extension block. */
export function isHogAddr(bytes: Buffer, start: number, end: number): boolean {
  return end - start === 34 && bytes[start] === 0x58 && bytes[start + 1] === 0x20
}

export function classifyScript(script: Buffer, rules: { readonly mweb: boolean }): ScriptKind {
  const { length } = script
  if (
    length === 25 &&
    script[0] === OP_DUP &&
    script[1] === OP_HASH160 &&
    script[2] === 20 &&
    script[23] === OP_EQUALVERIFY &&
    script[24] === OP_CHECKSIG
  ) {
    return { type: 'p2pkh', payload: script.subarray(3, 23), version: -1 }
  }
  if (length === 23 && script[0] === OP_HASH160 && script[1] === 20 && script[22] === OP_EQUAL) {
    return { type: 'p2sh', payload: script.subarray(2, 22), version: -1 }
  }
  const version = witnessVersion(script)
  if (version >= 0) return classifyWitness(script, version, rules)
  if (script[0] === OP_RETURN) return { type: 'nulldata', payload: undefined, version: -1 }
  if ((length === 35 || length === 67) && script[0] === length - 2 && script[length - 1] === OP_CHECKSIG) {
    const first = script[1]
    const isKey = length === 35 ? first === 2 || first === 3 : first === 4
    if (isKey) return { type: 'p2pk', payload: undefined, version: -1 }
  }
  return { type: isMultisig(script) ? 'multisig' : 'nonstandard', payload: undefined, version: -1 }
}

/** Returns the witness version of a script, -1 if the script is not a witness program. */
export function witnessVersion(script: Buffer): number {
  const [opcode, push] = script
  if (opcode === undefined || push === undefined || script.length < 4 || script.length > 42) return -1
  if (push !== script.length - 2) return -1
  if (opcode === 0) return 0
  return opcode >= OP_1 && opcode <= OP_16 ? opcode - OP_1 + 1 : -1
}

function classifyWitness(script: Buffer, version: number, rules: { readonly mweb: boolean }): ScriptKind {
  const payload = script.subarray(2)
  return { type: witnessType(version, payload, rules), payload, version }
}

export function witnessType(version: number, program: Buffer, rules: { readonly mweb: boolean }): ScriptType {
  if (version === 0) return program.length === 20 ? 'p2wpkh' : program.length === 32 ? 'p2wsh' : 'nonstandard'
  if (version === 1 && program.length === 32) return 'p2tr'
  if (version === 1 && program.length === 2 && program[0] === 0x4e && program[1] === 0x73) return 'p2a'
  if (rules.mweb && program.length === 32 && version === 8) return 'mweb_hogaddr'
  if (rules.mweb && program.length === 32 && version === 9) return 'mweb_pegin'
  return `witness_v${version}`
}

function isMultisig(script: Buffer): boolean {
  const { length } = script
  if (length < 37 || script[length - 1] !== OP_CHECKMULTISIG) return false
  const needed = (script[0] ?? 0) - OP_1 + 1
  const total = (script[length - 2] ?? 0) - OP_1 + 1
  if (needed < 1 || total < needed || total > 16) return false
  let at = 1
  for (let key = 0; key < total; key++) {
    const size = script[at]
    if (size !== 33 && size !== 65) return false
    at += 1 + size
  }
  return at === length - 2
}

/** Bytes of a script key: the first bytes of the SHA-256 of an output script, by which the index finds it. */
export const SCRIPT_KEY_SIZE = 10

export function scriptKeyInto(bytes: Buffer, start: number, end: number, out: Buffer, outAt: number): void {
  sha256Into(bytes, start, end, out, outAt, SCRIPT_KEY_SIZE)
}

export function scriptKey(script: Buffer): Buffer {
  const out = Buffer.allocUnsafe(SCRIPT_KEY_SIZE)
  scriptKeyInto(script, 0, script.length, out, 0)
  return out
}
