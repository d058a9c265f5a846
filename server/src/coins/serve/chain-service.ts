/**
 * Keeps a chain ready to be asked: opens the index beside its writer, follows the node's tip and mempool.
 *
 * Reads only. The writer may be a thread of this process or another process; either way answers come from snapshots of
 * what it committed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import { type CoinIndex, openCoinIndexToRead } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { indexPath, type WriterOptions } from '../index/index-writer.ts'
import { lmdbExists, openLmdbKv } from '../index/kv-lmdb.ts'
import { type PinnedKv, pinnedKv } from '../index/pinned-kv.ts'
import { MempoolView } from '../mempool/mempool-view.ts'
import { refreshMempool } from '../mempool/refresh-mempool.ts'
import { type ConnectedSource, connectSource, REQUEST_TIMEOUT_MS } from '../node/connect-source.ts'
import type { CoreNode } from '../node/core-node.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import { ALLOWED_LAG, isSameChain, isSynced, type ServedChain, type SourceState } from './served-chain.ts'
import { createTransactionLoader } from './transaction-loader.ts'

export type ServeOptions = WriterOptions & {
  /** Another process writes the index. */
  readonly readOnly?: boolean
}

export type ServeDeps = { readonly onFault: (fault: { readonly code: string; readonly reason: string }) => void }

export type ChainService = {
  /** Undefined until source and index are open. */
  readonly find: () => ServedChain | undefined
  /** It has looked at source and index once, whatever it found. */
  readonly looked: Promise<void>
  readonly stop: () => Promise<void>
}

const POLL_MS = 1_000
/** While the writer puts in the block that the node has just told of. */
const CLOSE_MS = 100
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** What was last known is told no longer than this without news of the node. */
const LONGEST_SILENCE_MS = 30_000
const UNKNOWN: SourceState = { tip: undefined, isDownloading: false, isOurChain: false, mempoolSize: 0 }

