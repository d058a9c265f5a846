/** Writes a batch of blocks to the store. Rows are sorted first, so that LMDB fills its pages in order. */

import { sortByPrefixes, sortRows } from '../parse/columns.ts'
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type BlockBatch, type StoredCoin, UNSPENT } from './block-batch.ts'
import type { CoinLog } from './coin-log.ts'
import { type HistoryEntry, RECEIVED, SENT } from './history-entry.ts'
import { MissingCoinError } from './index-errors.ts'
import type { KvWriter } from './kv.ts'
import {
  blockRow,
  coinEntry,
  coinKey,
  coinRow,
  hashKey,
  heightKey,
  metaKeys,
  readCoinEntries,
  scriptCoinKey,
  txidKey,
} from './layout.ts'
import type { MergeLimits } from './merge-runs.ts'
import { RecentHistoryWriter } from './recent-history.ts'
import { putRuns, readRuns } from './run-list.ts'
import { flushRecent, putRecentCount, RunWriter, readRecentCount } from './sorted-runs.ts'
import { putTxRows } from './tx-locations.ts'
import { RUN_TXID_SIZE } from './txid-page.ts'

const EMPTY = Buffer.alloc(0)

export type IndexLimits = MergeLimits & {
  /** Recent history entries are flushed to a sorted run when there are this many. */
  readonly maxRecentEntries: number
  /** A batch with this many entries is written as a sorted run at once. */
  readonly minRunEntries: number
}

export const indexLimits: IndexLimits = {
  maxRecentEntries: 32_768,
  minRunEntries: 16_384,
  mergeWidth: 16,
  mergeBytes: 8_000_000,
}

/** The level of a run of a whole batch: that of a merge with about as many entries. */
function levelOf(entries: number, { maxRecentEntries, mergeWidth }: IndexLimits): number {
  return Math.max(0, Math.round(Math.log(entries / maxRecentEntries) / Math.log(mergeWidth)))
}

/** Writes a batch. Its coins go to the log of an initial sync, if there is one. */
export function writeBatch(
  writer: KvWriter,
  batch: BlockBatch,
  undoDepth: number,
  limits = indexLimits,
  log?: CoinLog,
): void {
  const last = batch.blocks.at(-1)
  if (last === undefined) return
  const byTxid = sortRows(
    batch.txids.count,
    (tx) => batch.txids.ids.prefix(tx),
    (a, b) => batch.txids.ids.compare(a, b),
  )
  if (log === undefined) {
    deleteRemoved(writer, batch)
    putCoins(writer, batch, byTxid)
    putScriptCoins(writer, batch)
  } else log.write(writer, batch, byTxid)
  for (const block of batch.blocks) {
    writer.put('blocks', heightKey(block.height), blockRow(block.row))
    writer.put('hashes', hashKey(block.row.hash), heightKey(block.height))
    putTxRows(writer, { ...block, firstTxnum: block.row.firstTxnum })
    if (block.undo !== undefined) writer.put('undo', heightKey(block.height), block.undo)
  }
  pruneUndo(writer, last.height, undoDepth)
  if (batch.eventTx.length >= limits.minRunEntries) putRun(writer, batch, byTxid, limits)
  else putRecent(writer, batch, limits.maxRecentEntries)
  writer.put('meta', metaKeys.tip, Buffer.concat([heightKey(last.height), last.row.hash]))
}

function deleteRemoved(writer: KvWriter, batch: BlockBatch): void {
  const { removed } = batch
  const missing = (coin: StoredCoin): never => {
    throw new MissingCoinError(batch.start.height, `${coin.key.toString('hex')} (twice in the batch that begins there)`)
  }
  for (const coin of removed.toSorted((a, b) => a.key.compare(b.key))) {
    if (coin.hasOwnRow) {
      if (!writer.delete('coins', coin.key)) missing(coin)
      continue
    }
    const entries = readCoinEntries(writer.get('coins', coin.key) ?? EMPTY)
    const kept = entries.filter((entry) => entry.txnum !== coin.txnum)
    if (kept.length === entries.length) missing(coin)
    if (kept.length === 0) writer.delete('coins', coin.key)
    else writer.put('coins', coin.key, coinRow(kept))
  }
  const keys = removed.map((coin) => scriptCoinKey(coin.script, 0, coin.value, coin.txnum, coin.vout))
  for (const key of keys.sort((a, b) => a.compare(b))) writer.delete('scriptCoins', key)
}

