/** Merges the sorted runs of an index: in a thread next to its writer, or in the calling thread. */
import { Worker } from 'node:worker_threads'
import { systemTiming } from '../../lib/clock.ts'
import { type LoopFault, LoopMonitor, supervise } from '../../lib/supervise.ts'
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

/** `idle`: no runs can be merged. */
export type MergeMessage = { readonly type: 'step' | 'idle' } | { readonly type: 'error'; readonly reason: string }

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

/** Starts a merge thread, and starts it again if it ends. `onFault` gets its fault, and undefined when it works. */
export function startMerger(index: CoinIndex, path: string, onFault: (fault: LoopFault | undefined) => void): Merger {
  const stopping = new AbortController()
  const { signal } = stopping
  const monitor = new LoopMonitor(systemTiming, onFault)
  let worker: Worker | undefined
  /** The thread has reported no idleness since the last commit. */
  let isBusy = false
  let wake = (): void => undefined

  const runThread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const workerData: MergerOptions = { path, network: index.network, limits: index.limits }
      const started = new Worker(new URL('./merge-thread.ts', import.meta.url), { workerData })
      worker = started
      started.on('message', (message: MergeMessage) => {
        if (message.type === 'error') monitor.failed(new Error(message.reason))
        else monitor.works()
        if (message.type === 'idle') isBusy = false
        wake()
      })
      started.once('error', reject)
      started.once('exit', (code) => {
        worker = undefined
        wake()
        if (signal.aborted) resolve()
        else reject(new Error(`the merge thread ended with ${code}`))
      })
    })
  const ended = supervise(runThread, { monitor, signal, pause: (_error, ms) => systemTiming.sleep(ms, signal) })

  return {
    onCommit: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker?.postMessage('commit')
      isBusy = true
      // Runs that a reorganization can reach cannot be merged yet. Waiting for them would never end.
      const isRunning = (): boolean => worker !== undefined && isBusy
      while (isRunning() && withSnapshot(index.kv, readRuns).runs.length > MAX_RUNS)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    stop: async () => {
      stopping.abort()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker?.postMessage('stop')
      await ended
    },
  }
}
