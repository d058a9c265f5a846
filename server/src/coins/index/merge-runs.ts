/**
 * Merges sorted runs, so that a query reads few of them.
 *
 * Tiered: as soon as there are enough adjacent runs of one level, they become one run of the next level. So an entry is
 * rewritten once per level, and the number of levels grows with the logarithm of the chain. Only final runs are merged:
 * those that no reorganization can reach.
 *
 * A merge consists of small steps. Each is one commit that writes pages of the target, deletes the pages of the sources
 * that they replace, and moves the boundary between both. After a crash the next step continues at the boundary.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { HistoryPageReader } from './history-page.ts'
import { type Kv, type KvReader, type KvRow, prefixEnd, prefixRange, withSnapshot } from './kv.ts'
import { type ListedRun, type Merge, putRuns, type RunList, readRuns, runKey, type SortedRun } from './run-list.ts'
import { type RunTable, RunWriter } from './sorted-runs.ts'
import { SourceHeap } from './source-heap.ts'
import { RUN_TXID_SIZE, TxidPageReader } from './txid-page.ts'

export type MergeLimits = {
  /** How many runs of a level are merged into one of the next. */
  readonly mergeWidth: number
  /** Bytes of pages that one step writes. A script with more entries than that still takes one step. */
  readonly mergeBytes: number
}

const EMPTY = Buffer.alloc(0)

/**
 * Chooses the oldest adjacent runs of the lowest level that has enough of them. A run counts for the highest level among
 * the runs after it, so that a small run between large ones is merged with them.
 */
export function chooseMerge<R extends { readonly level: number; readonly merge?: unknown }>(
  runs: readonly R[],
  width: number,
): readonly R[] | undefined {
  let chosen: { readonly level: number; readonly runs: readonly R[] } | undefined
  let end = runs.length
  let level = 0
  const close = (start: number): void => {
    if (end - start >= width && (chosen === undefined || level < chosen.level))
      chosen = { level, runs: runs.slice(start, start + width) }
    end = start
  }
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at] as R
    if (run.merge !== undefined) {
      close(at + 1)
      end = at
      level = Math.max(level, run.level)
    } else if (run.level > level) {
      close(at + 1)
      level = run.level
    }
  }
  close(0)
  return chosen?.runs
}

/** Does one step of the merge of the lowest level. Returns false if there is nothing to merge below `finalTxnum`. */
export function mergeStep(kv: Kv, finalTxnum: number, limits: MergeLimits): boolean {
  const { runs } = withSnapshot(kv, readRuns)
  const final = runs.filter((run) => run.endTxnum <= finalTxnum)
  const running = final.filter((run) => run.merge !== undefined).sort((a, b) => a.level - b.level)[0]
  const chosen = chooseMerge(final, limits.mergeWidth)
  if (chosen !== undefined && (running === undefined || levelAbove(chosen) < running.level)) {
    kv.write((writer) => putRuns(writer, beginMerge(readRuns(writer), chosen)))
    return true
  }
  if (running?.merge === undefined) return false
  const source = kv.snapshot()
  try {
    const step = running.merge.scripts === undefined ? txidStep : historyStep
    commitStep(kv, running, step(source, running, running.merge, limits.mergeBytes))
  } finally {
    source.close()
  }
  return true
}

const levelAbove = (sources: readonly SortedRun[]): number => Math.max(...sources.map(({ level }) => level)) + 1

function beginMerge({ nextId, runs }: RunList, sources: readonly SortedRun[]): RunList {
  const start = runs.findIndex((run) => run.id === sources[0]?.id)
  const target: ListedRun = {
    id: nextId,
    level: levelAbove(sources),
    firstTxnum: sources[0]?.firstTxnum ?? 0,
    endTxnum: sources.at(-1)?.endTxnum ?? 0,
    entries: 0,
    merge: { sources, scripts: Buffer.alloc(SCRIPT_KEY_SIZE), txids: Buffer.alloc(RUN_TXID_SIZE) },
  }
  return { nextId: nextId + 1, runs: [...runs.slice(0, start), target, ...runs.slice(start + sources.length)] }
}

type Step = {
  readonly rows: readonly (readonly [RunTable, Buffer, Buffer])[]
  readonly deleted: readonly (readonly [RunTable, Buffer])[]
  /** The target after the step. */
  readonly target: ListedRun
}

function commitStep(kv: Kv, before: ListedRun, { rows, deleted, target }: Step): void {
  kv.write((writer) => {
    const list = readRuns(writer)
    for (const [table, key, value] of rows) writer.put(table, key, value)
    for (const [table, key] of deleted) writer.delete(table, key)
    putRuns(writer, { ...list, runs: list.runs.map((run) => (run.id === before.id ? target : run)) })
  })
}

/** Reads the pages of a source in order, and collects the keys of those that were read to their end. */
class PageQueue {
  readonly #rows: Iterator<KvRow>
  readonly #done: Buffer[] = []
  #key: Buffer | undefined

  constructor(reader: KvReader, table: RunTable, run: SortedRun) {
    this.#rows = reader.range(table, prefixRange(runKey(run.id, EMPTY)))[Symbol.iterator]()
  }

