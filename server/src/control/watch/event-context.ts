/**
 * What stood before an event, asked of the chain itself, so that its severity does not depend on when it was read.
 *
 * Only events whose direction matters and which do not tell it themselves are asked about: thresholds, delays,
 * implementations, initializers and executions, a few questions each. Where no node keeps the old state, nothing is known, and
 * nothing is made of it.
 */
import type { Hex } from '../../lib/hex.ts'
import { optionalField } from '../../lib/optional-field.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { DELAYS, IMPLEMENTATIONS, nextOf, previousOf, THRESHOLDS, textOf } from '../catalog/control-arguments.ts'
import type { Facts } from '../catalog/severity.ts'
import type { Log } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool, RpcResult } from '../rpc/pool.ts'
import { ethCallWord, getCode, getStorageAt, type RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { announcedIn, type DecodedLog, isExecution, operationOf } from './timelock-operations.ts'

export type Decoded = DecodedLog & { isInit: boolean }
export type EventContext = Pick<
  Facts,
  | 'previousThreshold'
  | 'previousDelay'
  | 'previousImplementation'
  | 'hasSameCode'
  | 'wasInitializedBefore'
  | 'operation'
  | 'wasMinterBefore'
  | 'roleHoldersLeft'
>
type Ask = RequestOptions & {
  readonly parentOf: (log: Log) => Hex | undefined
  /** Milliseconds since the epoch. */
  readonly timeOf: (log: Log) => number
}

/** Event → the function that tells the value in force. */
const GET_THRESHOLD: Hex = '0xe75235b8' // getThreshold()
const THRESHOLD_GETTERS: Readonly<Record<string, Hex>> = {
  'safe.changed_threshold': GET_THRESHOLD,
  'gnosis.requirement_change': '0xdc8452cd', // required()
  'account.threshold_set': '0x42cde4e8', // threshold()
}
const DELAY_GETTERS: Readonly<Record<string, Hex>> = {
  'timelock.new_delay': '0x6a42b8f8', // delay()
  'timelock.min_delay_set': '0xf27a0c92', // getMinDelay()
  'morpho.timelock_set': '0xd33219b4', // timelock()
}
const IS_MINTER: Hex = '0xaa271e1a' // isMinter(address)
const GET_ROLE_MEMBER_COUNT: Hex = '0xca15c873' // getRoleMemberCount(bytes32), where roles are enumerable
const BEACON_IMPLEMENTATION: Hex = '0x5c60da1b' // implementation()
/** https://eips.ethereum.org/EIPS/eip-1967 */
const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
/** `openzeppelin.storage.Initializable`: the version stands in the low eight bytes. */
const INITIALIZABLE_SLOT: Hex = '0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00'

export async function readEventContexts(
  deps: { readonly pool: RpcPool },
  decoded: readonly Decoded[],
  ask: Ask,
): Promise<ReadonlyMap<Decoded, EventContext>> {
  const pool = askingOnce(deps.pool)
  const changes = new Map<string, string>()
  const found = new Map<Decoded, EventContext>()
  const announced = announcedIn(decoded, ask.timeOf)
  // Setup is judged as setup, whatever stood before.
  const asked = decoded.filter(({ event, isInit }) => !isInit && matters(event))
  const mute = await muteMinters(pool, asked, ask)
  const open =
    mute.size === 0 ? asked : asked.filter(({ log, event }) => event.key !== MINTER || !mute.has(log.address))
  const timesOf = repetitions()
  await Promise.all(
    open.map(async (entry) => {
      const before = sameBlockBefore(entry, changes)
      const known = timesOf(entry) > ASKED_A_BLOCK ? unasked(entry.event) : undefined
      if (known !== undefined) {
        found.set(entry, known)
        return
      }
      found.set(
        entry,
        isExecution(entry.event)
          ? optionalField('operation', await operationOf(entry, announced, wordAt(pool, entry.log, ask)))
          : await eventContextOf(pool, entry.log, entry.event, before, ask),
      )
    }),
  )
  return found
}

/**
 * Anyone can log thousands of events in a block for next to nothing, and a question for each would keep us behind the
 * head for ever. Of what one contract repeats in one block only the first few are asked about; where that leaves
 * something open, the worst is assumed.
 */
const ASKED_A_BLOCK = 20

/** Undefined for what all events of a block share the answer to. */
function unasked(event: DecodedEvent): EventContext | undefined {
  if (isExecution(event)) return { operation: 'unseen' }
  return event.key === MINTER || event.key in IMPLEMENTATIONS ? NOTHING : undefined
}

function repetitions(): (entry: Decoded) => number {
  const counts = new Map<string, number>()
  return ({ log, event }) => {
    const place = `${log.blockHash}${log.address}${event.key}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    return count
  }
}

/** What is asked of one contract before one block is asked once; code is too large to be kept for that. */
function askingOnce(pool: RpcPool): RpcPool {
  const asked = new Map<string, Promise<RpcResult<unknown>>>()
  const request: RpcPool['request'] = <T>(question: RpcRequest<T>, options?: RequestOptions) => {
    if (question.method === 'eth_getCode') return pool.request(question, options)
    const key = JSON.stringify([question.method, question.params])
    const answer = (asked.get(key) ?? pool.request(question, options)) as Promise<RpcResult<T>>
    asked.set(key, answer)
    return answer
  }
  return { ...pool, request }
}

/**
 * Contracts that tell of minters and have no `isMinter`: silent before the first of these events and before the last,
 * they are not asked before each one between.
 */
async function muteMinters(pool: RpcPool, asked: readonly Decoded[], ask: Ask): Promise<ReadonlySet<Hex>> {
  const mute = new Set<Hex>()
  const told = asked.filter(({ event }) => event.key === MINTER)
  for (const [address, entries] of Map.groupBy(told, ({ log }) => log.address)) {
    const [first, last] = [entries[0], entries.at(-1)]
    if (first === undefined || last === undefined || entries.length < 3) continue
    const answers = await Promise.all([first, last].map(({ log, event }) => wasMinter(pool, log, event, ask)))
    if (answers.every((answer) => answer === undefined)) mute.add(address)
  }
  return mute
}

async function wasMinter(pool: RpcPool, log: Log, event: DecodedEvent, ask: Ask): Promise<boolean | undefined> {
  const minter = textOf(event, 'minter')?.slice(2) ?? ''
  const word = await wordAt(pool, log, ask)(`${IS_MINTER}${minter.padStart(64, '0')}`)
  return word === undefined ? undefined : BigInt(word) > 0n
}

const NOTHING: EventContext = {}
const MINTER = 'fiat.minter_configured'
const ZERO_WORD = '0'.repeat(64)
const matters = (event: DecodedEvent): boolean =>
  event.key === MINTER ||
  (event.key === 'access.role_revoked' && event.args.role === `0x${ZERO_WORD}`) ||
  event.key in THRESHOLD_GETTERS ||
  event.key in DELAY_GETTERS ||
  event.key in IMPLEMENTATIONS ||
  isExecution(event) ||
  event.key === 'proxy.initialized'

/** Asks a contract as it stood before the block of this log. */
function wordAt(pool: RpcPool, log: Log, ask: Ask): (data: Hex) => Promise<Hex | undefined> {
  return (data) => answered(pool, ethCallWord(log.address, data, parentBlock(log, ask)), ask)
}

/** Safes among these that were set up before the block of their `SafeSetup`: a second setup is no setup. */
export async function setUpBefore(
  { pool }: { readonly pool: RpcPool },
  setups: readonly Log[],
  ask: Ask,
): Promise<ReadonlySet<Log>> {
  const answers = await Promise.all(
    setups.map(async (log) => [log, await wordAt(pool, log, ask)(GET_THRESHOLD)] as const),
  )
  return new Set(answers.filter(([, word]) => word !== undefined && BigInt(word) > 0n).map(([log]) => log))
}

/** The value an earlier event of the same block set, if one did: the state before the block is then not the answer. */
function sameBlockBefore({ log, event }: Decoded, changes: Map<string, string>): string | undefined {
  const place = `${log.blockHash}${log.address}${event.key}`
  const before = changes.get(place)
  const next = nextOf(THRESHOLDS, event) ?? nextOf(DELAYS, event) ?? nextOf(IMPLEMENTATIONS, event)
  if (next !== undefined) changes.set(place, next)
  return before
}

async function eventContextOf(
  pool: RpcPool,
  log: Log,
  event: DecodedEvent,
  before: string | undefined,
  ask: Ask,
): Promise<EventContext> {
  const parent = parentBlock(log, ask)
  const here = { number: log.blockNumber, hash: log.blockHash }
  const known = <T>(question: RpcRequest<T>): Promise<T | undefined> => answered(pool, question, ask)
  const value = async (getter: Hex): Promise<bigint | undefined> => {
    const word = before ?? (await known(ethCallWord(log.address, getter, parent)))
    return word === undefined ? undefined : BigInt(word)
  }
  const threshold = THRESHOLD_GETTERS[event.key]
  if (threshold !== undefined) return optionalField('previousThreshold', await value(threshold))
  const delay = DELAY_GETTERS[event.key]
  if (delay !== undefined) return optionalField('previousDelay', await value(delay))
  if (event.key === MINTER) return optionalField('wasMinterBefore', await wasMinter(pool, log, event, ask))
  if (event.key === 'access.role_revoked') {
    const word = await known(ethCallWord(log.address, `${GET_ROLE_MEMBER_COUNT}${ZERO_WORD}`, here))
    return optionalField('roleHoldersLeft', word === undefined ? undefined : Number(word))
  }
  if (event.key === 'proxy.initialized') {
    const word = await known(getStorageAt(log.address, INITIALIZABLE_SLOT, parent))
    // Zero tells nothing: contracts before OpenZeppelin 5 keep the version elsewhere.
    return word !== undefined && BigInt(`0x${word.slice(-16)}`) > 0n ? { wasInitializedBefore: true } : NOTHING
  }
  const next = nextOf(IMPLEMENTATIONS, event) as Hex | undefined
  const previous = (previousOf(IMPLEMENTATIONS, event) ?? before ?? (await implementationBefore())) as Hex | undefined
  if (next === undefined || previous === undefined) return NOTHING
  const [old, fresh] = await Promise.all([known(getCode(previous, here)), known(getCode(next, here))])
  const hasSameCode = old === undefined || fresh === undefined ? undefined : old === fresh && old !== '0x'
  return { previousImplementation: previous, ...optionalField('hasSameCode', hasSameCode) }

  async function implementationBefore(): Promise<string | undefined> {
    const word =
      event.key === 'beacon.upgraded'
        ? await known(ethCallWord(log.address, BEACON_IMPLEMENTATION, parent))
        : event.key === 'proxy.upgraded'
          ? await known(getStorageAt(log.address, IMPLEMENTATION_SLOT, parent))
          : undefined
    return word === undefined || BigInt(word) === 0n ? undefined : `0x${word.slice(-40)}`
  }
}

function parentBlock(log: Log, { parentOf }: Ask): { readonly number: number; readonly hash?: Hex } {
  const hash = parentOf(log)
  return hash === undefined ? { number: log.blockNumber - 1 } : { number: log.blockNumber - 1, hash }
}

/** Undefined where everyone says that the state is gone, or that the contract does not answer. */
async function answered<T>(pool: RpcPool, question: RpcRequest<T>, ask: Ask): Promise<T | undefined> {
  try {
    const { parentOf: _, timeOf: __, ...options } = ask
    return (await pool.request(question, options)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'reverted', 'unsupported')) return undefined
    throw error
  }
}
