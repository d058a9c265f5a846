/** Writes a stretch into the store, as part of one atomic change: rows sorted first, so that pages fill in order. */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type BlockBatch, LIVE, type StoredCoin } from './block-batch.ts'
import { sortByPrefixes, sortRows } from './columns.ts'
import { type HistoryEntry, RECEIVED, SENT } from './history-entry.ts'
import { MissingCoinError } from './index-errors.ts'
import type { KvWriter } from './kv.ts'
import {
  blockRow,
  COIN_ENTRY_SIZE,
  coinEntry,
  coinKey,
  hashKey,
  heightKey,
  metaKeys,
  readCoinEntries,
  scriptCoinKey,
  txidKey,
} from './layout.ts'
import { RecentHistoryWriter } from './recent-history.ts'
import { flushRecent, putRecentCount, putRuns, RunWriter, readRecentCount, readRuns } from './sorted-runs.ts'
import { putTxRows } from './tx-locations.ts'

const EMPTY = Buffer.alloc(0)

export type IndexLimits = {
  /** Lines that may stand alone. Beyond, they are packed. */
  readonly maxRecentEntries: number
  /** A stretch with so many lines becomes a run at once. */
  readonly minRunEntries: number
  /** More settled runs than this, and the cheapest neighbours are merged, so many at once. */
  readonly maxRuns: number
  readonly mergeWidth: number
}

export const indexLimits: IndexLimits = { maxRecentEntries: 32_768, minRunEntries: 16_384, maxRuns: 32, mergeWidth: 16 }

export function writeBatch(writer: KvWriter, stretch: BlockBatch, undoDepth: number, limits = indexLimits): void {
  const last = stretch.blocks.at(-1)
  if (last === undefined) return
  const byTxid = sortRows(
    stretch.table.count,
    (tx) => stretch.table.ids.prefix(tx),
    (a, b) => stretch.table.ids.compare(a, b),
  )
  deleteTaken(writer, stretch)
  putCoins(writer, stretch, byTxid)
  putScriptCoins(writer, stretch)
  for (const block of stretch.blocks) {
    writer.put('blocks', heightKey(block.height), blockRow(block.row))
    writer.put('hashes', hashKey(block.row.hash), heightKey(block.height))
    putTxRows(writer, { ...block, firstTxnum: block.row.firstTxnum })
    if (block.undo !== undefined) writer.put('undo', heightKey(block.height), block.undo)
  }
  pruneUndo(writer, last.height, undoDepth)
  if (stretch.eventTx.length >= limits.minRunEntries) putRun(writer, stretch, byTxid)
  else putRecent(writer, stretch, limits.maxRecentEntries)
  writer.put('meta', metaKeys.tip, Buffer.concat([heightKey(last.height), last.row.hash]))
}

function deleteTaken(writer: KvWriter, stretch: BlockBatch): void {
  const { taken } = stretch
  const missing = (coin: StoredCoin): never => {
    throw new MissingCoinError(stretch.start.height, `${coin.key.toString('hex')}, twice`)
  }
  for (const coin of taken.toSorted((a, b) => a.key.compare(b.key))) {
    if (coin.isAlone) {
      if (!writer.delete('coins', coin.key)) missing(coin)
      continue
    }
    const entries = readCoinEntries(writer.get('coins', coin.key) ?? EMPTY)
    const kept = entries.filter((entry) => entry.txnum !== coin.txnum)
    if (kept.length === entries.length) missing(coin)
    if (kept.length === 0) writer.delete('coins', coin.key)
    else writer.put('coins', coin.key, joinEntries(kept))
  }
  const keys = taken.map((coin) => scriptCoinKey(coin.script, 0, coin.value, coin.txnum, coin.vout))
  for (const key of keys.sort((a, b) => a.compare(b))) writer.delete('scriptCoins', key)
}

const joinEntries = (entries: ReturnType<typeof readCoinEntries>): Buffer =>
  Buffer.concat(entries.map((entry) => coinEntry(entry.txnum, entry.script, 0, entry.value)))

/** Puts a coin under its key, beside others whose ids begin alike. Entries stand in the order of their numbers. */
export function putCoin(writer: KvWriter, key: Buffer, entry: Buffer): void {
  if (writer.insert('coins', key, entry)) return
  const row = writer.get('coins', key) ?? EMPTY
  const entries = Array.from({ length: row.length / COIN_ENTRY_SIZE }, (_, i) =>
    row.subarray(i * COIN_ENTRY_SIZE, (i + 1) * COIN_ENTRY_SIZE),
  )
  writer.put('coins', key, Buffer.concat([...entries, entry].sort((a, b) => a.compare(b))))
}

