/**
 * The index writer: a loop that keeps an index at the tip of its source. One per chain; other processes only read.
 *
 * Every error restarts the loop after a pause, also one that an operator has to correct, and a thread that ends is
 * started again.
 */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { type LoopFault, LoopMonitor, supervise } from '../../lib/supervise.ts'
import type { Network } from '../networks/network.ts'
import type { BlockRef } from '../node/block-source.ts'
import { type ConnectedSource, openSource, type SourceLink, type SourceOptions } from '../node/connect-source.ts'
import type { CoreNode } from '../node/core-node.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import { type CoinIndex, openCoinIndex } from './coin-index.ts'
import { blockAt, follow, indexTip } from './follow.ts'
import { IndexReplacedError, OtherChainError } from './index-errors.ts'
import { enterIndex, findIndexId, markIndex } from './index-marker.ts'
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
  /** A loop does not work; with undefined, that it works again. */
  | { readonly type: 'fault'; readonly loop: 'writer' | 'merge'; readonly fault: LoopFault | undefined }
  /** The node is polled, because its notifications are missing. */
  | { readonly type: 'no_notifications'; readonly reason: string }

export type WriterDeps = {
  readonly timing: Timing
  readonly onEvent: (event: WriterEvent) => void
  readonly signal: AbortSignal
}

/** Blocks are minutes apart, so a delay of a second does not matter. */
const POLL_MS = 1_000

export function indexPath(dataDir: string, network: Network): string {
  return join(dataDir, 'coins', `${network.chain}-${network.name}`)
}

/** Runs until the signal aborts. */
export async function runIndexWriter(options: WriterOptions, deps: WriterDeps): Promise<void> {
  const { timing, signal, onEvent } = deps
  const link = openSource(options)
  const monitor = new LoopMonitor(timing, (fault) => onEvent({ type: 'fault', loop: 'writer', fault }))
  const pause = (error: unknown, ms: number): Promise<void> => link.pause(error, ms, signal)
  try {
    await supervise(() => session(link, options, deps, monitor), { monitor, signal, pause })
  } finally {
    await link.close()
  }
}

/** Connects to the source and follows it until the first error, or until the node has restarted. */
async function session(
  link: SourceLink,
  options: WriterOptions,
  deps: WriterDeps,
  monitor: LoopMonitor,
): Promise<void> {
  const connected = await link.connect()
  const notifications = await openNodeNotifications({
    pollMs: options.pollMs ?? POLL_MS,
    zmqUrl: options.zmqUrl,
    onError: (reason) => deps.onEvent({ type: 'no_notifications', reason }),
  })
  try {
    const path = indexPath(options.dataDir, connected.network)
    const kv = openLmdbKv({ path })
    const leave = enterIndex(path)
    try {
      const index = openCoinIndex(kv, connected.network, path)
      const id = markIndex(path)
      const { name: network } = connected.network
      deps.onEvent({ type: 'connected', network, source: connected.name, tip: indexTip(index) })
      const merger = startMerger(index, path, (fault) => deps.onEvent({ type: 'fault', loop: 'merge', fault }))
      try {
        while (!deps.signal.aborted) {
          await step({ index, merger, monitor }, connected, deps)
          monitor.works()
          await notifications.wait(deps.signal)
          if (findIndexId(path) !== id) throw new IndexReplacedError(path)
          if (!deps.signal.aborted && (await connected.node?.hasRestarted()) === true) return
        }
      } finally {
        await merger.stop()
      }
    } finally {
      await kv.close()
      leave()
    }
  } finally {
    notifications.close()
  }
}

type Writing = { readonly index: CoinIndex; readonly merger: Merger; readonly monitor: LoopMonitor }

async function step(
  { index, merger, monitor }: Writing,
  { source, node, refresh }: ConnectedSource,
  deps: WriterDeps,
): Promise<void> {
  await refresh()
  if (node !== undefined && (await isCatchingUp(index, node))) return
  const onProgress = (progress: SyncProgress): void => {
    // The initial sync is one step of many hours.
    monitor.works()
    deps.onEvent({ type: 'progress', progress })
  }
  const followed = await follow({ index, source, merger, clock: deps.timing, onProgress }, deps.signal)
  if (followed.connected !== 0 || followed.disconnected.length > 0) deps.onEvent({ type: 'followed', ...followed })
}

/**
 * Whether a node that downloads or reindexes its chain is still behind the index. That is not a reorganization. Throws if
 * the node downloads another chain.
 */
async function isCatchingUp(index: CoinIndex, node: CoreNode): Promise<boolean> {
  const info = await node.getChainInfo()
  const own = indexTip(index)
  if (!info.isDownloading || own === undefined || info.blocks >= own.height) return false
  if (blockAt(index, info.blocks)?.hash !== info.bestblockhash)
    throw new OtherChainError(node.name, info.blocks, index.network)
  return true
}

export type RunningWriter = {
  /** Stops the thread after its current commit. */
  readonly stop: () => Promise<void>
}

/** Starts the index writer of a chain in a thread, so that indexing does not delay requests. */
export function startIndexWriter(options: WriterOptions, onEvent: (event: WriterEvent) => void): RunningWriter {
  const stopping = new AbortController()
  const { signal } = stopping
  // Reports the end of the thread. The thread itself reports the faults of its loop.
  const monitor = new LoopMonitor(systemTiming, (fault) => onEvent({ type: 'fault', loop: 'writer', fault }))
  const ended = supervise(() => runThread(options, { onEvent, signal, monitor }), {
    monitor,
    signal,
    pause: (_error, ms) => systemTiming.sleep(ms, signal),
  })
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/** Runs the writer in a thread until the signal aborts. Throws if the thread ends before. */
async function runThread(
  options: WriterOptions,
  { onEvent, signal, monitor }: Omit<WriterDeps, 'timing'> & { readonly monitor: LoopMonitor },
): Promise<void> {
  const worker = new Worker(new URL('./index-writer-thread.ts', import.meta.url), { workerData: options })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const stop = (): void => worker.postMessage('stop')
  signal.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (event: WriterEvent) => {
        if (event.type === 'fault' && event.loop === 'writer' && event.fault === undefined) monitor.works()
        onEvent(event)
      })
      worker.once('error', reject)
      worker.once('exit', (code) => {
        if (signal.aborted) resolve()
        else reject(new Error(`the thread of the index writer ended with ${code}`))
      })
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
