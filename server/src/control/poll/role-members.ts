/**
 * Reads the members of roles that a contract keeps in mappings: candidates from its logs since its creation, each
 * confirmed by a call at the block.
 *
 * A contract without any grant in its logs is malformed, because some account must have received the first role. That is
 * not a failed read: logic that only pretends to have roles would otherwise keep the label of the logic before it.
 *
 * Data of the contract is decoded by hand and causes no exception: a contract that could end a poll with a malformed
 * event or result would keep its last label for ever.
 */

import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
} from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'
import { addressAt, addressOf, boolOf, uintAt, uintOf } from '../profile/abi-values.ts'
import { UPGRADED } from '../profile/code-history.ts'
import { CALL_SCHEDULED, TRANSACTION_QUEUED } from '../profile/filled-entries.ts'
import { DEFAULT_ADMIN, MAX_MANAGER_DELAY, PUBLIC_ROLE, roleNamed } from '../profile/roles.ts'
import {
  ABSENT,
  type History,
  type ManagerMember,
  type ManagerMembers,
  type MembersRead,
  malformed,
  type Read,
  type Revoked,
  type RoleMembers,
  value,
} from '../profile/state.ts'
import type { Log } from '../rpc/parse.ts'
import { ownCallsIn } from './announced-calls.ts'
import type { ChainReads } from './chain-reads.ts'
import { readApprovals } from './safe-approvals.ts'

/** Reads all logs of these topics from one address, up to the block. */
export type ContractLogs = (address: Hex, topics: readonly Hex[]) => Promise<Read<readonly Log[]>>

type Deps = { readonly reads: ChainReads; readonly logs: ContractLogs }

const ABI = parseAbi([
  'function hasRole(bytes32,address) view returns (bool)',
  'function getRoleAdmin(bytes32) view returns (bytes32)',
  'function getRoleMemberCount(bytes32) view returns (uint256)',
  'function getRoleMember(bytes32,uint256) view returns (address)',
  'function proxyIsGovernor(address) view returns (bool)',
  'function wards(address) view returns (uint256)',
])
const MANAGER_ABI = parseAbi([
  'function getAccess(uint64,address) view returns (uint48, uint32, uint32, uint48)',
  'function getSchedule(bytes32) view returns (uint48)',
])

const GRANTED = toEventSelector('RoleGranted(bytes32,address,address)')
const REVOKED = toEventSelector('RoleRevoked(bytes32,address,address)')
const ADMIN_CHANGED = toEventSelector('RoleAdminChanged(bytes32,bytes32,bytes32)')
const MANAGER_GRANTED = toEventSelector('RoleGranted(uint64,address,uint32,uint48,bool)')
const MANAGER_SCHEDULED = toEventSelector('OperationScheduled(bytes32,uint32,uint48,address,address,bytes)')
const MANAGER_EXECUTED = toEventSelector('OperationExecuted(bytes32,uint32)')
const MANAGER_CANCELED = toEventSelector('OperationCanceled(bytes32,uint32)')
const GOVERNOR_ACCEPTED = toEventSelector('LogNewGovernorAccepted(address)')

const RELIED = toEventSelector('Rely(address)')
const APPROVE_HASH = toEventSelector('ApproveHash(bytes32,address)')
const SIGN_MSG = toEventSelector('SignMsg(bytes32)')
const REMOVED: readonly Hex[] = [toEventSelector('RemovedOwner(address)'), toEventSelector('DisabledModule(address)')]

/** Events whose first argument is an account that is added to a list. */
const LISTED: readonly Hex[] = [
  ...[
    'MinterConfigured(address,uint256)',
    'MinterAdded(address)',
    'MinterSet(address,bool)',
    'PauserAdded(address)',
    'AdminAdded(address)',
    'WhitelistAdminAdded(address)',
    'OperatorAdded(address)',
    'KeeperAdded(address)',
    'ManagerAdded(address)',
    'AuthorizedCallerAdded(address)',
    'AuthorityUpdated(address,bool)',
    'RolesUpdated(address,uint256)',
  ].map((event) => toEventSelector(event)),
  // Maker's contracts log calls of `rely` anonymously: the first topic is the selector.
  `0x65fae35e${'0'.repeat(56)}`,
]
/** Events of one contract can name any number of accounts. */
const MAX_NAMED = 64

