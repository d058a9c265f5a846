import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base, optimism } from 'viem/chains'
import { isContractKind } from '../../../../vocabulary/contract-kinds.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { findChain } from '../chains/chains.ts'
import builtIn from './contracts.json' with { type: 'json' }
import { protocolSlug } from './contracts.ts'
import { builtInRegistry, describeRegistryError, parseRegistry, type RegistryError } from './registry.ts'

const row = {
  chain: 'ethereum',
  address: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
  name: 'Pool',
  protocol: 'Aave',
  kind: 'proxy_immutable_admin',
  source: 'npm',
}

test('the built-in registry is valid, covers every chain, and each row has a source', () => {
  const { contracts, errors } = builtInRegistry()
  assert.deepEqual(errors.map(describeRegistryError), [])
  assert.equal(contracts.length, builtIn.length)
  assert.ok(contracts.length >= 199)
  assert.equal(new Set(contracts.map((contract) => contract.chainId)).size, 6)
  assert.ok(new Set(contracts.map((contract) => contract.protocol)).size >= 26)
  for (const { source = '', name, protocol, kind } of contracts) {
    assert.ok(source.length > 3, name)
    assert.ok(name !== undefined && protocol !== undefined && kind !== undefined, source)
  }
})

test('built-in addresses have a checksum, so that typing errors are found', () => {
  const plain = builtIn.filter(({ address }) => /[a-f]/i.test(address.slice(2)) && address === address.toLowerCase())
  assert.deepEqual(plain, [])
})

test('bridge contracts equal those that viem publishes', () => {
  const published = JSON.stringify([optimism.contracts, base.contracts]).toLowerCase()
  const ours = builtIn.filter((contract) => contract.source === 'npm viem chains')
  assert.ok(ours.length >= 5)
  for (const { address, name } of ours) assert.ok(published.includes(address.toLowerCase()), name)
})

test('the kinds that the catalog refers to exist', () => {
  for (const { kinds = [], key } of catalogRows)
    for (const kind of kinds) assert.ok(isContractKind(kind), `${key}: ${kind}`)
})

test('a row has its chain by slug or id, its address in any case, and high confidence by default', () => {
  for (const chain of ['ethereum', '1', 1]) {
    const { contracts, errors } = parseRegistry([{ ...row, chain }])
    assert.deepEqual(errors, [])
    const { chain: _, ...rest } = row
    assert.deepEqual(contracts, [{ ...rest, chainId: 1, address: row.address.toLowerCase(), confidence: 'high' }])
  }
  const more = { verified: true, symbol: 'A', decimals: 18, deployBlock: 16_291_127, notes: 'n', confidence: 'low' }
  assert.deepEqual(parseRegistry([{ ...row, ...more }]).contracts[0]?.deployBlock, 16_291_127)
})

test('a row needs only its chain and its address', () => {
  const { chain, address } = row
  assert.deepEqual(parseRegistry([{ chain, address }]), {
    contracts: [{ chainId: 1, address: address.toLowerCase(), confidence: 'high' }],
    errors: [],
  })
})

test('every error names its row and field', () => {
  const reading = parseRegistry([
    row,
    { ...row, chain: 'solana', address: '0x12', kind: 'proxy', name: '', source: 5 },
    'not a row',
    { ...row, address: '0x87870bca3F3fD6335C3F4ce8392D69350B4fA4E2' },
    { ...row, adress: '0x', decimals: -1, verified: 'yes', confidence: 'sure', address: `0x${'0'.repeat(40)}` },
    { ...row, name: 'two\nlines', protocol: '…' },
    { ...row, chain: 1, address: row.address.toUpperCase().replace('X', 'x') },
    { ...row, chain: 'base', protocol: 'AAVE' },
    { ...row, chain: 'polygon', notes: 'x'.repeat(201) },
  ])
  const found = reading.errors.map(({ row: number, field }: RegistryError) => `${number} ${field}`)
  assert.deepEqual(found, [
    '2 chain',
    '2 address',
    '2 name',
    '2 kind',
    '2 source',
    '3 undefined',
    '4 address',
    '5 address',
    '5 confidence',
    '5 verified',
    '5 decimals',
    '5 adress',
    '6 name',
    '6 protocol',
    '7 address',
    '8 protocol',
    '9 notes',
  ])
  assert.match(describeRegistryError(reading.errors[14] as RegistryError), /^row 7: address: is already in row 1$/)
})

test('input that is not a list is one error', () => {
  for (const input of [undefined, null, {}, 'x', 5]) {
    assert.deepEqual(parseRegistry(input), { contracts: [], errors: [{ message: 'is not a list of contracts' }] })
  }
  assert.deepEqual(parseRegistry([]), { contracts: [], errors: [] })
})

test('members of Object.prototype are not fields', () => {
  const hostile: unknown = JSON.parse(
    `[{"__proto__": {"chain": "ethereum"}, "constructor": 1, "address": "${row.address}"}]`,
  )
  const { contracts, errors } = parseRegistry(hostile)
  assert.deepEqual(contracts, [])
  assert.ok(errors.some((error) => error.field === 'chain') && errors.some((error) => error.field === 'constructor'))
})

test('a slug is the label in kebab case', () => {
  const slugs = {
    Aave: 'aave',
    'ether.fi': 'ether-fi',
    EigenLayer: 'eigenlayer',
    ' Curve  DAO! ': 'curve-dao',
    'Crème (v2)': 'creme-v2',
  }
  for (const [label, slug] of Object.entries(slugs)) assert.equal(protocolSlug(label), slug)
})

test('every protocol of the built-in registry has a distinct slug', () => {
  const labels = new Set(builtIn.map((contract) => contract.protocol))
  assert.equal(new Set([...labels].map(protocolSlug)).size, labels.size)
  for (const { chain } of builtIn) assert.notEqual(findChain(chain), undefined)
})
