/**
 * Compaction: merges adjacent sorted runs, so that a query reads few of them.
 *
 * Only final runs are merged: those that no reorganization can reach. The new run is written in many small commits that
 * readers do not see; one commit then replaces its sources. A crash in between leaves orphan rows, which the next start
 * deletes.
 */
import { type PackedEntry, unpack } from './history-entry.ts'
import type { Kv, KvReader } from './kv.ts'
import { prefixRange, withSnapshot } from './kv.ts'
import { TXNUM_SIZE } from './layout.ts'
import {
  deleteRun,
  putRuns,
  RUN_TABLES,
  RUN_TXID_RECORD,
  RUN_TXID_SIZE,
  type RunList,
  type RunTable,
  RunWriter,
  readRuns,
  runKey,
  type SortedRun,
} from './sorted-runs.ts'

/** Pages written per commit. */
const PAGES_PER_COMMIT = 4_096

/** Chooses the adjacent runs with the fewest entries; undefined while there are at most `max` runs. */
export function chooseMerge(runs: readonly SortedRun[], max: number, width: number): readonly SortedRun[] | undefined {
  if (runs.length <= max) return undefined
  const entriesFrom = (start: number): number =>
    runs.slice(start, start + width).reduce((sum, run) => sum + run.entries, 0)
  let best = 0
  for (let start = 1; start + width <= runs.length; start++) if (entriesFrom(start) < entriesFrom(best)) best = start
  return runs.slice(best, best + width)
}

/** Merges runs below `finalTxnum` until at most `max` are left. */
export function compactRuns(kv: Kv, finalTxnum: number, max: number, width: number): void {
  for (;;) {
    const final = withSnapshot(kv, readRuns).runs.filter((run) => run.endTxnum <= finalTxnum)
    const chosen = chooseMerge(final, max, width)
    if (chosen === undefined) return
    mergeChosen(kv, chosen)
  }
}

function mergeChosen(kv: Kv, chosen: readonly SortedRun[]): void {
  const [first] = chosen
  const last = chosen.at(-1)
  if (first === undefined || last === undefined) return
  const id = kv.write((writer) => {
    const list = readRuns(writer)
    putRuns(writer, { ...list, nextId: list.nextId + 1 })
    return list.nextId
  })
  const pending: [RunTable, Buffer, Buffer][] = []
  const commit = (): void => {
    const rows = pending.splice(0)
    kv.write((writer) => {
      for (const [table, key, value] of rows) writer.put(table, key, value)
    })
  }
  const target = new RunWriter(
    (table, key, value) => {
      pending.push([table, key, value])
    },
    id,
    first.firstTxnum,
  )
  const source = kv.snapshot()
  try {
    for (const entry of mergeHistory(source, chosen)) {
      target.addHistory(entry.script, 0, entry)
      if (pending.length >= PAGES_PER_COMMIT) commit()
    }
    for (const record of mergeTxids(source, chosen)) {
      target.addTxid(record, 0, record.readUIntBE(RUN_TXID_SIZE, TXNUM_SIZE))
      if (pending.length >= PAGES_PER_COMMIT) commit()
    }
  } finally {
    source.close()
  }
  target.finish()
  commit()
  const merged: SortedRun = { id, firstTxnum: first.firstTxnum, endTxnum: last.endTxnum, entries: target.entries }
  kv.write((writer) => publish(readRuns(writer), merged, chosen, (list) => putRuns(writer, list)))
  for (const run of chosen) kv.write((writer) => deleteRun(writer, run.id))
}

function publish(list: RunList, merged: SortedRun, sources: readonly SortedRun[], put: (list: RunList) => void): void {
  const start = list.runs.findIndex((run) => run.id === sources[0]?.id)
  put({ ...list, runs: [...list.runs.slice(0, start), merged, ...list.runs.slice(start + sources.length)] })
}

/** Deletes the rows of runs that an interrupted merge left behind. */
export function deleteOrphanRuns(kv: Kv): void {
  const orphans = withSnapshot(kv, (reader) => {
    const known = new Set(readRuns(reader).runs.map((run) => run.id))
    return [...runIds(reader)].filter((id) => !known.has(id))
  })
  for (const id of orphans) kv.write((writer) => deleteRun(writer, id))
}

function* runIds(reader: KvReader): Generator<number> {
  for (const table of RUN_TABLES) {
    for (let from = 0; ; ) {
      const [row] = reader.range(table, { gte: runKey(from, Buffer.alloc(0)), limit: 1 })
      if (row === undefined) break
      const id = row.key.readUInt32BE(0)
      yield id
      from = id + 1
    }
  }
}

/** Merges sorted sources. Of equal values, those of the earlier source come first. */
function* mergeSorted<T>(sources: readonly Iterator<T>[], compare: (a: T, b: T) => number): Generator<T> {
  const heads = sources.map((source) => source.next())
  for (;;) {
    let best = -1
    let bestValue: T | undefined
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue
      if (bestValue === undefined || compare(head.value, bestValue) < 0) {
        best = i
        bestValue = head.value
      }
    }
    const source = sources[best]
    if (bestValue === undefined || source === undefined) return
    yield bestValue
    heads[best] = source.next()
  }
}

function* historyOf(reader: KvReader, run: SortedRun): Generator<PackedEntry> {
  const range = prefixRange(runKey(run.id, Buffer.alloc(0)))
  for (const { value } of reader.range('historyRuns', range)) yield* unpack(value, run.firstTxnum)
}

function mergeHistory(reader: KvReader, runs: readonly SortedRun[]): Generator<PackedEntry> {
  return mergeSorted(
    runs.map((run) => historyOf(reader, run)),
    (a, b) => a.script.compare(b.script),
  )
}

function* txidsOf(reader: KvReader, run: SortedRun): Generator<Buffer> {
  const range = prefixRange(runKey(run.id, Buffer.alloc(0)))
  for (const { value } of reader.range('txidRuns', range)) {
    for (let at = 0; at < value.length; at += RUN_TXID_RECORD) yield value.subarray(at, at + RUN_TXID_RECORD)
  }
}

function mergeTxids(reader: KvReader, runs: readonly SortedRun[]): Generator<Buffer> {
  return mergeSorted(
    runs.map((run) => txidsOf(reader, run)),
    (a, b) => a.compare(b, 0, RUN_TXID_SIZE, 0, RUN_TXID_SIZE),
  )
}