function putCoins(writer: KvWriter, stretch: BlockBatch, byTxid: Uint32Array): void {
  const { table, firstOutput, outputState, outputScript, outputValue, scripts, start } = stretch
  for (const tx of byTxid) {
    const first = firstOutput.at(tx)
    for (let output = first; output < firstOutput.at(tx + 1); output++) {
      if (outputState.at(output) !== LIVE) continue
      const script = outputScript.at(output) * SCRIPT_KEY_SIZE
      const entry = coinEntry(start.txnum + tx, scripts.data, script, outputValue.at(output))
      putCoin(writer, coinKey(table.ids.data, tx * 32, output - first), entry)
    }
  }
}

function putScriptCoins(writer: KvWriter, stretch: BlockBatch): void {
  const { firstOutput, outputState, outputScript, outputValue, scripts, start, table } = stretch
  const keys: Buffer[] = []
  for (let tx = 0; tx < table.count; tx++) {
    const first = firstOutput.at(tx)
    for (let output = first; output < firstOutput.at(tx + 1); output++) {
      if (outputState.at(output) !== LIVE) continue
      const script = outputScript.at(output) * SCRIPT_KEY_SIZE
      keys.push(scriptCoinKey(scripts.data, script, outputValue.at(output), start.txnum + tx, output - first))
    }
  }
  const key = (row: number): Buffer => keys[row] as Buffer
  const order = sortRows(
    keys.length,
    (row) => key(row).readUInt32BE(0),
    (a, b) => key(a).compare(key(b)),
  )
  for (const row of order) writer.put('scriptCoins', key(row), EMPTY)
}

function pruneUndo(writer: KvWriter, tip: number, undoDepth: number): void {
  const lowest = tip - undoDepth + 1
  if (lowest <= 0) return
  const old = Array.from(writer.range('undo', { lt: heightKey(lowest) }), (row) => row.key)
  for (const key of old) writer.delete('undo', key)
}

/** The stretch's lines, one per script and transaction, sorted by both. */
function eachLine(stretch: BlockBatch, take: (scriptAt: number, row: HistoryEntry) => void): void {
  const { eventScript, eventTx, eventAmount, scripts, start } = stretch
  const prefixes = new Uint32Array(eventTx.length)
  for (let event = 0; event < prefixes.length; event++) prefixes[event] = scripts.prefix(eventScript.at(event))
  const order = sortByPrefixes(prefixes, (a, b) => scripts.compare(eventScript.at(a), eventScript.at(b)))
  for (let i = 0; i < order.length; ) {
    const first = order[i] as number
    const script = eventScript.at(first)
    const tx = eventTx.at(first)
    let flags = 0
    let received = 0
    let sent = 0
    // Equal scripts stand in the order of their transactions: sorting kept them in place.
    for (; i < order.length; i++) {
      const event = order[i] as number
      // Most neighbours differ in their transaction or prefix, which saves a look at the scripts themselves.
      if (eventTx.at(event) !== tx || prefixes[event] !== prefixes[first]) break
      if (event !== first && scripts.compare(eventScript.at(event), script) !== 0) break
      const amount = eventAmount.at(event)
      if (amount >= 0) {
        flags |= RECEIVED
        received += amount
      } else {
        flags |= SENT
        sent += -1 - amount
      }
    }
    take(script * SCRIPT_KEY_SIZE, { txnum: start.txnum + tx, flags, received, sent })
  }
}

function putRun(writer: KvWriter, stretch: BlockBatch, byTxid: Uint32Array): void {
  flushRecent(writer, stretch.start.txnum)
  const list = readRuns(writer)
  const run = new RunWriter(writer.put, list.nextId, stretch.start.txnum)
  eachLine(stretch, (scriptAt, row) => run.addHistory(stretch.scripts.data, scriptAt, row))
  for (const tx of byTxid) run.addTxid(stretch.table.ids.data, tx * 32, stretch.start.txnum + tx)
  run.finish()
  const added = { id: list.nextId, firstTxnum: stretch.start.txnum, endTxnum: stretch.nextTxnum, rows: run.rows }
  putRuns(writer, { nextId: list.nextId + 1, runs: [...list.runs, added] })
}

function putRecent(writer: KvWriter, stretch: BlockBatch, maxRecentEntries: number): void {
  let rows = readRecentCount(writer)
  const recent = new RecentHistoryWriter(writer)
  eachLine(stretch, (scriptAt, row) => {
    recent.add(stretch.scripts.data, scriptAt, row)
    rows++
  })
  const { table, start } = stretch
  for (let tx = 0; tx < table.count; tx++) {
    writer.put('recentTxids', txidKey(table.ids.data, tx * 32, start.txnum + tx), EMPTY)
  }
  putRecentCount(writer, rows)
  if (rows >= maxRecentEntries) flushRecent(writer, stretch.nextTxnum)
}
