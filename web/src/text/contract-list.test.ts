import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_LINES, readContractList } from './contract-list.ts'

const chains = [
  { id: 1, slug: 'ethereum', name: 'Ethereum', enabled: true },
  { id: 8453, slug: 'base', name: 'Base', enabled: true },
  { id: 10, slug: 'optimism', name: 'OP Mainnet', enabled: false },
]
const address = `0x${'ab'.repeat(20)}`
const read = (text: string) => readContractList(text, chains)

test('a list names chains by slug, name or id, with or without a header', () => {
  const lines = read(
    `chain,address\nethereum,${address}\r\n8453;${address}\n\n# mine\n"Ethereum","0x${'cd'.repeat(20)}"`,
  )
  assert.deepEqual(
    lines.map(({ line, refusal, ...rest }) => [line, 'chain' in rest ? rest.chain : refusal]),
    [
      [2, 'ethereum'],
      [3, 'base'],
      [6, 'ethereum'],
    ],
  )
})

test('every line that cannot be used says why', () => {
  const refusals = (text: string) => read(text).map(({ refusal }) => refusal)
  assert.deepEqual(refusals(`mars,${address}`), ['“mars” is not a chain. Use ethereum, base.'])
  assert.deepEqual(refusals(`optimism,${address}`), ['OP Mainnet is not watched by this service. Use ethereum, base.'])
  assert.deepEqual(refusals('base,0x12'), ['The address must be 0x and 40 hexadecimal characters.'])
  assert.deepEqual(refusals(address), ['Write a chain and an address.'])
  assert.deepEqual(refusals(`base,${address}\nbase,${address.toUpperCase().replace('X', 'x')}`), [
    undefined,
    'This contract is in the list already.',
  ])
  const many = Array.from({ length: MOST_LINES + 1 }, (_, at) => `base,0x${at.toString(16).padStart(40, '0')}`)
  assert.match(refusals(many.join('\n')).at(-1) ?? '', /^Only the first 500/)
})
