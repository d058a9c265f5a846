/**
 * Polls one contract: reads its state at one block, finds silent changes since the last poll, and profiles it.
 *
 * A change is reported as silent when no log since the last read of the field announced it and a second endpoint, if
 * there is one, shows the same. A change that only one endpoint shows is not stored and checked again soon, until that
 * endpoint was the only one available for long enough (`unsettled-fields.ts`).
 */

import type { AccountKind } from '../../../../vocabulary/accounts.ts'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Database } from '../../platform/database.ts'
import { SLOT_EVENTS, type SlotField } from '../catalog/slot-events.ts'
import { findChain } from '../chains/chains.ts'
import { CONTRACT_KINDS } from '../profile/account.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { type Profile, type ProfileInput, toned } from '../profile/profile.ts'
import { plainCalls } from '../profile/simulated-calls.ts'
import { type ContractState, refKey, trialKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { PollRequest, TriggerEvent } from '../registry/poll-requests.ts'
import type { Header } from '../rpc/parse.ts'
import type { SilentChange } from './announced-changes.ts'
import { type CodeAppearance, codeAppearanceOf } from './code-appearance.ts'
import { delegateChanges } from './delegate-changes.ts'
import { type DerivedEvent, derivedHash } from './derived-events.ts'
import { beaconOf, probeTwice } from './probe.ts'
import { findSnapshot, type PollRecord, type StoredProfile, type StoredSnapshot, savePoll } from './profile-store.ts'
import { getPolledBlocks, rollBackPollsOf } from './roll-back-polls.ts'
import type { Session } from './session.ts'
import { findSilentChanges, type SilentChangeDeps } from './silent-changes.ts'
import { carryOver, changesBetween, type SlotChange, type Snapshot, snapshotOf } from './snapshot.ts'
import { LOGIC_FIELDS } from './source-checks.ts'
import {
  firstLogBlock,
  isLongEnough,
  nextDisagreements,
  nextFirstLogBlocks,
  nextObservations,
} from './unsettled-fields.ts'

export type PollDeps = SilentChangeDeps & {
  readonly database: Database
  readonly session: Session
  /** Limits how many polls store their result concurrently. */
  readonly storeLimit: <T>(work: () => Promise<T>) => Promise<T>
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

/** What is stored about the contract before the poll. */
export type Known = {
  readonly snapshot: StoredSnapshot | undefined
  readonly profile: StoredProfile | undefined
  readonly requests: readonly PollRequest[]
}

export type PollResult = { readonly profile: Profile; readonly silent: readonly SlotChange[]; readonly block: Header }

/** No endpoint of the chain has the required block. */
export class BlockUnavailableError extends GatewatchError {
  override readonly code = 'block_unavailable'
  override readonly retryable = true
  readonly chainId: number
  constructor(chainId: number) {
    super(`No endpoint of chain ${chainId} has the required block.`)
    this.chainId = chainId
  }
}

export async function pollContract(deps: PollDeps, ref: ContractRef, known: Known): Promise<PollResult> {
  const { database, session, storeLimit } = deps
  const block = await session.blockOf(ref.chainId)
  const last = await onCanonicalChain(deps, ref, known.snapshot)
  // An endpoint that lags would report every change since the last poll backwards.
  if (block === undefined || (last !== undefined && block.number < last.polledBlock))
    throw new BlockUnavailableError(ref.chainId)
  const served = await servedBy(session, known.requests)
  const previous = known.profile === undefined ? undefined : withTone(known.profile)
  const isOverdue = known.profile?.isOverdue === true
  const reading = await readContract(deps, ref, last?.fields ?? {}, { previous, isOverdue })
  const settled = settle(reading, await silentChangesIn(deps, ref, block, last, reading), previous)
  const appearance = await appearanceIn(deps, ref, block, last, settled.confirmed)
  const record = await recordOf(session, ref, { block, last, previous, reading, settled, appearance, served })
  const isFirst = await storeLimit(() => savePoll(database, record))
  const silent = settled.confirmed.filter((change) => !isSetup(change, appearance))
  return { profile: settled.profile, silent: isFirst ? silent : [], block }
}

/** What a poll read, compared with the last snapshot. */
type Reading = {
  readonly profile: Profile
  readonly beacon: ContractState | undefined
  readonly before: Snapshot
  /** Undefined: the code could not be read. */
  readonly seen: Snapshot | undefined
  readonly changes: readonly SlotChange[]
  readonly sources: readonly ContractRef[]
}

async function readContract(
  { session, nameOf }: Pick<PollDeps, 'session' | 'nameOf'>,
  ref: ContractRef,
  before: Snapshot,
  last: Pick<ProfileInput, 'previous' | 'isOverdue'>,
): Promise<Reading> {
  const { profile, graph } = await probeTwice({ session, nameOf }, ref, last)
  const state = graph.get(refKey(ref))
  const beacon = await beaconOf(session, state)
  const seen = state === undefined || state.code.type === 'unread' ? undefined : snapshotOf(state, beacon, before)
  const changes = seen === undefined ? [] : changesBetween(before, seen)
  return { profile, beacon, before, seen, changes, sources: sourcesIn(graph, ref) }
}

async function silentChangesIn(
  deps: SilentChangeDeps,
  ref: ContractRef,
  block: Header,
  last: StoredSnapshot | undefined,
  { beacon, before, changes, sources }: Reading,
): Promise<readonly SilentChange[]> {
  if (changes.length === 0 || last === undefined) return []
  return await findSilentChanges(deps, ref, block, changes, (field) => firstLogBlock(last, field), {
    beacon: beacon?.address,
    others: sources.filter(({ chainId }) => chainId === ref.chainId).map(({ address }) => address),
    before,
    isOldEnough: (change) => isLongEnough(last.singleObservations, change, block.time),
  })
}

/** What a poll stores: changes that are not confirmed alter neither the snapshot nor the label. */
type Settled = {
  readonly profile: Profile
  readonly fields: Snapshot | undefined
  readonly confirmed: readonly SlotChange[]
  /** Changes that one endpoint shows while no other responds. */
  readonly single: readonly SlotChange[]
  readonly unconfirmed: readonly SilentChange[]
  /** Fields that were carried over: not read now, or not confirmed. */
  readonly unsettled: readonly SlotField[]
}

function settle(
  { profile, before, seen }: Reading,
  silent: readonly SilentChange[],
  previous: Profile | undefined,
): Settled {
  const [confirmed, unconfirmed] = [
    silent.filter(({ isConfirmed }) => isConfirmed),
    silent.filter(({ isConfirmed }) => !isConfirmed),
  ]
  const doubted = new Set(unconfirmed.map(({ change }) => change.field))
  const fields = seen === undefined ? undefined : carryOver(before, seen, doubted)
  return {
    profile: doubted.size > 0 && previous !== undefined ? { ...previous, stale: true } : profile,
    fields,
    confirmed: confirmed.map(({ change }) => change),
    single: unconfirmed.filter(({ isSingle }) => isSingle === true).map(({ change }) => change),
    unconfirmed,
    unsettled: (Object.keys(fields ?? {}) as SlotField[]).filter(
      (field) => seen === undefined || !(field in seen) || doubted.has(field),
    ),
  }
}

/** How the code appeared, where the address had none at the last poll. */
async function appearanceIn(
  { database, session, poolOf }: PollDeps,
  ref: ContractRef,
  block: Header,
  last: StoredSnapshot | undefined,
  confirmed: readonly SlotChange[],
): Promise<CodeAppearance | undefined> {
  if (last === undefined || !confirmed.some(({ field, previous }) => field === 'codeHash' && previous === null))
    return undefined
  const { code } = await session.state(ref)
  if (code.type !== 'value') return undefined
  const before = { number: last.polledBlock, ...(last.polledHash === undefined ? {} : { hash: last.polledHash }) }
  return await codeAppearanceOf({ database, pool: poolOf(ref.chainId) }, ref, code.value, { before, block })
}

/** Whether a change is part of a deployment, before which no field had a value. */
const isSetup = ({ previous }: SlotChange, appearance: CodeAppearance | undefined): boolean =>
  appearance === 'deployment' && previous === null

type Poll = {
  readonly block: Header
  readonly last: StoredSnapshot | undefined
  readonly previous: Profile | undefined
  readonly reading: Reading
  readonly settled: Settled
  readonly appearance: CodeAppearance | undefined
  readonly served: readonly PollRequest[]
}

async function recordOf(
  session: Session,
  ref: ContractRef,
  { block, last, previous, reading, settled, appearance, served }: Poll,
): Promise<PollRecord> {
  const { profile, fields, confirmed, single, unconfirmed, unsettled } = settled
  const { beacon, before, changes, sources } = reading
  // The watcher may store an event late: the last poll included it, unless a read failed then.
  const seenBefore = previous?.stale === false ? last?.polledBlock : undefined
  const isNew = (event: TriggerEvent): boolean =>
    event.chainId !== ref.chainId || seenBefore === undefined || event.blockNumber > seenBefore
  const codes = await codesIn(session, ref, before, fields)
  const hasCode = { ...profile.tree.hasCode, ...(await codeAt(session, ref.chainId, fields)) }
  const openInitializers = await openInitializersIn(session, ref, profile, changes)
  return {
    ...ref,
    block,
    fields,
    firstLogBlocks: last === undefined ? {} : nextFirstLogBlocks(last, unsettled, aDayBefore(block, ref)),
    singleObservations: nextObservations(last?.singleObservations ?? {}, single, block.time),
    disagreements: nextDisagreements(last?.disagreements ?? {}, unconfirmed, block.time),
    since: last?.polledBlock,
    events: [
      ...confirmed.map((change, at) => derived(ref, block, change, at, appearance)),
      ...(previous === undefined || profile.stale ? [] : delegateChanges(ref, block, previous.tree, profile.tree)),
    ],
    profile: {
      ...profile,
      tree: { ...profile.tree, hasCode },
      ...(profile.running === undefined ? {} : { running: { ...profile.running, openInitializers } }),
    },
    cause: [...served.flatMap(({ event }) => event ?? []).filter(isNew), ...changes],
    controllers: [...controllersIn(profile.tree), ...administratorsIn(profile), ...holdersIn(profile)],
    others: beacon?.code.type === 'value' ? [{ chainId: ref.chainId, address: beacon.address, kind: 'beacon' }] : [],
    sources: [
      ...sources,
      ...codes.filter(({ address }) => address !== ref.address).map((code) => ({ ...ref, address: code.address })),
    ],
    codes,
    isSetup: appearance === 'deployment',
    // A stale poll keeps its requests, so that it is repeated.
    served: profile.stale ? [] : served.map(({ id }) => id),
  }
}

const CODE_FIELDS: ReadonlySet<SlotField> = new Set([...LOGIC_FIELDS, 'codeHash', 'facets'])
const MAX_INITIALIZERS = 4

/** Initializers that an unprivileged caller may call after an upgrade. A simulation shows that one is open, never that it is not. */
async function openInitializersIn(
  session: Session,
  ref: ContractRef,
  { running }: Profile,
  changes: readonly SlotChange[],
): Promise<readonly Hex[]> {
  const isUpgrade = changes.some(({ field, previous }) => CODE_FIELDS.has(field) && previous !== null)
  if (!isUpgrade) return []
  const state = await session.state(ref)
  const isOpen = async (data: Hex): Promise<boolean> => {
    const found = await session.more({ ...ref, what: 'trial', data })
    return found(state).more.get(trialKey(data))?.type === 'value'
  }
  const tried = (running?.initializers ?? []).slice(0, MAX_INITIALIZERS)
  const open = await Promise.all(
    tried.map(async (selector) => {
      const results = await Promise.all(plainCalls(selector).map(isOpen))
      return results.includes(true)
    }),
  )
  return tried.filter((_, at) => open[at] === true)
}

function withTone(profile: StoredProfile): Profile {
  const { leader, powerPaths, trials, isOverdue: _, ...stored } = profile
  return toned({
    ...stored,
    leader: leader ?? undefined,
    powerPaths: powerPaths ?? undefined,
    trials: trials ?? undefined,
  })
}

/** The last snapshot, after polls at blocks that were reorganized away are rolled back. */
async function onCanonicalChain(
  { database, session }: Pick<PollDeps, 'database' | 'session'>,
  ref: ContractRef,
  last: StoredSnapshot | undefined,
): Promise<StoredSnapshot | undefined> {
  if (last?.polledHash === undefined) return last
  const hash = await session.hashAt(ref.chainId, last.polledBlock)
  if (hash === undefined) throw new BlockUnavailableError(ref.chainId)
  if (hash === last.polledHash) return last
  let shared: { readonly number: number; readonly hash: `0x${string}` | undefined } = { number: -1, hash: undefined }
  for (const polled of await getPolledBlocks(database, ref)) {
    if ((await session.hashAt(ref.chainId, polled.number)) !== polled.hash) continue
    shared = polled
    break
  }
  await rollBackPollsOf(database, ref, shared)
  return await findSnapshot(database, ref)
}

/** The requests whose event is in a block that this poll covers. */
async function servedBy(session: Session, requests: readonly PollRequest[]): Promise<readonly PollRequest[]> {
  const seen = await Promise.all(
    requests.map(async ({ event }) => {
      if (event === undefined) return true
      const block = await session.blockOf(event.chainId).catch(() => undefined)
      return block !== undefined && block.number >= event.blockNumber
    }),
  )
  return requests.filter((_, at) => seen[at] === true)
}

/** Whether the admin and the owner are contracts. An EIP-7702 account is not a contract. */
async function codeAt(
  session: Session,
  chainId: number,
  { admin, owner }: Snapshot = {},
): Promise<Readonly<Record<string, boolean>>> {
  const named = [...new Set([admin, owner])].filter((address) => address !== null && address !== undefined)
  const found = await Promise.all(
    named.map(async (address): Promise<readonly [string, boolean][]> => {
      const { code } = await session.state({ chainId, address: address as Hex })
      if (code.type === 'unread') return []
      return [[address, code.type === 'value' && code.value.delegatedTo === undefined]]
    }),
  )
  return Object.fromEntries(found.flat())
}

/** The contract's own code and that of its logic. `isNew`: it became the logic since the last poll. */
async function codesIn(
  session: Session,
  { chainId, address }: ContractRef,
  before: Snapshot,
  now: Snapshot = {},
): Promise<NonNullable<PollRecord['codes']>> {
  const logic = LOGIC_FIELDS.flatMap((field) => (now[field] ?? []) as Hex | [])
  const wasDeployed = before.codeHash !== null
  const moved = LOGIC_FIELDS.filter(
    (field) => wasDeployed && before[field] !== undefined && before[field] !== now[field],
  )
  const states = await Promise.all(
    [...new Set([address, ...logic])].map((each) => session.state({ chainId, address: each })),
  )
  return states.flatMap(({ address: at, code }) =>
    code.type === 'value' && code.value.delegatedTo === undefined
      ? { address: at, codeHash: code.value.hash, isNew: moved.some((field) => now[field] === at) }
      : [],
  )
}

/** Contracts whose state the profile depends on: their events request the next poll. */
function sourcesIn(graph: ReadonlyMap<string, ContractState>, target: ContractRef): readonly ContractRef[] {
  return [...graph.values()]
    .filter((state) => state.code.type === 'value' && refKey(state) !== refKey(target))
    .map(({ chainId, address }) => ({ chainId, address }))
}

const DAY_MS = 86_400_000
const aDayBefore = ({ number }: Header, { chainId }: ContractRef): number =>
  number - Math.floor(DAY_MS / (findChain(chainId)?.blockTimeMs ?? 12_000))

function derived(
  ref: ContractRef,
  block: Header,
  change: SlotChange,
  logIndex: number,
  appearance: CodeAppearance | undefined,
): DerivedEvent {
  const txHash = derivedHash('slot', ref, { field: change.field, block: block.number })
  const event = { ...SLOT_EVENTS[change.field], txHash, logIndex }
  const args = change.field === 'codeHash' && appearance !== undefined ? { ...change, appearance } : { ...change }
  return isSetup(change, appearance) ? { ...event, severity: 'info', isInit: true, args } : { ...event, args }
}

type Discovered = ContractRef & { readonly kind: ContractKind }

/** Controllers in a control tree as contracts to watch. */
function controllersIn(tree: ControlNode): readonly Discovered[] {
  const { chainId } = tree
  // A Safe that signs for another Safe is watched like that one.
  const signers = (tree.signers ?? []).flatMap(({ address, account }) => found({ chainId, address }, account.kind))
  return [...signers, ...tree.paths.flatMap((path) => [...found(path, path.account.kind), ...controllersIn(path)])]
}

/** Contracts with admin functions over a contract that cannot be upgraded. The tree does not contain them. */
const administratorsIn = ({ tree: { chainId }, reasons }: Profile): readonly Discovered[] =>
  reasons.flatMap((reason) =>
    reason.code === 'admin_functions' ? found({ chainId, address: reason.address }, reason.account.kind) : [],
  )

/** Contracts that hold powers. */
const holdersIn = ({ powers }: Profile): readonly Discovered[] =>
  (powers ?? []).flatMap(({ holders }) => holders.flatMap((holder) => found(holder, holder.kind)))

function found({ chainId, address }: ContractRef, kind: AccountKind): readonly Discovered[] {
  const known = CONTRACT_KINDS[kind]
  return known === undefined ? [] : [{ chainId, address, kind: known }]
}
