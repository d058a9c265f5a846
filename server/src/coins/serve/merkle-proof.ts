/** Proofs that a transaction is in a block: the branch of the merkle tree, and Core's `gettxoutproof`. */
import { ApiError } from '../../lib/http/api-error.ts'
import { findBlockRow } from '../index/coin-index.ts'
import { withSnapshot } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import { readBlockTxids } from '../index/tx-locations.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import { sha256d } from '../parse/sha256.ts'
import type { ServedChain } from './served-chain.ts'

/** The levels of a merkle tree, from the txids to the root. The last hash of an odd level is paired with itself. */
function merkleLevels(txids: readonly Buffer[]): Buffer[][] {
  const levels = [[...txids]]
  for (let level = levels[0] ?? []; level.length > 1; level = levels.at(-1) ?? []) {
    const parents: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] ?? Buffer.alloc(32)
      parents.push(sha256d(Buffer.concat([left, level[i + 1] ?? left])))
    }
    levels.push(parents)
  }
  return levels
}

/** The hashes next to the path from a leaf to the root, lowest first. */
function branchOf(levels: readonly (readonly Buffer[])[], position: number): Buffer[] {
  return levels.slice(0, -1).map((level, height) => {
    const at = position >> height
    return level[at ^ 1] ?? level[at] ?? Buffer.alloc(32)
  })
}

/** A partial merkle tree (BIP 37) with one leaf: hashes and flags in the order of a depth-first walk. */
function partialTree(levels: readonly (readonly Buffer[])[], position: number) {
  const hashes: Buffer[] = []
  const flags: boolean[] = []
  const visit = (height: number, at: number): void => {
    const isOnPath = at === position >> height
    flags.push(isOnPath)
    if (height === 0 || !isOnPath) {
      hashes.push(levels[height]?.[at] ?? Buffer.alloc(32))
      return
    }
    visit(height - 1, at * 2)
    if (at * 2 + 1 < (levels[height - 1]?.length ?? 0)) visit(height - 1, at * 2 + 1)
  }
  visit(levels.length - 1, 0)
  return { hashes, flags }
}

/** The message `merkleblock` of BIP 37, as `gettxoutproof` returns it and `verifytxoutproof` takes it. */
function merkleBlock(header: Buffer, count: number, levels: readonly (readonly Buffer[])[], position: number): Buffer {
  const { hashes, flags } = partialTree(levels, position)
  const bits = Buffer.alloc(Math.ceil(flags.length / 8))
  for (const [i, flag] of flags.entries()) if (flag) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7))
  const total = Buffer.alloc(4)
  total.writeUInt32LE(count)
  // A tree of a block has fewer than 253 levels, so both counts take one byte.
  return Buffer.concat([header, total, Buffer.from([hashes.length]), ...hashes, Buffer.from([bits.length]), bits])
}

export function getMerkleProof({ network, index }: ServedChain, txid: string) {
  return withSnapshot(index.kv, (reader) => {
    const location = findTx(reader, hashFromHex(txid))
    const row = location === undefined ? undefined : findBlockRow(reader, location.height)
    if (location === undefined || row === undefined)
      throw new ApiError({
        status: 404,
        code: 'TX_NOT_FOUND',
        message: `Transaction ${txid} is in no block of ${network.chain}. An unconfirmed transaction has no proof.`,
      })
    const bytes = readBlockTxids(reader, row.firstTxnum, row.txCount)
    const txids = Array.from({ length: row.txCount }, (_, i) => bytes.subarray(i * 32, (i + 1) * 32))
    const levels = merkleLevels(txids)
    return {
      txid,
      chain: network.chain,
      blockHash: hashHex(row.hash),
      blockHeight: location.height,
      position: location.index,
      merkle: branchOf(levels, location.index).map(hashHex),
      merkleRoot: hashHex(row.header.subarray(36, 68)),
      header: row.header.toString('hex'),
      proof: merkleBlock(row.header, row.txCount, levels, location.index).toString('hex'),
    }
  })
}
