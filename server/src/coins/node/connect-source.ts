/** Opens the block source that the operator configured: a node, block files, or a node with its block files. */
import type { ChainId, Network } from '../networks/network.ts'
import { type BlockFiles, detectBlockFilesNetwork, openBlockFiles } from './block-files.ts'
import type { BlockSource } from './block-source.ts'
import { type CoreNode, connectNode } from './core-node.ts'
import { createCoreRpc } from './core-rpc.ts'
import { BlockFilesError, NodeUnreachableError } from './node-errors.ts'

export type SourceOptions = {
  readonly chain: ChainId
  readonly rpcUrl?: string | undefined
  readonly blocksDir?: string | undefined
  /** Longest wait for a response of the node. The index writer sets none. */
  readonly timeoutMs?: number | undefined
}

/** Longest wait while a request is served: it ends with 503 instead of waiting for a node that hangs. */
export const REQUEST_TIMEOUT_MS = 20_000

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
  const network = await detectBlockFilesNetwork(chain, blocksDir)
  const files = await openBlockFiles(network, blocksDir)
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
