/** The recorded Bitcoin chain with its mempool, indexed and ready to be served. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { syncIndex } from '../../server/src/coins/index/initial-sync.ts'
import { MempoolView } from '../../server/src/coins/mempool/mempool-view.ts'
import { type MempoolDeps, refreshMempool } from '../../server/src/coins/mempool/refresh-mempool.ts'
import { bitcoinRegtest } from '../../server/src/coins/networks/bitcoin.ts'
import { openBlockFiles } from '../../server/src/coins/node/block-files.ts'
import type { ServedChain } from '../../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../../server/src/coins/serve/transaction-loader.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readJson, recordedBlockFile, recordedOracle } from './fixtures.ts'
import { openMemoryKv } from './kv-memory.ts'

export type RecordedEntry = {
  readonly txid: string
  readonly hex: string
  readonly entry: { readonly vsize: number; readonly time: number; readonly fees: { readonly base: number } }
}

export const recordedMempool = (): readonly RecordedEntry[] =>
  readJson<readonly RecordedEntry[]>('btc-regtest', 'mempool.json')

/** A node whose mempool contains exactly these transactions. */
export function mempoolNode(entries: readonly RecordedEntry[], tip: string): MempoolDeps['node'] {
  const find = (txid: string): RecordedEntry | undefined => entries.find((entry) => entry.txid === txid)
  return {
    getTip: () => Promise.resolve({ height: 0, hash: tip }),
    getMempoolInfo: () =>
      Promise.resolve({ loaded: true, size: entries.length, bytes: 0, mempoolminfee: 1000, minrelaytxfee: 1000 }),
    getMempool: () => Promise.resolve({ txids: entries.map(({ txid }) => txid), mempool_sequence: 1 }),
    getMempoolTxs: (txids) => Promise.resolve(txids.map((txid) => Buffer.from(find(txid)?.hex ?? '', 'hex'))),
    getMempoolEntries: (txids) => Promise.resolve(txids.map((txid) => find(txid)?.entry)),
  }
}

export async function recordedChain(): Promise<ServedChain> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'blk00000.dat'), recordedBlockFile())
  const source = await openBlockFiles(bitcoinRegtest, folder)
  const index = openCoinIndex(openMemoryKv(), bitcoinRegtest, folder, {
    maxRecentEntries: 2000,
    minRunEntries: 1000,
    mergeWidth: 3,
    mergeBytes: 4_000,
  })
  await syncIndex({ index, source, clock: systemClock }, { batchBytes: 300_000 })
  const mempool = new MempoolView()
  const { tipHash } = recordedOracle()
  await refreshMempool({ index, view: mempool, node: mempoolNode(recordedMempool(), tipHash) }, tipHash)
  const tip = await source.getTip()
  return {
    network: bitcoinRegtest,
    index,
    mempool,
    source,
    sourceName: 'block files',
    loader: createTransactionLoader(source, { mweb: false }),
    state: () => ({ tip, isDownloading: false, hasSameChain: true, mempoolSize: mempool.size }),
  }
}
