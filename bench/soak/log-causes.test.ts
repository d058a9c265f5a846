import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from './fault-windows.ts'
import { summarizeLog } from './log-causes.ts'

/** `at` is in seconds since this process started. */
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
const causeOf = (faults: readonly Fault[], msg: string, at: number): string | undefined =>
  summarizeLog([line(40, msg, { at })], { faults, nodes })[0]?.cause

test('entries at level warn or above are grouped by message, without a cause if no fault explains them', () => {
  const messages = summarizeLog(
    [
      line(30, 'listening'),
      line(50, 'request failed', { message: 'no such column' }),
      line(50, 'request failed', { message: 'no such column' }),
    ],
    { faults: [], nodes },
  )
  assert.deepEqual(
    messages.map(({ message, count, cause }) => [message, count, cause]),
    [['request failed: no such column', 2, undefined]],
  )
})

test('a line that is not JSON, as a crashing process writes, is listed', () => {
  assert.deepEqual(summarizeLog(['Error: out of memory'], { faults: [], nodes }), [
    { message: 'Error: out of memory', count: 1, cause: undefined, at: undefined },
  ])
})

test('a fault explains only the messages of its own node while it lasts', () => {
  const faults = [fault('btc', 'errs', 100, 107)]
  const error500 = 'btc reader: 127.0.0.1:1001: getblockchaininfo: HTTP 500 without valid JSON; trying again'
  assert.equal(causeOf(faults, error500, 103), 'the proxy returned 500 or 429')
  assert.equal(
    causeOf(faults, error500.replace('getblockchaininfo', '3 × getrawtransaction'), 103),
    'the proxy returned 500 or 429',
  )
  assert.equal(causeOf(faults, error500, 99), undefined)
  assert.equal(causeOf(faults, error500, 113), undefined)
  assert.equal(
    causeOf(faults, 'ltc writer: 127.0.0.1:1002: getblockchaininfo: HTTP 500 without valid JSON; trying again', 103),
    undefined,
  )
  assert.equal(causeOf(faults, 'ltc reader: 127.0.0.1:1002: a: socket hang up; trying again', 103), undefined)
  assert.ok(causeOf(faults, 'btc reader: 127.0.0.1:1001: a: socket hang up; trying again', 103) !== undefined)
  assert.ok(causeOf(faults, 'btc reader: btc: 127.0.0.1:1001: a: socket hang up; trying again', 103) !== undefined)
})

test('a timeout is explained until the timeout after its fault', () => {
  const faults = [fault('ethereum', 'lags', 100, 107)]
  const timeout = 'ethereum: 127.0.0.1:1003: no response within 20 s'
  assert.equal(causeOf(faults, timeout, 126), 'the proxy delayed responses')
  assert.equal(causeOf(faults, timeout, 128), undefined)
})

test('a failed poll is explained until its node has recovered', () => {
  const failed = 'contract could not be polled: ethereum: no endpoint responded'
  const faults = [fault('ethereum', 'drops', 100, 110)]
  assert.ok(causeOf(faults, failed, 121) !== undefined)
  assert.equal(causeOf(faults, failed, 140), undefined)
})

test('a reorg is explained only after the soak caused one', () => {
  const reorg = 'ltc: reorg of depth 2'
  const faults = [fault('ltc', 'reorganizes', 100, 101), fault('ltc', 'drops', 103, 110)]
  assert.equal(causeOf(faults, reorg, 99), undefined)
  assert.ok(causeOf(faults, reorg, 112) !== undefined)
  assert.equal(causeOf([fault('ltc', 'drops', 103, 110)], reorg, 112), undefined)
  assert.equal(causeOf([...faults, fault('ltc', 'drops', 300, 305)], reorg, 303), undefined)
})

test('a chain is recognized by its id', () => {
  const missing = 'contract could not be polled: No endpoint of chain 1 has the required block.'
  const faults = [fault('ethereum', 'reorganizes', 100, 101)]
  assert.ok(causeOf(faults, missing, 103) !== undefined)
  assert.equal(causeOf(faults, missing.replace('chain 1', 'chain 8453'), 103), undefined)
})

test('a failed poll is explained while all endpoints of its chain fail', () => {
  const failed = line(40, 'contract could not be polled', {
    message: 'ethereum: no endpoint responded (127.0.0.1:1003: HTTP 500)',
    at: 5,
  })
  const faults = [fault('ethereum', 'is unreachable', 3, 8)]
  assert.equal(summarizeLog([failed], { faults, nodes })[0]?.cause, 'all proxies of the node failed')
})

test('one message is listed twice if a fault explains only some of its entries', () => {
  const error500 = (at: number) => line(40, 'ethereum: 127.0.0.1:1003: HTTP 500', { at })
  const faults = [fault('ethereum', 'errs', 3, 8)]
  const messages = summarizeLog([error500(5), error500(50), error500(51)], { faults, nodes })
  assert.deepEqual(
    messages.map(({ count, cause }) => [count, cause]),
    [
      [1, 'the proxy returned 500 or 429, or closed the connection'],
      [2, undefined],
    ],
  )
})

test('a line that stands for repeated ones is explained by a fault in the two minutes before', () => {
  const repeated = (msg: string, at: number) =>
    JSON.stringify({ ...JSON.parse(line(40, `${msg} (3 more times)`, { at })), repeated: 3 })
  const causeOfRepeated = (msg: string, at: number) =>
    summarizeLog([repeated(msg, at)], { faults: [fault('btc', 'errs', 100, 107)], nodes })[0]?.cause
  const error500 = 'btc reader: 127.0.0.1:1001: getblockchaininfo: HTTP 500 without valid JSON; trying again'
  assert.equal(causeOfRepeated(error500, 200), 'the proxy returned 500 or 429')
  assert.equal(causeOfRepeated(error500, 240), undefined)
  assert.equal(causeOfRepeated('btc reader: another fault; trying again', 200), undefined)
})

test('queued changes that cannot be read while all proxies of a chain fail are explained', () => {
  const faults = [fault('ethereum', 'drops', 100, 110)]
  for (const part of ['queued changes', 'simulation of queued changes']) {
    const message = `ethereum ${part}: ethereum: no endpoint responded (all are suspended after earlier errors); trying again`
    assert.ok(causeOf(faults, message, 105) !== undefined, part)
    assert.equal(causeOf([], message, 105), undefined, part)
  }
})
