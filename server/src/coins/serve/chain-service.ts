/**
 * Serves a chain: opens its index for reading and follows the tip and the mempool of its node.
 *
 * The index writer runs in a thread of this process or in another process. Requests read snapshots of what it committed.
 */
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import { systemTiming } from '../../lib/clock.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import { type CoinIndex, openCoinIndexToRead } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { indexPath, type WriterOptions } from '../index/index-writer.ts'
import { lmdbExists, openLmdbKv } from '../index/kv-lmdb.ts'
import { type PinnedKv, pinnedKv } from '../index/pinned-kv.ts'
import { MempoolView } from '../mempool/mempool-view.ts'
import { refreshMempool } from '../mempool/refresh-mempool.ts'
import { type ConnectedSource, connectSource, NODE_TIMEOUT_MS } from '../node/connect-source.ts'
import type { CoreNode } from '../node/core-node.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import { ALLOWED_LAG, isSameChain, isSynced, type ServedChain, type SourceState } from './served-chain.ts'
import { createTransactionLoader } from './transaction-loader.ts'

export type ChainServiceOptions = WriterOptions & {
  /** Another process writes the index. */
  readonly readOnly?: boolean
}

export type ChainServiceDeps = { readonly onError: (error: { readonly code: string; readonly reason: string }) => void }

export type ChainService = {
  /** Undefined until source and index are open. */
  readonly find: () => ServedChain | undefined
  /** Whether the last call to the node failed because it did not respond. */
  readonly isNodeSilent: () => boolean
  /** Resolves after the first attempt to read source and index, also if it failed. */
  readonly firstAttempt: Promise<void>
  readonly stop: () => Promise<void>
}

const POLL_MS = 1_000
/** Poll interval while the writer connects a block that the node has announced. */
const CATCH_UP_POLL_MS = 100
const RETRY: Backoff = { firstMs: 500, longestMs: 30_000 }
/** The chain is served from its last state for this long after the node's last response. */
const SERVE_WITHOUT_NODE_MS = 30_000
const UNKNOWN: SourceState = { tip: undefined, isDownloading: false, hasSameChain: false, mempoolSize: 0 }

export function startChainService(options: ChainServiceOptions, deps: ChainServiceDeps): ChainService {
  const stopping = new AbortController()
  const { signal } = stopping
  const sleep = (ms: number): Promise<void> => systemTiming.sleep(ms, signal)
  let served: ServedChain | undefined
  let state = UNKNOWN
  let isNodeSilent = false
  const firstAttempt = Promise.withResolvers<void>()

  function report(error: unknown): void {
    isNodeSilent = error instanceof NodeUnreachableError
    deps.onError({ code: error instanceof GatewatchError ? error.code : 'internal_error', reason: reasonOf(error) })
  }

  const isCatchingUp = (index: CoinIndex): boolean =>
    served !== undefined && isSynced(served) && indexTip(index)?.hash !== state.tip?.hash

  /** Waits until the writer has created the index, then serves it until an error or the stop. */
  async function session(onWorking: () => void): Promise<void> {
    // With a node, only the index writer reads block files: the map of their blocks takes memory.
    const blocksDir = options.rpcUrl === undefined ? options.blocksDir : undefined
    const connected = await connectSource({ timeoutMs: NODE_TIMEOUT_MS, ...options, blocksDir })
    const pollMs = options.pollMs ?? POLL_MS
    const path = indexPath(options.dataDir, connected.network)
    if (options.readOnly === true && !lmdbExists(path)) {
      firstAttempt.resolve()
      await connected.close()
      await sleep(Math.min(pollMs, POLL_MS))
      return
    }
    const notifications = await openNodeNotifications({
      pollMs,
      zmqUrl: options.zmqUrl,
      withTransactions: true,
      // A writer in this process reports the same error.
      ...(options.readOnly === true && { onError: (reason) => deps.onError({ code: 'zmq_unreachable', reason }) }),
    })
    const kv = openLmdbKv({ path, readOnly: options.readOnly ?? false })
    const pinned = pinnedKv(kv)
    let failures = 0
    let respondedAt = performance.now()

    /** Returns whether the served state includes everything the node has. Tolerates a node that is unreachable for a while. */
    const update = async (index: CoinIndex): Promise<boolean> => {
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
        failures = 0
        isNodeSilent = false
        respondedAt = performance.now()
        onWorking()
        return isComplete
      } catch (error) {
        if (!(error instanceof GatewatchError) || !error.retryable) throw error
        // The index stays open for requests in progress, and the last state is still served.
        report(error)
        firstAttempt.resolve()
        failures += 1
        await sleep(backoffMs(RETRY, failures))
        if (performance.now() - respondedAt > SERVE_WITHOUT_NODE_MS) clear()
        return false
      }
    }
    const clear = (): void => {
      served = undefined
      state = UNKNOWN
      pinned.release()
    }

    try {
      while (!signal.aborted) {
        const index = openCoinIndexToRead(kv, connected.network, path)
        const isComplete = index !== undefined && (await update(index))
        firstAttempt.resolve()
        // No notification reports that the writer caught up or that the node has loaded its mempool.
        if (isComplete) await notifications.wait(signal)
        else await sleep(index !== undefined && isCatchingUp(index) ? CATCH_UP_POLL_MS : Math.min(pollMs, POLL_MS))
      }
    } finally {
      clear()
      notifications.close()
      await kv.close()
      await connected.close()
    }
  }

  /**
   * Updates the source state and the pair of index snapshot and mempool view. `latest` is the current index, `chain` the
   * snapshot that belongs to the mempool view. Returns whether both include the last block of the source.
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
      state = { tip, isDownloading: false, hasSameChain: await isSameChain(source, latest), mempoolSize: 0 }
      return indexTip(latest)?.hash === tip.hash
    }
    const info = await node.getChainInfo()
    const mempoolSize = (await node.getMempoolInfo()).size
    const isComplete = await refreshIndexAndMempool(chain, node, latest, pinned)
    state = {
      tip: { height: info.blocks, hash: info.bestblockhash },
      isDownloading: info.initialblockdownload,
      hasSameChain: await isSameChain(node, chain.index),
      mempoolSize,
    }
    return isComplete
  }

  async function refreshIndexAndMempool(
    chain: ServedChain,
    node: CoreNode,
    latest: CoinIndex,
    pinned: PinnedKv,
  ): Promise<boolean> {
    const latestTip = indexTip(latest)
    const servedTip = indexTip(chain.index)
    if (latestTip === undefined) return false
    const isStale = servedTip !== undefined && (await node.findHash(servedTip.height)) !== servedTip.hash
    const options = { rebuild: isStale, onChange: pinned.pin }
    if (await refreshMempool({ index: latest, node, view: chain.mempool }, latestTip.hash, options)) return true
    // A snapshot a few blocks old is served together with its mempool. An older one is replaced by the current index
    // without unconfirmed transactions.
    const isBehind = indexTip(latest)?.hash !== indexTip(chain.index)?.hash
    if (isBehind && !(await isNear(chain, node))) {
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
    let failures = 0
    while (!signal.aborted) {
      try {
        await session(() => {
          failures = 0
        })
      } catch (error) {
        report(error)
        firstAttempt.resolve()
        if (error instanceof GatewatchError && !error.retryable) return
        failures += 1
        await sleep(backoffMs(RETRY, failures))
      }
    }
  }

  const ended = run()
  return {
    find: () => served,
    isNodeSilent: () => isNodeSilent,
    firstAttempt: firstAttempt.promise,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