const OF_ROLES: readonly Hex[] = [GRANTED, ADMIN_CHANGED]
const OF_HISTORY: readonly Hex[] = [
  GRANTED,
  REVOKED,
  MANAGER_GRANTED,
  RELIED,
  UPGRADED,
  APPROVE_HASH,
  SIGN_MSG,
  CALL_SCHEDULED,
  TRANSACTION_QUEUED,
  ...REMOVED,
  ...LISTED,
]
const OF_MANAGER: readonly Hex[] = [MANAGER_GRANTED, MANAGER_SCHEDULED, MANAGER_EXECUTED, MANAGER_CANCELED]
const ALL_TOPICS: readonly Hex[] = [...new Set([...OF_ROLES, ...OF_HISTORY, ...OF_MANAGER, GOVERNOR_ACCEPTED])]

/** The logs of some of the topics. All of a contract are read at once, because most judgments need several of them. */
async function logsOf({ logs }: Pick<Deps, 'logs'>, address: Hex, topics: readonly Hex[]): ReturnType<ContractLogs> {
  const read = await logs(address, ALL_TOPICS)
  if (read.type !== 'value') return read
  return value(read.value.filter(({ topics: [event] }) => event !== undefined && topics.includes(event)))
}

const WELL_KNOWN: readonly Hex[] = [
  DEFAULT_ADMIN,
  ...['UPGRADER_ROLE', 'PROPOSER_ROLE', 'EXECUTOR_ROLE', 'CANCELLER_ROLE', 'TIMELOCK_ADMIN_ROLE', 'ADMIN_ROLE'].map(
    roleNamed,
  ),
]

const NO_GRANTS = malformed({ code: 'roles_without_events' })
const REVERTS = malformed({ code: 'role_calls_revert' })
const INVALID_EVENT = malformed({ code: 'role_event_invalid' })
const INVALID_RESULT = malformed({ code: 'role_result_invalid' })

/** Whether a log has this many indexed arguments and data words. */
const isShaped = ({ topics, data }: Log, indexed: number, words = 0): boolean =>
  topics.length === 1 + indexed && data.length === 2 + words * 64

export async function readRoles(deps: Deps, address: Hex): Promise<MembersRead<RoleMembers>> {
  const { reads } = deps
  const [history, listed] = await Promise.all([logsOf(deps, address, OF_ROLES), readEnumerable(reads, address)])
  if (listed.type === 'unread' || listed.type === 'malformed') return listed
  const known = listed.type === 'value' ? listed.value : new Map<Hex, readonly Hex[]>()
  const hasGrants = history.type === 'value' && history.value.some((log) => log.topics[0] === GRANTED)
  if (!hasGrants) {
    const hasNoGrants = history.type === 'value'
    if (listed.type === 'value') return await confirmedMembers(reads, address, known, { complete: false, hasNoGrants })
    return hasNoGrants ? NO_GRANTS : history
  }
  const candidates = new Map<Hex, Set<Hex>>(WELL_KNOWN.map((role) => [role, new Set(known.get(role))]))
  for (const log of history.value) {
    if (!isShaped(log, 3)) return INVALID_EVENT
    const [event, role, ...others] = log.topics as [Hex, Hex, Hex, Hex]
    const members = candidates.get(role) ?? new Set<Hex>()
    candidates.set(role, members)
    if (event === GRANTED) {
      const account = addressOf(others[0])
      if (account === undefined) return INVALID_EVENT
      members.add(account)
    } else for (const admin of others) if (!candidates.has(admin)) candidates.set(admin, new Set())
  }
  return await confirmedMembers(
    reads,
    address,
    new Map([...candidates].map(([role, members]) => [role, [...members]])),
    {
      complete: true,
    },
  )
}

/** The members that the contract confirms, and the admin of each role. */
async function confirmedMembers(
  reads: ChainReads,
  address: Hex,
  candidates: ReadonlyMap<Hex, readonly Hex[]>,
  known: Pick<RoleMembers, 'complete' | 'hasNoGrants'>,
): Promise<MembersRead<RoleMembers>> {
  const queries = [...candidates].flatMap(([role, accounts]) => [
    { role, account: undefined, data: encodeFunctionData({ abi: ABI, functionName: 'getRoleAdmin', args: [role] }) },
    ...accounts.map((account) => ({
      role,
      account,
      data: encodeFunctionData({ abi: ABI, functionName: 'hasRole', args: [role, account] }),
    })),
  ])
  const results = await reads.calls(
    address,
    queries.map(({ data }) => data),
  )
  const roles = new Map<Hex, { admin: Hex; members: Hex[] }>()
  for (const [at, result] of results.entries()) {
    const { role, account } = queries[at] as (typeof queries)[number]
    if (result.type === 'unread') return result
    const entry = roles.get(role) ?? { admin: DEFAULT_ADMIN, members: [] }
    roles.set(role, entry)
    if (result.type === 'absent') return REVERTS
    if (account === undefined) {
      if (uintOf(result.value) === undefined) return INVALID_RESULT
      entry.admin = result.value
      continue
    }
    const isMember = boolOf(result.value)
    if (isMember === undefined) return INVALID_RESULT
    if (isMember) entry.members.push(account)
  }
  return value({ roles, ...known })
}

