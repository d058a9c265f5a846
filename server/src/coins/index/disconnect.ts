/** Disconnects blocks from the tip: the inverse of `write-batch.ts`. */
import type { Network } from '../networks/network.ts'
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { ReorgTooDeepError } from './index-errors.ts'
import { type KvWriter, prefixRange } from './kv.ts'
import {
  coinEntry,
  coinKey,
  coinRow,
  hashKey,
  heightKey,
  historyKey,
  metaKeys,
  readBlockRow,
  readCoinEntries,
  scriptCoinKey,
  TXID_PREFIX_SIZE,
  txidKey,
  voutOfCoinKey,
} from './layout.ts'
import { putRecentCount, readRecentCount, truncateRuns } from './sorted-runs.ts'
import { findTxLocation, readBlockTxids, txRowKeys } from './tx-locations.ts'
import { readUndoData, type UndoCoin } from './undo-data.ts'
import { putCoin } from './write-batch.ts'

/** Disconnects blocks until `height` is the tip; -1 disconnects all. */
export function disconnectTo(writer: KvWriter, network: Network, tip: number, height: number): void {
  if (height >= tip) return
  const next = writer.get('blocks', heightKey(height + 1))
  if (next === undefined) throw new RangeError(`no block at height ${height + 1}`)
  truncateRuns(writer, readBlockRow(next).firstTxnum)
  for (let at = tip; at > height; at--) disconnectBlock(writer, network, at)
  if (height < 0) {
    writer.delete('meta', metaKeys.tip)
    return
  }
  const last = writer.get('blocks', heightKey(height))
  if (last === undefined) throw new RangeError(`no block at height ${height}`)
  writer.put('meta', metaKeys.tip, Buffer.concat([heightKey(height), readBlockRow(last).hash]))
}

function disconnectBlock(writer: KvWriter, network: Network, height: number): void {
  const undoBytes = writer.get('undo', heightKey(height))
  const rowBytes = writer.get('blocks', heightKey(height))
  if (undoBytes === undefined || rowBytes === undefined) throw new ReorgTooDeepError(height, network)
  const { firstTxnum, txCount, hash } = readBlockRow(rowBytes)
  const undo = readUndoData(undoBytes, firstTxnum)
  let recent = readRecentCount(writer)
  const deleteEntry = (script: Buffer, index: number): void => {
    if (writer.delete('recentHistory', historyKey(script, 0, firstTxnum + index))) recent--
  }

  const txids = readBlockTxids(writer, firstTxnum, txCount)
  for (let index = 0; index < txCount; index++) {
    removeCreated(writer, txids, index, firstTxnum + index, (script) => deleteEntry(script, index))
    writer.delete('recentTxids', txidKey(txids, index * 32, firstTxnum + index))
  }
  for (const { by, coin } of undo.spent) {
    restore(writer, coin)
    deleteEntry(coin.script, by)
  }
  for (const { script, by } of undo.netted) for (const index of by) deleteEntry(script, index)
  for (const coin of undo.overwritten) restore(writer, coin)

  for (const key of txRowKeys(firstTxnum, txCount)) writer.delete('txs', key)
  writer.delete('hashes', hashKey(hash))
  writer.delete('blocks', heightKey(height))
  writer.delete('undo', heightKey(height))
  putRecentCount(writer, recent)
}

/** Removes the coins that a transaction created. They are unspent: their spenders were disconnected first. */
function removeCreated(
  writer: KvWriter,
  txids: Buffer,
  index: number,
  txnum: number,
  deleteEntry: (script: Buffer) => void,
): void {
  const prefix = txids.subarray(index * 32, index * 32 + TXID_PREFIX_SIZE)
  // Collected first, because the loop changes the table.
  const rows = Array.from(writer.range('coins', prefixRange(prefix)))
  for (const { key, value } of rows) {
    const entries = readCoinEntries(value)
    const created = entries.find((entry) => entry.txnum === txnum)
    if (created === undefined) continue
    const kept = entries.filter((entry) => entry !== created)
    if (kept.length === 0) writer.delete('coins', key)
    else writer.put('coins', key, coinRow(kept))
    writer.delete('scriptCoins', scriptCoinKey(created.script, 0, created.value, txnum, voutOfCoinKey(key)))
    deleteEntry(Buffer.from(created.script.subarray(0, SCRIPT_KEY_SIZE)))
  }
}

function restore(writer: KvWriter, coin: UndoCoin): void {
  const location = findTxLocation(writer, coin.txnum)
  if (location === undefined) throw new RangeError(`no transaction ${coin.txnum}`)
  putCoin(writer, coinKey(location.txid, 0, coin.vout), coinEntry(coin.txnum, coin.script, 0, coin.value))
  writer.put('scriptCoins', scriptCoinKey(coin.script, 0, coin.value, coin.txnum, coin.vout), Buffer.alloc(0))
}
