/**
 * Serves a chain: opens its index for reading and follows the tip and the mempool of its node.
 *
 * The index writer runs in a thread of this process or in another process. Requests read snapshots of what it committed.
 * Two loops are supervised: the reader, and within it the mempool, whose faults do not keep confirmed data from being
 * served.
 */
import { systemTiming } from '../../lib/clock.ts'
import { type LoopFault, LoopMonitor, supervise } from '../../lib/supervise.ts'
import { type CoinIndex, openCoinIndexToRead } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { ForeignIndexError, IndexReplacedError } from '../index/index-errors.ts'
import { enterIndex, findIndexId } from '../index/index-marker.ts'
import { indexPath, type WriterOptions } from '../index/index-writer.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import { type PinnedKv, pinnedKv } from '../index/pinned-kv.ts'
import { MempoolView } from '../mempool/mempool-view.ts'
import type { Network } from '../networks/network.ts'
import { type ConnectedSource, NODE_TIMEOUT_MS, openSource } from '../node/connect-source.ts'
import type { CoreNode } from '../node/core-node.ts'
import { isNodeAway, NodeUnreachableError, SourceError } from '../node/node-errors.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import { type MempoolReader, startMempoolReader } from './mempool-reader.ts'
import {
  ALLOWED_LAG,
  type CoinLoop,
  isSameChain,
  isSynced,
  type ServedChain,
  type SourceState,
} from './served-chain.ts'
import { createTransactionLoader } from './transaction-loader.ts'

export type ChainServiceOptions = WriterOptions & {
  /** Another process writes the index. */
  readonly readOnly?: boolean
  /** For how long the chain is served from its last state after the node's last response. */
  readonly serveWithoutNodeMs?: number
  /** How often the node is called if no poll is due, to notice that it has stopped or restarted. */
  readonly heartbeatMs?: number
}

export type ChainServiceDeps = {
  /** Called after every error of a loop, and with undefined when it works. */
  readonly onFault?: (loop: ReaderLoop, fault: LoopFault | undefined) => void
  /** The node is polled, because its notifications are missing. */
  readonly onNoNotifications?: (reason: string) => void
}

export type ReaderLoop = Exclude<CoinLoop, 'writer' | 'merge'>

export type ChainService = {
  /** Undefined until source and index are open, and while the last state is too old to serve. */
  readonly find: () => ServedChain | undefined
  readonly findFault: (loop: ReaderLoop) => LoopFault | undefined
  /** Resolves after the first attempt to read source and index, also if it failed. */
  readonly firstAttempt: Promise<void>
  readonly stop: () => Promise<void>
}

const POLL_MS = 1_000
/** Poll interval while the writer connects a block that the node has announced. */
const CATCH_UP_POLL_MS = 100
const SERVE_WITHOUT_NODE_MS = 30_000
const HEARTBEAT_MS = 5_000
const UNKNOWN: SourceState = { tip: undefined, isDownloading: false, hasSameChain: false, mempoolSize: 0 }

/** The open index of a network and the mempool that was read on top of it. */
type Store = {
  readonly network: Network
  readonly path: string
  /** See `findIndexId`. */
  readonly id: string | undefined
  readonly leave: () => void
  readonly kv: ReturnType<typeof openLmdbKv>
  readonly pinned: PinnedKv
  readonly mempool: MempoolView
  readonly mempoolReader: MempoolReader
}

