import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hintOf, kindOfRpcError, retryAfterOf } from './faults.ts'

const cases: readonly (readonly [number, string, string, number | undefined])[] = [
  [-32005, 'query returned more than 10000 results', 'range', undefined],
  [-32005, 'daily request count exceeded, request rate limited', 'rate', undefined],
  [-32016, 'over rate limit', 'rate', undefined],
  [-32005, 'limit exceeded', 'rate', undefined],
  [429, 'Your app has exceeded its compute units per second capacity', 'rate', undefined],
  [
    -32602,
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range. Based on your parameters, this block range should work: [0x10, 0x1f]',
    'range',
    16,
  ],
  [-32600, 'eth_getLogs is limited to a 10,000 range', 'range', 10_000],
  [-32000, 'exceed maximum block range: 50000', 'range', 50_000],
  [-32701, 'eth_getLogs is limited to 0 - 1000 blocks range', 'range', 1_000],
  [-32000, 'block range is too wide', 'range', undefined],
  [-32602, 'query exceeds max block range 100000', 'range', 100_000],
  [-32614, 'eth_getLogs and eth_newFilter are limited to a 5 blocks range', 'range', 5],
  [-32000, 'unknown block', 'missing', undefined],
  [-32000, 'header not found', 'missing', undefined],
  [-32000, 'missing trie node 1234 (path )', 'pruned', undefined],
  [-32601, 'the method eth_foo does not exist/is not available', 'unsupported', undefined],
  [-39001, 'finalized block not found', 'unsupported', undefined],
  [-32000, 'execution aborted', 'server', undefined],
  [-32603, 'EVM error InvalidFEOpcode', 'reverted', undefined],
  [-32000, 'invalid opcode: INVALID', 'reverted', undefined],
  [-32603, 'EVM error OutOfGas(Basic)', 'reverted', undefined],
]

test('the words of many providers are sorted by what they ask of us', () => {
  for (const [code, message, kind, hint] of cases) {
    assert.equal(kindOfRpcError(code, message), kind, message)
    if (kind === 'range') assert.equal(hintOf(message), hint, message)
  }
})

test('Retry-After is read as seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(retryAfterOf('3', now), 3_000)
  assert.equal(retryAfterOf('Thu, 01 Jan 2026 00:00:07 GMT', now), 7_000)
  assert.equal(retryAfterOf('soon', now), undefined)
  assert.equal(retryAfterOf(null, now), undefined)
})