const MAX_LISTED = 200n

/** Members of well-known roles by AccessControlEnumerable; absent where the contract does not support it. */
async function readEnumerable(reads: ChainReads, address: Hex): Promise<MembersRead<ReadonlyMap<Hex, readonly Hex[]>>> {
  const counted = await reads.calls(
    address,
    WELL_KNOWN.map((role) => encodeFunctionData({ abi: ABI, functionName: 'getRoleMemberCount', args: [role] })),
  )
  const members = new Map<Hex, readonly Hex[]>()
  for (const [at, result] of counted.entries()) {
    if (result.type === 'unread') return result
    if (result.type === 'absent' || result.value.length !== 66) return ABSENT
    const count = BigInt(result.value)
    if (count > MAX_LISTED) return malformed({ code: 'role_members_too_many' })
    const role = WELL_KNOWN[at] as Hex
    const data = Array.from({ length: Number(count) }, (_, n) =>
      encodeFunctionData({ abi: ABI, functionName: 'getRoleMember', args: [role, BigInt(n)] }),
    )
    const listed = data.length === 0 ? [] : await reads.calls(address, data)
    const failed = listed.find((read) => read.type === 'unread')
    if (failed !== undefined) return failed
    const accounts = accountsOf(listed.map((read) => (read.type === 'value' ? read.value : '0x')))
    if (accounts === undefined) return ABSENT
    members.set(role, accounts)
  }
  return value(members)
}

export async function readManager(deps: Deps, address: Hex): Promise<MembersRead<ManagerMembers>> {
  const { reads } = deps
  const history = await logsOf(deps, address, OF_MANAGER)
  if (history.type !== 'value') return history
  const grants = history.value.filter(({ topics: [event] }) => event === MANAGER_GRANTED)
  if (grants.length === 0) return NO_GRANTS
  const pairs = new Map<string, { readonly role: bigint; readonly account: Hex }>()
  for (const log of grants) {
    const [, role = '0x', holder = '0x'] = log.topics
    const account = addressOf(holder)
    if (!isShaped(log, 2, 3) || BigInt(role) > PUBLIC_ROLE || account === undefined) return INVALID_EVENT
    pairs.set(`${role}${account}`, { role: BigInt(role), account })
  }
  const wanted = [...pairs.values()]
  const results = await reads.calls(
    address,
    wanted.map(({ role, account }) =>
      encodeFunctionData({ abi: MANAGER_ABI, functionName: 'getAccess', args: [role, account] }),
    ),
  )
  const waits = await scheduledWaits(reads, address, history.value)
  if (waits.type !== 'value') return waits
  const members = new Map<string, ManagerMember[]>()
  for (const [at, result] of results.entries()) {
    if (result.type === 'unread') return result
    if (result.type === 'absent') return REVERTS
    const { role, account } = wanted[at] as (typeof wanted)[number]
    const membership = membershipOf(result.value)
    if (membership === undefined) return INVALID_RESULT
    const { isMember, delay } = membership
    if (!isMember) continue
    const isEarly = (waits.value.get(account) ?? delay) < delay
    members.set(role.toString(), [...(members.get(role.toString()) ?? []), { account, delay: isEarly ? 0 : delay }])
  }
  return value(members)
}

/**
 * The shortest wait, in seconds, that each account's operations in a manager were scheduled with, of those that it may still
 * execute: an operation keeps the time that it got when the delay was another one.
 */
