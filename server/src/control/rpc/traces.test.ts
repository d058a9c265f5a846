import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedCalls, traceTransaction } from './traces.ts'

const at = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const transaction = { hash: `0x${'11'.repeat(32)}`, from: at(1), input: '0xaa' } as const
const { parse, fallback } = traceTransaction(transaction)

const call = (to: number, input: string, more: object = {}) => ({
  type: 'CALL',
  from: at(1),
  to: at(to),
  input,
  ...more,
})

/** A call that makes two calls; the second reverts with what it called. */
const nested = call(2, '0xaa', {
  calls: [
    call(3, '0x01', { calls: [{ ...call(4, '0x02'), type: 'DELEGATECALL' }] }),
    call(5, '0x03', { error: 'execution reverted', calls: [call(6, '0x04')] }),
    { type: 'CREATE', from: at(2), input: '0x05' },
  ],
})

const flat = [
  [[], { callType: 'call', from: at(1), to: at(2), input: '0xaa' }],
  [[0], { callType: 'call', from: at(1), to: at(3), input: '0x01' }],
  [[0, 0], { callType: 'delegatecall', from: at(1), to: at(4), input: '0x02' }],
  [[1], { callType: 'call', from: at(1), to: at(5), input: '0x03' }, 'Reverted'],
  [[1, 0], { callType: 'call', from: at(1), to: at(6), input: '0x04' }],
  [[2], { from: at(2), init: '0x05' }],
].map(([traceAddress, action, error]) => ({
  type: (traceAddress as number[])[0] === 2 ? 'create' : 'call',
  traceAddress,
  action,
  ...(error === undefined ? {} : { error }),
}))

test('both forms of a trace give the calls that were not reverted, inner ones first', () => {
  for (const root of [parse(nested), fallback?.parse(flat)]) {
    assert.ok(root !== undefined)
    assert.deepEqual(
      [...completedCalls(root)].map(({ kind, to, input }) => [kind, to, input]),
      [
        ['delegatecall', at(4), '0x02'],
        ['call', at(3), '0x01'],
        ['other', undefined, '0x05'],
        ['call', at(2), '0xaa'],
      ],
    )
  }
})

test('a transaction that reverted made no call', () => {
  assert.deepEqual([...completedCalls(parse({ ...nested, error: 'out of gas' }))], [])
})

test('traces of others and malformed ones are refused', () => {
  assert.throws(() => parse(null), /does not have/)
  assert.throws(() => parse({ ...nested, from: at(9) }), /another transaction/)
  assert.throws(() => parse({ ...nested, input: '0xbb' }), /another transaction/)
  assert.throws(() => parse([]), /not an object/)
  assert.throws(() => fallback?.parse([]), /no root/)
  assert.throws(() => fallback?.parse(flat.slice(2)), /precedes/)
  assert.throws(() => fallback?.parse({}), /not a list/)
})
