/**
 * Parses transactions into columns of offsets into their bytes.
 *
 * Implements the wire format: legacy, SegWit, and the extension-block flag. The index reads these columns without
 * allocating an object per field; `transaction.ts` decodes one row into an object.
 */
import type { ByteReader } from './byte-reader.ts'
import { ParseError } from './parse-error.ts'
import { sha256dInto } from './sha256.ts'

const WITNESS = 0x01
const MWEB = 0x08

/** Minimum sizes. Input: outpoint 36, script size 1, sequence 4. Output: amount 8, script size 1. */
const LEAST_INPUT = 41
const LEAST_OUTPUT = 9
/** Version, counts, one input, one output, lock time. */
export const LEAST_TX = 4 + 1 + LEAST_INPUT + 1 + LEAST_OUTPUT + 4

export type TxRules = {
  /** The chain has extension blocks, so flag 8 is allowed. */
  readonly mweb: boolean
  /** The transaction is not in a block: it ends where the buffer ends. */
  readonly alone: boolean
}

/** Read access to the columns: plain arrays after parsing, typed arrays when they come from a parse thread. */
export type TxColumns = {
  readonly bytes: Buffer
  readonly count: number
  readonly start: ArrayLike<number>
  readonly end: ArrayLike<number>
  readonly stripped: ArrayLike<number>
  readonly witnessBytes: ArrayLike<number>
  readonly firstInput: ArrayLike<number>
  readonly firstOutput: ArrayLike<number>
  readonly outpoint: ArrayLike<number>
  readonly value: ArrayLike<number>
  readonly script: ArrayLike<number>
  readonly scriptEnd: ArrayLike<number>
}

export class TxTable {
  bytes: Buffer
  readonly start: number[] = []
  readonly end: number[] = []
  /** Stripped size: bytes without marker, flag, witness and extension data. */
  readonly stripped: number[] = []
  /** Bytes of marker, flag and witness; 0 without witness. */
  readonly witnessBytes: number[] = []
  /** Offset of the witness stacks; 0 without witness. */
  readonly witnessAt: number[] = []
  /** The extension flag is set: in a block, this is the HogEx. */
  readonly mwebFlag: boolean[] = []
  /** Index of the first input of each transaction; one more entry than transactions. */
  readonly firstInput: number[] = [0]
  readonly firstOutput: number[] = [0]
  /** Offset of each input's 36-byte outpoint. */
  readonly outpoint: number[] = []
  readonly value: number[] = []
  readonly script: number[] = []
  readonly scriptEnd: number[] = []

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get count(): number {
    return this.start.length
  }
}

// The cast is safe: every index comes from the table's own counts.
export const at = (column: ArrayLike<number>, index: number): number => column[index] as number

export function readTx(reader: ByteReader, table: TxTable, rules: TxRules): void {
  const start = reader.at
  reader.skip(4, 'version')
  let flags = 0
  let inputs = reader.count(LEAST_INPUT, 'inputs')
  let outputs = 0
  if (inputs === 0) {
    flags = reader.u8('flag')
    if ((flags & ~(rules.mweb ? WITNESS | MWEB : WITNESS)) !== 0) {
      throw new ParseError(`transaction with unknown flag ${flags}`, start + 5)
    }
    if (flags !== 0) inputs = reader.count(LEAST_INPUT, 'inputs')
  }
  // A transaction that is wholly in the extension block has neither inputs nor outputs. It occurs only in a mempool.
  const mayBeEmpty = rules.alone && rules.mweb
  if (inputs === 0 && !mayBeEmpty) throw new ParseError('transaction without inputs', start)
  const body = flags === 0 ? start + 4 : start + 6
  readInputs(reader, table, inputs)
  if (flags !== 0 || inputs > 0) outputs = reader.count(LEAST_OUTPUT, 'outputs')
  if (outputs === 0 && !mayBeEmpty) throw new ParseError('transaction without outputs', start)
  readOutputs(reader, table, outputs)
  const bodyEnd = reader.at
  const witnessAt = (flags & WITNESS) === 0 ? 0 : bodyEnd
  if (witnessAt > 0) readWitness(reader, inputs)
  const witnessEnd = reader.at
  if ((flags & MWEB) !== 0) readMweb(reader, rules)
  reader.skip(4, 'lock time')

  table.start.push(start)
  table.end.push(reader.at)
  table.stripped.push(4 + (bodyEnd - body) + 4)
  table.witnessBytes.push(witnessAt > 0 ? 2 + witnessEnd - bodyEnd : 0)
  table.witnessAt.push(witnessAt)
  table.mwebFlag.push((flags & MWEB) !== 0)
  table.firstInput.push(table.outpoint.length)
  table.firstOutput.push(table.value.length)
}

