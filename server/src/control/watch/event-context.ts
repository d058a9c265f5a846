/**
 * Reads the chain state before an event that its severity depends on, so that the severity does not depend on when the
 * event is read.
 *
 * Covers events that do not contain their previous value: thresholds, delays, implementations, initializers, executions,
 * minters, role members and the delays of governors, with a few requests each. If no node has the old state, the context is empty.
 */
import type { Hex } from '../../lib/hex.ts'
import { optionalField } from '../../lib/optional-field.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { DELAYS, IMPLEMENTATIONS, nextOf, previousOf, THRESHOLDS, textOf } from '../catalog/control-arguments.ts'
import { safeHandlerOf, safeLibraryOf } from '../catalog/safe-libraries.ts'
import { delegatedTargets, payloadCalls } from '../catalog/scheduled-calls.ts'
import type { SeverityFacts } from '../catalog/severity.ts'
import type { Log } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool, RpcResult } from '../rpc/pool.ts'
import { ethCall, ethCallWord, getCode, getStorageAt, type RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { type DecodedLog, isExecution, operationOf, scheduledIn } from './timelock-operations.ts'

export type Decoded = DecodedLog & { isInit: boolean }
export type EventContext = Pick<
  SeverityFacts,
  | 'previousThreshold'
  | 'previousDelay'
  | 'previousImplementation'
  | 'hasSameCode'
  | 'wasInitializedBefore'
  | 'operation'
  | 'wasMinterBefore'
  | 'roleMembersLeft'
  | 'isReleasedHandler'
  | 'delayAfterVote'
  | 'delegatesToUnknown'
  | 'announced'
>
type ReadOptions = RequestOptions & {
  readonly parentOf: (log: Log) => Hex | undefined
  /** Milliseconds since the epoch. */
  readonly timeOf: (log: Log) => number
}

/** The getters of the current values, by event key. */
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
  'access.default_admin_delay_scheduled': '0xcc8463c8', // defaultAdminDelay()
}
const IS_MINTER: Hex = '0xaa271e1a' // isMinter(address)
const TIMELOCK: Hex = '0xd33219b4' // timelock()
const GET_PAYLOAD: Hex = '0x58007a4e' // getPayloadById(uint40)
const NEEDS_QUEUING: Hex = '0xa9a95294' // proposalNeedsQueuing(uint256), since OpenZeppelin 5
const TIMELOCK_DELAYS: readonly Hex[] = ['0x6a42b8f8', '0xf27a0c92'] // delay(), getMinDelay()
const GET_ROLE_MEMBER_COUNT: Hex = '0xca15c873' // getRoleMemberCount(bytes32), where roles are enumerable
const BEACON_IMPLEMENTATION: Hex = '0x5c60da1b' // implementation()
/** https://eips.ethereum.org/EIPS/eip-1967 */
const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
/** `openzeppelin.storage.Initializable`: the version is in the low eight bytes. */
const INITIALIZABLE_SLOT: Hex = '0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00'

export async function readEventContexts(
  deps: { readonly pool: RpcPool },
  decoded: readonly Decoded[],
  options: ReadOptions,
): Promise<ReadonlyMap<Decoded, EventContext>> {
  const pool = requestOnce(deps.pool)
  const changes = new Map<string, string>()
  const found = new Map<Decoded, EventContext>()
  const scheduled = scheduledIn(decoded, options.timeOf)
  // The severity of setup does not depend on earlier state.
  const relevant = decoded.filter(({ event, isInit }) => !isInit && isRelevant(event))
  const withoutGetter = await contractsWithoutIsMinter(pool, relevant, options)
  const open =
    withoutGetter.size === 0
      ? relevant
      : relevant.filter(({ log, event }) => event.key !== MINTER || !withoutGetter.has(log.address))
  const timesOf = repetitions()
  await Promise.all(
    open.map(async (entry) => {
      const before = sameBlockBefore(entry, changes)
      const known = timesOf(entry) > READS_PER_BLOCK ? withoutRead(entry) : undefined
      if (known !== undefined) {
        found.set(entry, known)
        return
      }
      found.set(
        entry,
        isExecution(entry.event)
          ? optionalField('operation', await operationOf(entry, scheduled, wordAt(pool, entry.log, options)))
          : await eventContextOf(pool, entry.log, entry.event, before, options),
      )
    }),
  )
  return found
}

/**
 * A block can contain thousands of cheap events, and a request for each would keep the follower behind the head. For
 * events that one contract repeats in one block, state is read only for the first few. For the others the worst is
 * assumed.
 */
const READS_PER_BLOCK = 20

/** Code that one queued call delegates to and that is read. */
const MAX_DELEGATED = 10

/** The context of an event beyond that number. Undefined if all events of the block share one request. */
function withoutRead({ event, log }: Decoded): EventContext | undefined {
  if (isExecution(event)) return { operation: 'unseen' }
  if (event.key === PROPOSAL) return { delayAfterVote: 0n }
  if (event.key === DELAYED) return { delegatesToUnknown: delegatedTargets(event, log.address).length > 0 }
  return event.key === MINTER || event.key in IMPLEMENTATIONS ? EMPTY_CONTEXT : undefined
}

