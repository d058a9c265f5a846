import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aliasOf, unaliased } from './alias.ts'

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
