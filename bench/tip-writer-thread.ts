/**
 * Entry point of a thread that builds an index with large runs, and then connects a block of mainnet's size every second
 * until it is stopped, as at the tip of a chain.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { beginBatch, commitBatch, openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import type { MergerOptions } from '../server/src/coins/index/merger.ts'
import { SyntheticBlocks } from './synthetic-blocks.ts'

export type TipOptions = MergerOptions & { readonly runs: number; readonly txsPerRun: number }

/** `scripts`: how many scripts the index contains. */
export type TipMessage = { readonly scripts: number; readonly connected: number }

const TXS_PER_BLOCK = 3_000
const BLOCK_MS = 1_000

const { path, network, limits, runs, txsPerRun } = workerData as TipOptions
const kv = openLmdbKv({ path })
const index = openCoinIndex(kv, network, path, limits)
const blocks = new SyntheticBlocks()
let connected = 0
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (): void => parentPort?.postMessage({ scripts: blocks.scripts, connected } satisfies TipMessage)

/** Connects a synthetic block, whose hash does not follow the network's genesis block. */
function connect(txs: number): void {
  const block = blocks.next(txs)
  const snapshot = kv.snapshot()
  const batch = beginBatch(index, snapshot, 0)
  batch.add(block)
  snapshot.close()
  commitBatch(index, batch)
}

for (let i = 0; i < runs; i++) connect(txsPerRun)
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
send()
while (!stopping.signal.aborted) {
  connect(TXS_PER_BLOCK)
  connected++
  await sleep(BLOCK_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
}
send()
await kv.close()
parentPort?.close()
