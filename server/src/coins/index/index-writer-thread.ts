/** The writer in a thread of its own: indexing a block takes time that requests should not wait for. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../lib/clock.ts'
import { runIndexWriter, type WriterOptions } from './index-writer.ts'

const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
await runIndexWriter(workerData as WriterOptions, {
  clock: systemClock,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  onEvent: (event) => parentPort?.postMessage(event),
  signal: stopping.signal,
}).catch(() => undefined) // Its fault was told as an event.
parentPort?.close()
