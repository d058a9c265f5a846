import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyHttpError, classifyRpcError, RpcError, rangeHintOf } from './rpc-error.ts'

/** Code, message, kind, and the blocks that the message names. */
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
  [
    -32600,
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x1180fca, 0x1180fd3]. Upgrade to PAYG for expanded block range.',
    'range',
    10,
  ],
  [-32005, 'query returned more than 10000 results. Try with this block range [0x13F5C9A, 0x13F5CA0].', 'range', 7],
  [-32000, 'Query timeout exceeded. Consider reducing your block range.', 'range', undefined],
  [-32000, 'logs matched by query exceeds limit of 10000', 'range', undefined],
  [-32000, 'log query timed out', 'range', undefined],
  [-32602, 'query exceeds max results 20000, retry with the range 3600741-3620740', 'range', 20_000],
  [-32602, 'query exceeds max results 20000', 'range', undefined],
  [-32005, 'requested too many blocks from 0 to 5000000, maximum is set to 2048', 'range', 2_048],
  [-32602, 'Maximum allowed number of requested blocks is 3500', 'range', 3_500],
  [-32000, 'Max range: 800', 'range', 800],
  [-32600, 'exceeds the range allowed for your plan (5000 > 500)', 'range', 5_000],
  [-32000, 'please limit the query to at most 1000 blocks', 'range', 1_000],
  [-32614, 'eth_getLogs is limited to a 10,000 blocks range', 'range', 10_000],
  [-32020, 'backend response too large', 'range', undefined],
  [-32008, 'Response size is larger than 150MB limit.', 'range', undefined],
  [-32000, 'Block range limit exceeded.', 'range', undefined],
  [-32000, 'block range greater than 1000 max', 'range', 1_000],
  [-32000, 'range too large, max is 1k blocks', 'range', 1_000],
  [-32011, 'no backend is currently healthy to serve traffic', 'rate', undefined],
  [-32000, 'block range extends beyond current head block', 'missing', undefined],
  [-32000, 'invalid block range params', 'missing', undefined],
  [-32602, 'BlockOutOfRangeError: block height is 7 but requested was 9', 'missing', undefined],
  [-32000, 'header for hash not found', 'missing', undefined],
  [-32602, 'block not found: 0x12', 'missing', undefined],
  [-32000, 'hash 0x12 is not currently canonical', 'missing', undefined],
  [4444, 'pruned history unavailable', 'pruned', undefined],
  [-32000, 'required historical state unavailable (reexec=128)', 'pruned', undefined],
  [-32000, 'Archive requests are not supported', 'pruned', undefined],
  [
    -32701,
    'Please specify an address in your request or, to remove restrictions, order a node',
    'unsupported',
    undefined,
  ],
  [-32000, 'unknown block', 'missing', undefined],
  [-32000, 'header not found', 'missing', undefined],
  [-32000, 'missing trie node 1234 (path )', 'pruned', undefined],
  [-32601, 'the method eth_foo does not exist/is not available', 'unsupported', undefined],
  [-32600, 'debug_traceTransaction is not available on the Free tier', 'unsupported', undefined],
  [-32000, 'trace_transaction is not included in your current plan', 'unsupported', undefined],
  [-39001, 'finalized block not found', 'unsupported', undefined],
  [-32000, 'execution aborted (timeout = 5s)', 'aborted', undefined],
  [-32000, 'execution timeout', 'aborted', undefined],
  [-32603, 'EVM error InvalidFEOpcode', 'reverted', undefined],
  [-32000, 'invalid opcode: INVALID', 'reverted', undefined],
  [-32603, 'EVM error OutOfGas(Basic)', 'reverted', undefined],
  [-32603, 'EVM error InvalidOperandOOG', 'reverted', undefined],
  [-32603, 'EVM error MemoryLimitOOG', 'reverted', undefined],
  [-32603, 'EVM error CreateInitCodeSizeLimit', 'reverted', undefined],
  [-32603, 'EVM error: StateChangeDuringStaticCall', 'reverted', undefined],
  [-32000, 'gas uint64 overflow', 'reverted', undefined],
  [-32000, 'return data out of bounds', 'reverted', undefined],
  [-32000, 'write protection', 'reverted', undefined],
  [-32000, 'stack limit reached 1024 (1023)', 'reverted', undefined],
  [-32000, 'max initcode size exceeded: code size 49153 limit 49152', 'reverted', undefined],
  [-32000, 'contract address collision', 'reverted', undefined],
  [-32015, 'VM execution error.', 'reverted', undefined],
]

test('error messages of many providers are classified', () => {
  for (const [code, message, kind, hint] of cases) {
    assert.equal(classifyRpcError(code, message), kind, message)
    if (kind === 'range') assert.equal(rangeHintOf(message)?.blocks, hint, message)
  }
})

test('a limit and a suggested range are distinguished', () => {
  assert.deepEqual(rangeHintOf('limited to a 100 block range'), { blocks: 100, isLimit: true })
  assert.deepEqual(rangeHintOf('up to a 2K block range. This block range should work: [0x10, 0x1f]'), {
    blocks: 16,
    isLimit: false,
  })
})

test('the message is classified before the HTTP status', () => {
  assert.equal(classifyHttpError(400, -32602, 'block range is too wide'), 'range')
  assert.equal(classifyHttpError(413, 0, 'payload too large'), 'range')
  assert.equal(classifyHttpError(401, 0, 'invalid project id'), 'auth')
  assert.equal(classifyHttpError(429, 0, 'slow, please'), 'rate')
  assert.equal(classifyHttpError(500, -32000, 'unknown block'), 'missing')
  assert.equal(classifyHttpError(500, -32000, 'panic'), 'server')
})

test('an unspecific limit is a rate limit that may also mean the range', () => {
  assert.ok(new RpcError('a', 'rate', 'eth_getLogs: limit exceeded (-32005)').mayBeTooWide)
  assert.ok(!new RpcError('a', 'rate', 'eth_getLogs: over rate limit (-32016)').mayBeTooWide)
  assert.ok(new RpcError('a', 'timeout', 'no response within 20 s').mayBeTooWide)
})

test('only the beginning of a very long error message is classified', () => {
  assert.equal(classifyRpcError(0, `${'x'.repeat(5_000_000)} block range`), 'server')
  assert.equal(rangeHintOf('7'.repeat(5_000_000)), undefined)
})
