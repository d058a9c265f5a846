/**
 * Labels of transactions, addresses, outputs and keys (BIP 329): reads and writes the file format, and finds the label of
 * a coin or a transaction.
 *
 * A record keeps fields that are not used here, so that an export contains what was imported. Lines that are no label are
 * ignored and reported, because wallets write types of their own.
 */
import { z } from 'zod'
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { containsPrivateKey } from '../descriptors/extended-key.ts'
import { Turns } from '../serve/turns.ts'

const TYPES = ['tx', 'addr', 'pubkey', 'input', 'output', 'xpub'] as const

/** Most labels of a wallet, and characters of one record. */
const MAX_LABELS = 10_000
/** Lines of a file: some may be no labels. */
const MAX_LINES = MAX_LABELS + 1_000
const MAX_RECORD = 2_000
const MAX_REF = 300

const OUTPOINT = /^[0-9a-f]{64}:(0|[1-9]\d{0,9})$/
/** The form of references that are compared with what a response contains. */
const REFERENCES: Readonly<Partial<Record<(typeof TYPES)[number], RegExp>>> = {
  tx: /^[0-9a-f]{64}$/,
  output: OUTPOINT,
  input: OUTPOINT,
}

const record = z.looseObject({
  type: z.enum(TYPES),
  ref: z.string().min(1).max(MAX_REF),
  label: z.string().optional(),
  origin: z.string().optional(),
  spendable: z.boolean().optional(),
})
export type LabelRecord = z.output<typeof record>

export type ParsedLabels = {
  readonly records: readonly LabelRecord[]
  /** Lines that are no label, counted from 1. */
  readonly ignored: readonly { readonly line: number; readonly reason: string }[]
}

const tooManyLabels = (): ApiError =>
  new ApiError({
    status: 400,
    code: 'TOO_MANY_LABELS',
    message: `A wallet has at most ${MAX_LABELS} labels, and a file ${MAX_LINES} lines. Remove some first.`,
  })

/** Whether a text has more line breaks than `limit`. Counts no further than that. */
function hasMoreLines(text: string, limit: number): boolean {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0 && count <= limit; at = text.indexOf('\n', at + 1)) count++
  return count > limit
}

/** Work of a line in units of a turn, in addition to its characters, which may be a private key. */
const UNITS_PER_LINE = 20

/** Reads a file of labels in turns: one JSON object per line. Throws TOO_MANY_LABELS. */
export async function parseLabels(file: string): Promise<ParsedLabels> {
  const text = withoutByteOrderMark(file)
  if (hasMoreLines(text, MAX_LINES)) throw tooManyLabels()
  const turns = new Turns()
  const records: LabelRecord[] = []
  const ignored: { line: number; reason: string }[] = []
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    await turns.take(UNITS_PER_LINE + Math.min(line.length, MAX_RECORD))
    const read = readRecord(line)
    if (typeof read === 'string') ignored.push({ line: i + 1, reason: read })
    else records.push(read)
  }
  return { records, ignored }
}

/** A record, or why the line is none. */
function readRecord(line: string): LabelRecord | string {
  if (line.length > MAX_RECORD) return `has more than ${MAX_RECORD} characters`
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  const { success, data, error } = record.safeParse(json)
  if (!success) return `${error.issues[0]?.path.join('.') || 'record'}: is not as in BIP 329`
  const ref = REFERENCES[data.type] === undefined ? data.ref : data.ref.toLowerCase()
  if (REFERENCES[data.type]?.test(ref) === false) return 'ref: is not as in BIP 329'
  if (containsPrivateKey(JSON.stringify(data))) return 'contains a private key'
  return { ...data, ref }
}

const keyOf = ({ type, ref }: Pick<LabelRecord, 'type' | 'ref'>): string => `${type} ${ref}`

/** Adds records. A later one for the same reference replaces an earlier one; an empty one removes it. Throws TOO_MANY_LABELS. */
export function mergeLabels(known: readonly LabelRecord[], added: readonly LabelRecord[]): LabelRecord[] {
  const merged = new Map(known.map((each) => [keyOf(each), each]))
  for (const each of added) {
    merged.delete(keyOf(each))
    const isEmpty = (each.label ?? '') === '' && each.spendable === undefined
    if (!isEmpty) merged.set(keyOf(each), each)
  }
  if (merged.size > MAX_LABELS) throw tooManyLabels()
  return [...merged.values()]
}

export const formatLabels = (records: readonly LabelRecord[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join('')

export type Labels = {
  readonly ofTx: (txid: string) => string | null
  /** The label of the output, or of its address, or of its transaction. */
  readonly ofCoin: (coin: {
    readonly txid: string
    readonly vout: number
    readonly address: string | null
  }) => string | null
  /** Outpoints that the owner marked as not spendable, as `txid:vout`. */
  readonly frozen: readonly string[]
}

export function labelsOf(records: readonly LabelRecord[]): Labels {
  const byKey = new Map(records.map((each) => [keyOf(each), each.label ?? '']))
  const find = (type: LabelRecord['type'], ref: string): string | undefined =>
    byKey.get(keyOf({ type, ref })) || undefined
  return {
    ofTx: (txid) => find('tx', txid) ?? null,
    ofCoin: ({ txid, vout, address }) =>
      find('output', `${txid}:${vout}`) ??
      (address === null ? undefined : find('addr', address)) ??
      find('tx', txid) ??
      null,
    frozen: records.flatMap(({ type, ref, spendable }) => (type === 'output' && spendable === false ? [ref] : [])),
  }
}