async function scheduledWaits(
  reads: ChainReads,
  address: Hex,
  logs: readonly Log[],
): Promise<MembersRead<ReadonlyMap<Hex, number>>> {
  const scheduled = new Map<Hex, { readonly log: Log; readonly account: Hex }>()
  for (const log of logs) {
    const [event, id] = log.topics
    if (event === MANAGER_GRANTED || id === undefined) continue
    // The same operation may be scheduled again once it is executed, canceled or expired.
    scheduled.delete(id)
    if (event !== MANAGER_SCHEDULED) continue
    const account = addressAt(log.data, 1)
    if (account === undefined) return INVALID_EVENT
    scheduled.set(id, { log, account })
  }
  const waits = new Map<Hex, number>()
  if (scheduled.size === 0) return value(waits)
  const results = await reads.calls(
    address,
    [...scheduled.keys()].map((id) =>
      encodeFunctionData({ abi: MANAGER_ABI, functionName: 'getSchedule', args: [id] }),
    ),
  )
  const times = await timesOf(
    reads,
    [...scheduled.values()].map(({ log }) => log),
  )
  for (const [at, { log, account }] of [...scheduled.values()].entries()) {
    const result = results[at] as Read<Hex>
    if (result.type === 'unread') return result
    if (result.type === 'absent') return REVERTS
    const due = uintOf(result.value)
    if (due === undefined || due > MAX_TIME) return INVALID_RESULT
    // Executed or expired.
    if (due === 0n) continue
    const since = log.blockTime ?? times.get(log.blockNumber)
    const wait = since === undefined ? 0 : Math.max(0, Number(due) - since / 1_000)
    waits.set(account, Math.min(wait, waits.get(account) ?? wait))
  }
  return value(waits)
}

const MAX_TIME = (1n << 48n) - 1n

/**
 * Decodes whether the account is a member, and its execution delay in seconds. A member from a later time on counts already,
 * and so does a shorter delay: no event reports when they take effect.
 */
function membershipOf(data: Hex): { readonly isMember: boolean; readonly delay: number } | undefined {
  const [since, delay, pending, effect] = [0, 1, 2, 3].map((at) => uintAt(data, at))
  if (data.length !== 2 + 4 * 64 || since === undefined || delay === undefined) return undefined
  if (pending === undefined || effect === undefined || since > MAX_TIME || effect > MAX_TIME) return undefined
  if (delay > MAX_MANAGER_DELAY || pending > MAX_MANAGER_DELAY) return undefined
  return { isMember: since > 0n, delay: Number(effect > 0n && pending < delay ? pending : delay) }
}

export async function readGovernors(deps: Deps, address: Hex): Promise<MembersRead<readonly Hex[]>> {
  const { reads } = deps
  const history = await logsOf(deps, address, [GOVERNOR_ACCEPTED])
  if (history.type !== 'value') return history
  // The argument is not indexed.
  const accounts = accountsOf(history.value.map(({ data, topics }) => topics[1] ?? data))
  if (accounts === undefined) return INVALID_EVENT
  const results = await reads.calls(
    address,
    accounts.map((account) => encodeFunctionData({ abi: ABI, functionName: 'proxyIsGovernor', args: [account] })),
  )
  const failed = results.find((result) => result.type === 'unread')
  if (failed !== undefined) return failed
  const held = results.map((result) => (result.type === 'value' ? boolOf(result.value) : false))
  return held.includes(undefined) ? INVALID_RESULT : value(accounts.filter((_, at) => held[at] === true))
}

/** Distinct addresses; undefined where a word is not an address. */
function accountsOf(words: readonly Hex[]): readonly Hex[] | undefined {
  const accounts = new Set(words.map(addressOf))
  return accounts.has(undefined) ? undefined : ([...accounts] as readonly Hex[])
}

/** Maker's wards. Older contracts emit no event in their constructor, so their first ward would be missed. */
export async function readWards(deps: Deps, address: Hex): Promise<MembersRead<readonly Hex[]>> {
  const { reads } = deps
  const history = await logsOf(deps, address, [RELIED])
  if (history.type !== 'value') return history
  if (history.value.length === 0) return malformed({ code: 'wards_without_events' })
  const accounts = accountsOf(history.value.map(({ topics }) => topics[1] ?? '0x'))
  if (accounts === undefined) return INVALID_EVENT
  const results = await reads.calls(
    address,
    accounts.map((account) => encodeFunctionData({ abi: ABI, functionName: 'wards', args: [account] })),
  )
  const failed = results.find((result) => result.type !== 'value')
  if (failed !== undefined) return failed.type === 'unread' ? failed : malformed({ code: 'ward_calls_revert' })
  const held = results.map((result) => (result.type === 'value' ? uintOf(result.value) : undefined))
  return held.includes(undefined) ? INVALID_RESULT : value(accounts.filter((_, at) => held[at] !== 0n))
}

