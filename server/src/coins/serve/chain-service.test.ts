/** What is served while node and index are at different blocks, with a fake node. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type BuiltBlock,
  buildBlock,
  buildCoinbase,
  outputScriptOf,
  regtestGenesis,
} from '../../../../testing/coins/block-builder.ts'
import { type FakeCore, startFakeCore } from '../../../../testing/coins/fake-core.ts'
import { recordedBlocks, staleBranch } from '../../../../testing/coins/fixtures.ts'
import { recordedMempool } from '../../../../testing/coins/recorded-chain.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { type CoinIndex, connectBlocks, disconnectBlocks, openCoinIndex } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { markIndex } from '../index/index-marker.ts'
import { indexPath } from '../index/index-writer.ts'
import { withSnapshot } from '../index/kv.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import { findCoin } from '../index/lookup.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { hashFromHex, hashHex, parseBlock } from '../parse/block.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { startChainService } from './chain-service.ts'
import { checkIndex, indexStatusOf } from './index-status.ts'
import { isSynced, type ServedChain } from './served-chain.ts'

const rules = { mweb: false }
const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, rules))
const stale = staleBranch().blocks.map(({ hex }) => parseBlock(Buffer.from(hex, 'hex'), rules))
const hashAt = (height: number): string => hashHex(blocks[height]?.hash ?? Buffer.alloc(32))
const FIRST = 510

type World = {
  readonly core: FakeCore
  readonly index: CoinIndex
  /** Unconfirmed transactions that spend confirmed coins, and one that spends an unknown output. */
  readonly known: readonly string[]
  readonly orphan: ReturnType<typeof recordedMempool>[number]
  readonly chain: ServedChain
  readonly dataDir: string
}

/** Node and index at the same block, with the mempool loaded. */
async function start(): Promise<World> {
  const core = await startFakeCore()
  const dataDir = temporaryFolder()
  const path = indexPath(dataDir, bitcoinRegtest)
  const kv = openLmdbKv({ path, noSync: true })
  const index = openCoinIndex(kv, bitcoinRegtest, path)
  markIndex(path)
  connectBlocks(index, blocks.slice(0, FIRST + 1))
  core.chain = blocks.slice(0, FIRST + 1)
  const spendsKnown = (hex: string): boolean =>
    parseTransaction(Buffer.from(hex, 'hex'), rules).inputs.every(({ prevout }) =>
      withSnapshot(kv, (reader) => findCoin(reader, hashFromHex(prevout?.txid ?? ''), prevout?.vout ?? 0)),
    )
  core.mempool = recordedMempool().filter(({ hex }) => spendsKnown(hex))
  const orphan = recordedMempool().find(({ hex }) => !spendsKnown(hex))
  assert.ok(core.mempool.length > 0 && orphan !== undefined)
  const serving = startChainService({ chain: 'btc', rpcUrl: core.url, dataDir, pollMs: 20 })
  after(async () => {
    await serving.stop()
    await kv.close()
    await core.stop()
  })
  const chain = await eventually(() =>
    serving.find()?.mempool.blockHash === hashAt(FIRST) ? serving.find() : undefined,
  )
  core.fetched.length = 0
  return { core, index, known: core.mempool.map(({ txid }) => txid), orphan, chain, dataDir }
}

const assertShown = ({ chain, known }: World, height: number): void => {
  assert.equal(indexTip(chain.index)?.hash, hashAt(height))
  assert.deepEqual([...chain.mempool.txids()].sort(), known.toSorted())
  assert.equal(isSynced(chain), true)
}
const settled = async ({ chain }: World, hash: string): Promise<void> => {
  await eventually(() => chain.mempool.blockHash === hash || undefined)
  assert.equal(indexTip(chain.index)?.hash, hash)
}

test('with two blocks in quick succession, the state before them is served until both are indexed', async () => {
  const world = await start()
  world.core.chain = blocks.slice(0, FIRST + 3)
  connectBlocks(world.index, blocks.slice(FIRST + 1, FIRST + 2))
  await world.core.polled()
  assertShown(world, FIRST)
  connectBlocks(world.index, blocks.slice(FIRST + 2, FIRST + 3))
  await settled(world, hashAt(FIRST + 2))
  assertShown(world, FIRST + 2)
  assert.deepEqual(world.core.fetched, [], 'known transactions are not fetched again')
})

test('an unconfirmed transaction with an unknown parent does not affect the others', async () => {
  const world = await start()
  world.core.mempool = [...world.core.mempool, world.orphan]
  world.core.chain = blocks.slice(0, FIRST + 2)
  connectBlocks(world.index, blocks.slice(FIRST + 1, FIRST + 2))
  await world.core.polled()
  assertShown(world, FIRST + 1)
  assert.deepEqual([...new Set(world.core.fetched)], [world.orphan.txid])
})

