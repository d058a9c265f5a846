/**
 * The coin index of one chain: opens it, and connects and disconnects blocks.
 *
 * A block is connected only to its parent, every change is one commit, and a store of another network or format is
 * refused. One process writes; any number of processes read.
 */
import type { Network } from '../networks/network.ts'
import { type Block, hashHex } from '../parse/block.ts'
import { BlockBatch } from './block-batch.ts'
import { type CoinLog, hasCoinLog } from './coin-log.ts'
import { disconnectTo } from './disconnect.ts'
import { ForeignIndexError, NotNextBlockError } from './index-errors.ts'
import type { Kv, KvReader } from './kv.ts'
import { withSnapshot } from './kv.ts'
import { type BlockRow, FORMAT_VERSION, hashKey, heightKey, metaKeys, readBlockRow } from './layout.ts'
import { mergeStep } from './merge-runs.ts'
import { type IndexLimits, indexLimits, writeBatch } from './write-batch.ts'

export type Tip = { readonly height: number; readonly hash: Buffer }

export type CoinIndex = {
  readonly network: Network
  readonly kv: Kv
  readonly limits: IndexLimits
}

function identityOf(network: Network): Buffer {
  return Buffer.concat([Buffer.from([FORMAT_VERSION]), Buffer.from(network.genesisHash, 'hex')])
}

/** Opens the index for writing. Initializes an empty store. */
export function openCoinIndex(kv: Kv, network: Network, path: string, limits = indexLimits): CoinIndex {
  const identity = withSnapshot(kv, (reader) => reader.get('meta', metaKeys.identity))
  if (identity === undefined) kv.write((writer) => writer.put('meta', metaKeys.identity, identityOf(network)))
  else checkIdentity(identity, network, path)
  return { network, kv, limits }
}

/** Opens the index for reading. Undefined while the writer has not created it. */
export function openCoinIndexToRead(kv: Kv, network: Network, path: string): CoinIndex | undefined {
  const identity = withSnapshot(kv, (reader) => reader.get('meta', metaKeys.identity))
  if (identity === undefined) return undefined
  checkIdentity(identity, network, path)
  return { network, kv, limits: indexLimits }
}

function checkIdentity(identity: Buffer, network: Network, path: string): void {
  const [version] = identity
  if (version !== FORMAT_VERSION) {
    throw new ForeignIndexError(
      path,
      `the index has format ${version}, this version needs ${FORMAT_VERSION}; run gatewatch reindex ${network.chain}`,
    )
  }
  const genesis = identity.subarray(1).toString('hex')
  if (genesis !== network.genesisHash) {
    throw new ForeignIndexError(path, `the genesis block of the index is ${genesis}, not ${network.genesisHash}`)
  }
}

export function findTip(reader: KvReader): Tip | undefined {
  const value = reader.get('meta', metaKeys.tip)
  return value === undefined ? undefined : { height: value.readUInt32BE(0), hash: value.subarray(4) }
}

export function findBlockRow(reader: KvReader, height: number): BlockRow | undefined {
  const value = reader.get('blocks', heightKey(height))
  return value === undefined ? undefined : readBlockRow(value)
}

/** The height of a block by its hash; undefined if it is not on the chain of the index. */
export function findHeight(reader: KvReader, hash: Buffer): number | undefined {
  const height = reader.get('hashes', hashKey(hash))?.readUInt32BE(0)
  const row = height === undefined ? undefined : findBlockRow(reader, height)
  return row?.hash.equals(hash) === true ? height : undefined
}

/** Begins a batch after the tip. `target` is the highest known height: blocks deep below it need no undo data. */
export function beginBatch(index: CoinIndex, reader: KvReader, target: number, log?: CoinLog): BlockBatch {
  const tip = findTip(reader)
  const row = tip === undefined ? undefined : findBlockRow(reader, tip.height)
  const height = (tip?.height ?? -1) + 1
  const start = {
    height,
    txnum: row === undefined ? 0 : row.firstTxnum + row.txCount,
    coins: row?.coins ?? 0,
    amount: row?.amount ?? 0,
    undoFrom: Math.max(height, target) - index.network.undoDepth + 1,
  }
  return new BlockBatch(reader, start, log)
}

/** Whether `block` follows `tip`. The tip is undefined before the genesis block. */
export function follows(network: Network, tip: Tip | undefined, block: Block): boolean {
  return tip === undefined ? hashHex(block.hash) === network.genesisHash : block.prevHash.equals(tip.hash)
}

/** Connects consecutive blocks in one commit. Returns the new tip. */
export function connectBlocks(index: CoinIndex, blocks: readonly Block[], target = 0): Tip | undefined {
  const snapshot = index.kv.snapshot()
  try {
    let tip = findTip(snapshot)
    const batch = beginBatch(index, snapshot, Math.max(target, (tip?.height ?? -1) + blocks.length))
    for (const block of blocks) {
      if (!follows(index.network, tip, block)) throw new NotNextBlockError(batch.nextHeight)
      tip = { height: batch.nextHeight, hash: block.hash }
      batch.add(block)
    }
    commitBatch(index, batch)
    return tip
  } finally {
    snapshot.close()
  }
}

export function commitBatch(index: CoinIndex, batch: BlockBatch, log?: CoinLog): void {
  index.kv.write((writer) => {
    // If another writer has moved the tip, the batch was resolved against an outdated state.
    if ((findTip(writer)?.height ?? -1) !== batch.start.height - 1) throw new NotNextBlockError(batch.start.height)
    if (log === undefined && hasCoinLog(writer)) throw new RangeError('the coins of this index are in its log')
    writeBatch(writer, batch, index.network.undoDepth, index.limits, log)
  })
  log?.committed()
}

/** Disconnects blocks until `height` is the tip. */
export function disconnectBlocks(index: CoinIndex, height: number): void {
  index.kv.write((writer) => {
    const tip = findTip(writer)
    if (tip !== undefined) disconnectTo(writer, index.network, tip.height, height)
  })
}

/** Does one step of merging sorted runs that no reorganization can reach. Returns false if there is nothing to merge. */
export function mergeIndexStep(index: CoinIndex): boolean {
  const finalTxnum = withSnapshot(index.kv, (reader) => {
    const tip = findTip(reader)
    const lowest = (tip?.height ?? 0) - index.network.undoDepth + 1
    return lowest <= 0 ? 0 : (findBlockRow(reader, lowest)?.firstTxnum ?? 0)
  })
  return mergeStep(index.kv, finalTxnum, index.limits)
}
