/**
 * A Core node as a source of blocks, unconfirmed transactions and UTXO set statistics.
 *
 * Supports Bitcoin Core 22 and later and Litecoin Core 0.21. Features of newer versions are detected by calls, not by the
 * version number. The network is identified by the genesis hash.
 */
import { z } from 'zod'
import type { ChainId, Network } from '../networks/network.ts'
import { findNetworkByGenesis, mainNetworkOf } from '../networks/networks.ts'
import type { BlockSource, TxRef } from './block-source.ts'
import {
  chainInfo,
  feeDiagram,
  hash,
  hex,
  mempoolAccept,
  mempoolEntry,
  mempoolInfo,
  networkInfo,
  rawMempool,
  scanResponse,
  smartFee,
  submittedPackage,
  txOutSetInfo,
} from './core-responses.ts'
import { type CallOptions, type CoreRpc, DEFAULT_LIMITS } from './core-rpc.ts'
import { BlockUnavailableError, NodeRefusedError, NodeRpcError, WrongNetworkError } from './node-errors.ts'

export type NodeFeatures = {
  /** Blocks as binary data instead of hexadecimal. */
  readonly rest: boolean
  /** Byte ranges of a block (Bitcoin Core 31). */
  readonly blockPart: boolean
}

export type CoreNode = BlockSource & {
  readonly name: string
  readonly network: Network
  readonly version: string
  readonly features: NodeFeatures
  /** Whether the node has started again since it was identified. Never if it does not allow the call `uptime`. */
  readonly hasRestarted: () => Promise<boolean>
  /**
   * `isDownloading` is the flag that the node reports. `initialblockdownload` is false on local networks, where the tip is
   * often old.
   */
  readonly getChainInfo: () => Promise<z.output<typeof chainInfo> & { readonly isDownloading: boolean }>
  readonly getMempoolInfo: () => Promise<z.output<typeof mempoolInfo>>
  /** What the node demands of replacements. Rates are in satoshi per virtual byte. */
  readonly getRelayPolicy: () => Promise<{
    /** What a replacement pays for its own relay. */
    readonly incrementalRate: number
    readonly minRate: number
    /** Whether transactions that do not signal it are replaced. */
    readonly isFullRbf: boolean
  }>
  readonly getMempool: () => Promise<z.output<typeof rawMempool>>
  /** Bytes of unconfirmed transactions; undefined for one that has left the mempool. */
  readonly getMempoolTxs: (txids: readonly string[]) => Promise<(Buffer | undefined)[]>
  readonly getMempoolEntries: (txids: readonly string[]) => Promise<(z.output<typeof mempoolEntry> | undefined)[]>
  /** The whole mempool in mining order; undefined before Bitcoin Core 31. */
  readonly findFeeDiagram: () => Promise<z.output<typeof feeDiagram> | undefined>
  /** Estimated fee rate to confirm within so many blocks, in the smallest unit per virtual byte; undefined without one. */
  readonly findFeeEstimate: (blocks: number) => Promise<number | undefined>
  /** Whether the mempool would accept the transactions; several are tested as one package (Bitcoin Core only). */
  readonly testAccept: (txs: readonly string[], maxFeeRate: number) => Promise<z.output<typeof mempoolAccept>>
  /** Broadcasts a transaction. Throws NodeRpcError if the node refuses it. */
  readonly send: (tx: string, maxFeeRate: number) => Promise<void>
  /** Broadcasts a child with its parents, whose fees count together; undefined before Bitcoin Core 26. */
  readonly submitPackage: (
    txs: readonly string[],
    maxFeeRate: number,
  ) => Promise<z.output<typeof submittedPackage> | undefined>
  readonly getTxOutSetInfo: () => Promise<z.output<typeof txOutSetInfo>>
  readonly scanTxOutSet: (descriptors: readonly string[]) => Promise<z.output<typeof scanResponse>>
}

