/**
 * What the events of a queue do not contain and its contract returns: when an operation is ready and expires, and states
 * that no event reports.
 */
import type { Hex } from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { PendingFamily } from '../../../../vocabulary/pending.ts'
import { readGovernorTimes } from './governor-times.ts'

/** The words that a getter of the contract, or of another one, returns. Undefined if it fails. */
export type ReadWords = (data: Hex, to?: Hex) => Promise<readonly bigint[] | undefined>

export type Queue = {
  readonly operation: string
  /** Seconds since the epoch. */
  readonly queuedAt: number
  readonly earliestAt: number | undefined
  /** The time of the block that is read, in seconds since the epoch. */
  readonly now: number
  /** Its number. */
  readonly block: number
  /** Seconds from one block to the next, on this chain and on the one that it settles on. */
  readonly blockTime: number | undefined
  readonly parentBlockTime: number | undefined
}

export type QueueFacts = {
  readonly state?: 'queued' | 'executed' | 'canceled' | 'expired' | 'defeated' | 'passed'
  readonly earliestAt?: number | undefined
  readonly expiresAt?: number | undefined
}

const NOTHING: QueueFacts = {}

const selectorOf = (signature: string): Hex => keccak256(stringToHex(signature)).slice(0, 10) as Hex
const withNumber = (signature: string, operation: string): Hex | undefined =>
  /^\d{1,78}$/.test(operation)
    ? `${selectorOf(signature)}${BigInt(operation).toString(16).padStart(64, '0').slice(-64)}`
    : undefined

/** Larger numbers are not times. */
const MAX_SECONDS = 8_000_000_000n
const secondsOf = (word: bigint | undefined): number | undefined =>
  word !== undefined && word < MAX_SECONDS ? Number(word) : undefined

const plus = (time: number | undefined, seconds: number | undefined): number | undefined =>
  time === undefined || seconds === undefined ? undefined : time + seconds

/** Operations that can be executed for a while after they are ready. */
const withGracePeriod =
  (getter: string) =>
  async ({ earliestAt }: Queue, read: ReadWords): Promise<QueueFacts> => ({
    expiresAt: plus(earliestAt, secondsOf((await read(selectorOf(getter)))?.[0])),
  })

/** Those after `executed` are of Nouns: vetoed, in an objection period, updatable. */
const GOVERNOR_STATES = [
  'voting',
  'voting',
  'canceled',
  'defeated',
  'succeeded',
  'queued',
  'expired',
  'executed',
  'canceled',
  'voting',
  'voting',
] as const

async function readGovernor(queue: Queue, read: ReadWords): Promise<QueueFacts> {
  const [getState, getEta] = ['state(uint256)', 'proposalEta(uint256)'].map((name) => withNumber(name, queue.operation))
  if (getState === undefined || getEta === undefined) return NOTHING
  const state = GOVERNOR_STATES[Number((await read(getState))?.[0] ?? -1n)]
  if (state === 'voting' || state === 'succeeded') {
    const { voteEnd, delay, needsQueue } = await readGovernorTimes(queue, `0x${getState.slice(10)}`, read)
    // Without a queue, a proposal that passed can be executed at once.
    if (state === 'succeeded' && needsQueue === false) return { state: 'queued', earliestAt: voteEnd ?? queue.now }
    return { earliestAt: plus(state === 'succeeded' ? queue.now : voteEnd, delay) }
  }
  const eta = state === 'queued' ? secondsOf((await read(getEta))?.[0]) : undefined
  return { ...(state !== undefined && { state }), earliestAt: eta === 0 ? undefined : eta }
}

const AAVE2_STATES: readonly QueueFacts['state'][] = [
  undefined, // pending
  'canceled',
  undefined, // active
  'defeated',
  undefined, // succeeded
  'queued',
  'expired',
  'executed',
]

const AAVE3_STATES: readonly QueueFacts['state'][] = [
  undefined, // none
  undefined, // created
  undefined, // active
  'queued',
  'executed',
  'defeated',
  'canceled',
  'expired',
]

/** Version 3 waits a fixed time before it sends a queued proposal to the chains of its payloads. Version 2 has no such getter. */
async function readAave({ operation, queuedAt }: Queue, read: ReadWords): Promise<QueueFacts> {
  const getter = withNumber('getProposalState(uint256)', operation)
  if (getter === undefined) return NOTHING
  const cooldown = secondsOf((await read(selectorOf('COOLDOWN_PERIOD()')))?.[0])
  const states = cooldown === undefined ? AAVE2_STATES : AAVE3_STATES
  const state = states[Number((await read(getter))?.[0] ?? -1n)]
  if (state === undefined) return NOTHING
  return cooldown === undefined || state !== 'queued' ? { state } : { state, earliestAt: queuedAt + cooldown }
}

