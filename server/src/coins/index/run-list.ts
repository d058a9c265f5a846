/**
 * The list of sorted runs. Runs cover adjacent ranges of transaction numbers, oldest first.
 *
 * A run that is being merged is the target of its sources: scripts and txids before the merge's boundaries are in the
 * target, all others still in the sources. Readers choose by script or txid, so a merge can stop after any step.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import type { KvReader, KvWriter } from './kv.ts'
import { metaKeys } from './layout.ts'
import { RowReader, RowWriter } from './row-bytes.ts'
import { RUN_TXID_SIZE } from './txid-page.ts'

export type SortedRun = {
  readonly id: number
  /** 0 for a run of recent entries. A merge of runs of one level has the next level. */
  readonly level: number
  readonly firstTxnum: number
  /** Exclusive. */
  readonly endTxnum: number
  /** Number of history entries. */
  readonly entries: number
}

export type Merge = {
  readonly sources: readonly SortedRun[]
  /** Scripts before this one are in the target. Undefined if all are. */
  readonly scripts: Buffer | undefined
  /** Txids before this prefix are in the target. */
  readonly txids: Buffer
}

export type ListedRun = SortedRun & { readonly merge?: Merge }

export type RunList = { readonly nextId: number; readonly runs: readonly ListedRun[] }

function readRun(row: RowReader): SortedRun {
  return { id: row.uint(4), level: row.u8(), firstTxnum: row.uint(6), endTxnum: row.uint(6), entries: row.uint(6) }
}

function writeRun(row: RowWriter, run: SortedRun): void {
  row.uint(run.id, 4)
  row.u8(run.level)
  row.uint(run.firstTxnum, 6)
  row.uint(run.endTxnum, 6)
  row.uint(run.entries, 6)
}

export function readRuns(reader: KvReader): RunList {
  const value = reader.get('meta', metaKeys.runs)
  if (value === undefined) return { nextId: 1, runs: [] }
  const row = new RowReader(value)
  const nextId = row.uint(4)
  const runs: ListedRun[] = []
  while (row.at < value.length) {
    const run = readRun(row)
    const count = row.u8()
    if (count === 0) {
      runs.push(run)
      continue
    }
    const hasScripts = row.u8() === 1
    const scripts = row.slice(SCRIPT_KEY_SIZE)
    const txids = row.slice(RUN_TXID_SIZE)
    const sources = Array.from({ length: count }, () => readRun(row))
    runs.push({ ...run, merge: { sources, scripts: hasScripts ? scripts : undefined, txids } })
  }
  return { nextId, runs }
}

export function putRuns(writer: KvWriter, list: RunList): void {
  const row = new RowWriter()
  row.uint(list.nextId, 4)
  for (const run of list.runs) {
    writeRun(row, run)
    const { merge } = run
    row.u8(merge?.sources.length ?? 0)
    if (merge === undefined) continue
    row.u8(merge.scripts === undefined ? 0 : 1)
    row.slice(merge.scripts ?? Buffer.alloc(SCRIPT_KEY_SIZE), 0, SCRIPT_KEY_SIZE)
    row.slice(merge.txids, 0, RUN_TXID_SIZE)
    for (const source of merge.sources) writeRun(row, source)
  }
  writer.put('meta', metaKeys.runs, row.take())
}

/** Returns the runs that may contain entries of a script, oldest first. */
export function runsOfScript(reader: KvReader, script: Buffer): SortedRun[] {
  return readRuns(reader).runs.flatMap((run) => {
    const boundary = run.merge?.scripts
    return boundary === undefined || script.compare(boundary) < 0 ? run : (run.merge?.sources ?? run)
  })
}

/** Returns the runs that may contain a txid, oldest first. */
export function runsOfTxid(reader: KvReader, txid: Buffer): SortedRun[] {
  return readRuns(reader).runs.flatMap((run) => {
    const { merge } = run
    return merge === undefined || txid.compare(merge.txids, 0, RUN_TXID_SIZE, 0, RUN_TXID_SIZE) < 0
      ? run
      : merge.sources
  })
}

export function runKey(id: number, rest: Buffer): Buffer {
  const key = Buffer.allocUnsafe(4 + rest.length)
  key.writeUInt32BE(id)
  rest.copy(key, 4)
  return key
}