/** Calls in one batch request. */
const BATCH = 100
/** A block has up to 4 MB, 8 MB in hexadecimal, plus an extension block. */
const BLOCK: CallOptions = { ...DEFAULT_LIMITS, bytes: 32 * 2 ** 20, hasNoAmounts: true }
/** A hundred transactions of the largest relayed size: 400 kB each, 800 kB in hexadecimal. */
const TXS: CallOptions = { ...DEFAULT_LIMITS, bytes: 128 * 2 ** 20, hasNoAmounts: true }
/** The ids of a million transactions. */
const MEMPOOL: CallOptions = { ...DEFAULT_LIMITS, bytes: 64 * 2 ** 20, hasNoAmounts: true }
const DIAGRAM: CallOptions = { ...DEFAULT_LIMITS, bytes: 64 * 2 ** 20 }
/** Reading the whole UTXO set takes minutes, more on a slow disk. */
const UTXO_SET: CallOptions = { ...DEFAULT_LIMITS, timeoutMs: 1_800_000 }
/** A busy address has a million coins. 512 MB is the longest string V8 supports. */
const SCAN: CallOptions = { ...UTXO_SET, bytes: 511 * 2 ** 20 }
/** RPC error codes for an unknown block, transaction or height. */
const NOT_FOUND = new Set([-5, -8])
const METHOD_NOT_FOUND = -32601
/** Satoshi per 1,000 virtual bytes, of nodes that do not report it. */
const DEFAULT_INCREMENTAL_FEE = 1_000
/** From Bitcoin Core 28 on, every transaction can be replaced. */
const FULL_RBF_VERSION = 280_000
/** The node counts whole seconds, and its clock may be adjusted. */
const CLOCK_TOLERANCE_MS = 3_000
/** Core has no code of its own for a block whose data it does not have. */
const NOT_ON_DISK = /Block not (available|found on disk)/i
const PRUNED = /pruned/i

/** Identifies the node's network and features. Refuses a node of another chain. */
export async function connectNode(rpc: CoreRpc, chain: ChainId): Promise<CoreNode> {
  const genesis = await rpc.call('getblockhash', [0], hash)
  const network = findNetworkByGenesis(genesis)
  if (network === undefined || network.chain !== chain) {
    const actual = network === undefined ? 'an unknown chain' : `${network.chainName} ${network.name}`
    throw new WrongNetworkError(rpc.name, `runs ${actual} instead of ${mainNetworkOf(chain).chainName}`)
  }
  const { subversion } = await rpc.call('getnetworkinfo', [], networkInfo)
  const features = await findFeatures(rpc)
  const startedAt = await findStartTime(rpc)

  const getBlock = async (blockHash: string): Promise<Buffer> => {
    const bytes = features.rest ? await rpc.rest(`/rest/block/${blockHash}.bin`, BLOCK) : undefined
    if (bytes !== undefined) return bytes
    try {
      return await rpc.call('getblock', [blockHash, 0], hex, BLOCK)
    } catch (error) {
      if (!(error instanceof NodeRpcError) || !NOT_ON_DISK.test(error.message)) throw error
      throw new BlockUnavailableError(rpc.name, blockHash, PRUNED.test(error.message))
    }
  }

  async function batched<T>(items: readonly T[], send: (part: readonly T[]) => Promise<Buffer[]>): Promise<Buffer[]> {
    const all: Buffer[] = []
    for (let at = 0; at < items.length; at += BATCH) all.push(...(await send(items.slice(at, at + BATCH))))
    return all
  }

  /** Nodes do not return the genesis coinbase by its txid, so it is cut from its block. */
  const cutFromBlock = async ({ blockHash, offset, size }: TxRef): Promise<Buffer> =>
    (await getBlock(blockHash)).subarray(offset, offset + size)

  const getTxs = (refs: readonly TxRef[]): Promise<Buffer[]> =>
    batched(refs, async (part) => {
      if (features.blockPart) {
        return Promise.all(
          part.map(async (ref) => {
            const { blockHash, offset, size } = ref
            const path = `/rest/blockpart/${blockHash}.bin?offset=${offset}&size=${size}`
            const bytes = await rpc.rest(path, BLOCK)
            return bytes ?? cutFromBlock(ref)
          }),
        )
      }
      const calls = part.map((ref) => ({ method: 'getrawtransaction', params: [ref.txid, false, ref.blockHash] }))
      const results = await rpc.batch(calls, hex, TXS)
      return Promise.all(
        part.map(async (ref, i) => {
          const result = results[i]
          return result === undefined || result instanceof NodeRpcError ? cutFromBlock(ref) : result
        }),
      )
    })

  async function batchedOrMissing<S extends z.ZodType>(
    method: string,
    txids: readonly string[],
    schema: S,
    options?: CallOptions,
  ): Promise<(z.output<S> | undefined)[]> {
    const all: (z.output<S> | undefined)[] = []
    for (let at = 0; at < txids.length; at += BATCH) {
      const calls = txids.slice(at, at + BATCH).map((txid) => ({ method, params: [txid] }))
      for (const result of await rpc.batch(calls, schema, options)) {
        if (!(result instanceof NodeRpcError)) all.push(result)
        else if (NOT_FOUND.has(result.rpcCode)) all.push(undefined)
        else throw result
      }
    }
    return all
  }

  return {
    name: rpc.name,
    network,
    version: subversion,
    features,
    getTip: async () => {
      const info = await rpc.call('getblockchaininfo', [], chainInfo)
      return { height: info.blocks, hash: info.bestblockhash }
    },
    findHash: async (height) => {
      try {
        return await rpc.call('getblockhash', [height], hash)
      } catch (error) {
        if (error instanceof NodeRpcError && NOT_FOUND.has(error.rpcCode)) return undefined
        throw error
      }
    },
    getBlock,
    getTxs,
    hasRestarted: async () => {
      const now = await findStartTime(rpc)
      return startedAt !== undefined && now !== undefined && now - startedAt > CLOCK_TOLERANCE_MS
    },
    getChainInfo: async () => {
      const info = await rpc.call('getblockchaininfo', [], chainInfo)
      const isDownloading = info.initialblockdownload
      return { ...info, isDownloading, initialblockdownload: isDownloading && !network.isLocal }
    },
    getMempoolInfo: () => rpc.call('getmempoolinfo', [], mempoolInfo),
    getRelayPolicy: async () => {
      const info = await rpc.call('getmempoolinfo', [], mempoolInfo)
      const { version, incrementalfee } = await rpc.call('getnetworkinfo', [], networkInfo)
      return {
        incrementalRate: (incrementalfee ?? DEFAULT_INCREMENTAL_FEE) / 1000,
        minRate: Math.max(info.mempoolminfee, info.minrelaytxfee) / 1000,
        isFullRbf: info.fullrbf ?? version >= FULL_RBF_VERSION,
      }
    },
    getMempool: () => rpc.call('getrawmempool', [false, true], rawMempool, MEMPOOL),
    getMempoolTxs: (txids) => batchedOrMissing('getrawtransaction', txids, hex, TXS),
    getMempoolEntries: (txids) => batchedOrMissing('getmempoolentry', txids, mempoolEntry),
    findFeeDiagram: async () => {
      try {
        return await rpc.call('getmempoolfeeratediagram', [], feeDiagram, DIAGRAM)
      } catch (error) {
        if (error instanceof NodeRpcError && error.rpcCode === METHOD_NOT_FOUND) return undefined
        throw error
      }
    },
    findFeeEstimate: async (blocks) => {
      const { feerate } = await rpc.call('estimatesmartfee', [blocks, 'ECONOMICAL'], smartFee)
      return feerate === undefined ? undefined : feerate / 1000
    },
    testAccept: (txs, maxFeeRate) => rpc.call('testmempoolaccept', [txs, perKilobyte(maxFeeRate)], mempoolAccept),
    send: async (tx, maxFeeRate) => {
      await rpc.call('sendrawtransaction', [tx, perKilobyte(maxFeeRate)], hash)
    },
    submitPackage: async (txs, maxFeeRate) => {
      try {
        return await rpc.call('submitpackage', [txs, perKilobyte(maxFeeRate)], submittedPackage)
      } catch (error) {
        if (error instanceof NodeRpcError && error.rpcCode === METHOD_NOT_FOUND) return undefined
        throw error
      }
    },
    getTxOutSetInfo: () => rpc.call('gettxoutsetinfo', [], txOutSetInfo, UTXO_SET),
    scanTxOutSet: (descriptors) => rpc.call('scantxoutset', ['start', descriptors], scanResponse, SCAN),
  }
}

