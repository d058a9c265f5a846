/** Lists of other projects, in the forms that these publish. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIST_FORMATS, type ListFormat, readList, UnknownListError } from './lists.ts'
import { parseRegistry } from './registry.ts'

const A = `0x${'a1'.repeat(20)}`
const B = `0x${'b2'.repeat(20)}`

function imported(list: unknown, format: ListFormat, chain?: number) {
  const read = readList(list, { chain })
  assert.equal(read.format, format)
  const { contracts, errors } = parseRegistry(read.rows)
  assert.deepEqual(errors, [])
  return {
    contracts: contracts.map(({ chainId, address, name, protocol }) => [chainId, address, name, protocol]),
    skipped: read.skipped,
  }
}

test('a Uniswap token list', () => {
  const token = { chainId: 1, address: A, name: 'Dollar', symbol: 'USD', decimals: 6, logoURI: 'ipfs://x' }
  const tokens = [
    token,
    token,
    { ...token, chainId: 999_999_999 },
    { ...token, address: 'So111' },
    { ...token, address: B, name: 'a\u0000b', decimals: 999 },
  ]
  const { contracts, skipped } = imported({ name: 'List', tokens }, 'token-list')
  assert.deepEqual(contracts, [
    [1, A, 'Dollar', undefined],
    [1, B, undefined, undefined],
  ])
  assert.deepEqual(skipped, { 'unknown chain': 1, 'not an EVM address': 1, 'listed twice': 1 })
})

test('Safe deployments, with addresses and with kinds of deployments', () => {
  const old = { contractName: 'GnosisSafe', version: '1.3.0', networkAddresses: { '1': A, '10': B } }
  assert.deepEqual(imported(old, 'safe-deployments').contracts, [
    [1, A, 'GnosisSafe 1.3.0', 'Safe'],
    [10, B, 'GnosisSafe 1.3.0', 'Safe'],
  ])
  const recent = {
    contractName: 'Safe',
    version: '1.4.1',
    networkAddresses: { '1': 'canonical', '137': ['canonical', 'eip155'] },
    deployments: { canonical: { address: A }, eip155: { address: B } },
  }
  assert.deepEqual(imported([recent], 'safe-deployments').contracts, [
    [1, A, 'Safe 1.4.1', 'Safe'],
    [137, A, 'Safe 1.4.1', 'Safe'],
    [137, B, 'Safe 1.4.1', 'Safe'],
  ])
})

test('Sourcify, with chain ids and with the chain of the request', () => {
  assert.deepEqual(
    imported({ results: [{ match: 'match', chainId: '8453', address: A }] }, 'sourcify').contracts[0]?.[0],
    8453,
  )
  assert.deepEqual(
    imported({ full: [A], partial: [B] }, 'sourcify', 56).contracts.map(([id]) => id),
    [56, 56],
  )
  assert.equal(imported({ full: [A], partial: [] }, 'sourcify').skipped['unknown chain'], 1)
})

test('protocols of DefiLlama', () => {
  const list = [
    { name: 'One', slug: 'one', address: A, chain: 'Multi-Chain' },
    { name: 'Two', slug: 'two', address: `arbitrum:${A}`, chain: 'Arbitrum' },
    { name: 'Three', slug: 'three', address: `bsc:${B}` },
    { name: 'Four', slug: 'four', address: B, chain: 'Polygon' },
    { name: 'Five', slug: 'five', address: null },
    { name: 'Six', slug: 'six', address: 'solana:Abc' },
  ]
  assert.deepEqual(imported(list, 'defillama').contracts, [
    [1, A, 'One', 'One'],
    [42161, A, 'Two', 'Two'],
    [56, B, 'Three', 'Three'],
    [137, B, 'Four', 'Four'],
  ])
})

test('contracts of Defender', () => {
  const list = [
    { network: 'mainnet', address: A, name: 'Vault', abi: '[]' },
    { network: 'matic', address: B, name: 'Bridge' },
  ]
  assert.deepEqual(imported(list, 'defender').contracts, [
    [1, A, 'Vault', undefined],
    [137, B, 'Bridge', undefined],
  ])
  assert.deepEqual(imported({ items: list }, 'defender').contracts.length, 2)
})

test('names of fields that every object has are no chains', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
  const tokens = names.map((chainId) => ({ chainId, address: A, name: 'x' }))
  assert.equal(imported({ tokens }, 'token-list').skipped['unknown chain'], names.length)
  const rows = JSON.parse(`[{"network": "__proto__", "__proto__": {"address": "${A}"}, "address": "${A}"}]`)
  assert.deepEqual(imported(rows, 'defender').contracts, [])
  const kinds = { networkAddresses: { '1': ['__proto__', 'constructor'] }, deployments: {} }
  assert.equal(imported({ contractName: 'Safe', ...kinds }, 'safe-deployments').skipped['not an EVM address'], 2)
})

test('a list that has not the form of the given format is refused or empty, never an exception', () => {
  const forms = [null, true, 1, 'text', [], {}, [null], [[]], [1], { tokens: 1 }, { tokens: [null, 1, []] }]
  for (const format of LIST_FORMATS)
    for (const form of forms) {
      if (format === 'gatewatch') continue
      try {
        const { rows, skipped } = readList(form, { format })
        assert.deepEqual(rows, [], `${format} ${JSON.stringify(form)}`)
        assert.ok(Object.values(skipped).every((count) => count <= 1))
      } catch (error) {
        assert.ok(error instanceof UnknownListError, `${format} ${JSON.stringify(form)}: ${String(error)}`)
      }
    }
})

test('a name with invisible characters is left out', () => {
  const names = ['USD Coin', 'USD\u202e nioC', 'USD\u200bCoin', 'USD\u{e0041}', 'USD\ud800', 'USD\u0085']
  const tokens = names.map((name, at) => ({ chainId: 1, address: `0x${String(at + 1).repeat(40)}`, name }))
  const { contracts } = imported({ tokens }, 'token-list')
  assert.deepEqual(
    contracts.map(([, , name]) => name),
    ['USD Coin', undefined, undefined, undefined, undefined, undefined],
  )
})

test('what has no known form is refused, and our own list keeps its errors', () => {
  assert.throws(() => readList({ a: 1 }), UnknownListError)
  assert.throws(() => readList('text'), UnknownListError)
  assert.equal(parseRegistry(readList([{ chain: 'nowhere', address: A }]).rows).errors.length, 1)
})