function readInputs(reader: ByteReader, table: TxTable, inputs: number): void {
  for (let i = 0; i < inputs; i++) {
    table.outpoint.push(reader.skip(36, 'outpoint'))
    reader.skip(reader.compactSize('input script'), 'input script')
    reader.skip(4, 'sequence')
  }
}

function readOutputs(reader: ByteReader, table: TxTable, outputs: number): void {
  for (let i = 0; i < outputs; i++) {
    table.value.push(reader.amount('output'))
    const length = reader.compactSize('output script')
    const script = reader.skip(length, 'output script')
    table.script.push(script)
    table.scriptEnd.push(script + length)
  }
}

function readWitness(reader: ByteReader, inputs: number): void {
  const start = reader.at
  let items = 0
  for (let i = 0; i < inputs; i++) {
    const stack = reader.count(1, 'witness items')
    items += stack
    for (let k = 0; k < stack; k++) reader.skip(reader.compactSize('witness item'), 'witness item')
  }
  if (items === 0) throw new ParseError('witness flag without a witness', start)
}

/** In a block only the absence mark is allowed. Outside, the extension data extends to the lock time. */
function readMweb(reader: ByteReader, rules: TxRules): void {
  const mark = reader.u8('extension mark')
  if (mark === 0) return
  if (mark !== 1 || !rules.alone) throw new ParseError('unexpected extension data', reader.at - 1)
  const payload = reader.end - 4 - reader.at
  if (payload <= 0) throw new ParseError('extension data missing', reader.at)
  reader.skip(payload, 'extension data')
}

// Grows to the longest transaction. Hashing never yields, so one buffer per thread is enough.
let scratch = Buffer.allocUnsafe(4096)

/** Writes the txid: the hash of the bytes without marker, flag, witness and extension data. */
export function txidInto(table: TxTable, index: number, out: Buffer, outAt: number): void {
  const { bytes } = table
  const start = at(table.start, index)
  const end = at(table.end, index)
  const stripped = at(table.stripped, index)
  if (stripped === end - start) {
    sha256dInto(bytes, start, end, out, outAt)
    return
  }
  if (scratch.length < stripped) scratch = Buffer.allocUnsafe(stripped * 2)
  bytes.copy(scratch, 0, start, start + 4)
  // If the transaction has no inputs and no flags, its empty body was read as marker and flag 0.
  bytes.copy(scratch, 4, start + 6, start + 6 + stripped - 8)
  bytes.copy(scratch, stripped - 4, end - 4, end)
  sha256dInto(scratch, 0, stripped, out, outAt)
}

/** Writes the wtxid; equal to the txid without a witness. Extension data is part of neither. */
export function wtxidInto(table: TxTable, index: number, out: Buffer, outAt: number): void {
  const witnessBytes = at(table.witnessBytes, index)
  if (witnessBytes === 0) {
    txidInto(table, index, out, outAt)
    return
  }
  const start = at(table.start, index)
  const end = at(table.end, index)
  const size = at(table.stripped, index) + witnessBytes
  if (scratch.length < size) scratch = Buffer.allocUnsafe(size * 2)
  table.bytes.copy(scratch, 0, start, start + size - 4)
  scratch[5] = WITNESS
  table.bytes.copy(scratch, size - 4, end - 4, end)
  sha256dInto(scratch, 0, size, out, outAt)
}

/** Returns the weight by consensus rules. Extension data does not count. */
export function weightOf(table: TxColumns, index: number): number {
  return at(table.stripped, index) * 4 + at(table.witnessBytes, index)
}
