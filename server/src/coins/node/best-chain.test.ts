import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { hashHex } from '../parse/block.ts'
import { BestChain } from './best-chain.ts'

type Named = { readonly hash: string; readonly prev: string; readonly work: bigint }

/** A hash for a name, in wire order. */
const hashOf = (name: string): Buffer => createHash('sha256').update(name).digest()
const add = (chain: BestChain, { hash, prev, work }: Named, offset = 0): void =>
  chain.add(hashOf(hash), { prev: hashOf(prev), work, file: 1, offset, length: 100 })

/** Makes a tree of blocks with few distinct values of work, so that branches often tie. */
function randomTree(random: Random, count: number): Named[] {
  const blocks: Named[] = [{ hash: 'b0', prev: 'none', work: 1n }]
  for (let i = 1; i < count; i++) {
    // Mostly a child of one of the last blocks.
    const parent = random.chance(0.8) ? Math.max(0, i - 1 - random.below(3)) : random.below(i)
    blocks.push({ hash: `b${i}`, prev: `b${parent}`, work: BigInt(1 + random.below(2)) })
  }
  return blocks
}

/** Finds the best chain by brute force. */
function bestByBruteForce(arrived: readonly Named[]): string[] {
  const byHash = new Map(arrived.map((block) => [block.hash, block]))
  let best: { readonly chain: string[]; readonly work: bigint } = { chain: [], work: -1n }
  for (const { hash } of arrived) {
    const chain: string[] = []
    let work = 0n
    for (let block = byHash.get(hash); block !== undefined; block = byHash.get(block.prev)) {
      chain.push(block.hash)
      work += block.work
    }
    if (chain.at(-1) === 'b0' && work > best.work) best = { chain: chain.toReversed(), work }
  }
  return best.chain
}

const hashesOf = (chain: BestChain): (string | undefined)[] =>
  Array.from({ length: chain.length }, (_, height) => chain.hashAt(height))

test('the best chain has the most work in any order of arrival, and the first of equal chains wins', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed)
    const blocks = randomTree(random, 40)
    for (let i = blocks.length - 1; i > 0; i--) {
      // The first seeds shuffle only neighbors, the others the whole list.
      const j = seed < 20 ? Math.max(0, i - random.below(3)) : random.below(i + 1)
      const [a, b] = [blocks[i], blocks[j]]
      if (a !== undefined && b !== undefined) [blocks[i], blocks[j]] = [b, a]
    }
    const chain = new BestChain(hashHex(hashOf('b0')))
    for (const [i, block] of blocks.entries()) {
      add(chain, block)
      const expected = bestByBruteForce(blocks.slice(0, i + 1)).map((name) => hashHex(hashOf(name)))
      assert.deepEqual(hashesOf(chain), expected, `seed ${seed}, ${i + 1} blocks`)
    }
  }
})

test('a block that arrives again replaces its location and counts once', () => {
  const chain = new BestChain(hashHex(hashOf('a')))
  add(chain, { hash: 'a', prev: '', work: 1n })
  add(chain, { hash: 'b', prev: 'a', work: 1n }, 1)
  add(chain, { hash: 'b', prev: 'a', work: 1n }, 2)
  assert.equal(chain.length, 2)
  assert.deepEqual(chain.find(hashHex(hashOf('b'))), { file: 1, offset: 2, length: 100 })
  assert.equal(chain.find(hashHex(hashOf('c'))), undefined)
})
