/** Role members from the events and results of contracts, some of them hostile. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters, keccak256, parseAbiParameters, toEventSelector, toFunctionSelector } from 'viem'
import { at } from '../../../../testing/evm/sample-world.ts'
import type { Hex } from '../../lib/hex.ts'
import { toWord } from '../profile/abi-values.ts'
import { DEFAULT_ADMIN, PROPOSER } from '../profile/roles.ts'
import { ABSENT, type History, type MembersRead, type Read, unread, value } from '../profile/state.ts'
import type { Log } from '../rpc/parse.ts'
import type { ChainReads } from './chain-reads.ts'
import { type ContractLogs, readGovernors, readHistory, readManager, readRoles, readWards } from './role-members.ts'

const GRANTED = toEventSelector('RoleGranted(bytes32,address,address)')
const ADMIN_CHANGED = toEventSelector('RoleAdminChanged(bytes32,bytes32,bytes32)')
const MANAGER_GRANTED = toEventSelector('RoleGranted(uint64,address,uint32,uint48,bool)')
const MANAGER_SCHEDULED = toEventSelector('OperationScheduled(bytes32,uint32,uint48,address,address,bytes)')
const GOVERNOR_ACCEPTED = toEventSelector('LogNewGovernorAccepted(address)')
const RELIED = toEventSelector('Rely(address)')
const UPGRADED = toEventSelector('Upgraded(address)')

const contract = at('contract')
const key = at('a key')
const words = (...given: readonly (Hex | bigint | number)[]): Hex =>
  `0x${given.map((each) => toWord(each).slice(2)).join('')}`

function log(topics: readonly Hex[], data: Hex = '0x', blockTime?: number): Log {
  const hash = toWord(1)
  const position = { blockNumber: 1, blockHash: hash, txHash: hash, txIndex: 0, logIndex: 0, blockTime }
  return { ...position, address: contract, topics, data }
}

/** Results by function; absent for other functions. */
function world(
  logs: readonly Log[] | Read<readonly Log[]>,
  results: Readonly<Record<string, Hex | Read<Hex>>> = {},
): { reads: ChainReads; logs: ContractLogs } {
  const bySelector = new Map(Object.entries(results).map(([name, result]) => [toFunctionSelector(name), result]))
  const call = (data: Hex): Read<Hex> => {
    const result = bySelector.get(data.slice(0, 10) as Hex) ?? ABSENT
    return typeof result === 'string' ? value(result) : result
  }
  const reads: Partial<ChainReads> = {
    calls: async (_, data) => data.map(call),
    timeOf: async () => undefined,
    transaction: async () => ABSENT,
  }
  return { reads: reads as ChainReads, logs: async () => ('type' in logs ? logs : value(logs)) }
}

const grant = (role: Hex, account: Hex): Log => log([GRANTED, role, toWord(account), toWord(key)])
const managerGrant = (role: bigint, account: Hex): Log =>
  log([MANAGER_GRANTED, toWord(role), toWord(account)], words(0, 0, 1))
const ROLES = { 'getRoleAdmin(bytes32)': DEFAULT_ADMIN, 'hasRole(bytes32,address)': toWord(1) }
const accessOf = (since: number, delay: number, pending = 0, effect = 0) => ({
  'getAccess(uint64,address)': words(since, delay, pending, effect),
})
const MEMBER = accessOf(1, 86_400)

const isMalformed = (read: MembersRead<unknown>): void => assert.equal(read.type, 'malformed', JSON.stringify(read))

test('members are the accounts of the events that the contract confirms', async () => {
  const roles = await readRoles(world([grant(PROPOSER, key)], ROLES), contract)
  assert.deepEqual(roles.type === 'value' && roles.value.roles.get(PROPOSER)?.members, [key])
  const manager = await readManager(world([managerGrant(5n, key)], MEMBER), contract)
  assert.deepEqual(manager.type === 'value' && manager.value.get('5'), [{ account: key, delay: 86_400 }])
  const left = await readManager(world([managerGrant(5n, key)], accessOf(0, 0)), contract)
  assert.deepEqual(left.type === 'value' && [...left.value], [])
  const wards = await readWards(world([log([RELIED, toWord(key)])], { 'wards(address)': toWord(1) }), contract)
  assert.deepEqual(wards, value([key]))
  const governed = { 'proxyIsGovernor(address)': toWord(1) }
  assert.deepEqual(
    await readGovernors(world([log([GOVERNOR_ACCEPTED], toWord(key))], governed), contract),
    value([key]),
  )
  assert.deepEqual(
    await readGovernors(world([log([GOVERNOR_ACCEPTED, toWord(key)])], governed), contract),
    value([key]),
  )
})

