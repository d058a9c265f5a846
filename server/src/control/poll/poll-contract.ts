/**
 * One look at one contract: its state at one block, what changed silently since the last look, and who holds its keys.
 *
 * A change is told when no log since the last look announced it and a second endpoint, where there is one, sees the
 * same. What one endpoint alone saw is left as it was and looked at again next time.
 */
import { concatHex, keccak256, numberToHex, stringToHex } from 'viem'
import { GatewatchError } from '../../lib/errors.ts'
import type { Database } from '../../platform/database.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { SLOT_EVENTS, type SlotField } from '../catalog/slot-events.ts'
import { findChain, MULTICALL3 } from '../chains/chains.ts'
import type { Header } from '../node/parse.ts'
import type { EndpointId, NodePool } from '../node/pool.ts'
import { askHeader } from '../node/questions.ts'
import type { Label } from '../profile/label.ts'
import { TONES } from '../profile/label.ts'
import type { Profile } from '../profile/profile.ts'
import { type ContractState, type Place, placeKey } from '../profile/state.ts'
import { type DerivedEvent, findProfile, findSnapshot, saveLook } from '../store/profiles.ts'
import { type Block, createReads } from './chain-reads.ts'
import { controllersIn } from './discovered.ts'
import { createLogHistory } from './log-history.ts'
import { probe } from './probe.ts'
import { type CodeCache, readState } from './read-state.ts'
import {
  type Announced,
  carriedOn,
  changesBetween,
  type SlotChange,
  type Snapshot,
  snapshotOf,
  unexplained,
} from './snapshot.ts'

export type PollDeps = {
  readonly database: Database
  readonly catalog: Catalog
  readonly poolOf: (chainId: number) => NodePool | undefined
  readonly codes: CodeCache
  readonly nameOf?: (place: Place) => string | undefined
}

export type Looked = { readonly profile: Profile; readonly silent: readonly SlotChange[]; readonly block: Block }

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

/** `confirmations` blocks below the head, where a reorganisation hardly comes. */
export async function pollContract(deps: PollDeps, place: Place, confirmations?: number): Promise<Looked> {
  const { database, poolOf } = deps
  const pool = poolOf(place.chainId)
  if (pool === undefined) throw new NoNodeError(place.chainId)
  const block = await settledBlock(pool, place.chainId, confirmations ?? findChain(place.chainId)?.confirmations ?? 0)
  const [last, stored] = [await findSnapshot(database, place), await findProfile(database, place)]
  const previous = stored === undefined ? undefined : ({ ...stored, tone: TONES[stored.label as Label] } as Profile)
  const { profile, graph } = await probe({ ...deps }, place, {
    blocks: new Map([[place.chainId, block]]),
    ...(previous === undefined ? {} : { previous }),
  })
  const state = graph.get(placeKey(place))
  const seen =
    state === undefined || state.code.type === 'unread' ? undefined : snapshotOf(state, beaconOf(state, graph))
  const before: Snapshot = last?.fields ?? {}
  const changes = seen === undefined ? [] : changesBetween(before, seen)
  const silent =
    changes.length === 0
      ? []
      : await silentAmong(
          deps,
          pool,
          place,
          block,
          changes,
          (last?.seenBlock ?? block.number) + 1,
          beaconOf(state, graph),
        )
  const doubted = new Set(silent.filter(({ isConfirmed }) => !isConfirmed).map(({ change }) => change.field))
  const told = silent.filter(({ isConfirmed }) => isConfirmed).map(({ change }) => change)
  const kept = seen === undefined ? undefined : carriedOn(before, without(seen, doubted))
  // What one endpoint alone claims must not change a label either.
  const settled = doubted.size > 0 && previous !== undefined ? { ...previous, stale: true } : profile
  const isFirst = await saveLook(database, {
    ...place,
    block: { number: block.number, hash: block.hash, time: block.time },
    fields: kept,
    since: last?.seenBlock,
    events: told.map((change, at) => derived(place, block, change, at)),
    profile: settled,
    cause: changes,
    controllers: controllersIn(settled.tree),
  })
  return { profile: settled, silent: isFirst ? told : [], block }
}

async function settledBlock(pool: NodePool, chainId: number, confirmations: number): Promise<Header> {
  const { value: head } = await pool.ask(askHeader('latest'))
  const number = Math.max(0, (head?.number ?? 0) - confirmations)
  const header = number === head?.number ? head : (await pool.ask(askHeader(number))).value
  if (header === undefined) throw new NoNodeError(chainId)
  return header
}

function beaconOf(
  state: ContractState | undefined,
  graph: ReadonlyMap<string, ContractState>,
): ContractState | undefined {
  const beacon = state?.slots.beacon
  if (state === undefined || beacon?.type !== 'value') return undefined
  return graph.get(placeKey({ chainId: state.chainId, address: `0x${beacon.value.slice(-40)}` }))
}

type Silent = { readonly change: SlotChange; readonly isConfirmed: boolean }

async function silentAmong(
  { catalog, codes }: PollDeps,
  pool: NodePool,
  place: Place,
  block: Block,
  changes: readonly SlotChange[],
  from: number,
  beacon: ContractState | undefined,
): Promise<readonly Silent[]> {
  const logs = createLogHistory({ pool }, block, from)
  const emitters = [place.address, ...(beacon === undefined ? [] : [beacon.address])]
  const announced: Announced[] = []
  for (const emitter of emitters) {
    const read = await logs(emitter, catalog.topicsFor('known'))
    // Without the logs nobody can say that a change was silent.
    if (read.type !== 'value') return changes.map((change) => ({ change, isConfirmed: false }))
    for (const log of read.value) {
      const event = catalog.decode(log, undefined)
      if (event?.decode === 'ok') announced.push({ key: event.key, values: Object.values(event.args).map(String) })
    }
  }
  const silent = unexplained(changes, announced)
  if (silent.length === 0 || pool.all.length < 2) return silent.map((change) => ({ change, isConfirmed: true }))
  const seconds = await Promise.all(
    pool.all.slice(0, 2).map(async (id) => {
      const reads = createReads({ pool: onlyFrom(pool, id), multicall: MULTICALL3 }, place.chainId, block)
      const deps = { reads, codes, logs }
      const state = await readState(deps, place.address)
      return snapshotOf(state, beacon === undefined ? undefined : await readState(deps, beacon.address))
    }),
  )
  return silent.map((change) => ({
    change,
    isConfirmed: seconds.every((second) => second[change.field] === change.current),
  }))
}

const onlyFrom = (pool: NodePool, only: EndpointId): NodePool => ({
  ...pool,
  ask: (question, options) => pool.ask(question, { ...options, only }),
})

function without(snapshot: Snapshot, fields: ReadonlySet<SlotField>): Snapshot {
  return Object.fromEntries(Object.entries(snapshot).filter(([field]) => !fields.has(field as SlotField)))
}

/** Its transaction exists on no chain; the same change found twice is the same event. */
function derived({ chainId, address }: Place, block: Block, change: SlotChange, logIndex: number): DerivedEvent {
  const seed = concatHex([
    stringToHex('slot'),
    numberToHex(chainId, { size: 32 }),
    address,
    stringToHex(change.field),
    numberToHex(block.number, { size: 32 }),
  ])
  const { key, category, severity } = SLOT_EVENTS[change.field]
  return { txHash: keccak256(seed), logIndex, key, category, severity, args: { ...change } }
}
