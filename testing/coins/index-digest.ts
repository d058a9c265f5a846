/**
 * The logical contents of the index: equal for two indexes of the same chain, however they were built.
 *
 * Whether a history entry is a recent row or in a sorted run depends on when its block arrived, so entries are listed
 * independently of their storage.
 */
import { createHash } from 'node:crypto'
import { historyValue } from '../../server/src/coins/index/history-entry.ts'
import type { KvReader } from '../../server/src/coins/index/kv.ts'
import { historyKey, metaKeys, TXID_PREFIX_SIZE, TXNUM_SIZE } from '../../server/src/coins/index/layout.ts'
import { readRecentEntry } from '../../server/src/coins/index/recent-history.ts'
import { readRuns, type SortedRun } from '../../server/src/coins/index/run-list.ts'
import { historyOfPage, pagesOf, txidsOfPage } from '../../server/src/coins/index/sorted-runs.ts'
import { RUN_TXID_SIZE } from '../../server/src/coins/index/txid-page.ts'
import { SCRIPT_KEY_SIZE } from '../../server/src/coins/parse/script.ts'

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

type Segment = SortedRun & { readonly scriptsFrom: Buffer; readonly txidsFrom: number }

/** All runs, and which part of them is in use: of the sources of a merge, only what is not merged yet. */
function segmentsOf(reader: KvReader): Segment[] {
  return readRuns(reader).runs.flatMap((run) => {
    const scriptsFrom = run.merge?.scripts ?? Buffer.alloc(SCRIPT_KEY_SIZE, 0xff)
    const txidsFrom = run.merge?.txids.readUIntBE(0, RUN_TXID_SIZE) ?? 0
    const sources = run.merge?.sources ?? []
    return [
      { ...run, scriptsFrom: Buffer.alloc(SCRIPT_KEY_SIZE), txidsFrom: 0 },
      ...sources.map((source) => ({ ...source, scriptsFrom, txidsFrom })),
    ]
  })
}

function scriptOf({ a, b, c }: { readonly a: number; readonly b: number; readonly c: number }): Buffer {
  const script = Buffer.alloc(SCRIPT_KEY_SIZE)
  script.writeUInt32BE(a)
  script.writeUInt32BE(b, 4)
  script.writeUInt16BE(c, 8)
  return script
}

function logicalHistory(reader: KvReader): string[] {
  const rows: string[] = []
  for (const { key, value } of reader.range('recentHistory', {})) {
    rows.push(`history ${key.toString('hex')} ${historyValue(readRecentEntry(key, value)).toString('hex')}`)
  }
  for (const run of segmentsOf(reader)) {
    for (const entry of Array.from(pagesOf(reader, 'historyRuns', run)).flatMap((page) => historyOfPage(page, run))) {
      const script = scriptOf(entry)
      if (script.compare(run.scriptsFrom) < 0) continue
      rows.push(`history ${historyKey(script, 0, entry.txnum).toString('hex')} ${historyValue(entry).toString('hex')}`)
    }
  }
  return rows
}

function logicalTxids(reader: KvReader): string[] {
  const rows: string[] = []
  const add = (prefix: number, txnum: number): void => {
    rows.push(`txid ${prefix.toString(16)} ${txnum}`)
  }
  for (const { key } of reader.range('recentTxids', {}))
    add(key.readUIntBE(0, RUN_TXID_SIZE), key.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE))
  for (const run of segmentsOf(reader)) {
    const records = Array.from(pagesOf(reader, 'txidRuns', run)).flatMap((page) => txidsOfPage(page, run))
    for (const { prefix, txnum } of records) if (prefix >= run.txidsFrom) add(prefix, txnum)
  }
  return rows
}

/** Hashes all logical rows of the index. */
export function digestIndex(reader: KvReader): string {
  const hash = createHash('sha256')
  for (const row of logicalRows(reader)) hash.update(row).update('\n')
  return hash.digest('hex')
}
