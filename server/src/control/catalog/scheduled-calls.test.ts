import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { sampleLog } from '../../../../testing/evm/sample-log.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import type { DecodedEvent } from './catalog.ts'
import { catalogRows } from './events/rows.ts'
import { KNOWN_FUNCTIONS } from './known-functions.ts'
import { scheduledCalls } from './scheduled-calls.ts'

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
