/** The tools of the chain tests themselves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from './anvil.ts'
import { eoa, FREE } from './control.ts'
import { evmOf } from './evm.ts'

test('transactions of one account may be sent at the same time', { skip: anvilMissing }, async () => {
  const evm = await evmOf(await anvilForTests(1, FREE))
  const hashes = await Promise.all(Array.from({ length: 300 }, () => evm.sendRaw(eoa(900), '0x')))
  assert.equal(new Set(hashes).size, 300)
})