/** The contract forgets what it has scheduled when it takes effect; a cancellation has an event. */
async function readDefaultAdmin({ operation, earliestAt, now }: Queue, read: ReadWords): Promise<QueueFacts> {
  if (operation === 'default_admin') {
    const words = await read(selectorOf('pendingDefaultAdmin()'))
    return words?.length === 2 && words[1] === 0n ? { state: 'executed' } : NOTHING
  }
  const words = await read(selectorOf('pendingDefaultAdminDelay()'))
  const hasPassed = words?.length === 2 && words[1] === 0n && earliestAt !== undefined && earliestAt <= now
  return hasPassed ? { state: 'executed' } : NOTHING
}

/** By the first part of the operation: the getter, and the word with the time from which it can be accepted. */
const MORPHO_GETTERS: Readonly<Record<string, readonly [getter: string, position: number]>> = {
  timelock: ['pendingTimelock()', 1],
  guardian: ['pendingGuardian()', 1],
  cap: ['pendingCap(bytes32)', 1],
  removal: ['config(bytes32)', 2],
}

/** MetaMorpho forgets what was submitted when it is accepted; a revocation has an event. Operations of Vault 2 have a time. */
async function readMorpho({ operation }: Queue, read: ReadWords): Promise<QueueFacts> {
  const [name = '', id = ''] = operation.split(':')
  const [getter, position] = MORPHO_GETTERS[name] ?? []
  if (getter === undefined || position === undefined || !/^(?:0x[0-9a-f]{64})?$/.test(id)) return NOTHING
  const validAt = secondsOf((await read(`${selectorOf(getter)}${id.slice(2)}`))?.[position])
  if (validAt === undefined) return NOTHING
  return validAt === 0 ? { state: 'executed' } : { earliestAt: validAt }
}

const PAYLOAD_STATES: readonly QueueFacts['state'][] = [
  undefined, // none
  undefined, // created
  'queued',
  'executed',
  'canceled',
  'expired',
]

/** `getPayloadById` returns a structure: creator, access level, state, four times, expiration, delay, grace period, actions. */
async function readPayload({ operation }: Queue, read: ReadWords): Promise<QueueFacts> {
  const getter = withNumber('getPayloadById(uint40)', operation)
  const words = getter === undefined ? undefined : await read(getter)
  if (words === undefined || words[0] !== 32n || words.length < 12) return NOTHING
  const [, , , stateWord, , queuedAt, , , expiration, delay, grace] = words
  const state = PAYLOAD_STATES[Number(stateWord ?? 0n)]
  if (state !== 'queued') return { ...(state !== undefined && { state }), expiresAt: secondsOf(expiration) }
  const earliestAt = plus(secondsOf(queuedAt), secondsOf(delay))
  return { state, earliestAt, expiresAt: plus(earliestAt, secondsOf(grace)) }
}

/** A transaction of the module has no event at its end: the module counts the transactions that it has passed. */
async function readDelay({ operation, queuedAt }: Queue, read: ReadWords): Promise<QueueFacts> {
  const [cooldown, expiration, nonce] = await Promise.all(
    ['txCooldown()', 'txExpiration()', 'txNonce()'].map(async (name) => (await read(selectorOf(name)))?.[0]),
  )
  const earliestAt = plus(queuedAt, secondsOf(cooldown))
  const lifetime = secondsOf(expiration)
  const hasPassed = nonce !== undefined && /^\d{1,78}$/.test(operation) && BigInt(operation) < nonce
  return {
    ...(hasPassed && { state: 'passed' as const }),
    earliestAt,
    expiresAt: lifetime === 0 ? undefined : plus(earliestAt, lifetime),
  }
}

const LIDO_STATES: readonly QueueFacts['state'][] = [undefined, undefined, 'queued', 'executed', 'canceled']

async function readLido({ operation }: Queue, read: ReadWords): Promise<QueueFacts> {
  const getter = withNumber('getProposalDetails(uint256)', operation)
  const words = getter === undefined ? undefined : await read(getter)
  const state = words?.length === 5 ? LIDO_STATES[Number(words[4])] : undefined
  return state === undefined ? NOTHING : { state }
}

const READERS: Readonly<Partial<Record<PendingFamily, (queue: Queue, read: ReadWords) => Promise<QueueFacts>>>> = {
  compound_timelock: withGracePeriod('GRACE_PERIOD()'),
  aave_executor: withGracePeriod('GRACE_PERIOD()'),
  access_manager: withGracePeriod('expiration()'),
  aave_governance: readAave,
  default_admin: readDefaultAdmin,
  morpho_vault: readMorpho,
  aave_payloads: readPayload,
  governor: readGovernor,
  lido_governance: readLido,
  zodiac_delay: readDelay,
}

export const readQueue = async (family: PendingFamily, queue: Queue, read: ReadWords): Promise<QueueFacts> =>
  (await READERS[family]?.(queue, read)) ?? NOTHING