function repetitions(): (entry: Decoded) => number {
  const counts = new Map<string, number>()
  return ({ log, event }) => {
    const key = `${log.blockHash}${log.address}${event.key}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}

/** Sends equal requests once. Code is too large to be cached for that. */
function requestOnce(pool: RpcPool): RpcPool {
  const sent = new Map<string, Promise<RpcResult<unknown>>>()
  const request: RpcPool['request'] = <T>(rpcRequest: RpcRequest<T>, options?: RequestOptions) => {
    if (rpcRequest.method === 'eth_getCode') return pool.request(rpcRequest, options)
    const key = JSON.stringify([rpcRequest.method, rpcRequest.params])
    const result = (sent.get(key) ?? pool.request(rpcRequest, options)) as Promise<RpcResult<T>>
    sent.set(key, result)
    return result
  }
  return { ...pool, request }
}

/**
 * Contracts with minter events and without `isMinter`: if the call fails before the first and the last event, it is not
 * repeated for those in between.
 */
async function contractsWithoutIsMinter(
  pool: RpcPool,
  decoded: readonly Decoded[],
  options: ReadOptions,
): Promise<ReadonlySet<Hex>> {
  const found = new Set<Hex>()
  const minterEvents = decoded.filter(({ event }) => event.key === MINTER)
  for (const [address, entries] of Map.groupBy(minterEvents, ({ log }) => log.address)) {
    const [first, last] = [entries[0], entries.at(-1)]
    if (first === undefined || last === undefined || entries.length < 3) continue
    const results = await Promise.all([first, last].map(({ log, event }) => wasMinter(pool, log, event, options)))
    if (results.every((result) => result === undefined)) found.add(address)
  }
  return found
}

async function wasMinter(
  pool: RpcPool,
  log: Log,
  event: DecodedEvent,
  options: ReadOptions,
): Promise<boolean | undefined> {
  const minter = textOf(event, 'minter')?.slice(2) ?? ''
  const word = await wordAt(pool, log, options)(`${IS_MINTER}${minter.padStart(64, '0')}`)
  return word === undefined ? undefined : BigInt(word) > 0n
}

const EMPTY_CONTEXT: EventContext = {}
const MINTER = 'fiat.minter_configured'
const PROPOSAL = 'governor.proposal_created'
const PAYLOAD_QUEUED = 'aave3.payload_queued'
const DELAYED = 'zodiac.tx_added'
const FALLBACK_HANDLER = 'safe.changed_fallback_handler'
const ZERO_WORD = '0'.repeat(64)
const isRelevant = (event: DecodedEvent): boolean =>
  event.key === MINTER ||
  event.key === FALLBACK_HANDLER ||
  event.key === PROPOSAL ||
  event.key === PAYLOAD_QUEUED ||
  event.key === DELAYED ||
  (event.key === 'access.role_revoked' && event.args.role === `0x${ZERO_WORD}`) ||
  event.key in THRESHOLD_GETTERS ||
  event.key in DELAY_GETTERS ||
  event.key in IMPLEMENTATIONS ||
  isExecution(event) ||
  event.key === 'proxy.initialized'

/** Calls a contract with its state before the block of this log. */
function wordAt(pool: RpcPool, log: Log, options: ReadOptions): (data: Hex) => Promise<Hex | undefined> {
  return (data) => resultOf(pool, ethCallWord(log.address, data, parentBlock(log, options)), options)
}

/** The `SafeSetup` logs of Safes that were already set up before the block: a second setup is a change. */
export async function setUpBefore(
  { pool }: { readonly pool: RpcPool },
  setups: readonly Log[],
  options: ReadOptions,
): Promise<ReadonlySet<Log>> {
  const thresholds = await Promise.all(
    setups.map(async (log) => [log, await wordAt(pool, log, options)(GET_THRESHOLD)] as const),
  )
  return new Set(thresholds.filter(([, word]) => word !== undefined && BigInt(word) > 0n).map(([log]) => log))
}

/** The value that an earlier event of the same block set. If there is one, the state before the block does not count. */
function sameBlockBefore({ log, event }: Decoded, changes: Map<string, string>): string | undefined {
  const key = `${log.blockHash}${log.address}${event.key}`
  const before = changes.get(key)
  const next = nextOf(THRESHOLDS, event) ?? nextOf(DELAYS, event) ?? nextOf(IMPLEMENTATIONS, event)
  if (next !== undefined) changes.set(key, next)
  return before
}

async function eventContextOf(
  pool: RpcPool,
  log: Log,
  event: DecodedEvent,
  before: string | undefined,
  options: ReadOptions,
): Promise<EventContext> {
  const parent = parentBlock(log, options)
  const here = { number: log.blockNumber, hash: log.blockHash }
  const read = <T>(request: RpcRequest<T>): Promise<T | undefined> => resultOf(pool, request, options)
  const value = async (getter: Hex): Promise<bigint | undefined> => {
    const word = before ?? (await read(ethCallWord(log.address, getter, parent)))
    return word === undefined ? undefined : BigInt(word)
  }
  const threshold = THRESHOLD_GETTERS[event.key]
  if (threshold !== undefined) return optionalField('previousThreshold', await value(threshold))
  const delay = DELAY_GETTERS[event.key]
  if (delay !== undefined) return optionalField('previousDelay', await value(delay))
  if (event.key === MINTER) return optionalField('wasMinterBefore', await wasMinter(pool, log, event, options))
  if (event.key === FALLBACK_HANDLER) {
    const handler = textOf(event, 'handler') as Hex | undefined
    const code = handler === undefined ? undefined : await read(getCode(handler, here))
    const isReleased = code === undefined ? undefined : safeHandlerOf(handler as Hex, code) !== undefined
    return optionalField('isReleasedHandler', isReleased)
  }
  if (event.key === PROPOSAL) return optionalField('delayAfterVote', await delayAfterVote())
  if (event.key === DELAYED) return optionalField('delegatesToUnknown', await delegatesToUnknown())
  if (event.key === PAYLOAD_QUEUED) {
    const id = BigInt(textOf(event, 'payloadId') ?? 0)
    const data: Hex = `${GET_PAYLOAD}${id.toString(16).padStart(64, '0')}`
    const result = await read(ethCall({ to: log.address, data }, here))
    return result === undefined ? EMPTY_CONTEXT : { announced: payloadCalls(result, log.address) }
  }
  if (event.key === 'access.role_revoked') {
    const word = await read(ethCallWord(log.address, `${GET_ROLE_MEMBER_COUNT}${ZERO_WORD}`, here))
    return optionalField('roleMembersLeft', word === undefined ? undefined : Number(word))
  }
  if (event.key === 'proxy.initialized') {
    const word = await read(getStorageAt(log.address, INITIALIZABLE_SLOT, parent))
    // Zero decides nothing: contracts before OpenZeppelin 5 store the version elsewhere.
    return word !== undefined && BigInt(`0x${word.slice(-16)}`) > 0n ? { wasInitializedBefore: true } : EMPTY_CONTEXT
  }
  const next = nextOf(IMPLEMENTATIONS, event) as Hex | undefined
  const previous = (previousOf(IMPLEMENTATIONS, event) ?? before ?? (await implementationBefore())) as Hex | undefined
  if (next === undefined || previous === undefined) return EMPTY_CONTEXT
  const [old, fresh] = await Promise.all([read(getCode(previous, here)), read(getCode(next, here))])
  const hasSameCode = old === undefined || fresh === undefined ? undefined : old === fresh && old !== '0x'
  return { previousImplementation: previous, ...optionalField('hasSameCode', hasSameCode) }

  /** Whether the Safe behind a delay module would run code that Safe did not release. Undefined where that is not known. */
  async function delegatesToUnknown(): Promise<boolean | undefined> {
    const targets = delegatedTargets(event, log.address)
    const codes = await Promise.all(
      targets.slice(0, MAX_DELEGATED).map(async (target) => await read(getCode(target, here))),
    )
    if (codes.some((code, at) => code !== undefined && safeLibraryOf(targets[at] as Hex, code) === undefined))
      return true
    return codes.includes(undefined) ? undefined : targets.length > MAX_DELEGATED
  }

  /** Undefined where the governor does not show what executes its proposals. */
  async function delayAfterVote(): Promise<bigint | undefined> {
    const timelock = await read(ethCallWord(log.address, TIMELOCK, parent))
    if (timelock === undefined) {
      const id = BigInt(textOf(event, 'proposalId') ?? 0)
      const needsQueuing = await read(
        ethCallWord(log.address, `${NEEDS_QUEUING}${id.toString(16).padStart(64, '0')}`, here),
      )
      return needsQueuing !== undefined && BigInt(needsQueuing) === 0n ? 0n : undefined
    }
    const address: Hex = `0x${timelock.slice(-40)}`
    const delays = await Promise.all(TIMELOCK_DELAYS.map((getter) => read(ethCallWord(address, getter, parent))))
    const known = delays.find((word) => word !== undefined)
    return known === undefined ? undefined : BigInt(known)
  }

  async function implementationBefore(): Promise<string | undefined> {
    const word =
      event.key === 'beacon.upgraded'
        ? await read(ethCallWord(log.address, BEACON_IMPLEMENTATION, parent))
        : event.key === 'proxy.upgraded'
          ? await read(getStorageAt(log.address, IMPLEMENTATION_SLOT, parent))
          : undefined
    return word === undefined || BigInt(word) === 0n ? undefined : `0x${word.slice(-40)}`
  }
}

function parentBlock(log: Log, { parentOf }: ReadOptions): { readonly number: number; readonly hash?: Hex } {
  const hash = parentOf(log)
  return hash === undefined ? { number: log.blockNumber - 1 } : { number: log.blockNumber - 1, hash }
}

/** Undefined if no endpoint has the state, or the call reverts. */
async function resultOf<T>(pool: RpcPool, request: RpcRequest<T>, options: ReadOptions): Promise<T | undefined> {
  try {
    const { parentOf: _, timeOf: __, ...requestOptions } = options
    return (await pool.request(request, requestOptions)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'reverted', 'unsupported')) return undefined
    throw error
  }
}