test('the history has every account and logic that events name, also those that were removed', async () => {
  const [first, second] = [at('first logic'), at('second logic')]
  const logs = [
    grant(PROPOSER, key),
    grant(PROPOSER, key),
    log([RELIED, toWord(key)]),
    log([UPGRADED, toWord(first)]),
    log([UPGRADED], toWord(second)),
    log([UPGRADED, toWord(first)]),
  ]
  const history = await readHistory(world(logs), contract)
  const { granted, relied, logics } = (history.type === 'value' ? history.value : {}) as Partial<History>
  assert.deepEqual([granted, relied, logics], [new Map([[PROPOSER, [key]]]), [key], [second, first]])
  isMalformed(await readHistory(world([log([UPGRADED, toWord(2n ** 200n)])]), contract))
})

test('the history names accounts of other lists, newest first, and those that Maker logs anonymously', async () => {
  const other = at('another key')
  const configured = toEventSelector('MinterConfigured(address,uint256)')
  const logs = [
    log([configured, toWord(key)], toWord(5)),
    log([`0x65fae35e${'0'.repeat(56)}`, toWord(other)]),
    log([configured], words(2n ** 200n, 5)),
  ]
  const history = await readHistory(world(logs), contract)
  assert.deepEqual(history.type === 'value' && history.value.listed, [other, key])
})

test('an event without the expected arguments is malformed', async () => {
  const validGrant = grant(PROPOSER, key)
  isMalformed(await readRoles(world([validGrant, log([GRANTED])], ROLES), contract))
  isMalformed(await readRoles(world([log([GRANTED], words(PROPOSER, key, key))], ROLES), contract))
  isMalformed(
    await readRoles(world([validGrant, log([GRANTED, PROPOSER, toWord(2n ** 200n), toWord(0)])], ROLES), contract),
  )
  isMalformed(await readRoles(world([validGrant, log([ADMIN_CHANGED, PROPOSER])], ROLES), contract))
  isMalformed(await readManager(world([log([MANAGER_GRANTED])], MEMBER), contract))
  isMalformed(await readManager(world([log([MANAGER_GRANTED, toWord(0)], words(key, 0, 0, 1))], MEMBER), contract))
  isMalformed(await readManager(world([managerGrant(2n ** 64n, key)], MEMBER), contract))
  isMalformed(await readWards(world([log([RELIED])], { 'wards(address)': toWord(1) }), contract))
  isMalformed(await readGovernors(world([log([GOVERNOR_ACCEPTED])]), contract))
})

test('a member of a manager counts before its grant takes effect, and with the shortest delay that is announced', async () => {
  const later = 2_000_000_000
  const membersWith = async (access: ReturnType<typeof accessOf>) => {
    const read = await readManager(world([managerGrant(5n, key)], access), contract)
    return read.type === 'value' && read.value.get('5')
  }
  assert.deepEqual(await membersWith(accessOf(later, 60)), [{ account: key, delay: 60 }])
  assert.deepEqual(await membersWith(accessOf(1, 86_400, 60, later)), [{ account: key, delay: 60 }])
  assert.deepEqual(await membersWith(accessOf(1, 60, 86_400, later)), [{ account: key, delay: 60 }])
})

test('a member of a manager has no delay while an operation waits that was scheduled under a shorter one', async () => {
  const id = toWord(77)
  const [scheduledAt, due] = [1_000_000, 1_000_060]
  const scheduled = (time: number | undefined = scheduledAt * 1_000, account = key) =>
    log([MANAGER_SCHEDULED, id, toWord(1)], words(due, account, contract, 128, 0), time)
  const delayAfter = async (logs: readonly Log[], schedule = due) => {
    const results = { ...MEMBER, 'getSchedule(bytes32)': toWord(schedule) }
    const read = await readManager(world([managerGrant(5n, key), ...logs], results), contract)
    return read.type === 'value' && read.value.get('5')?.[0]?.delay
  }
  assert.equal(await delayAfter([scheduled()]), 0)
  assert.equal(await delayAfter([log([MANAGER_SCHEDULED, id, toWord(1)], words(due, key, contract, 128, 0))]), 0)
  for (const event of ['OperationExecuted(bytes32,uint32)', 'OperationCanceled(bytes32,uint32)']) {
    const over = log([toEventSelector(event), id, toWord(1)])
    assert.equal(await delayAfter([scheduled(), over]), 86_400)
    assert.equal(await delayAfter([scheduled(), over, scheduled()]), 0, 'scheduled again')
  }
  assert.equal(await delayAfter([scheduled()], 0), 86_400, 'expired')
  assert.equal(await delayAfter([scheduled()], scheduledAt + 90_000), 86_400, 'longer than the delay')
  assert.equal(await delayAfter([scheduled(undefined, at('another key'))]), 86_400)
  const scheduledWorld = (results: Readonly<Record<string, Hex | Read<Hex>>>) =>
    world([managerGrant(5n, key), scheduled()], { ...MEMBER, ...results })
  isMalformed(await readManager(scheduledWorld({}), contract))
  isMalformed(await readManager(scheduledWorld({ 'getSchedule(bytes32)': toWord(2n ** 48n) }), contract))
  isMalformed(await readManager(world([managerGrant(5n, key), log([MANAGER_SCHEDULED, id])], MEMBER), contract))
  const failed = unread('the endpoint refuses')
  assert.deepEqual(await readManager(scheduledWorld({ 'getSchedule(bytes32)': failed }), contract), failed)
})

