/** Merges the sorted runs of an index: in a thread next to its writer, or in the calling thread. */
import { Worker } from 'node:worker_threads'
import type { Network } from '../networks/network.ts'
import { type CoinIndex, mergeIndexStep } from './coin-index.ts'
import { withSnapshot } from './kv.ts'
import { readRuns } from './run-list.ts'
import type { IndexLimits } from './write-batch.ts'

export type Merger = {
  /** To be called after a commit. Waits while so many runs are not merged that queries would become slow. */
  readonly onCommit: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type MergerOptions = { readonly path: string; readonly network: Network; readonly limits: IndexLimits }

export type MergeMessage = { readonly type: 'step' } | { readonly type: 'error'; readonly reason: string }

/** With more runs than this the writer waits for the merge thread. */
const MAX_RUNS = 256

/** Merges in the calling thread, for tests and commands. */
export function mergeInThisThread(index: CoinIndex): Merger {
  return {
    onCommit: () => {
      while (mergeIndexStep(index)) continue
      return Promise.resolve()
    },
    stop: () => Promise.resolve(),
  }
}

/** Starts a merge thread. It retries after an error, which it reports. */
export function startMerger(index: CoinIndex, path: string, onError: (reason: string) => void): Merger {
  const workerData: MergerOptions = { path, network: index.network, limits: index.limits }
  const worker = new Worker(new URL('./merge-thread.ts', import.meta.url), { workerData })
  const ending = new AbortController()
  let wake = (): void => undefined
  worker.on('message', (message: MergeMessage) => {
    if (message.type === 'error') onError(message.reason)
    wake()
  })
  worker.on('error', (error) => onError(error instanceof Error ? error.message : String(error)))
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      ending.abort()
      wake()
      resolve()
    })
  })
  return {
    onCommit: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('commit')
      while (!ending.signal.aborted && withSnapshot(index.kv, readRuns).runs.length > MAX_RUNS)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    stop: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('stop')
      await ended
    },
  }
}
