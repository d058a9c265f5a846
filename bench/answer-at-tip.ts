/** Measures how long queries take while one thread connects blocks and another merges large runs. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { readHistory, readTotals, scriptCoins } from '../server/src/coins/index/history.ts'
import { withSnapshot } from '../server/src/coins/index/kv.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { startMerger } from '../server/src/coins/index/merger.ts'
import { readRuns } from '../server/src/coins/index/run-list.ts'
import { indexLimits } from '../server/src/coins/index/write-batch.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { SCRIPT_KEY_SIZE } from '../server/src/coins/parse/script.ts'
import { seededRandom } from '../testing/support/random.ts'
import { writeScriptKey } from './synthetic-blocks.ts'
import type { TipMessage, TipOptions } from './tip-writer-thread.ts'

/** Fewer blocks can be disconnected and fewer runs make a merge than in a real index, so that merges run all the time. */
const network = { ...bitcoinRegtest, undoDepth: 2 }
const limits = { ...indexLimits, mergeWidth: 4 }
const RUNS = 18
const TXS_PER_RUN = 60_000
/** Blocks to connect at least. */
const BLOCKS = 8

export type TipAnswers = {
  /** Milliseconds of each query, sorted. */
  readonly times: Float64Array
  readonly blocks: number
  /** Steps of merges that were seen between queries. */
  readonly steps: number
}

/** Builds an index in the folder and answers queries until its runs are merged. */
export async function answerAtTip(path: string): Promise<TipAnswers> {
  const workerData: TipOptions = { path, network, limits, runs: RUNS, txsPerRun: TXS_PER_RUN }
  const writer = new Worker(new URL('./tip-writer-thread.ts', import.meta.url), { workerData })
  const failed = once(writer, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => undefined)
  const [{ scripts }] = (await Promise.race([once(writer, 'message'), failed])) as [TipMessage]
  const kv = openLmdbKv({ path })
  const errors: string[] = []
  const merger = startMerger(openCoinIndex(kv, network, path, limits), path, (fault) => {
    if (fault !== undefined) errors.push(fault.reason)
  })
  await merger.onCommit()
  const random = seededRandom(5)
  const script = Buffer.alloc(SCRIPT_KEY_SIZE)
  const times: number[] = []
  const started = performance.now()
  let steps = 0
  let last = ''
  for (let idle = 0; idle < 100 || performance.now() - started < BLOCKS * 1_000; ) {
    for (let i = 0; i < 50; i++) {
      writeScriptKey(script, 0, 1 + random.below(random.chance(0.05) ? 20 : scripts))
      const asked = performance.now()
      withSnapshot(kv, (reader) => {
        readTotals(reader, script)
        readHistory(reader, script, { limit: 25 })
        let count = 0
        for (const _ of scriptCoins(reader, script)) if (++count === 100) break
      })
      times.push(performance.now() - asked)
    }
    const { runs } = withSnapshot(kv, readRuns)
    const merging = runs.flatMap(({ id, merge }) =>
      merge === undefined ? [] : [`${id} ${merge.scripts?.toString('hex')}`],
    )
    if (merging.join() !== last) steps++
    last = merging.join()
    idle = merging.length > 0 ? 0 : idle + 1
    await sleep(1)
  }
  await merger.stop()
  const ended = once(writer, 'message')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  writer.postMessage('stop')
  const [{ connected }] = (await Promise.race([ended, failed])) as [TipMessage]
  await once(writer, 'exit')
  await kv.close()
  if (errors.length > 0) throw new Error(errors[0])
  return { times: Float64Array.from(times).sort(), blocks: connected, steps }
}
