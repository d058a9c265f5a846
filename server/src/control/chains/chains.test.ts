import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAddress } from 'viem'
import { arbitrum, base, bsc, mainnet, optimism, polygon } from 'viem/chains'
import { seededRandom } from '../../../../testing/support/random.ts'
import { addChains, aliasOf, CHAINS, findChain, MULTICALL3, parseAddress, unaliased } from './chains.ts'

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

test('owners of rollup contracts are aliases of Ethereum contracts', () => {
  // The Safe above the OP Stack's ProxyAdmin, and Arbitrum's timelock, as they appear on the rollups.
  assert.equal(aliasOf('0x5a0aae59d09fccbddb6c6cceb07b7279367c3d2a'), '0x6b1bae59d09fccbddb6c6cceb07b7279367c4e3b')
  assert.equal(unaliased('0xf7951d92b0c345144506576ec13ecf5103ac905a'), '0xe6841d92b0c345144506576ec13ecf5103ac7f49')
})

test('the alias offset wraps around at both ends and is reversible', () => {
  const last = `0x${'f'.repeat(40)}` as const
  assert.equal(aliasOf(last), '0x1111000000000000000000000000000000001110')
  assert.equal(unaliased('0x0000000000000000000000000000000000000000'), '0xeeeeffffffffffffffffffffffffffffffffeeef')
  for (const address of [last, '0x0000000000000000000000000000000000000001'] as const) {
    assert.equal(unaliased(aliasOf(address)), address)
  }
})

test('a definition with the id of another chain is refused', () => {
  const [ethereum] = CHAINS
  assert.ok(ethereum)
  addChains([ethereum])
  assert.throws(() => addChains([{ ...ethereum, slug: 'mine' }]), /mine \(1\) is the chain ethereum \(1\)/)
  assert.equal(findChain('mine'), undefined)
})

test('an address in mixed case needs the checksum that viem computes', () => {
  const random = seededRandom(55)
  for (let n = 0; n < 200; n += 1) {
    const address = random.hex(20)
    const mixed = getAddress(address)
    for (const text of [address, mixed, `0x${address.slice(2).toUpperCase()}`])
      assert.deepEqual(parseAddress(text), { address })
    const at = mixed.search(/[A-F]/)
    const mistyped = `${mixed.slice(0, at)}${mixed[at]?.toLowerCase()}${mixed.slice(at + 1)}`
    if (mistyped !== address) assert.match(JSON.stringify(parseAddress(mistyped)), /wrong EIP-55 checksum/)
  }
})
