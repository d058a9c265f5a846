import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seeded } from '../../../../testing/coins/random.ts'
import { BestChain, type Link } from './best-chain.ts'

type Named = Link & { readonly hash: string }

/** A tree of blocks with few different works, so that branches are often equal. */
function randomTree(random: Random, count: number): Named[] {
  const blocks: Named[] = [{ hash: 'b0', prev: 'none', work: 1n }]
  for (let i = 1; i < count; i++) {
    // Mostly behind one of the last.
    const parent = random.chance(0.8) ? Math.max(0, i - 1 - random.below(3)) : random.below(i)
    blocks.push({ hash: `b${i}`, prev: `b${parent}`, work: BigInt(1 + random.below(2)) })
  }
  return blocks
}

/** The same by looking at every chain there is. */
function bestByHand(arrived: readonly Named[]): string[] {
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

const shown = (chain: BestChain<Named>): (string | undefined)[] =>
  Array.from({ length: chain.length }, (_, height) => chain.hashAt(height))

test('in whatever order blocks come, the chain is the one with the most work, the first of equal ones', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seeded(seed)
    const blocks = randomTree(random, 40)
    for (let i = blocks.length - 1; i > 0; i--) {
      // Early on in order, later all over the place.
      const j = seed < 20 ? Math.max(0, i - random.below(3)) : random.below(i + 1)
      const [a, b] = [blocks[i], blocks[j]]
      if (a !== undefined && b !== undefined) [blocks[i], blocks[j]] = [b, a]
    }
    const chain = new BestChain<Named>('b0')
    for (const [i, block] of blocks.entries()) {
      chain.put(block.hash, block)
      assert.deepEqual(shown(chain), bestByHand(blocks.slice(0, i + 1)), `seed ${seed}, ${i + 1} blocks`)
    }
  }
})

test('a block that comes again is found where it came last, and counts once', () => {
  const chain = new BestChain<Named & { readonly at: number }>('a')
  chain.put('a', { hash: 'a', prev: '', work: 1n, at: 0 })
  chain.put('b', { hash: 'b', prev: 'a', work: 1n, at: 1 })
  chain.put('b', { hash: 'b', prev: 'a', work: 1n, at: 2 })
  assert.deepEqual([chain.length, chain.find('b')?.at, chain.find('c')], [2, 2, undefined])
})