/** Stores a coin. Coins whose txids share the prefix share the row, in the order of their transaction numbers. */
export function putCoin(writer: KvWriter, key: Buffer, entry: Buffer): void {
  if (writer.insert('coins', key, entry)) return
  const entries = [...readCoinEntries(writer.get('coins', key) ?? EMPTY), ...readCoinEntries(entry)]
  writer.put('coins', key, coinRow(entries.sort((a, b) => a.txnum - b.txnum)))
}

function putCoins(writer: KvWriter, batch: BlockBatch, byTxid: Uint32Array): void {
  const { txids, firstOutput, outputState, outputScript, outputValue, scripts, start } = batch
  for (const tx of byTxid) {
    const first = firstOutput.at(tx)
    for (let output = first; output < firstOutput.at(tx + 1); output++) {
      if (outputState.at(output) !== UNSPENT) continue
      const script = outputScript.at(output) * SCRIPT_KEY_SIZE
      const entry = coinEntry(start.txnum + tx, scripts.data, script, outputValue.at(output))
      putCoin(writer, coinKey(txids.ids.data, tx * 32, output - first), entry)
    }
  }
}

function putScriptCoins(writer: KvWriter, batch: BlockBatch): void {
  const { firstOutput, outputState, outputScript, outputValue, scripts, start, txids } = batch
  const keys: Buffer[] = []
  for (let tx = 0; tx < txids.count; tx++) {
    const first = firstOutput.at(tx)
    for (let output = first; output < firstOutput.at(tx + 1); output++) {
      if (outputState.at(output) !== UNSPENT) continue
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

/** Calls `take` with the batch's history entries, one per script and transaction, sorted by both. */
function eachEntry(batch: BlockBatch, take: (scriptAt: number, entry: HistoryEntry) => void): void {
  const { eventScript, eventTx, eventAmount, scripts, start } = batch
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
    // The sort is stable, so events of one script are in transaction order.
    for (; i < order.length; i++) {
      const event = order[i] as number
      // Most neighbors differ in transaction or prefix, which avoids comparing the scripts.
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

function putRun(writer: KvWriter, batch: BlockBatch, byTxid: Uint32Array, limits: IndexLimits): void {
  flushRecent(writer, batch.start.txnum)
  const list = readRuns(writer)
  const run = new RunWriter(writer.put, list.nextId, batch.start.txnum, batch.nextTxnum)
  const { data } = batch.scripts
  eachEntry(batch, (at, { txnum, flags, received, sent }) =>
    run.addHistory(
      data.readUInt32BE(at),
      data.readUInt32BE(at + 4),
      data.readUInt16BE(at + 8),
      txnum,
      flags,
      received,
      sent,
    ),
  )
  const txids = batch.txids.ids.data
  for (const tx of byTxid) run.addTxid(txids.readUIntBE(tx * 32, RUN_TXID_SIZE), batch.start.txnum + tx)
  run.finish()
  const { entries } = run
  const range = { firstTxnum: batch.start.txnum, endTxnum: batch.nextTxnum }
  const added = { id: list.nextId, level: levelOf(entries, limits), ...range, entries }
  putRuns(writer, { nextId: list.nextId + 1, runs: [...list.runs, added] })
}

function putRecent(writer: KvWriter, batch: BlockBatch, maxRecentEntries: number): void {
  let count = readRecentCount(writer)
  const recent = new RecentHistoryWriter(writer)
  eachEntry(batch, (scriptAt, entry) => {
    recent.add(batch.scripts.data, scriptAt, entry)
    count++
  })
  const { txids, start } = batch
  for (let tx = 0; tx < txids.count; tx++) {
    writer.put('recentTxids', txidKey(txids.ids.data, tx * 32, start.txnum + tx), EMPTY)
  }
  putRecentCount(writer, count)
  if (count >= maxRecentEntries) flushRecent(writer, batch.nextTxnum)
}
