/**
 * The loop that keeps an index at its source's tip. One per chain, whatever the number of processes that read.
 *
 * Faults that pass are waited out with growing pauses; others end the loop, because only a person can help.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Network } from '../networks/network.ts'
import type { BlockRef } from '../node/block-source.ts'
import { type ConnectedSource, connectSource, type SourceOptions } from '../node/connect-source.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import { type CoinIndex, openCoinIndex } from './coin-index.ts'
import { follow, indexTip } from './follow.ts'
import type { SyncProgress } from './initial-sync.ts'
import { openLmdbKv } from './kv-lmdb.ts'

export type WriterOptions = SourceOptions & {
  readonly dataDir: string
  readonly pollMs?: number | undefined
  /** Where the node announces blocks; without it the node is polled. */
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
  | { readonly type: 'fault'; readonly code: string; readonly reason: string; readonly retryable: boolean }

export type WriterDeps = {
  readonly clock: Clock
  readonly onEvent: (event: WriterEvent) => void
  readonly signal: AbortSignal
}

/** A block takes minutes; a second more is not noticed. */
const POLL_MS = 1_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

export function indexPath(dataDir: string, network: Network): string {
  return join(dataDir, 'coins', `${network.chain}-${network.name}`)
}

/** Runs until told to stop, or until a fault that does not pass. */
export async function runIndexWriter(options: WriterOptions, deps: WriterDeps): Promise<void> {
  let wait = FIRST_PAUSE_MS
  while (!isStopped(deps)) {
    try {
      await session(options, deps, () => {
        wait = FIRST_PAUSE_MS
      })
    } catch (error) {
      const retryable = error instanceof GatewatchError ? error.retryable : false
      const code = error instanceof GatewatchError ? error.code : 'internal_error'
      deps.onEvent({ type: 'fault', code, reason: reasonOf(error), retryable })
      if (!retryable) throw error
      await sleep(wait, deps)
      wait = Math.min(LONGEST_PAUSE_MS, wait * 2)
    }
  }
}

const isStopped = ({ signal }: WriterDeps): boolean => signal.aborted

async function sleep(ms: number, { signal }: WriterDeps): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}

/** One connection: from opening the source to the first fault. */
async function session(options: WriterOptions, deps: WriterDeps, onWorking: () => void): Promise<void> {
  const connected = await connectSource(options)
  const fault = (code: string) => (reason: string) => deps.onEvent({ type: 'fault', code, reason, retryable: true })
  const signals = await openNodeNotifications({
    pollMs: options.pollMs ?? POLL_MS,
    zmqUrl: options.zmqUrl,
    onFault: fault('zmq_unreachable'),
  })
  try {
    const path = indexPath(options.dataDir, connected.network)
    const kv = openLmdbKv({ path })
    try {
      const index = openCoinIndex(kv, connected.network, path)
      const { name: network } = connected.network
      deps.onEvent({ type: 'connected', network, source: connected.name, tip: indexTip(index) })
      while (!isStopped(deps)) {
        await step(index, connected, deps)
        onWorking()
        await signals.wait(deps.signal)
      }
    } finally {
      await kv.close()
    }
  } finally {
    signals.close()
    await connected.close()
  }
}

async function step(index: CoinIndex, { source, node, refresh }: ConnectedSource, deps: WriterDeps): Promise<void> {
  await refresh()
  if (node !== undefined) {
    const info = await node.getChainInfo()
    // A node that fetches or reads its chain anew (-reindex) is behind for a while; that is no reorganisation.
    if (info.isDownloading && info.blocks < (indexTip(index)?.height ?? -1)) return
  }
  const followed = await follow(
    { index, source, clock: deps.clock, onProgress: (progress) => deps.onEvent({ type: 'progress', progress }) },
    deps.signal,
  )
  if (followed.connected !== 0 || followed.disconnected.length > 0) deps.onEvent({ type: 'followed', ...followed })
}
