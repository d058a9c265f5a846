/**
 * Encodes an unsigned transaction for a wallet to sign, as a BIP 174 PSBT of version 0.
 *
 * Inputs and outputs are sorted as in BIP 69, so that their order does not reveal the change. An input with witness
 * contains the output it spends, one without witness the whole previous transaction.
 */
import { hashFromHex } from '../parse/block.ts'
import type { Transaction } from '../parse/transaction.ts'

export type PsbtInput = {
  readonly txid: string
  readonly vout: number
  readonly value: number
  readonly script: Buffer
  /** Undefined for an input with witness. */
  readonly previous: Transaction | undefined
  readonly redeemScript: Buffer | undefined
  readonly witnessScript: Buffer | undefined
}

export type PsbtOutput = { readonly value: number; readonly script: Buffer }

const MAGIC = Buffer.from('70736274ff', 'hex')
const END = Buffer.from([0])
const UNSIGNED_TX = 0x00
const NON_WITNESS_UTXO = 0x00
const WITNESS_UTXO = 0x01
const REDEEM_SCRIPT = 0x04
const WITNESS_SCRIPT = 0x05
/** Signals replace-by-fee (BIP 125). */
const SEQUENCE = 0xffff_fffd

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
const pair = (type: number, value: Buffer): Buffer => Buffer.concat([Buffer.from([1, type]), sized(value)])

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

export function encodePsbt(inputs: readonly PsbtInput[], outputs: readonly PsbtOutput[]): string {
  const spent = inputs.toSorted((a, b) => (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : a.vout - b.vout))
  const paid = outputs.toSorted((a, b) => a.value - b.value || Buffer.compare(a.script, b.script))
  const tx = Buffer.concat([
    u32(2),
    list(spent.map(({ txid, vout }) => Buffer.concat([hashFromHex(txid), u32(vout), END, u32(SEQUENCE)]))),
    list(paid.map(output)),
    u32(0),
  ])
  return Buffer.concat([MAGIC, pair(UNSIGNED_TX, tx), END, ...spent.map(inputMap), ...paid.map(() => END)]).toString(
    'base64',
  )
}

function inputMap({ value, script, previous, redeemScript, witnessScript }: PsbtInput): Buffer {
  const utxo =
    previous === undefined
      ? pair(WITNESS_UTXO, output({ value, script }))
      : pair(NON_WITNESS_UTXO, serializeStripped(previous))
  return Buffer.concat([
    utxo,
    ...(redeemScript === undefined ? [] : [pair(REDEEM_SCRIPT, redeemScript)]),
    ...(witnessScript === undefined ? [] : [pair(WITNESS_SCRIPT, witnessScript)]),
    END,
  ])
}
