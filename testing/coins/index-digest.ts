/**
 * The logical contents of the index: equal for two indexes of the same chain, however they were built.
 *
 * Whether a history entry is a recent row or in a sorted run depends on when its block arrived, so entries are listed
 * independently of their storage.
 */
import { createHash } from 'node:crypto'
import { historyValue, unpack } from '../../server/src/coins/index/history-entry.ts'
import { type KvReader, prefixRange } from '../../server/src/coins/index/kv.ts'
import { historyKey, metaKeys, TXNUM_SIZE, txnumKey } from '../../server/src/coins/index/layout.ts'
import { readRecentEntry } from '../../server/src/coins/index/recent-history.ts'
import { RUN_TXID_RECORD, RUN_TXID_SIZE, readRuns, runKey } from '../../server/src/coins/index/sorted-runs.ts'

const PLAIN = ['blocks', 'hashes', 'txs', 'coins', 'scriptCoins', 'undo'] as const

export function* logicalRows(reader: KvReader): Generator<string> {
  for (const key of [metaKeys.identity, metaKeys.tip]) {
    yield `meta ${key.toString()} ${reader.get('meta', key)?.toString('hex') ?? 'none'}`
  }
  for (const table of PLAIN) {
    for (const { key, value } of reader.range(table, {}))
      yield `${table} ${key.toString('hex')} ${value.toString('hex')}`
  }
  yield* logicalHistory(reader).sort()
  yield* logicalTxids(reader).sort()
}

function logicalHistory(reader: KvReader): string[] {
  const rows: string[] = []
  for (const { key, value } of reader.range('recentHistory', {})) {
    rows.push(`history ${key.toString('hex')} ${historyValue(readRecentEntry(key, value)).toString('hex')}`)
  }
  for (const run of readRuns(reader).runs) {
    for (const { value } of reader.range('historyRuns', prefixRange(runKey(run.id, Buffer.alloc(0))))) {
      for (const entry of unpack(value, run.firstTxnum)) {
        rows.push(
          `history ${historyKey(entry.script, 0, entry.txnum).toString('hex')} ${historyValue(entry).toString('hex')}`,
        )
      }
    }
  }
  return rows
}

function logicalTxids(reader: KvReader): string[] {
  const rows: string[] = []
  const add = (id: Buffer, txnum: Buffer): void => {
    rows.push(`txid ${id.subarray(0, RUN_TXID_SIZE).toString('hex')} ${txnum.toString('hex')}`)
  }
  for (const { key } of reader.range('recentTxids', {})) add(key, key.subarray(-TXNUM_SIZE))
  for (const run of readRuns(reader).runs) {
    for (const { value } of reader.range('txidRuns', prefixRange(runKey(run.id, Buffer.alloc(0))))) {
      for (let at = 0; at < value.length; at += RUN_TXID_RECORD) {
        add(value.subarray(at), txnumKey(value.readUIntBE(at + RUN_TXID_SIZE, TXNUM_SIZE)))
      }
    }
  }
  return rows
}

/** Hashes all logical rows of the index. */
export function digestIndex(reader: KvReader): string {
  const hash = createHash('sha256')
  for (const row of logicalRows(reader)) hash.update(row).update('\n')
  return hash.digest('hex')
}
