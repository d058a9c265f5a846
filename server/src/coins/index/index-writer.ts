/**
 * The index writer: a loop that keeps an index at the tip of its source. One per chain; other processes only read.
 *
 * A retryable error restarts the loop after a backoff. Any other error ends it, because the operator must act.
 */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import type { Timing } from '../../lib/clock.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Network } from '../networks/network.ts'
import type { BlockRef } from '../node/block-source.ts'
import { type ConnectedSource, connectSource, type SourceOptions } from '../node/connect-source.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import { type CoinIndex, openCoinIndex } from './coin-index.ts'
import { follow, indexTip } from './follow.ts'
import type { SyncProgress } from './initial-sync.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { type Merger, startMerger } from './merger.ts'

export type WriterOptions = SourceOptions & {
  readonly dataDir: string
  readonly pollMs?: number | undefined
  /** The node's ZMQ publisher. Without it the node is polled. */
  readonly zmqUrl?: string | undefined
}

export type WriterEvent =
  | {
      readonly type: 'connected'
      readonly network: string
      readonly source: string
      readonly tip: BlockRef | undefined
    }
  | { readonly type: 'progress'; readonly progress: SyncProgress }
  | {
      readonly type: 'followed'
      readonly tip: BlockRef | undefined
      readonly disconnected: readonly BlockRef[]
      readonly connected: number
    }
  | { readonly type: 'error'; readonly code: string; readonly reason: string; readonly retryable: boolean }

export type WriterDeps = {
  readonly timing: Timing
  readonly onEvent: (event: WriterEvent) => void
  readonly signal: AbortSignal
}

/** Blocks are minutes apart, so a delay of a second does not matter. */
const POLL_MS = 1_000
const BACKOFF: Backoff = { firstMs: 500, longestMs: 30_000 }

export function indexPath(dataDir: string, network: Network): string {
  return join(dataDir, 'coins', `${network.chain}-${network.name}`)
}

/** Runs until the signal aborts or an error occurs that is not retryable. */
export async function runIndexWriter(options: WriterOptions, deps: WriterDeps): Promise<void> {
  const { timing, signal, onEvent } = deps
  let failures = 0
  while (!signal.aborted) {
    try {
      await session(options, deps, () => {
        failures = 0
      })
    } catch (error) {
      const retryable = error instanceof GatewatchError ? error.retryable : false
      const code = error instanceof GatewatchError ? error.code : 'internal_error'
      onEvent({ type: 'error', code, reason: reasonOf(error), retryable })
      if (!retryable) throw error
      await timing.sleep(backoffMs(BACKOFF, ++failures), signal)
    }
  }
}

/** Opens the source and follows it until the first error. */
async function session(options: WriterOptions, deps: WriterDeps, onProgress: () => void): Promise<void> {
  const connected = await connectSource(options)
  const notifications = await openNodeNotifications({
    pollMs: options.pollMs ?? POLL_MS,
    zmqUrl: options.zmqUrl,
    onError: (reason) => deps.onEvent({ type: 'error', code: 'zmq_unreachable', reason, retryable: true }),
  })
  try {
    const path = indexPath(options.dataDir, connected.network)
    const kv = openLmdbKv({ path })
    try {
      const index = openCoinIndex(kv, connected.network, path)
      const { name: network } = connected.network
      deps.onEvent({ type: 'connected', network, source: connected.name, tip: indexTip(index) })
      const merger = startMerger(index, path, (reason) =>
        deps.onEvent({ type: 'error', code: 'merge_failed', reason, retryable: true }),
      )
      try {
        while (!deps.signal.aborted) {
          await step(index, merger, connected, deps)
          onProgress()
          await notifications.wait(deps.signal)
        }
      } finally {
        await merger.stop()
      }
    } finally {
      await kv.close()
    }
  } finally {
    notifications.close()
    await connected.close()
  }
}

async function step(
  index: CoinIndex,
  merger: Merger,
  { source, node, refresh }: ConnectedSource,
  deps: WriterDeps,
): Promise<void> {
  await refresh()
  if (node !== undefined) {
    const info = await node.getChainInfo()
    // A node that downloads or reindexes its chain is behind the index for a while. That is not a reorganization.
    if (info.isDownloading && info.blocks < (indexTip(index)?.height ?? -1)) return
  }
  const followed = await follow(
    {
      index,
      source,
      merger,
      clock: deps.timing,
      onProgress: (progress) => deps.onEvent({ type: 'progress', progress }),
    },
    deps.signal,
  )
  if (followed.connected !== 0 || followed.disconnected.length > 0) deps.onEvent({ type: 'followed', ...followed })
}

export type RunningWriter = {
  /** Resolves when the thread has ended, after a stop or an error that is not retryable. */
  readonly ended: Promise<void>
  /** Stops the thread after its current commit. */
  readonly stop: () => Promise<void>
}

/** Starts the index writer of a chain in a thread, so that indexing does not delay requests. */
export function startIndexWriter(options: WriterOptions, onEvent: (event: WriterEvent) => void): RunningWriter {
  const worker = new Worker(new URL('./index-writer-thread.ts', import.meta.url), { workerData: options })
  worker.on('message', onEvent)
  worker.on('error', (error) => {
    onEvent({ type: 'error', code: 'internal_error', reason: reasonOf(error), retryable: false })
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
