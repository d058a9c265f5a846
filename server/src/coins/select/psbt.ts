/**
 * Encodes an unsigned transaction for a wallet to sign, as a PSBT of version 0 (BIP 174) and of version 2 (BIP 370).
 *
 * Inputs and outputs are sorted as in BIP 69, so that their order does not reveal the change. An input with witness
 * contains the output it spends, one without witness the whole previous transaction.
 */

import type { SolvingData } from '../descriptors/descriptor.ts'
import { hashFromHex } from '../parse/block.ts'
import type { Transaction } from '../parse/transaction.ts'

/** What a signer needs to know about an input or about the change. */
export type PsbtScripts = Partial<SolvingData>

export type PsbtInput = PsbtScripts & {
  readonly txid: string
  readonly vout: number
  readonly value: number
  readonly script: Buffer
  /** Undefined for an input with witness. */
  readonly previous: Transaction | undefined
}

export type PsbtOutput = PsbtScripts & { readonly value: number; readonly script: Buffer }

const MAGIC = Buffer.from('70736274ff', 'hex')
const END = Buffer.from([0])
const UNSIGNED_TX = 0x00
const NON_WITNESS_UTXO = 0x00
const WITNESS_UTXO = 0x01
/** The types of the same fields in inputs and in outputs. */
const INPUT_TYPES = { redeem: 0x04, witness: 0x05, key: 0x06, tapKey: 0x16, internalKey: 0x17 }
const OUTPUT_TYPES = { redeem: 0x00, witness: 0x01, key: 0x02, tapKey: 0x07, internalKey: 0x05 }
/** Fields of version 2. */
const GLOBAL_TX_VERSION = 0x02
const GLOBAL_FALLBACK_LOCKTIME = 0x03
const GLOBAL_INPUT_COUNT = 0x04
const GLOBAL_OUTPUT_COUNT = 0x05
const GLOBAL_VERSION = 0xfb
const INPUT_PREVIOUS_TXID = 0x0e
const INPUT_OUTPUT_INDEX = 0x0f
const INPUT_SEQUENCE = 0x10
const OUTPUT_AMOUNT = 0x03
const OUTPUT_SCRIPT = 0x04

const TX_VERSION = 2
/** The default sequence: it signals replace-by-fee (BIP 125). */
export const REPLACEABLE = 0xffff_fffd

export function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  const isShort = value < 0x1_0000
  const bytes = Buffer.alloc(isShort ? 3 : 5)
  bytes[0] = isShort ? 0xfd : 0xfe
  bytes.writeUIntLE(value, 1, isShort ? 2 : 4)
  return bytes
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([compactSize(bytes.length), bytes])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function amount(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const output = ({ value, script }: PsbtOutput): Buffer => Buffer.concat([amount(value), sized(script)])
const list = (items: readonly Buffer[]): Buffer => Buffer.concat([compactSize(items.length), ...items])
const pair = (type: number, value: Buffer, key: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from([1 + key.length, type]), key, sized(value)])

/** Serializes a transaction without witness, the form that its txid hashes. */
export function serializeStripped(tx: Transaction): Buffer {
  const inputs = tx.inputs.map(({ prevout, script, sequence }) =>
    Buffer.concat([
      prevout === undefined ? Buffer.alloc(32) : hashFromHex(prevout.txid),
      u32(prevout?.vout ?? 0xffff_ffff),
      sized(script),
      u32(sequence),
    ]),
  )
  return Buffer.concat([u32(tx.version), list(inputs), list(tx.outputs.map(output)), u32(tx.lockTime)])
}

/** The fields of a transaction that all of its inputs share. */
export type PsbtTerms = { readonly locktime: number; readonly sequence: number }

export type Psbts = { readonly v0: string; readonly v2: string }

/** Encodes the same transaction in both versions, in base64. */
export function encodePsbts(
  inputs: readonly PsbtInput[],
  outputs: readonly PsbtOutput[],
  { locktime, sequence }: PsbtTerms,
): Psbts {
  const spent = inputs.toSorted((a, b) => (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : a.vout - b.vout))
  const paid = outputs.toSorted((a, b) => a.value - b.value || Buffer.compare(a.script, b.script))
  const tx = Buffer.concat([
    u32(TX_VERSION),
    list(spent.map(({ txid, vout }) => Buffer.concat([hashFromHex(txid), u32(vout), END, u32(sequence)]))),
    list(paid.map(output)),
    u32(locktime),
  ])
  const v0 = [
    MAGIC,
    pair(UNSIGNED_TX, tx),
    END,
    ...spent.map((each) => map(inputPairs(each))),
    ...paid.map((each) => map(scriptPairs(OUTPUT_TYPES, each))),
  ]
  const v2 = [
    MAGIC,
    pair(GLOBAL_TX_VERSION, u32(TX_VERSION)),
    pair(GLOBAL_FALLBACK_LOCKTIME, u32(locktime)),
    pair(GLOBAL_INPUT_COUNT, compactSize(spent.length)),
    pair(GLOBAL_OUTPUT_COUNT, compactSize(paid.length)),
    pair(GLOBAL_VERSION, u32(2)),
    END,
    ...spent.map((each) =>
      map([
        ...inputPairs(each),
        pair(INPUT_PREVIOUS_TXID, hashFromHex(each.txid)),
        pair(INPUT_OUTPUT_INDEX, u32(each.vout)),
        pair(INPUT_SEQUENCE, u32(sequence)),
      ]),
    ),
    ...paid.map((each) =>
      map([
        ...scriptPairs(OUTPUT_TYPES, each),
        pair(OUTPUT_AMOUNT, amount(each.value)),
        pair(OUTPUT_SCRIPT, each.script),
      ]),
    ),
  ]
  return { v0: Buffer.concat(v0).toString('base64'), v2: Buffer.concat(v2).toString('base64') }
}

const map = (pairs: readonly Buffer[]): Buffer => Buffer.concat([...pairs, END])

function scriptPairs(types: typeof INPUT_TYPES, { redeemScript, witnessScript, internalKey, keys = [] }: PsbtScripts) {
  // A script can contain a key twice, a map of a PSBT cannot.
  const unique = new Map(keys.map((each) => [each.key.toString('hex'), each]))
  const derivations = [...unique.values()].map(({ key, fingerprint, path }) => {
    const origin = Buffer.concat([fingerprint, ...path.map(u32)])
    return internalKey === undefined
      ? pair(types.key, origin, key)
      : // No leaf of the tree: the key is the internal one.
        pair(types.tapKey, Buffer.concat([compactSize(0), origin]), key.subarray(1))
  })
  return [
    ...(redeemScript === undefined ? [] : [pair(types.redeem, redeemScript)]),
    ...(witnessScript === undefined ? [] : [pair(types.witness, witnessScript)]),
    ...derivations,
    ...(internalKey === undefined ? [] : [pair(types.internalKey, internalKey)]),
  ]
}

function inputPairs({ value, script, previous, ...scripts }: PsbtInput): Buffer[] {
  const utxo =
    previous === undefined
      ? pair(WITNESS_UTXO, output({ value, script }))
      : pair(NON_WITNESS_UTXO, serializeStripped(previous))
  return [utxo, ...scriptPairs(INPUT_TYPES, scripts)]
}
