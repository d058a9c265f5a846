import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHeader, parseLogs, parseQuantity } from './parse.ts'
import { getBlockHeader, getBlockLogs, getLogs, getStorageAt } from './requests.ts'
import { MalformedError, NotFoundError } from './rpc-error.ts'

const hash = (n: number): `0x${string}` => `0x${n.toString(16).padStart(64, '0')}`

const log = (block: number, index: number, changes: object = {}): object => ({
  address: `0x${'Ab'.repeat(20)}`,
  topics: [hash(1)],
  data: '0x',
  blockNumber: `0x${block.toString(16)}`,
  blockHash: hash(block),
  transactionHash: hash(900 + block),
  transactionIndex: '0x0',
  logIndex: `0x${index.toString(16)}`,
  removed: false,
  ...changes,
})

test('logs are returned in lower case, in chain order, each once', () => {
  const logs = parseLogs([log(2, 1), log(2, 0), log(1, 4), log(2, 1)])
  assert.deepEqual(
    logs.map((entry) => [entry.blockNumber, entry.logIndex]),
    [
      [1, 4],
      [2, 0],
      [2, 1],
    ],
  )
  assert.equal(logs[0]?.address, `0x${'ab'.repeat(20)}`)
})

test('two different logs with one index are malformed', () => {
  assert.throws(() => parseLogs([log(2, 0), log(2, 0, { data: '0x01' })]), MalformedError)
})

for (const [what, changes] of Object.entries({
  'a short address': { address: '0x12' },
  'a decimal block number': { blockNumber: 12 },
  'a missing hash': { blockHash: null },
  'five topics': { topics: [1, 2, 3, 4, 5].map(hash) },
  'a removed log': { removed: true },
  'data without 0x': { data: 'ff' },
}))
  test(`${what} is malformed`, () => {
    assert.throws(() => parseLogs([log(1, 0, changes)]), MalformedError)
  })

const block = {
  number: '0x7',
  hash: hash(7),
  parentHash: hash(6),
  timestamp: '0x10',
  logsBloom: `0x${'0'.repeat(512)}`,
}

test('a result of another request is malformed', () => {
  assert.throws(() => getBlockLogs({ number: 1, hash: hash(1) }, {}).parse([log(2, 0)]), MalformedError)
  assert.throws(() => getLogs(5, 9, {}).parse([log(10, 0)]), MalformedError)
  assert.equal(getBlockHeader(7).parse(block)?.time, 16_000)
  assert.throws(() => getBlockHeader(8).parse(block), MalformedError)
})

test('a missing block is a valid result', () => {
  assert.equal(parseHeader(null), undefined)
})

test('a quantity beyond safe integers is malformed', () => {
  assert.throws(() => parseQuantity('0x20000000000001', 'n'), MalformedError)
  assert.equal(parseQuantity('0x0', 'n'), 0)
})

test('a header without a bloom gets an empty one', () => {
  for (const logsBloom of [undefined, null, '0x'])
    assert.equal(parseHeader({ ...block, logsBloom })?.logsBloom, undefined)
  assert.throws(() => parseHeader({ ...block, logsBloom: '0x12' }), MalformedError)
})

test('capital letters, leading zeros and additional fields are accepted', () => {
  const odd = { ...block, number: '0x0007', hash: hash(7).toUpperCase().replace('0X', '0x'), l1BlockNumber: '0x1' }
  assert.deepEqual(parseHeader(odd), parseHeader(block))
})

test('a time after the year 9999 is malformed', () => {
  assert.throws(() => parseHeader({ ...block, timestamp: '0xffffffffffff' }), MalformedError)
})

test('the blockTimestamp of a log is used if valid and ignored otherwise', () => {
  const timeOf = (blockTimestamp: unknown): number | undefined =>
    parseLogs([log(1, 0, { blockTimestamp })])[0]?.blockTime
  assert.equal(timeOf('0x10'), 16_000)
  for (const unreadable of ['0x0', '1700000000', 1_700_000_000, null, undefined])
    assert.equal(timeOf(unreadable), undefined)
})

test('null logs are missing, and logs outside the filter are dropped', () => {
  assert.throws(() => getLogs(1, 2, {}).parse(null), NotFoundError)
  const other = log(1, 1, { topics: [hash(2)] })
  assert.equal(getLogs(1, 2, { topics: [hash(1)] }).parse([log(1, 0), other]).length, 1)
  assert.equal(getLogs(1, 2, { addresses: [`0x${'cd'.repeat(20)}`] }).parse([log(1, 0)]).length, 0)
})

test('a short storage value is padded to 32 bytes', () => {
  const { parse } = getStorageAt(`0x${'ab'.repeat(20)}`, hash(0), { number: 1 })
  for (const [given, word] of [
    ['0x', hash(0)],
    ['0x0', hash(0)],
    ['0x1', hash(1)],
    ['0xABC', hash(0xabc)],
    [hash(7), hash(7)],
  ])
    assert.equal(parse(given), word)
  for (const given of [`${hash(1)}0`, 'ff', '0xg', null]) assert.throws(() => parse(given), MalformedError)
})