test('beyond the allowed lag the index is served without unconfirmed transactions', async () => {
  const world = await start()
  world.core.chain = blocks.slice(0, FIRST + 4)
  connectBlocks(world.index, blocks.slice(FIRST + 1, FIRST + 3))
  await eventually(() => indexTip(world.chain.index)?.hash === hashAt(FIRST + 2) || undefined)
  assert.equal(world.chain.mempool.size, 0)
  connectBlocks(world.index, blocks.slice(FIRST + 3, FIRST + 4))
  await settled(world, hashAt(FIRST + 3))
  assertShown(world, FIRST + 3)
})

test('during a reorg the state before it is served', async () => {
  const world = await start()
  world.core.chain = blocks.slice(0, FIRST + 2)
  connectBlocks(world.index, blocks.slice(FIRST + 1, FIRST + 2))
  await settled(world, hashAt(FIRST + 1))
  world.core.chain = [...blocks.slice(0, FIRST + 1), ...stale]
  await world.core.polled()
  disconnectBlocks(world.index, FIRST)
  await world.core.polled()
  assertShown(world, FIRST + 1)
  connectBlocks(world.index, stale)
  await settled(world, hashHex(stale.at(-1)?.hash ?? Buffer.alloc(32)))
})

/** Another chain of the same network, such as a reset regtest. */
function otherChain(height: number): BuiltBlock[] {
  const chain = [regtestGenesis(bitcoinRegtest)]
  for (let at = 1; at <= height; at++) {
    const coinbase = buildCoinbase(at, [{ value: 5_000, script: outputScriptOf(at) }])
    chain.push(buildBlock(chain.at(-1)?.hash ?? Buffer.alloc(32), 1_700_000_000 + at, [coinbase]))
  }
  return chain
}

const checked = async ({ core, dataDir }: World): Promise<unknown[]> => {
  const { state, lastError } = await checkIndex({ chain: 'btc', rpcUrl: core.url, dataDir })
  return [state, lastError?.includes('gatewatch reindex btc') ?? false]
}

test('a chain is not served from a node that has another chain or misses its blocks', async () => {
  const world = await start()
  const { core, chain } = world
  const synced = async (): Promise<boolean> => {
    await core.polled()
    return isSynced(chain)
  }
  assert.deepEqual([await synced(), await checked(world)], [true, ['in_sync', false]])
  for (const height of [10, FIRST, FIRST + 1]) {
    core.chain = otherChain(height)
    assert.deepEqual([await synced(), await checked(world)], [false, ['behind', true]], `another chain to ${height}`)
    assert.equal(indexStatusOf('btc', chain).state, 'behind')
  }
  core.chain = blocks.slice(0, FIRST - 2)
  assert.deepEqual(
    [await synced(), await checked(world)],
    [false, ['behind', true]],
    'three blocks of the index are missing',
  )
  core.chain = blocks.slice(0, FIRST - 1)
  assert.deepEqual([await synced(), await checked(world)], [true, ['in_sync', false]], 'two blocks will be rolled back')
  core.chain = blocks.slice(0, FIRST + 1)
  assert.deepEqual([await synced(), await checked(world)], [true, ['in_sync', false]])
})

test('a chain is not served from block files of another chain', async () => {
  const frame = ({ bytes }: { readonly bytes: Buffer }): Buffer => {
    const head = Buffer.from(`${bitcoinRegtest.magic}00000000`, 'hex')
    head.writeUInt32LE(bytes.length, 4)
    return Buffer.concat([head, bytes])
  }
  const dataDir = temporaryFolder()
  const path = indexPath(dataDir, bitcoinRegtest)
  const kv = openLmdbKv({ path, noSync: true })
  connectBlocks(openCoinIndex(kv, bitcoinRegtest, path), blocks.slice(0, 51))
  markIndex(path)
  for (const [files, expected] of [
    [blocks.slice(0, 51), [true, 'in_sync']],
    [otherChain(50), [false, 'behind']],
  ] as const) {
    const blocksDir = temporaryFolder()
    writeFileSync(join(blocksDir, 'blk00000.dat'), Buffer.concat(files.map(frame)))
    const options = { chain: 'btc', blocksDir, dataDir, pollMs: 20 } as const
    const serving = startChainService(options)
    await serving.firstAttempt
    const chain = serving.find()
    assert.deepEqual([chain && isSynced(chain), (await checkIndex(options)).state], expected)
    await serving.stop()
  }
  await kv.close()
})