export function startChainService(options: ServeOptions, { onFault }: ServeDeps): ChainService {
  const stopping = new AbortController()
  const { signal } = stopping
  const sleep = (ms: number): Promise<unknown> => pause(ms, undefined, { signal }).catch(() => undefined)
  let served: ServedChain | undefined
  let state = UNKNOWN
  const firstLook = Promise.withResolvers<void>()

  const isAboutToFollow = (index: CoinIndex): boolean =>
    served !== undefined && isSynced(served) && indexTip(index)?.hash !== state.tip?.hash

  /** Waits for the writer to make the index, then answers from it until a fault or the end. */
  async function session(onWorking: () => void): Promise<void> {
    const connected = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    const pollMs = options.pollMs ?? POLL_MS
    const path = indexPath(options.dataDir, connected.network)
    if (options.readOnly === true && !lmdbExists(path)) {
      firstLook.resolve()
      await connected.close()
      await sleep(Math.min(pollMs, POLL_MS))
      return
    }
    const signals = await openNodeNotifications({
      pollMs,
      zmqUrl: options.zmqUrl,
      withTransactions: true,
      // A writer in this process says the same.
      ...(options.readOnly === true && { onFault: (reason) => onFault({ code: 'zmq_unreachable', reason }) }),
    })
    const kv = openLmdbKv({ path, readOnly: options.readOnly ?? false })
    const pinned = pinnedKv(kv)
    let misses = 0
    let heardAt = performance.now()

    /** Answers whether all that the node has is there. A node that is away is borne for a while. */
    const look = async (index: CoinIndex): Promise<boolean> => {
      served ??= {
        network: connected.network,
        index: { ...index, kv: pinned.kv },
        mempool: new MempoolView(),
        source: connected.source,
        node: connected.node,
        sourceName: connected.name,
        loader: createTransactionLoader(connected.source, { mweb: connected.network.mweb !== undefined }),
        state: () => state,
      }
      try {
        const isComplete = await refresh(served, connected, index, pinned)
        misses = 0
        heardAt = performance.now()
        onWorking()
        return isComplete
      } catch (error) {
        if (!(error instanceof GatewatchError) || !error.retryable) throw error
        // The store stays open for whoever is being answered, and what was true a moment ago is still told.
        onFault({ code: error.code, reason: reasonOf(error) })
        firstLook.resolve()
        await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** misses))
        misses += 1
        if (performance.now() - heardAt > LONGEST_SILENCE_MS) forget()
        return false
      }
    }
    const forget = (): void => {
      served = undefined
      state = UNKNOWN
      pinned.release()
    }

    try {
      while (!signal.aborted) {
        const index = openCoinIndexToRead(kv, connected.network, path)
        const isComplete = index !== undefined && (await look(index))
        firstLook.resolve()
        // Nothing announces that the writer caught up with the node, or that its mempool is loaded.
        if (isComplete) await signals.wait(signal)
        else await sleep(index !== undefined && isAboutToFollow(index) ? CLOSE_MS : Math.min(pollMs, POLL_MS))
      }
    } finally {
      forget()
      signals.close()
      await kv.close()
      await connected.close()
    }
  }

  /**
   * `latest` is the index as it is now, `chain` answers from the state the mempool view belongs to. Answers whether
   * both are complete at the source's last block.
   */
  async function refresh(
    chain: ServedChain,
    { node, source, refresh: refreshFiles }: ConnectedSource,
    latest: CoinIndex,
    pinned: PinnedKv,
  ): Promise<boolean> {
    await refreshFiles()
    if (node === undefined) {
      const tip = await source.getTip()
      state = { tip, isDownloading: false, isOurChain: await isSameChain(source, latest), mempoolSize: 0 }
      return indexTip(latest)?.hash === tip.hash
    }
    const info = await node.getChainInfo()
    const mempoolSize = (await node.getMempoolInfo()).size
    const isComplete = await refreshPair(chain, node, latest, pinned)
    state = {
      tip: { height: info.blocks, hash: info.bestblockhash },
      isDownloading: info.initialblockdownload,
      isOurChain: await isSameChain(node, chain.index),
      mempoolSize,
    }
    return isComplete
  }

  async function refreshPair(
    chain: ServedChain,
    node: CoreNode,
    latest: CoinIndex,
    pinned: PinnedKv,
  ): Promise<boolean> {
    const own = indexTip(latest)
    const shown = indexTip(chain.index)
    if (own === undefined) return false
    const isStale = shown !== undefined && (await node.findHash(shown.height)) !== shown.hash
    const options = { anew: isStale, onChange: pinned.pin }
    if (await refreshMempool({ index: latest, node, view: chain.mempool }, own.hash, options)) return true
    // What is told may be a little old; index and mempool must fit together. Only beyond that answers follow the index
    // without what is unconfirmed.
    const isOld = indexTip(latest)?.hash !== indexTip(chain.index)?.hash
    if (isOld && !(await isNear(chain, node))) {
      chain.mempool.clear()
      pinned.pin()
    }
    return false
  }

  async function isNear({ index }: ServedChain, node: CoreNode): Promise<boolean> {
    const { height } = await node.getTip()
    return height - (indexTip(index)?.height ?? -1) <= ALLOWED_LAG && (await isSameChain(node, index))
  }

  async function run(): Promise<void> {
    let wait = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        await session(() => {
          wait = FIRST_PAUSE_MS
        })
      } catch (error) {
        firstLook.resolve()
        onFault({ code: error instanceof GatewatchError ? error.code : 'internal_error', reason: reasonOf(error) })
        if (error instanceof GatewatchError && !error.retryable) return
        await sleep(wait)
        wait = Math.min(LONGEST_PAUSE_MS, wait * 2)
      }
    }
  }

  const ended = run()
  return {
    find: () => served,
    looked: firstLook.promise,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
