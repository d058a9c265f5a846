import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countContracts, heldPowers } from './held-powers.ts'

const contract = (digit: string, path: { readonly through?: string[]; readonly signaturesNeeded?: number } = {}) => ({
  chainId: 1,
  chainSlug: 'ethereum',
  address: `0x${digit.repeat(40)}`,
  name: null,
  protocol: null,
  role: 'Owner',
  through: [],
  signaturesNeeded: 1,
  delaySeconds: 0,
  ...path,
})

test('the effects on another contract are listed together, and each path to it apart', () => {
  const safe = { through: [`0x${'5'.repeat(40)}`], signaturesNeeded: 2 }
  const held = heldPowers({
    chain: { id: 1, slug: 'ethereum' },
    address: contract('c').address,
    powers: [
      { effect: 'execute', class: 'critical', contracts: [contract('c')] },
      { effect: 'mint', class: 'critical', contracts: [contract('a'), contract('b'), contract('a', safe)] },
      { effect: 'pause', class: 'high', contracts: [contract('a')] },
    ],
  })
  assert.deepEqual(
    held.map(({ address, effects, signaturesNeeded }) => [address.slice(2, 3), effects, signaturesNeeded]),
    [
      ['a', ['mint', 'pause'], 1],
      ['b', ['mint'], 1],
      ['a', ['mint'], 2],
    ],
  )
  assert.equal(countContracts(held), 2)
  assert.equal(
    countContracts(held, ({ signaturesNeeded }) => signaturesNeeded > 1),
    1,
  )
})
