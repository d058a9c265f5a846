/**
 * Merging runs, so that a question never has to look into many.
 *
 * Only runs that no reorganisation can reach are merged. The new run is written in many small commits that nobody
 * sees, then one commit puts it in the place of its sources; a crash in between leaves rows that the next start
 * sweeps out.
 */

import { type PackedEntry, unpack } from './history-entry.ts'
import type { Kv, KvReader } from './kv.ts'
import { prefixRange, withSnapshot } from './kv.ts'
import { TXNUM_SIZE } from './layout.ts'
import {
  deleteRun,
  putRuns,
  RUN_TXID_RECORD,
  RUN_TXID_SIZE,
  type RunList,
  RunWriter,
  readRuns,
  runKey,
  type SortedRun,
} from './sorted-runs.ts'

/** Pages a commit writes. */
const PAGES_PER_COMMIT = 4_096

/** The cheapest neighbouring runs to merge, undefined while there are few. */
export function chooseMerge(
  runs: readonly SortedRun[],
  most: number,
  atOnce: number,
): readonly SortedRun[] | undefined {
  if (runs.length <= most) return undefined
  const rowsFrom = (start: number): number => runs.slice(start, start + atOnce).reduce((sum, run) => sum + run.rows, 0)
  let best = 0
  for (let start = 1; start + atOnce <= runs.length; start++) if (rowsFrom(start) < rowsFrom(best)) best = start
  return runs.slice(best, best + atOnce)
}

/** Merges as long as there is something to merge below `settledTxnum`. */
export function compactRuns(kv: Kv, settledTxnum: number, most: number, atOnce: number): void {
  for (;;) {
    const settled = withSnapshot(kv, readRuns).runs.filter((run) => run.endTxnum <= settledTxnum)
    const chosen = chooseMerge(settled, most, atOnce)
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
  const pending: [Parameters<ConstructorParameters<typeof RunWriter>[0]>[0], Buffer, Buffer][] = []
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
    for (const row of mergeHistory(source, chosen)) {
      target.addHistory(row.script, 0, row)
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
  const merged: SortedRun = { id, firstTxnum: first.firstTxnum, endTxnum: last.endTxnum, rows: target.rows }
  kv.write((writer) => publish(readRuns(writer), merged, chosen, (list) => putRuns(writer, list)))
  for (const run of chosen) kv.write((writer) => deleteRun(writer, run.id))
}

function publish(list: RunList, merged: SortedRun, sources: readonly SortedRun[], put: (list: RunList) => void): void {
  const start = list.runs.findIndex((run) => run.id === sources[0]?.id)
  put({ ...list, runs: [...list.runs.slice(0, start), merged, ...list.runs.slice(start + sources.length)] })
}

/** Sweeps out what a merge left behind when it was interrupted before or after its publication. */
export function deleteOrphanRuns(kv: Kv): void {
  const strays = withSnapshot(kv, (reader) => {
    const known = new Set(readRuns(reader).runs.map((run) => run.id))
    return [...runIds(reader)].filter((id) => !known.has(id))
  })
  for (const id of strays) kv.write((writer) => deleteRun(writer, id))
}

function* runIds(reader: KvReader): Generator<number> {
  for (const table of ['historyRuns', 'txidRuns', 'heavy'] as const) {
    for (let from = 0; ; ) {
      const [row] = reader.range(table, { gte: runKey(from, Buffer.alloc(0)), limit: 1 })
      if (row === undefined) break
      const id = row.key.readUInt32BE(0)
      yield id
      from = id + 1
    }
  }
}

/** Sources in the order of their numbers: of equal scripts the earlier source goes first. */
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
