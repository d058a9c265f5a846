/** Opens and checks the block source that the operator configured: a node, block files, or a node with its files. */

import { createConnection } from 'node:net'
import { join } from 'node:path'
import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed, warning } from '../../platform/checks/check-result.ts'
import type { ChainId, Network } from '../networks/network.ts'
import { type BlockFiles, detectBlockFiles, openBlockFiles } from './block-files.ts'
import type { BlockSource } from './block-source.ts'
import { type CoreNode, connectNode } from './core-node.ts'
import { createCoreRpc, hostnameOf } from './core-rpc.ts'
import { BlockFilesError, NodeUnreachableError } from './node-errors.ts'

export type SourceOptions = {
  readonly chain: ChainId
  readonly rpcUrl?: string | undefined
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
  readonly close: () => Promise<void>
}

export async function connectSource(options: SourceOptions): Promise<ConnectedSource> {
  const { chain, rpcUrl, blocksDir } = options
  if (rpcUrl !== undefined) return connectToNode({ ...options, rpcUrl })
  if (blocksDir === undefined) throw new NodeUnreachableError(chain, 'neither a node nor block files are configured')
  const { network, files } = await detectBlockFiles(chain, blocksDir)
  return { network, source: files, node: undefined, name: 'block files', refresh: files.refresh, close: files.close }
}

async function connectToNode({
  chain,
  rpcUrl,
  blocksDir,
  timeoutMs,
}: SourceOptions & { readonly rpcUrl: string }): Promise<ConnectedSource> {
  const rpc = createCoreRpc({ url: rpcUrl, timeoutMs })
  try {
    const node = await connectNode(rpc, chain)
    const files = blocksDir === undefined ? undefined : await openBlockFiles(node.network, blocksDir)
    return {
      network: node.network,
      source: files === undefined ? node : withFiles(node, files),
      node,
      name: node.version.replaceAll('/', ''),
      // Blocks that the files do not contain yet are read from the node.
      refresh: () => Promise.resolve(),
      close: async () => {
        rpc.close()
        await files?.close()
      },
    }
  } catch (error) {
    rpc.close()
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
        return failed(about, `${summary} It is pruned.`, 'The index needs every block. Run the node without prune.')
      return node.features.rest
        ? passed(about, `${summary} REST is on.`)
        : warning(about, `${summary} REST is off.`, 'Set rest=1 in its configuration for a faster initial sync.')
    } finally {
      await close()
    }
  } catch (error) {
    return failed(about, reasonOf(error), `Check ${variable}.`)
  }
}

const CONNECT_MS = 5_000

/** Checks the ZMQ publisher of a node, for `gatewatch doctor`. */
export async function checkZmq(chain: string, url: string): Promise<CheckResult> {
  const about = `${chain} zmq ${url}`
  const parsed = new URL(url)
  const { protocol, port } = parsed
  if (protocol !== 'tcp:') return passed(about, 'A local socket. Not tested.')
  return await new Promise((resolve) => {
    const socket = createConnection({ host: hostnameOf(parsed), port: Number(port), timeout: CONNECT_MS })
    const end = (result: CheckResult): void => {
      socket.destroy()
      resolve(result)
    }
    const advice = `Check ${chain.toUpperCase()}_ZMQ_URL and the node's zmqpub settings; without ZMQ the node is polled for new blocks.`
    socket.once('connect', () => end(passed(about, 'It accepts connections.')))
    socket.once('timeout', () => end(warning(about, 'It does not respond.', advice)))
    socket.once('error', (error) => end(warning(about, `${reasonOf(error)}.`, advice)))
  })
}
