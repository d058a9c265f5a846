import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { artifactCode, safeContract } from '../../../../testing/evm/compile.ts'
import { behind, council } from '../../../../testing/evm/sample-cases.ts'
import { SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
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

test('the rules of a published AccessManager are known, where its code is not proven', () => {
  const world = new SampleWorld()
  const manager = (code: Hex): Hex => {
    const safe = council(world)
    return world.add('manager', {
      code: analyzeCode(code),
      calls: { adminRole: 0, publicRole: (1n << 64n) - 1n },
      manager: { 0: [{ account: safe, delay: 0 }] },
    })
  }
  const published = artifactCode('@openzeppelin/contracts', 'AccessManager')
  const { label, reasons } = world.profile(behind(world, manager(published)))
  assert.equal(label, 'multisig', reasonTexts(reasons).join(' '))
})
