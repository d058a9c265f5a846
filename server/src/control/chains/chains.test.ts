import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arbitrum, base, bsc, mainnet, optimism, polygon } from 'viem/chains'
import { CHAINS, findChain, MULTICALL3 } from './chains.ts'

test('the six supported chains are defined once each', () => {
  assert.deepEqual(
    CHAINS.map((chain) => chain.slug),
    ['ethereum', 'arbitrum', 'base', 'optimism', 'polygon', 'bnb'],
  )
  assert.equal(new Set(CHAINS.map((chain) => chain.id)).size, CHAINS.length)
})

test('a chain is found by slug, by id and by the decimal text of its id', () => {
  for (const chain of CHAINS) {
    assert.equal(findChain(chain.slug), chain)
    assert.equal(findChain(chain.id), chain)
    assert.equal(findChain(String(chain.id)), chain)
  }
})

test('other texts find no chain', () => {
  for (const wrong of ['', 'Ethereum', '01', '0x1', '1.0', '1e0', ' 1', '-1', '999', 'constructor', '__proto__']) {
    assert.equal(findChain(wrong), undefined, JSON.stringify(wrong))
  }
  for (const wrong of [0, -1, 1.5, Number.NaN, 2]) assert.equal(findChain(wrong), undefined, String(wrong))
})

test('the confirmations are far below the reorg limit', () => {
  for (const chain of CHAINS) assert.ok(chain.confirmations < chain.reorgLimit / 10, chain.slug)
})

test('the L1 of a chain with aliases is supported', () => {
  for (const { slug, aliasedFrom } of CHAINS) {
    if (aliasedFrom !== undefined) assert.notEqual(findChain(aliasedFrom), undefined, slug)
  }
})

test('ids, block times, explorers and multicall equal those of viem', () => {
  for (const theirs of [mainnet, arbitrum, base, optimism, polygon, bsc]) {
    const ours = findChain(theirs.id)
    assert.equal(ours?.blockTimeMs, theirs.blockTime, theirs.name)
    assert.equal(ours?.explorer, theirs.blockExplorers.default.url, theirs.name)
    assert.equal(MULTICALL3, theirs.contracts.multicall3.address.toLowerCase(), theirs.name)
  }
})
