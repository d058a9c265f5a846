/** Entry point of the index writer thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemTiming } from '../../lib/clock.ts'
import { runIndexWriter, type WriterOptions } from './index-writer.ts'

const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
await runIndexWriter(workerData as WriterOptions, {
  timing: systemTiming,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  onEvent: (event) => parentPort?.postMessage(event),
  signal: stopping.signal,
})
parentPort?.close()
