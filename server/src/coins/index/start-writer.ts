/** Starts the writer of a chain in its thread. */
import { Worker } from 'node:worker_threads'
import type { WriterEvent, WriterOptions } from './index-writer.ts'

export type RunningWriter = {
  /** Resolves when the thread has ended, by a stop or by a fault that does not pass. */
  readonly ended: Promise<void>
  /** Ends it after the commit it is in. */
  readonly stop: () => Promise<void>
}

export function startIndexWriter(options: WriterOptions, onEvent: (event: WriterEvent) => void): RunningWriter {
  const worker = new Worker(new URL('./index-writer-thread.ts', import.meta.url), { workerData: options })
  worker.on('message', onEvent)
  worker.on('error', (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    onEvent({ type: 'fault', code: 'internal_error', reason, retryable: false })
  })
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
  })
  return {
    ended,
    stop: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('stop')
      await ended
    },
  }
}
