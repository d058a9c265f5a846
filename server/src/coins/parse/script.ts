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
const OP_1NEGATE = 0x4f
const OP_1 = 0x51
const OP_16 = 0x60
const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA4 = 0x4e

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
  const type =
    readNullData(script) !== undefined
      ? 'nulldata'
      : isPayToKey(script)
        ? 'p2pk'
        : isMultisig(script, rules.mweb ? MAX_KEYS_OF_LITECOIN : MAX_KEYS)
          ? 'multisig'
          : 'nonstandard'
  return { type, payload: undefined, version: -1 }
}

/** What a script of OP_RETURN and pushes carries, push by push; undefined for other scripts. */
export function readNullData(script: Buffer): Buffer[] | undefined {
  if (script[0] !== OP_RETURN) return undefined
  const pushes: Buffer[] = []
  let at = 1
  while (at < script.length) {
    const op = readOp(script, at)
    if (op === undefined || op.opcode > OP_16) return undefined
    pushes.push(pushedBy(op))
    at = op.end
  }
  return pushes
}

/** The data of a push. OP_1NEGATE and OP_1 to OP_16 push a number. */
function pushedBy({ opcode, data }: Op): Buffer {
  if (opcode === OP_1NEGATE) return Buffer.from([0x81])
  return opcode >= OP_1 ? Buffer.from([opcode - OP_1 + 1]) : data
}

function isPayToKey(script: Buffer): boolean {
  const { length } = script
  return (
    (length === 35 || length === 67) &&
    script[0] === length - 2 &&
    script[length - 1] === OP_CHECKSIG &&
    isKey(script.subarray(1, length - 1))
  )
}

/** Whether the header byte of a public key fits its length. Headers 6 and 7 are hybrid keys. */
function isKey(data: Buffer): boolean {
  const [header = 0] = data
  if (header === 2 || header === 3) return data.length === 33
  return (header === 4 || header === 6 || header === 7) && data.length === 65
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
  // Litecoin Core does not know pay to anchor.
  if (!rules.mweb && version === 1 && program.length === 2 && program[0] === 0x4e && program[1] === 0x73) return 'p2a'
  if (rules.mweb && program.length === 32 && version === 8) return 'mweb_hogaddr'
  if (rules.mweb && program.length === 32 && version === 9) return 'mweb_pegin'
  return `witness_v${version}`
}

/** Bitcoin Core 22 and later accept up to 20 keys in a bare multisig, Litecoin Core up to 16. */
const MAX_KEYS = 20
const MAX_KEYS_OF_LITECOIN = 16

function isMultisig(script: Buffer, maxKeys: number): boolean {
  if (script.at(-1) !== OP_CHECKMULTISIG) return false
  const first = readOp(script, 0)
  const needed = first === undefined ? undefined : readCount(first, maxKeys)
  if (first === undefined || needed === undefined) return false
  let keys = 0
  let op = readOp(script, first.end)
  while (op !== undefined && isKey(op.data)) {
    keys++
    op = readOp(script, op.end)
  }
  if (op === undefined || op.end !== script.length - 1) return false
  const total = readCount(op, maxKeys)
  return total !== undefined && total === keys && total >= needed
}

type Op = { readonly opcode: number; readonly data: Buffer; readonly end: number }

/** Reads an opcode with the data it pushes; undefined at the end of the script and if the data is cut off. */
function readOp(script: Buffer, at: number): Op | undefined {
  const opcode = script[at]
  if (opcode === undefined) return undefined
  const lengthBytes = opcode < OP_PUSHDATA1 || opcode > OP_PUSHDATA4 ? 0 : 1 << (opcode - OP_PUSHDATA1)
  const start = at + 1 + lengthBytes
  if (start > script.length) return undefined
  const length = lengthBytes === 0 ? (opcode < OP_PUSHDATA1 ? opcode : 0) : script.readUIntLE(at + 1, lengthBytes)
  const end = start + length
  return end > script.length ? undefined : { opcode, data: script.subarray(start, end), end }
}

/** A number of keys from 1 to `max`: OP_1 to OP_16, or above 16 one pushed byte. Other pushes are not minimal. */
function readCount({ opcode, data }: Op, max: number): number | undefined {
  const isByte = opcode === 1 && (data[0] ?? 0) > 16
  const count = opcode >= OP_1 && opcode <= OP_16 ? opcode - OP_1 + 1 : isByte ? (data[0] ?? 0) : 0
  return count >= 1 && count <= max ? count : undefined
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
