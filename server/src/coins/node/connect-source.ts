/** Opens and checks the block source that the operator configured: a node, block files, or a node with its files. */

import { createConnection } from 'node:net'
import { join } from 'node:path'
import { systemTiming } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed, warning } from '../../platform/checks/check-result.ts'
import type { ChainId, Network } from '../networks/network.ts'
import { type BlockFiles, detectBlockFiles, openBlockFiles } from './block-files.ts'
import type { BlockSource } from './block-source.ts'
import { type CoreNode, connectNode } from './core-node.ts'
import { createCoreRpc, hostnameOf } from './core-rpc.ts'
import { BlockFilesError, isNodeAway, NodeUnreachableError } from './node-errors.ts'

export type SourceOptions = {
  readonly chain: ChainId
  readonly rpcUrl?: string | undefined
  readonly cookieFile?: string | undefined
  readonly blocksDir?: string | undefined
  /** Longest wait for a response of the node. The index writer sets none. */
  readonly timeoutMs?: number | undefined
}

/** Longest wait of a request for a node that hangs. It ends with 503. */
export const REQUEST_TIMEOUT_MS = 20_000
/** Longest wait for the fee rates of the node, which have fallbacks. */
export const FEES_TIMEOUT_MS = 5_000
/** Longest wait for one response. A request waits for the fee rates and for one more response that does not arrive. */
export const NODE_TIMEOUT_MS = REQUEST_TIMEOUT_MS - FEES_TIMEOUT_MS

/** Where the running demo stores the URLs of its nodes, by chain: their ports change with every start. */
export const demoNodesFile = (dataDir: string): string => join(dataDir, 'chains', 'coin-nodes.json')

export type ConnectedSource = {
  readonly network: Network
  readonly source: BlockSource
  /** Undefined with block files only; then there is no mempool. */
  readonly node: CoreNode | undefined
  /** Description of the source for users: the node's version or "block files". */
  readonly name: string
  /** Without a node: scans the files for blocks that were appended since the last call. */
  readonly refresh: () => Promise<void>
}

/** The configured source before and after each connection to it. */
export type SourceLink = {
  /** Reads network, version and features. Called again after every lost connection: the node may have been replaced. */
  readonly connect: () => Promise<ConnectedSource>
  /** When the node last responded, as `performance.now()`; now, if the source is block files. */
  readonly respondedAt: () => number
  /**
   * Waits before the next attempt after an error: a moment if the node is unreachable, so that its return is noticed
   * at once; otherwise `ms`, or until the node has restarted.
   */
  readonly pause: (error: unknown, ms: number, signal: AbortSignal) => Promise<void>
  readonly close: () => Promise<void>
}

/** Longest pause while the node is away, and the interval at which a restart is looked for. */
const AWAY_PAUSE_MS = 500

export function openSource(options: SourceOptions): SourceLink {
  const { chain, rpcUrl, cookieFile, blocksDir, timeoutMs } = options
  const rpc = rpcUrl === undefined ? undefined : createCoreRpc({ url: rpcUrl, cookieFile, timeoutMs })
  let files: { readonly network: Network; readonly open: BlockFiles } | undefined

  const closeFiles = async (): Promise<void> => {
    const closing = files?.open
    files = undefined
    await closing?.close()
  }
  /** Files stay open from one connection to the next. */
  const filesOf = async (network: Network, folder: string): Promise<BlockFiles> => {
    if (files?.network !== network) {
      await closeFiles()
      files = { network, open: await openBlockFiles(network, folder) }
    }
    return files.open
  }

  async function connectToNode(node: CoreNode): Promise<ConnectedSource> {
    const own = blocksDir === undefined ? undefined : await filesOf(node.network, blocksDir)
    return {
      network: node.network,
      source: own === undefined ? node : withFiles(node, own),
      node,
      name: node.version.replaceAll('/', ''),
      // Blocks that the files do not contain yet are read from the node.
      refresh: () => Promise.resolve(),
    }
  }

  async function pause(error: unknown, ms: number, signal: AbortSignal): Promise<void> {
    // Changed or replaced files are read from the start again.
    if (error instanceof BlockFilesError) await closeFiles()
    if (isNodeAway(error)) return systemTiming.sleep(Math.min(ms, AWAY_PAUSE_MS), signal)
    const until = performance.now() + ms
    let wasClosed = false
    while (!signal.aborted && performance.now() < until) {
      await systemTiming.sleep(Math.min(AWAY_PAUSE_MS, until - performance.now()), signal)
      if (rpcUrl === undefined) continue
      const isOpen = (await connectTo(new URL(rpcUrl), AWAY_PAUSE_MS)) === undefined
      if (isOpen && wasClosed) return
      wasClosed = !isOpen
    }
  }

  return {
    connect: async () => {
      if (rpc !== undefined) return connectToNode(await connectNode(rpc, chain))
      if (blocksDir === undefined)
        throw new NodeUnreachableError(chain, 'neither a node nor block files are configured')
      await closeFiles()
      const { network, files: open } = await detectBlockFiles(chain, blocksDir)
      files = { network, open }
      return { network, source: open, node: undefined, name: 'block files', refresh: open.refresh }
    },
    respondedAt: () => rpc?.respondedAt() ?? performance.now(),
    pause,
    close: async () => {
      rpc?.close()
      await closeFiles()
    },
  }
}

