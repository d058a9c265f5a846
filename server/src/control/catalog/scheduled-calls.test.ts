import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { sampleLog } from '../../../../testing/evm/sample-log.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import type { DecodedEvent } from './catalog.ts'
import { catalogRows } from './events/rows.ts'
import { KNOWN_FUNCTIONS } from './known-functions.ts'
import { payloadCalls, scheduledCalldata, scheduledCalls } from './scheduled-calls.ts'

const EMITTER: Hex = '0x00000000000000000000000000000000000000ee'
const PROXY: Hex = '0x00000000000000000000000000000000000000aa'
const LOGIC: Hex = '0x00000000000000000000000000000000000000bb'
const abi = parseAbi(['function upgradeTo(address)', 'function upgradeAndCall(address, address, bytes)'])
const upgradeTo = encodeFunctionData({ abi, functionName: 'upgradeTo', args: [LOGIC] })

function event(key: string, args: DecodedEvent['args']): DecodedEvent {
  return { key, category: 'timelock', severity: 'high', args, decode: 'ok', signature: 'X()' }
}

const expected = {
  target: PROXY,
  selector: '0x3659cfe6',
  signature: 'upgradeTo(address)',
  args: [LOGIC],
  isControl: true,
  affects: [PROXY],
}

test('the calls of every scheduling event are read', () => {
  const argsOnly = `0x${upgradeTo.slice(10)}`
  const named = { target: PROXY, signature: 'upgradeTo(address)', data: argsOnly }
  const columns = { targets: [PROXY], signatures: [''], calldatas: [upgradeTo] }
  const batch = encodeAbiParameters(parseAbi(['function f((address,uint256,bytes)[])'])[0].inputs, [
    [[PROXY, 0n, upgradeTo]],
  ])
  const announcements: Record<string, DecodedEvent['args']> = {
    'timelock.scheduled': { target: PROXY, data: upgradeTo },
    'timelock.queued': named,
    'aave2.action_queued': named,
    'manager.op_scheduled': { target: PROXY, data: upgradeTo },
    'zodiac.tx_added': { to: PROXY, data: upgradeTo },
    'axelar.proposal_scheduled': { target: PROXY, callData: upgradeTo },
    'dspause.plotted': { usr: PROXY, fax: upgradeTo },
    'governor.proposal_created': columns,
    'aave2.proposal_created': { ...columns, signatures: ['upgradeTo(address)'], calldatas: [argsOnly] },
    'aave3.payload_created': { actions: [{ target: PROXY, signature: '', callData: upgradeTo }] },
    'lido.proposal_submitted': { calls: [{ target: PROXY, value: '0', payload: upgradeTo }] },
    'zk.handler_started': { _proposal: { calls: [{ target: PROXY, value: '0', data: upgradeTo }] } },
    'timelock.proposed': { executionData: batch },
  }
  for (const [key, args] of Object.entries(announcements)) {
    assert.deepEqual(scheduledCalls(event(key, args), EMITTER), [expected], key)
  }
  const own = scheduledCalls(event('morpho2.submitted', { data: upgradeTo }), EMITTER)
  assert.deepEqual(own, [{ ...expected, target: EMITTER, affects: [EMITTER] }])
})

test('calls inside a scheduled call are read, those that change control first, and not those that it only queues', () => {
  const inner = parseAbi([
    'function execTransactionFromModule(address,uint256,bytes,uint8)',
    'function schedule(address,uint256,bytes,bytes32,bytes32,uint256)',
  ])
  const args = [PROXY, 0n, upgradeTo, 0] as const
  const execution = encodeFunctionData({ abi: inner, functionName: 'execTransactionFromModule', args })
  const [first, second] = scheduledCalls(event('timelock.scheduled', { target: EMITTER, data: execution }), EMITTER)
  assert.deepEqual([first, second?.target], [expected, EMITTER])
  const zero: Hex = `0x${'00'.repeat(32)}`
  const queueing = encodeFunctionData({
    abi: inner,
    functionName: 'schedule',
    args: [PROXY, 0n, upgradeTo, zero, zero, 1n],
  })
  const queued = scheduledCalls(event('timelock.scheduled', { target: EMITTER, data: queueing }), EMITTER)
  assert.deepEqual(
    queued.flatMap(({ affects }) => affects),
    [EMITTER],
  )
})

test('calldata that is too deep to be decoded counts as a change of control', () => {
  let data: Hex = '0x12345678'
  const multicall = parseAbi(['function multicall(bytes[])'])
  for (let depth = 0; depth < 60; depth += 1) data = encodeFunctionData({ abi: multicall, args: [[data]] })
  const calls = scheduledCalls(event('timelock.scheduled', { target: PROXY, data }), EMITTER)
  assert.ok(calls.length > 0 && calls.every(({ isControl }) => isControl))
})