/** Converts a rate per virtual byte to coins per 1,000, as nodes expect it. */
const perKilobyte = (rate: number): string => ((rate * 1_000) / 1e8).toFixed(8)

/** When the node started, as `performance.now()`; undefined if it does not allow the call. */
async function findStartTime(rpc: CoreRpc): Promise<number | undefined> {
  try {
    const seconds = await rpc.call('uptime', [], z.int())
    return performance.now() - seconds * 1_000
  } catch (error) {
    const isMissing = error instanceof NodeRpcError && error.rpcCode === METHOD_NOT_FOUND
    if (isMissing || (error instanceof NodeRefusedError && error.status === 403)) return undefined
    throw error
  }
}

async function findFeatures(rpc: CoreRpc): Promise<NodeFeatures> {
  const { bestblockhash } = await rpc.call('getblockchaininfo', [], chainInfo)
  const has = async (path: string, length?: number): Promise<boolean> => {
    const bytes = await rpc.rest(path)
    return bytes !== undefined && (length === undefined || bytes.length === length)
  }
  const rest = await has(`/rest/headers/1/${bestblockhash}.bin`)
  if (!rest) return { rest, blockPart: false }
  return {
    rest,
    blockPart: await has(`/rest/blockpart/${bestblockhash}.bin?offset=0&size=80`, 80),
  }
}
