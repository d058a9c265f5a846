import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { artifactCode, safeContract } from '../../../../testing/evm/compile.ts'
import { behind, council } from '../../../../testing/evm/sample-cases.ts'
import { type Described, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { toBytes } from '../../lib/hex.ts'
import { analyzeCode } from './code-facts.ts'
import { releaseOf } from './releases.ts'

const timelock = toBytes(artifactCode('openzeppelin-contracts-4', 'TimelockController'))

test('published code is recognized, with any metadata and immutables', () => {
  assert.equal(releaseOf(timelock)?.contract, 'TimelockController')
  const other = Uint8Array.from(timelock)
  // A byte of the hash of the sources.
  other[other.length - 30] = (other.at(-30) ?? 0) ^ 1
  assert.equal(releaseOf(other)?.contract, 'TimelockController')
  const multiSend = toBytes(safeContract('1.4.1', 'libraries/MultiSend').deployedBytecode)
  const at = multiSend.findIndex(
    (byte, index) => byte === 0x7f && multiSend.slice(index + 1, index + 33).every((each) => each === 0),
  )
  const placed = Uint8Array.from(multiSend).fill(0xaa, at + 13, at + 33)
  assert.deepEqual([releaseOf(placed)?.contract, releaseOf(placed)?.isFixed], ['MultiSend', false])
})

test('code that differs in one byte is not a release', () => {
  for (const at of [0, 100, timelock.length - 60]) {
    const other = Uint8Array.from(timelock)
    other[at] = (other[at] ?? 0) ^ 1
    assert.equal(releaseOf(other), undefined)
  }
  assert.equal(releaseOf(timelock.slice(0, -1)), undefined)
  assert.equal(releaseOf(Uint8Array.from([...timelock, 0])), undefined)
})

/** A proxy whose ProxyAdmin is owned by an AccessManager of this code, whose administrator is a Safe. */
function labelOf(code: Hex, more: Described = {}): string {
  const world = new SampleWorld()
  const manager = world.add('manager', {
    code: analyzeCode(code),
    calls: { adminRole: 0, publicRole: (1n << 64n) - 1n },
    manager: { 0: [{ account: council(world), delay: 0 }] },
    ...more,
  })
  return world.profile(behind(world, manager)).label
}

test('the rules of a published AccessManager are known, its members only if it was created without others', () => {
  const published = artifactCode('@openzeppelin/contracts', 'AccessManager')
  assert.equal(labelOf(published), 'multisig')
  assert.equal(labelOf(published, { contents: 'others' }), 'unknown')
})