/** Connects once, for commands. */
export async function connectSource(
  options: SourceOptions,
): Promise<ConnectedSource & { readonly close: () => Promise<void> }> {
  const link = openSource(options)
  try {
    return { ...(await link.connect()), close: link.close }
  } catch (error) {
    await link.close()
    throw error
  }
}

/** The node determines the best chain. Block bytes come from the files if they contain the block. */
function withFiles(node: CoreNode, files: BlockFiles): BlockSource {
  async function filesFirst<T>(fromFiles: () => Promise<T>, fromNode: () => Promise<T>): Promise<T> {
    try {
      return await fromFiles()
    } catch (error) {
      if (error instanceof BlockFilesError) return fromNode()
      throw error
    }
  }
  return {
    getTip: node.getTip,
    findHash: node.findHash,
    getBlock: (hash) =>
      filesFirst(
        () => files.getBlock(hash),
        () => node.getBlock(hash),
      ),
    getTxs: (refs) =>
      filesFirst(
        () => files.getTxs(refs),
        () => node.getTxs(refs),
      ),
  }
}

/** Checks the node or the block files of a chain, for `gatewatch doctor`. */
export async function checkSource(options: SourceOptions): Promise<CheckResult> {
  const about = `${options.chain} ${options.rpcUrl === undefined ? 'block files' : (URL.parse(options.rpcUrl)?.host ?? '')}`
  const variable = `${options.chain.toUpperCase()}_${options.rpcUrl === undefined ? 'BLOCKS_DIR' : 'RPC_URL'}`
  try {
    const { network, source, node, name, close } = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    try {
      const tip = await source.getTip()
      const summary = `${name}, ${network.name}, height ${tip.height}.`
      if (node === undefined)
        return warning(about, summary, 'Block files have no mempool and no fees. Configure a node too.')
      const info = await node.getChainInfo()
      if (info.initialblockdownload)
        return warning(
          about,
          `${summary} It is still downloading the chain.`,
          'Coin data is served when the download is complete.',
        )
      if (info.pruned === true)
        return warning(
          about,
          `${summary} It is pruned, and has blocks from ${info.pruneheight ?? 0} on.`,
          'An index cannot be built from it, and transactions in deleted blocks are not served. Run the node without prune.',
        )
      return node.features.rest
        ? passed(about, `${summary} REST is on.`)
        : warning(about, `${summary} REST is off.`, 'Set rest=1 in its configuration for a faster initial sync.')
    } finally {
      await close()
    }
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, `Check ${variable}.`)
  }
}

const CONNECT_MS = 5_000

/** Checks the ZMQ publisher of a node, for `gatewatch doctor`. */
export async function checkZmq(chain: string, url: string): Promise<CheckResult> {
  const about = `${chain} zmq ${url}`
  const parsed = new URL(url)
  if (parsed.protocol !== 'tcp:') return passed(about, 'A local socket. Not tested.')
  const failure = await connectTo(parsed, CONNECT_MS)
  if (failure === undefined) return passed(about, 'It accepts connections.')
  const advice = `Check ${chain.toUpperCase()}_ZMQ_URL and the node's zmqpub settings; without ZMQ the node is polled for new blocks.`
  return warning(about, `${failure}.`, advice)
}

/** Opens a TCP connection and closes it. Returns why it failed; undefined if it did not. */
function connectTo(url: URL, timeout: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
    const socket = createConnection({ host: hostnameOf(url), port, timeout })
    const end = (failure: string | undefined): void => {
      socket.destroy()
      resolve(failure)
    }
    socket.once('connect', () => end(undefined))
    socket.once('timeout', () => end('It does not respond'))
    socket.once('error', (error) => end(reasonOf(error)))
  })
}
