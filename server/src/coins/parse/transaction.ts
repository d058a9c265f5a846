/** Decodes one transaction into an object with named fields, for responses. The index reads `TxTable` instead. */
import { hashHex, type ParseRules } from './block.ts'
import { ByteReader } from './byte-reader.ts'
import { ParseError } from './parse-error.ts'
import { at, readTx, TxTable, txidInto, weightOf, wtxidInto } from './tx-table.ts'

export type TxInput = {
  /** Undefined for a coinbase input. */
  readonly prevout: { readonly txid: string; readonly vout: number } | undefined
  readonly script: Buffer
  readonly sequence: number
  readonly witness: readonly Buffer[]
}

export type TxOutput = { readonly value: number; readonly script: Buffer }

export type Transaction = {
  readonly txid: string
  readonly wtxid: string
  readonly version: number
  readonly size: number
  readonly vsize: number
  readonly weight: number
  readonly lockTime: number
  readonly inputs: readonly TxInput[]
  readonly outputs: readonly TxOutput[]
  /** The extension flag is set: a HogEx in a block, or extension data in the mempool. */
  readonly mweb: boolean
}

/** Parses a transaction outside a block, as `getrawtransaction` returns it. */
export function parseTransaction(bytes: Buffer, rules: ParseRules): Transaction {
  return decodeTransaction(scanTransaction(bytes, rules), 0)
}

/** Reads a transaction outside a block into a table of one row. Refuses trailing bytes. */
export function scanTransaction(bytes: Buffer, rules: ParseRules): TxTable {
  const reader = new ByteReader(bytes)
  const table = new TxTable(bytes)
  readTx(reader, table, { mweb: rules.mweb, alone: true })
  if (reader.at !== bytes.length) throw new ParseError('bytes after the transaction', reader.at)
  return table
}

export function decodeTransaction(table: TxTable, index: number): Transaction {
  const { bytes } = table
  const start = at(table.start, index)
  const end = at(table.end, index)
  const weight = weightOf(table, index)
  const inputs = decodeInputs(table, index)
  const outputs: TxOutput[] = []
  for (let i = at(table.firstOutput, index); i < at(table.firstOutput, index + 1); i++) {
    outputs.push({ value: at(table.value, i), script: bytes.subarray(at(table.script, i), at(table.scriptEnd, i)) })
  }
  const id = Buffer.allocUnsafe(32)
  txidInto(table, index, id, 0)
  const txid = hashHex(id)
  wtxidInto(table, index, id, 0)
  return {
    txid,
    wtxid: hashHex(id),
    version: bytes.readUInt32LE(start),
    size: end - start,
    vsize: Math.ceil(weight / 4),
    weight,
    lockTime: bytes.readUInt32LE(end - 4),
    inputs,
    outputs,
    mweb: table.mwebFlag[index] === true,
  }
}

const NO_WITNESS: readonly Buffer[] = []

function decodeInputs(table: TxTable, index: number): TxInput[] {
  const { bytes } = table
  const witnessAt = at(table.witnessAt, index)
  const witness = witnessAt === 0 ? undefined : new ByteReader(bytes, witnessAt)
  const inputs: TxInput[] = []
  for (let i = at(table.firstInput, index); i < at(table.firstInput, index + 1); i++) {
    const outpoint = at(table.outpoint, i)
    const reader = new ByteReader(bytes, outpoint + 36)
    const length = reader.compactSize('input script')
    const script = reader.skip(length, 'input script')
    inputs.push({
      prevout: isCoinbaseOutpoint(bytes, outpoint)
        ? undefined
        : { txid: hashHex(bytes.subarray(outpoint, outpoint + 32)), vout: bytes.readUInt32LE(outpoint + 32) },
      script: bytes.subarray(script, script + length),
      sequence: reader.u32('sequence'),
      witness: witness === undefined ? NO_WITNESS : readStack(witness),
    })
  }
  return inputs
}

function readStack(reader: ByteReader): Buffer[] {
  const count = reader.count(1, 'witness items')
  return Array.from({ length: count }, () => {
    const length = reader.compactSize('witness item')
    const start = reader.skip(length, 'witness item')
    return reader.bytes.subarray(start, start + length)
  })
}

/** Whether the outpoint is the null outpoint of a coinbase: 32 zero bytes and index 0xffffffff. */
export function isCoinbaseOutpoint(bytes: Buffer, outpoint: number): boolean {
  if (bytes.readUInt32LE(outpoint + 32) !== 0xffff_ffff) return false
  for (let i = outpoint; i < outpoint + 32; i++) if (bytes[i] !== 0) return false
  return true
}
