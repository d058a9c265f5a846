import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from './explain.ts'
import { toldIn } from './log-lines.ts'

/** Seconds since this process began. */
const line = (level: number, msg: string, { message, at = 0 }: { message?: string; at?: number } = {}) =>
  JSON.stringify({
    level,
    time: Math.round(performance.timeOrigin + at * 1_000),
    msg,
    ...(message !== undefined && { err: { message } }),
  })
const fault = (part: string, kind: string, fromS: number, toS: number): Fault => ({
  part,
  kind,
  from: fromS * 1_000,
  to: toS * 1_000,
})
const nodes = new Map([
  ['127.0.0.1:1001', 'btc'],
  ['127.0.0.1:1002', 'ltc'],
  ['127.0.0.1:1003', 'ethereum'],
])
const becauseOf = (faults: readonly Fault[], msg: string, at: number): string | undefined =>
  toldIn([line(40, msg, { at })], { faults, nodes })[0]?.because

test('what is told at warning or above is listed by its message, and what no fault explains stands without a cause', () => {
  const told = toldIn(
    [
      line(30, 'listening'),
      line(50, 'request failed', { message: 'no such column' }),
      line(50, 'request failed', { message: 'no such column' }),
    ],
    { faults: [], nodes },
  )
  assert.deepEqual(
    told.map(({ message, times, because }) => [message, times, because]),
    [['request failed: no such column', 2, undefined]],
  )
})

test('a line that is not JSON, as a process writes that falls, is listed', () => {
  assert.deepEqual(toldIn(['Error: out of memory'], { faults: [], nodes }), [
    { message: 'Error: out of memory', times: 1, because: undefined, at: undefined },
  ])
})

test('a fault explains the lines of its own node while it lasts, and no others', () => {
  const faults = [fault('btc', 'errs', 100, 107)]
  const erring = 'btc: 127.0.0.1:1001: getblockchaininfo: HTTP 500 without JSON that can be read'
  assert.equal(becauseOf(faults, erring, 103), 'its proxy erred or refused')
  assert.equal(
    becauseOf(faults, erring.replace('getblockchaininfo', '3 × getrawtransaction'), 103),
    'its proxy erred or refused',
  )
  assert.equal(becauseOf(faults, erring, 99), undefined)
  assert.equal(becauseOf(faults, erring, 113), undefined)
  assert.equal(
    becauseOf(faults, 'ltc: 127.0.0.1:1002: getblockchaininfo: HTTP 500 without JSON that can be read', 103),
    undefined,
  )
  assert.equal(becauseOf(faults, 'request failed: 127.0.0.1:1002: a: socket hang up', 103), undefined)
  assert.ok(becauseOf(faults, 'request failed: 127.0.0.1:1001: a: socket hang up', 103) !== undefined)
})

test('an index that is behind is explained while its node is away and is read again, not for ever', () => {
  const behind =
    'request failed: The index of btc is still catching up with its node. Try again later; /status shows its progress.'
  const faults = [fault('btc', 'drops', 100, 110)]
  assert.ok(becauseOf(faults, behind, 121) !== undefined)
  assert.equal(becauseOf(faults, behind, 140), undefined)
})

test('blocks leave a chain after it was made to reorganize, and not before', () => {
  const gone = 'ltc: reorg of depth 2'
  const faults = [fault('ltc', 'reorganises', 100, 101), fault('ltc', 'drops', 103, 110)]
  assert.equal(becauseOf(faults, gone, 99), undefined)
  assert.ok(becauseOf(faults, gone, 112) !== undefined)
  assert.equal(becauseOf([fault('ltc', 'drops', 103, 110)], gone, 112), undefined)
  assert.equal(becauseOf([...faults, fault('ltc', 'drops', 300, 305)], gone, 303), undefined)
})

test('a chain is known by its number too', () => {
  const missing = 'a contract could not be looked at: no node of chain 1 has the block 0xabc'
  const faults = [fault('ethereum', 'reorganises', 100, 101)]
  assert.ok(becauseOf(faults, missing, 103) !== undefined)
  assert.equal(becauseOf(faults, missing.replace('chain 1', 'chain 8453'), 103), undefined)
})

test('the same line is told apart where a fault explains it only sometimes', () => {
  const erring = (at: number) => line(40, 'ethereum: 127.0.0.1:1003: HTTP 500', { at })
  const told = toldIn([erring(5), erring(50), erring(51)], { faults: [fault('ethereum', 'errs', 3, 8)], nodes })
  assert.deepEqual(
    told.map(({ times, because }) => [times, because]),
    [
      [1, 'its proxy erred, refused or dropped'],
      [2, undefined],
    ],
  )
})