export function startChainService(options: ChainServiceOptions, deps: ChainServiceDeps = {}): ChainService {
  const stopping = new AbortController()
  const { signal } = stopping
  // With a node, only the index writer reads block files: the map of their blocks takes memory.
  const blocksDir = options.rpcUrl === undefined ? options.blocksDir : undefined
  const link = openSource({ timeoutMs: NODE_TIMEOUT_MS, ...options, blocksDir })
  const reader = new LoopMonitor(systemTiming, (fault) => deps.onFault?.('reader', fault))
  const mempoolLoop = new LoopMonitor(systemTiming, (fault) => deps.onFault?.('mempool', fault))
  const { pollMs = POLL_MS, serveWithoutNodeMs = SERVE_WITHOUT_NODE_MS, heartbeatMs = HEARTBEAT_MS } = options
  let store: Store | undefined
  let served: ServedChain | undefined
  let state = UNKNOWN
  /** When the state was last updated, as `performance.now()`. */
  let updatedAt = 0
  /** The mempool is not read before this time. */
  let mempoolDue = 0
  const firstAttempt = Promise.withResolvers<void>()

  /** A node without fault may take longer than the allowed time for one update, but not for one response. */
  const isTooOld = (): boolean =>
    performance.now() - (reader.fault === undefined ? Math.max(updatedAt, link.respondedAt()) : updatedAt) >
    serveWithoutNodeMs

  const clear = (): void => {
    served = undefined
    state = UNKNOWN
    store?.mempool.clear()
    store?.pinned.release()
  }

  async function closeStore(): Promise<void> {
    clear()
    const closing = store
    store = undefined
    await closing?.mempoolReader.close()
    await closing?.kv.close()
    closing?.leave()
  }

  /** The index stays open from one connection to the next. Undefined while another process has not created it. */
  async function openStore(network: Network): Promise<Store | undefined> {
    if (store?.network === network) return store
    await closeStore()
    const path = indexPath(options.dataDir, network)
    const { readOnly = false, chain, rpcUrl, cookieFile, zmqUrl, timeoutMs = NODE_TIMEOUT_MS } = options
    const id = findIndexId(path)
    if (readOnly && id === undefined) return undefined
    const kv = openLmdbKv({ path, readOnly })
    const mempool = new MempoolView()
    const mempoolReader = startMempoolReader(mempool, {
      timeoutMs,
      chain,
      rpcUrl,
      cookieFile,
      zmqUrl,
      path,
      readOnly,
    })
    store = { network, path, id, kv, leave: enterIndex(path), pinned: pinnedKv(kv), mempool, mempoolReader }
    return store
  }

  const isCatchingUp = (index: CoinIndex): boolean =>
    served !== undefined && isSynced(served) && indexTip(index)?.hash !== state.tip?.hash

  /** Connects to the source and serves its chain until an error, the stop, or a restart of the node. */
  async function session(): Promise<void> {
    const connected = await link.connect()
    const open = await openStore(connected.network)
    if (open === undefined) {
      reader.works()
      firstAttempt.resolve()
      return systemTiming.sleep(Math.min(pollMs, POLL_MS), signal)
    }
    const notifications = await openNodeNotifications({
      pollMs,
      zmqUrl: options.zmqUrl,
      withTransactions: true,
      ...(deps.onNoNotifications !== undefined && { onError: deps.onNoNotifications }),
    })
    const lost = new AbortController()
    const ending = AbortSignal.any([signal, lost.signal])
    const watching = connected.node === undefined ? undefined : watchNode(connected.node, lost, ending)
    let isFirst = true
    try {
      while (!ending.aborted) {
        // A writer in this process has its own check.
        if (options.readOnly === true && findIndexId(open.path) !== open.id) {
          await closeStore()
          throw new IndexReplacedError(open.path)
        }
        const index = openCoinIndexToRead(open.kv, open.network, open.path)
        if (index !== undefined && isFirst) served = servedFrom(open, index, connected)
        isFirst &&= index === undefined
        const isComplete =
          index !== undefined && served !== undefined && (await refresh(served, connected, index, open))
        updatedAt = performance.now()
        reader.works()
        firstAttempt.resolve()
        // No notification reports that the writer caught up or that the node has loaded its mempool.
        if (isComplete) await notifications.wait(AbortSignal.any([ending, open.mempoolReader.due()]))
        else {
          const ms = index !== undefined && isCatchingUp(index) ? CATCH_UP_POLL_MS : Math.min(pollMs, POLL_MS)
          await systemTiming.sleep(ms, ending)
        }
      }
    } finally {
      notifications.close()
      lost.abort()
      await watching
    }
    const { reason } = lost.signal as { reason: unknown }
    if (reason instanceof NodeUnreachableError) throw reason
  }

  /** Ends the session when the node no longer responds, or when it has restarted and may have changed. */
  async function watchNode(node: CoreNode, lost: AbortController, ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      await systemTiming.sleep(heartbeatMs, ending)
      try {
        if (!ending.aborted && (await node.hasRestarted())) lost.abort('restarted')
      } catch (error) {
        // While other calls succeed the node is only busy.
        if (performance.now() - link.respondedAt() >= heartbeatMs) lost.abort(error)
      }
    }
  }

  const servedFrom = (open: Store, index: CoinIndex, connected: ConnectedSource): ServedChain => ({
    network: connected.network,
    index: { ...index, kv: open.pinned.kv },
    mempool: open.mempool,
    projector: open.mempoolReader.projector,
    source: connected.source,
    node: connected.node,
    relay: connected.node,
    sourceName: connected.name,
    loader: createTransactionLoader(connected.source, { mweb: connected.network.mweb !== undefined }),
    state: () => state,
  })

  /**
   * Updates the source state and the pair of index snapshot and mempool view. `latest` is the current index, `chain` the
   * snapshot that belongs to the mempool view. Returns whether both include the last block of the source.
   */
  async function refresh(
    chain: ServedChain,
    { node, source, refresh: refreshFiles }: ConnectedSource,
    latest: CoinIndex,
    { pinned, mempoolReader }: Store,
  ): Promise<boolean> {
    await refreshFiles()
    if (node === undefined) {
      const tip = await source.getTip()
      state = { tip, isDownloading: false, hasSameChain: await isSameChain(source, latest), mempoolSize: 0 }
      return indexTip(latest)?.hash === tip.hash
    }
    const info = await node.getChainInfo()
    const mempoolSize = (await node.getMempoolInfo()).size
    const isComplete = await refreshIndexAndMempool(chain, node, latest, pinned, mempoolReader)
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
    mempoolReader: MempoolReader,
  ): Promise<boolean> {
    const latestTip = indexTip(latest)
    const servedTip = indexTip(chain.index)
    if (latestTip === undefined) return false
    const isStale = servedTip !== undefined && (await node.findHash(servedTip.height)) !== servedTip.hash
    if (await updateMempool(mempoolReader, latest, { rebuild: isStale, onChange: pinned.pin })) return true
    // A snapshot a few blocks old is served together with its mempool. An older one, or one whose mempool cannot be
    // read, is replaced by the current index without unconfirmed transactions.
    const isBehind = indexTip(latest)?.hash !== indexTip(chain.index)?.hash
    if (isMempoolLost() || (isBehind && !(await isNear(chain, node)))) {
      chain.mempool.clear()
      pinned.pin()
    }
    return false
  }

  const isMempoolLost = (): boolean =>
    mempoolLoop.fault !== undefined && systemTiming.now() - mempoolLoop.fault.since > serveWithoutNodeMs

  /** Returns whether the mempool view is complete. Its faults do not stop the chain, unless the node is unreachable. */
  async function updateMempool(
    mempoolReader: MempoolReader,
    latest: CoinIndex,
    options: Parameters<MempoolReader['refresh']>[2],
  ): Promise<boolean> {
    if (performance.now() < mempoolDue) return false
    try {
      const tip = indexTip(latest)?.hash ?? ''
      const isComplete = await mempoolReader.refresh(latest, tip, options)
      mempoolLoop.works()
      return isComplete
    } catch (error) {
      if (isNodeAway(error)) throw error
      mempoolLoop.failed(error)
      mempoolDue = performance.now() + mempoolLoop.pauseMs
      return false
    }
  }

  async function isNear({ index }: ServedChain, node: CoreNode): Promise<boolean> {
    const { height } = await node.getTip()
    return height - (indexTip(index)?.height ?? -1) <= ALLOWED_LAG && (await isSameChain(node, index))
  }

  async function pause(error: unknown, ms: number): Promise<void> {
    firstAttempt.resolve()
    // Requests in progress keep the index open while only the source is lost.
    if (!(error instanceof SourceError) || error instanceof ForeignIndexError) await closeStore()
    else if (isTooOld()) clear()
    await link.pause(error, ms, signal)
  }

  async function run(): Promise<void> {
    try {
      await supervise(session, { monitor: reader, signal, pause })
    } finally {
      firstAttempt.resolve()
      await closeStore()
      await link.close()
    }
  }

  const ended = run()
  return {
    find: () => (isTooOld() ? undefined : served),
    findFault: (loop) => (loop === 'reader' ? reader : mempoolLoop).fault,
    firstAttempt: firstAttempt.promise,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
