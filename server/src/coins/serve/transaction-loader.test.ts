import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedBlocks } from '../../../../testing/coins/fixtures.ts'
import { type Block, hashHex, parseBlock } from '../parse/block.ts'
import { at } from '../parse/tx-table.ts'
import { createTransactionLoader, type LocatedTx } from './transaction-loader.ts'

const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, { mweb: false }))
const byHash = new Map(blocks.map((block) => [hashHex(block.hash), block.bytes]))

const bytesOf = (hash: string): Buffer => byHash.get(hash) ?? Buffer.alloc(0)

function coinbaseAt(height: number): LocatedTx {
  const { txids, txs, hash } = blocks[height] as Block
  const [offset, end] = [at(txs.start, 0), at(txs.end, 0)]
  const location = { txid: txids.subarray(0, 32), height, index: 0, offset, size: end - offset }
  return { location, blockHash: hashHex(hash) }
}

test('concurrent loads of one transaction count its size once, and the oldest transaction is evicted', async () => {
  const wanted = Array.from({ length: 20 }, (_, i) => coinbaseAt(100 + i))
  const room = wanted.reduce((sum, { location }) => sum + location.size, 0)
  const source = {
    getTip: () => Promise.resolve({ height: 0, hash: '' }),
    findHash: () => Promise.resolve(undefined),
    getBlock: (hash: string) => Promise.resolve(bytesOf(hash)),
    getTxs: (refs: readonly { readonly blockHash: string; readonly offset: number; readonly size: number }[]) =>
      Promise.resolve(refs.map(({ blockHash, offset, size }) => bytesOf(blockHash).subarray(offset, offset + size))),
  }
  const loader = createTransactionLoader(source, { mweb: false }, room)
  const [first = coinbaseAt(100)] = wanted
  await Promise.all(Array.from({ length: 100 }, () => loader.load([first])))
  for (const placed of wanted) await loader.load([placed])
  const isKnown = (placed: LocatedTx): boolean => loader.findCached(hashHex(placed.location.txid)) !== undefined
  assert.deepEqual(
    wanted.filter((placed) => !isKnown(placed)),
    [],
  )
  await loader.load([coinbaseAt(200)])
  assert.deepEqual([isKnown(first), isKnown(coinbaseAt(200))], [false, true], 'the oldest is evicted')
})