test('values and delegatecalls are those of the logs', () => {
  const of = (key: string, args: DecodedEvent['args']) => scheduledCalldata(event(key, args), EMITTER)[0]
  assert.equal(of('axelar.proposal_scheduled', { target: PROXY, callData: '0x', value: '7' })?.value, 7n)
  assert.equal(of('zodiac.tx_added', { to: PROXY, value: '0', data: '0x', operation: 1 })?.isDelegated, true)
  assert.equal(of('zodiac.tx_added', { to: PROXY, value: '0', data: '0x', operation: 0 })?.isDelegated, false)
  assert.equal(of('dspause.plotted', { usr: PROXY, fax: '0x' })?.isDelegated, true)
})

test('the calls of an Aave payload are read as its controller returns them', () => {
  const argsOnly: Hex = `0x${upgradeTo.slice(10)}`
  const actions = [
    { target: PROXY, withDelegateCall: false, accessLevel: 1, value: 0n, signature: '', callData: upgradeTo },
    {
      target: PROXY,
      withDelegateCall: false,
      accessLevel: 1,
      value: 0n,
      signature: 'upgradeTo(address)',
      callData: argsOnly,
    },
  ]
  const payload = parseAbi([
    'struct Action { address target; bool withDelegateCall; uint8 accessLevel; uint256 value; string signature; bytes callData; }',
    'struct Payload { address creator; uint8 level; uint8 state; uint40 a; uint40 b; uint40 c; uint40 d; uint40 e; uint40 f; uint40 g; Action[] actions; }',
    'function f(Payload)',
  ])[0].inputs
  const times = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }
  const result = encodeAbiParameters(payload, [{ creator: LOGIC, level: 1, state: 2, ...times, actions }])
  assert.deepEqual(payloadCalls(result, EMITTER), [expected, expected])
  assert.deepEqual(payloadCalls('0x', EMITTER), [])
  assert.deepEqual(payloadCalls(result.slice(0, 500) as Hex, EMITTER), [])
})

test('a batch call to the zero address targets the timelock itself', () => {
  const call = parseAbi(['function f((address,uint256,bytes)[], bytes)'])[0].inputs
  const zero: Hex = '0x0000000000000000000000000000000000000000'
  const executionData = encodeAbiParameters(call, [[[zero, 0n, upgradeTo]], '0x1234'])
  const own = scheduledCalls(event('timelock.proposed', { executionData }), EMITTER)
  assert.deepEqual(own, [{ ...expected, target: EMITTER, affects: [EMITTER] }])
})

test('a call to a proxy admin affects the proxy in its arguments', () => {
  const data = encodeFunctionData({ abi, functionName: 'upgradeAndCall', args: [PROXY, LOGIC, '0x'] })
  const [call] = scheduledCalls(event('timelock.scheduled', { target: EMITTER, data }), EMITTER)
  assert.deepEqual(
    [call?.affects, call?.args],
    [
      [EMITTER, PROXY],
      [PROXY, LOGIC, '0x'],
    ],
  )
  const cut = scheduledCalls(event('timelock.scheduled', { target: EMITTER, data: data.slice(0, 60) }), EMITTER)
  assert.deepEqual([cut[0]?.affects, cut[0]?.args], [[EMITTER], undefined])
})

test('a transfer without a function call has no selector, an unknown function no signature', () => {
  const [plain] = scheduledCalls(event('timelock.scheduled', { target: PROXY, data: '0x' }), EMITTER)
  assert.deepEqual(plain, { target: PROXY, isControl: false, affects: [PROXY] })
  const [unknown] = scheduledCalls(event('timelock.scheduled', { target: PROXY, data: '0x12345678' }), EMITTER)
  assert.deepEqual(unknown, { target: PROXY, selector: '0x12345678', isControl: false, affects: [PROXY] })
})

test('events that schedule nothing or were not decoded have no calls', () => {
  assert.deepEqual(scheduledCalls(event('ownable.transferred', { target: PROXY, data: upgradeTo }), EMITTER), [])
  const raw: DecodedEvent = { ...event('timelock.scheduled', { topics: [], data: '0x' }), decode: 'mismatch' }
  assert.deepEqual(scheduledCalls(raw, EMITTER), [])
  assert.deepEqual(scheduledCalls(event('timelock.proposed', { executionData: seededRandom(1).hex(90) }), EMITTER), [])
})

test('every scheduling event is read with any arguments', () => {
  const random = seededRandom(11)
  for (const row of catalogRows) {
    for (let round = 0; round < 5; round += 1) {
      for (const call of scheduledCalls(event(row.key, sampleLog(row, random).args), EMITTER)) {
        assert.match(call.target, /^0x[0-9a-f]{40}$/, row.key)
      }
    }
  }
})

test('functions have distinct selectors and canonical signatures', () => {
  for (const [selector, { signature }] of KNOWN_FUNCTIONS) {
    assert.equal(toFunctionSelector(signature), selector)
    assert.doesNotMatch(signature, /\s|\buint\b/)
  }
  assert.ok(KNOWN_FUNCTIONS.size >= 40, String(KNOWN_FUNCTIONS.size))
})
