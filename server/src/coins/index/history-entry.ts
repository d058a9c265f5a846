/** A history entry: what one transaction paid to a script and spent from it. Encodes its row while it is recent. */
import { RowReader, RowWriter } from './row-bytes.ts'

export const RECEIVED = 2
export const SENT = 4

export type HistoryEntry = {
  readonly txnum: number
  /** `RECEIVED`, `SENT` or both. An output of amount 0 still sets `RECEIVED`. */
  readonly flags: number
  readonly received: number
  readonly sent: number
}

/** Totals of history entries of one script. */
export type ScriptTotals = { readonly txCount: number; readonly received: bigint; readonly sent: bigint }

export const NO_TOTALS: ScriptTotals = { txCount: 0, received: 0n, sent: 0n }

const single = new RowWriter(32)

export function historyValue(entry: HistoryEntry): Buffer {
  single.u8(entry.flags)
  if ((entry.flags & RECEIVED) !== 0) single.varint(entry.received)
  if ((entry.flags & SENT) !== 0) single.varint(entry.sent)
  return single.take()
}

/** Reads an entry and the size of its bytes, which others may follow. */
export function readHistoryValue(txnum: number, value: Buffer): HistoryEntry & { readonly size: number } {
  const reader = new RowReader(value)
  const flags = reader.u8()
  const received = (flags & RECEIVED) === 0 ? 0 : reader.varint()
  const sent = (flags & SENT) === 0 ? 0 : reader.varint()
  return { txnum, flags, received, sent, size: reader.at }
}
