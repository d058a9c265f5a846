/**
 * One look at one contract: its state at one block, what changed silently since the last look, and who holds its keys.
 *
 * A change is told when no log since the field was last read announced it and a second endpoint, where there is
 * one, sees the same. What one endpoint alone saw is left as it was and looked at again soon, until it has been the only
 * one to ask for long enough (`lone-word.ts`).
 */

import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Database } from '../../platform/database.ts'
import { SLOT_EVENTS, type SlotField } from '../catalog/slot-events.ts'
import { findChain } from '../chains/chains.ts'
import type { Profile } from '../profile/profile.ts'
import { type ContractState, refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { PollRequest, TriggerEvent } from '../registry/poll-requests.ts'
import type { Header } from '../rpc/parse.ts'
import { derivedHash } from './derived-hash.ts'
import { controllersIn } from './discovered-controllers.ts'
import { logsFrom, nextLogsFrom } from './logs-from.ts'
import { probe } from './probe.ts'
import {
  type DerivedEvent,
  findSnapshot,
  type Look,
  type StoredProfile,
  type StoredSnapshot,
  saveLook,
} from './profile-store.ts'
import { getLookBlocks, undoLooksOf } from './roll-back-polls.ts'
import type { Session } from './session.ts'
import { type Silence, silentAmong } from './silent-changes.ts'
import { isLongEnough, nextWords } from './single-observation.ts'
import { carriedOn, changesBetween, type SlotChange, type Snapshot, snapshotOf } from './snapshot.ts'
import { LOGIC_FIELDS } from './source-checks.ts'

export type LookDeps = Silence & {
  readonly database: Database
  readonly session: Session
  /** Storing waits for its turn. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

/** What was known of the contract before. */
export type Known = {
  readonly snapshot: StoredSnapshot | undefined
  readonly profile: StoredProfile | undefined
  readonly due: readonly PollRequest[]
}

export type Looked = { readonly profile: Profile; readonly silent: readonly SlotChange[]; readonly block: Header }

/** Nobody can be asked about this chain, or whoever can does not have its blocks. */
export class NoNodeError extends GatewatchError {
  override readonly code = 'no_node'
  override readonly retryable = true
  readonly chainId: number
  constructor(chainId: number) {
    super(`no node of chain ${chainId} has the block that was asked for`)
    this.chainId = chainId
  }
}

export async function lookAt(deps: LookDeps, ref: ContractRef, known: Known): Promise<Looked> {
  const { database, session, nameOf } = deps
  const block = await session.blockOf(ref.chainId)
  const last = await stillThere(deps, ref, known.snapshot)
  // A node that is behind shows the past: taken for the present, every change since would be told backwards.
  if (block === undefined || (last !== undefined && block.number < last.seenBlock)) throw new NoNodeError(ref.chainId)
  const answered = await seenBy(session, known.due)
  const previous = known.profile === undefined ? undefined : withTone(known.profile)
  const { profile, graph } = await probe({ session, nameOf }, ref, { previous })
  const state = graph.get(refKey(ref))
  const beacon = await beaconOf(session, state)
  const before: Snapshot = last?.fields ?? {}
  const seen = state === undefined || state.code.type === 'unread' ? undefined : snapshotOf(state, beacon, before)
  const sources = sourcesIn(graph, ref)
  const changes = seen === undefined ? [] : changesBetween(before, seen)
  const silent =
    changes.length === 0 || last === undefined
      ? []
      : await silentAmong(deps, ref, block, changes, (field) => logsFrom(last, field), {
          beacon: beacon?.address,
          others: sources.filter(({ chainId }) => chainId === ref.chainId).map(({ address }) => address),
          before,
          isTrusted: (change) => isLongEnough(last.alone, change, block.time),
        })
  const doubted = new Set(silent.filter(({ isConfirmed }) => !isConfirmed).map(({ change }) => change.field))
  const told = silent.filter(({ isConfirmed }) => isConfirmed).map(({ change }) => change)
  const alone = silent.filter((each) => each.isAlone === true && !each.isConfirmed).map(({ change }) => change)
  const kept = seen === undefined ? undefined : carriedOn(before, seen, doubted)
  // What one endpoint alone claims must not change a label either.
  const settled = doubted.size > 0 && previous !== undefined ? { ...previous, stale: true } : profile
  // What happened before the last look was seen by it, unless it could not read all; a watcher may tell of it later.
  const seenBefore = previous?.stale === false ? last?.seenBlock : undefined
  const isNews = (event: TriggerEvent): boolean =>
    event.chainId !== ref.chainId || seenBefore === undefined || event.blockNumber > seenBefore
  const codes = await codesIn(session, ref, before, kept)
  const found: Look = {
    ...ref,
    block,
    fields: kept,
    logsFrom: last === undefined ? {} : nextLogsFrom(last, unsettledIn(doubted, kept, seen), aDayBefore(block, ref)),
    alone: nextWords(last?.alone ?? {}, alone, block.time),
    since: last?.seenBlock,
    events: told.map((change, at) => derived(ref, block, change, at)),
    profile: {
      ...settled,
      tree: { ...settled.tree, hasCode: { ...settled.tree.hasCode, ...(await codeAt(session, ref.chainId, kept)) } },
    },
    cause: [...answered.flatMap(({ event }) => event ?? []).filter(isNews), ...changes],
    controllers: controllersIn(settled.tree),
    others: beacon?.code.type === 'value' ? [{ chainId: ref.chainId, address: beacon.address, kind: 'beacon' }] : [],
    sources: [
      ...sources,
      ...codes.filter(({ address }) => address !== ref.address).map((code) => ({ ...ref, address: code.address })),
    ],
    codes,
    // What could not be read is asked for again, by the same events.
    answered: settled.stale ? [] : answered.map(({ id }) => id),
  }
  const isFirst = await deps.inTurn(() => saveLook(database, found))
  return { profile: settled, silent: isFirst ? told : [], block }
}

const withTone = (stored: StoredProfile): Profile => ({ ...stored, tone: LABEL_TONES[stored.label] })

/** The last snapshot, once what was seen in blocks that are not on the chain any more is taken back. */
async function stillThere(
  { database, session }: Pick<LookDeps, 'database' | 'session'>,
  ref: ContractRef,
  last: StoredSnapshot | undefined,
): Promise<StoredSnapshot | undefined> {
  if (last?.seenHash === undefined) return last
  const hash = await session.hashAt(ref.chainId, last.seenBlock)
  if (hash === undefined) throw new NoNodeError(ref.chainId)
  if (hash === last.seenHash) return last
  let shared: { readonly number: number; readonly hash: `0x${string}` | undefined } = { number: -1, hash: undefined }
  for (const look of await getLookBlocks(database, ref)) {
    if ((await session.hashAt(ref.chainId, look.number)) !== look.hash) continue
    shared = look
    break
  }
  await undoLooksOf(database, ref, shared)
  return await findSnapshot(database, ref)
}

/** What asked for this look and happened in blocks that it sees. */
async function seenBy(session: Session, due: readonly PollRequest[]): Promise<readonly PollRequest[]> {
  const seen = await Promise.all(
    due.map(async ({ event }) => {
      if (event === undefined) return true
      const block = await session.blockOf(event.chainId).catch(() => undefined)
      return block !== undefined && block.number >= event.blockNumber
    }),
  )
  return due.filter((_, at) => seen[at] === true)
}

/** Read for its implementation even where the walk did not come that far. */
async function beaconOf(session: Session, state: ContractState | undefined): Promise<ContractState | undefined> {
  const beacon = state?.slots.beacon
  if (state === undefined || beacon?.type !== 'value') return undefined
  return await session.state({ chainId: state.chainId, address: `0x${beacon.value.slice(-40)}` })
}

/** Whether the admin and the owner are contracts. An account that acts with another's code is none (EIP-7702). */
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

/** The contract's own code and that of its logic, and whether it was moved there since the last look. */
async function codesIn(
  session: Session,
  { chainId, address }: ContractRef,
  before: Snapshot,
  now: Snapshot = {},
): Promise<NonNullable<Look['codes']>> {
  const logic = LOGIC_FIELDS.flatMap((field) => (now[field] ?? []) as Hex | [])
  const moved = LOGIC_FIELDS.filter((field) => before[field] !== undefined && before[field] !== now[field])
  const states = await Promise.all(
    [...new Set([address, ...logic])].map((each) => session.state({ chainId, address: each })),
  )
  return states.flatMap(({ address: at, code }) =>
    code.type === 'value' && code.value.delegatedTo === undefined
      ? { address: at, codeHash: code.value.hash, isNew: moved.some((field) => now[field] === at) }
      : [],
  )
}

/** Contracts that had a say: their events ask for the next look. */
function sourcesIn(graph: ReadonlyMap<string, ContractState>, target: ContractRef): readonly ContractRef[] {
  return [...graph.values()]
    .filter((state) => state.code.type === 'value' && refKey(state) !== refKey(target))
    .map(({ chainId, address }) => ({ chainId, address }))
}

/** Carried on from before: not read now, or not believed. */
const unsettledIn = (doubted: ReadonlySet<SlotField>, kept: Snapshot = {}, seen: Snapshot = {}): readonly SlotField[] =>
  (Object.keys(kept) as SlotField[]).filter((field) => !(field in seen) || doubted.has(field))

const DAY_MS = 86_400_000
const aDayBefore = ({ number }: Header, { chainId }: ContractRef): number =>
  number - Math.floor(DAY_MS / (findChain(chainId)?.blockTimeMs ?? 12_000))

function derived(ref: ContractRef, block: Header, change: SlotChange, logIndex: number): DerivedEvent {
  const txHash = derivedHash('slot', ref, { field: change.field, block: block.number })
  return { ...SLOT_EVENTS[change.field], txHash, logIndex, args: { ...change } }
}
