/** Entry point of a merge thread: merges the sorted runs of an index while its writer continues. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf } from '../../lib/errors.ts'
import { mergeIndexStep, openCoinIndexToRead } from './coin-index.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import type { MergeMessage, MergerOptions } from './merger.ts'

/** Pause after a failure, such as a full disk. */
const RETRY_MS = 10_000

const { path, network, limits } = workerData as MergerOptions
const kv = openLmdbKv({ path })
const stopping = new AbortController()
let isDue = true
let wake = (): void => undefined

parentPort?.on('message', (message: 'commit' | 'stop') => {
  if (message === 'stop') stopping.abort()
  isDue = true
  wake()
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (message: MergeMessage): void => parentPort?.postMessage(message)

while (!stopping.signal.aborted) {
  try {
    const index = openCoinIndexToRead(kv, network, path)
    isDue = index !== undefined && mergeIndexStep({ ...index, limits })
    send({ type: isDue ? 'step' : 'idle' })
    // Lets messages arrive between two steps.
    if (isDue) await sleep(0)
    else
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isDue || stopping.signal.aborted) resolve()
      })
  } catch (error) {
    send({ type: 'error', reason: reasonOf(error) })
    await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
}
await kv.close()
parentPort?.close()