/** Every account that an event ever added to a role or to the wards, every logic, and entries of a Safe that events name. */
export async function readHistory(deps: Deps, address: Hex): Promise<MembersRead<History>> {
  const { reads, logs } = deps
  const read = await logsOf(deps, address, OF_HISTORY)
  if (read.type !== 'value') return read
  const granted = new Map<Hex, Hex[]>()
  const [relied, logics, removed, listed] = [new Set<Hex>(), new Set<Hex>(), new Set<Hex>(), new Set<Hex>()]
  const [messages, administrators] = [new Set<Hex>(), new Set<Hex>()]
  const logicBlocks = new Map<Hex, number>()
  const operations = new Map<Hex, History['operations'][number]>()
  const [added, revoked] = [new Map<string, number>(), new Map<string, Revoked>()]
  const times = await timesOf(reads, read.value)
  for (const log of read.value) {
    const { topics, data, blockNumber, blockTime } = log
    // Some contracts do not index the argument.
    const [event, first = data, second = '0x'] = topics
    if (event === SIGN_MSG) {
      if (first.length === 66) messages.add(first)
      continue
    }
    if (event === CALL_SCHEDULED || event === TRANSACTION_QUEUED) {
      const queuedAt = blockTime ?? times.get(blockNumber)
      const due = event === TRANSACTION_QUEUED ? dueOf(first, second, data) : undefined
      // A batch has an event for each of its calls.
      const own = [...(operations.get(first)?.own ?? []), ...ownCallsIn(log, address)]
      operations.set(first, {
        id: first,
        block: blockNumber,
        ...(queuedAt === undefined ? {} : { queuedAt: queuedAt / 1_000 }),
        ...(due === undefined ? {} : { due }),
        ...(own.length === 0 ? {} : { own }),
      })
      continue
    }
    if (event === APPROVE_HASH) continue
    if (event === MANAGER_GRANTED) {
      const member = addressOf(second)
      if (member !== undefined && first === DEFAULT_ADMIN) administrators.add(member)
      continue
    }
    const account = addressOf(event === GRANTED || event === REVOKED ? second : first)
    const membership = `${first}${account}`
    if (event === REVOKED) {
      if (account !== undefined)
        revoked.set(membership, { role: first, account, from: added.get(membership) ?? 0, to: blockNumber })
      continue
    }
    if (event === GRANTED && !added.has(membership)) added.set(membership, blockNumber)
    if (event !== undefined && REMOVED.includes(event)) {
      if (account !== undefined) removed.add(account)
    } else if (event !== undefined && LISTED.includes(event)) {
      // The last mention counts.
      if (account !== undefined) listed.delete(account)
      if (account !== undefined) listed.add(account)
    } else if (account === undefined) return INVALID_EVENT
    else if (event === RELIED) relied.add(account)
    else if (event === UPGRADED) {
      // The last mention counts.
      logics.delete(account)
      logics.add(account)
      if (!logicBlocks.has(account)) logicBlocks.set(account, blockNumber)
    } else granted.set(first, [...new Set([...(granted.get(first) ?? []), account])])
  }
  const approvals = await readApprovals(
    { reads, logs },
    address,
    read.value.filter(({ topics }) => topics[0] === APPROVE_HASH),
  )
  if (approvals.type === 'unread') return approvals
  return value({
    granted,
    relied: [...relied],
    administrators: [...administrators],
    listed: [...listed].toReversed().slice(0, MAX_NAMED),
    logics: [...logics],
    logicBlocks,
    approvals: approvals.type === 'value' ? approvals.value : [],
    messages: [...messages],
    removed: [...removed],
    operations: [...operations.values()],
    revoked: [...revoked.values()],
  })
}

/** The times of the blocks in which operations were queued, for endpoints that return logs without a time. */
async function timesOf(reads: ChainReads, logs: readonly Log[]): Promise<ReadonlyMap<number, number | undefined>> {
  const queued = logs.filter(({ topics: [event], blockTime }) => {
    return (
      blockTime === undefined &&
      (event === CALL_SCHEDULED || event === TRANSACTION_QUEUED || event === MANAGER_SCHEDULED)
    )
  })
  const blocks = [...new Set(queued.map(({ blockNumber }) => blockNumber))]
  return new Map(await Promise.all(blocks.map(async (block) => [block, await reads.timeOf(block)] as const)))
}

const QUEUED_VALUES = parseAbiParameters('uint256, string, bytes, uint256')
const QUEUED_KEY = parseAbiParameters('address, uint256, string, bytes, uint256')

/** The time of an operation of Compound's timelock, where its key is the hash of what the event says. */
function dueOf(id: Hex, targetWord: Hex, data: Hex): number | undefined {
  const target = addressOf(targetWord)
  if (target === undefined) return undefined
  try {
    const [amount, signature, input, due] = decodeAbiParameters(QUEUED_VALUES, data)
    const key = keccak256(encodeAbiParameters(QUEUED_KEY, [target, amount, signature, input, due]))
    return key === id ? Number(due) : undefined
  } catch {
    return undefined
  }
}