test('a result without the expected form is malformed', async () => {
  const granted = [grant(PROPOSER, key)]
  isMalformed(await readRoles(world(granted, { ...ROLES, 'hasRole(bytes32,address)': toWord(2) }), contract))
  isMalformed(await readRoles(world(granted, { ...ROLES, 'getRoleAdmin(bytes32)': '0x12' }), contract))
  const results = [toWord(1), words(1, 0), words(1, 2n ** 32n, 0, 0), words(2n ** 48n, 0, 0, 0), '0x01'] as const
  for (const result of results)
    isMalformed(await readManager(world([managerGrant(0n, key)], { 'getAccess(uint64,address)': result }), contract))
  isMalformed(await readWards(world([log([RELIED, toWord(key)])], { 'wards(address)': '0x01' }), contract))
  const accepted = [log([GOVERNOR_ACCEPTED, toWord(key)])]
  isMalformed(await readGovernors(world(accepted, { 'proxyIsGovernor(address)': toWord(2) }), contract))
})

test('a contract without grants, or whose role calls revert, is malformed and not unread', async () => {
  isMalformed(await readRoles(world([], ROLES), contract))
  isMalformed(await readRoles(world([grant(PROPOSER, key)]), contract))
  isMalformed(
    await readRoles(world([grant(PROPOSER, key)], { ...ROLES, 'getRoleMemberCount(bytes32)': toWord(201) }), contract),
  )
  isMalformed(await readManager(world([], MEMBER), contract))
  isMalformed(await readManager(world([managerGrant(5n, key)]), contract))
  isMalformed(await readWards(world([], { 'wards(address)': toWord(1) }), contract))
  isMalformed(await readWards(world([log([RELIED, toWord(key)])]), contract))
})

test('the history has the approvals, messages and operations that events name', async () => {
  const topic = (event: string): Hex => toEventSelector(event)
  const hash = toWord(77)
  const types = parseAbiParameters('uint256, string, bytes, uint256')
  const queued = encodeAbiParameters(types, [0n, 'f()', '0x', 900n])
  const id = keccak256(
    encodeAbiParameters(parseAbiParameters('address, uint256, string, bytes, uint256'), [key, 0n, 'f()', '0x', 900n]),
  )
  const queue = topic('QueueTransaction(bytes32,address,uint256,string,bytes,uint256)')
  const logs = [
    log([topic('ApproveHash(bytes32,address)'), hash, toWord(key)]),
    log([topic('ApproveHash(bytes32,address)'), hash]),
    log([topic('SignMsg(bytes32)'), hash]),
    log([topic('RemovedOwner(address)')], toWord(key)),
    log([topic('DisabledModule(address)'), toWord(contract)]),
    log([queue, id, toWord(key)], queued),
    // The key is the hash of something else, or the values are malformed.
    log([queue, hash, toWord(key)], queued),
    log([queue, toWord(78), toWord(key)], '0x12'),
    log([topic('CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)'), toWord(79), toWord(0)]),
  ]
  const history = await readHistory(world(logs), contract)
  const found = (history.type === 'value' ? history.value : {}) as Partial<History>
  assert.deepEqual(found.approvals, [{ hash, owner: key }])
  assert.deepEqual([found.messages, found.removed], [[hash], [key, contract]])
  assert.deepEqual(
    found.operations?.map(({ id: operation, due }) => [operation, due]),
    [
      [id, 900],
      [hash, undefined],
      [toWord(78), undefined],
      [toWord(79), undefined],
    ],
  )
})

test('enumerable roles are incomplete without events, and the cause is recorded', async () => {
  const listed = {
    ...ROLES,
    'getRoleMemberCount(bytes32)': toWord(1),
    'getRoleMember(bytes32,uint256)': toWord(key),
  }
  const untold = await readRoles(world([], listed), contract)
  assert.deepEqual(untold.type === 'value' && [untold.value.complete, untold.value.hasNoGrants], [false, true])
  const failed = await readRoles(world(unread('the node failed'), listed), contract)
  assert.deepEqual(failed.type === 'value' && [failed.value.complete, failed.value.hasNoGrants], [false, false])
  // Members that are counted and cannot be had are none that could be listed: the events decide.
  const counted = { ...ROLES, 'getRoleMemberCount(bytes32)': toWord(1) }
  isMalformed(await readRoles(world([], counted), contract))
  const fromLogs = await readRoles(world([grant(PROPOSER, key)], counted), contract)
  assert.equal(fromLogs.type === 'value' && fromLogs.value.complete, true)
})

test('a failed read stays unread, whatever else the contract returned', async () => {
  const failed = unread('the node failed')
  assert.deepEqual(await readRoles(world(failed, ROLES), contract), failed)
  assert.deepEqual(await readManager(world(failed, MEMBER), contract), failed)
  const granted = [managerGrant(5n, key)]
  assert.deepEqual(await readManager(world(granted, { 'getAccess(uint64,address)': failed }), contract), failed)
})