  next(): Buffer | undefined {
    if (this.#key !== undefined) this.#done.push(this.#key)
    const row = this.#rows.next()
    this.#key = row.done === true ? undefined : row.value.key
    return row.done === true ? undefined : row.value.value
  }

  /** Ends the reading and returns the keys of the pages that were read to their end. */
  close(): readonly Buffer[] {
    this.#rows.return?.()
    return this.#done
  }
}

class HistorySource {
  readonly entry: HistoryPageReader
  readonly pages: PageQueue

  constructor(reader: KvReader, run: SortedRun) {
    this.entry = new HistoryPageReader(run.firstTxnum)
    this.pages = new PageQueue(reader, 'historyRuns', run)
  }

  next(): boolean {
    while (!this.entry.next()) {
      const page = this.pages.next()
      if (page === undefined) return false
      this.entry.open(page)
    }
    return true
  }

  /** Moves to the first entry that is not before the boundary. */
  seek(boundary: Buffer): boolean {
    const [a, b, c] = [boundary.readUInt32BE(0), boundary.readUInt32BE(4), boundary.readUInt16BE(8)]
    const { entry } = this
    while (this.next()) {
      if (entry.a > a || (entry.a === a && (entry.b > b || (entry.b === b && entry.c >= c)))) return true
    }
    return false
  }
}

function isBeforeInHistory(x: HistoryPageReader, y: HistoryPageReader): boolean {
  return x.a < y.a || (x.a === y.a && (x.b < y.b || (x.b === y.b && x.c < y.c)))
}

function historyStep(reader: KvReader, run: ListedRun, merge: Merge, budget: number): Step {
  const rows: [RunTable, Buffer, Buffer][] = []
  const target = new RunWriter((...row) => rows.push(row), run.id, run.firstTxnum, run.endTxnum)
  const sources = merge.sources.map((source) => new HistorySource(reader, source))
  const open = [...sources.keys()].filter((i) => sources[i]?.seek(merge.scripts ?? EMPTY))
  const entries = sources.map(({ entry }) => entry)
  const heap = new SourceHeap(open, (x, y) =>
    isBeforeInHistory(entries[x] as HistoryPageReader, entries[y] as HistoryPageReader),
  )
  let scripts: Buffer | undefined
  for (let top = heap.top; top !== undefined; top = heap.top) {
    const { a, b, c, txnum, flags, received, sent } = entries[top] as HistoryPageReader
    if (target.bytes >= budget && !target.isLastScript(a, b, c)) {
      scripts = Buffer.alloc(SCRIPT_KEY_SIZE)
      entries[top]?.writeScript(scripts, 0)
      break
    }
    target.addHistory(a, b, c, txnum, flags, received, sent)
    heap.advanced((sources[top] as HistorySource).next())
  }
  target.finish()
  const deleted: [RunTable, Buffer][] = []
  for (const { pages } of sources) for (const key of pages.close()) deleted.push(['historyRuns', key])
  for (const source of merge.sources) {
    const lt = scripts === undefined ? prefixEnd(runKey(source.id, EMPTY)) : runKey(source.id, scripts)
    const range = { gte: runKey(source.id, EMPTY), ...(lt === undefined ? {} : { lt }) }
    for (const { key } of reader.range('runTotals', range)) deleted.push(['runTotals', key])
  }
  return {
    rows,
    deleted,
    target: { ...run, entries: run.entries + target.entries, merge: { ...merge, scripts } },
  }
}

class TxidSource {
  readonly record: TxidPageReader
  readonly pages: PageQueue

  constructor(reader: KvReader, run: SortedRun) {
    this.record = new TxidPageReader(run.firstTxnum)
    this.pages = new PageQueue(reader, 'txidRuns', run)
  }

  next(): boolean {
    while (!this.record.next()) {
      const page = this.pages.next()
      if (page === undefined) return false
      this.record.open(page)
    }
    return true
  }

  /** Moves to the first record that is not before the boundary. */
  seek(boundary: number): boolean {
    while (this.next()) if (this.record.prefix >= boundary) return true
    return false
  }
}

function txidStep(reader: KvReader, run: ListedRun, merge: Merge, budget: number): Step {
  const rows: [RunTable, Buffer, Buffer][] = []
  const target = new RunWriter((...row) => rows.push(row), run.id, run.firstTxnum, run.endTxnum)
  const sources = merge.sources.map((source) => new TxidSource(reader, source))
  const boundary = merge.txids.readUIntBE(0, RUN_TXID_SIZE)
  const open = [...sources.keys()].filter((i) => sources[i]?.seek(boundary))
  const records = sources.map(({ record }) => record)
  const heap = new SourceHeap(
    open,
    (x, y) => (records[x] as TxidPageReader).prefix < (records[y] as TxidPageReader).prefix,
  )
  let last = -1
  let txids: Buffer | undefined
  for (let top = heap.top; top !== undefined; top = heap.top) {
    const { prefix, txnum } = records[top] as TxidPageReader
    if (target.bytes >= budget && prefix !== last) {
      txids = Buffer.alloc(RUN_TXID_SIZE)
      txids.writeUIntBE(prefix, 0, RUN_TXID_SIZE)
      break
    }
    target.addTxid(prefix, txnum)
    last = prefix
    heap.advanced((sources[top] as TxidSource).next())
  }
  target.finish()
  const deleted = sources.flatMap(({ pages }) => pages.close().map((key): [RunTable, Buffer] => ['txidRuns', key]))
  const { merge: _, ...merged } = run
  return { rows, deleted, target: txids === undefined ? merged : { ...run, merge: { ...merge, txids } } }
}
