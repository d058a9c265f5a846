/** Finds changes that no log announced, and confirms them with a second endpoint. */
import type { Hex } from '../../lib/hex.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { MULTICALL3 } from '../chains/chains.ts'
import type { ContractState } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId, RpcPool } from '../rpc/pool.ts'
import { type EmittedEvent, type SilentChange, unannounced, withLogicFields } from './announced-changes.ts'
import { createChainReads, type ReadsDeps } from './chain-reads.ts'
import type { CodeAnalyzer } from './code-analyzer.ts'
import { createContractLogs } from './contract-logs.ts'
import { readState } from './read-state.ts'
import { SLOT_POSITIONS } from './session.ts'
import { type SlotChange, type Snapshot, snapshotOf } from './snapshot.ts'

export type SilentChangeDeps = {
  readonly catalog: Catalog
  readonly codes: CodeAnalyzer
  readonly poolOf: (chainId: number) => RpcPool | undefined
}

/** A factory or registry logs what it does to other contracts. A profile depends on few of them. */
const MAX_OTHER_EMITTERS = 12

export type ChangeContext = {
  readonly beacon: Hex | undefined
  /** Contracts whose state the profile depends on. */
  readonly others: readonly Hex[]
  /** The snapshot before the changes. */
  readonly before: Snapshot
  /** Whether a single observation is old enough to be trusted, while no other endpoint responds. */
  readonly isOldEnough: (change: SlotChange) => boolean
}

/** What one endpoint returned. `isComplete`: no read failed, so a missing field does not exist. */
type Observation = { readonly endpoint: string; readonly fields: Snapshot; readonly isComplete: boolean }

/** Returns the changes that no log announced. `from`: the first block whose logs may announce a change of a field. */
export async function findSilentChanges(
  { catalog, codes, poolOf }: SilentChangeDeps,
  ref: ContractRef,
  block: Header,
  changes: readonly SlotChange[],
  from: (field: SlotField) => number,
  { beacon, others, before, isOldEnough }: ChangeContext,
): Promise<readonly SilentChange[]> {
  const pool = poolOf(ref.chainId)
  const unconfirmed = (): readonly SilentChange[] => changes.map((change) => ({ change, isConfirmed: false }))
  if (pool === undefined) return unconfirmed()
  const first = Math.min(...changes.map(({ field }) => from(field)))
  const logs = createContractLogs({ pool, firstBlockOf: async () => first }, block)
  const announced: EmittedEvent[] = []
  const emitters = new Set([
    ref.address,
    ...(beacon === undefined ? [] : [beacon]),
    ...others.slice(0, MAX_OTHER_EMITTERS),
  ])
  for (const emitter of emitters) {
    const read = await logs(emitter, catalog.topicsFor('watched'))
    // Without the logs, no change can be called silent.
    if (read.type !== 'value') return unconfirmed()
    for (const log of read.value) {
      const event = catalog.decode(log, undefined)
      if (event !== undefined) announced.push({ emitter, block: log.blockNumber, event })
    }
  }
  const silent = unannounced(changes, announced, { address: ref.address, beacon, from })
  if (silent.length === 0 || pool.all.length < 2) return silent.map((change) => ({ change, isConfirmed: true }))
  const observations: Observation[] = []
  /** Observations of a field. Two are enough. */
  const observed = (field: SlotField): readonly Observation[] =>
    observations.filter(({ fields, isComplete }) => isComplete || field in fields).slice(0, 2)
  for (const id of pool.all) {
    if (silent.every(({ field }) => observed(field).length === 2)) break
    const only: ReadsDeps = { pool: onlyFrom(pool, id), multicall: MULTICALL3, codes, positions: SLOT_POSITIONS }
    const reads = createChainReads(only, ref.chainId, block)
    const state = await readState({ reads }, ref.address)
    const ofBeacon = beacon === undefined ? undefined : await readState({ reads }, beacon)
    const isComplete = isAllRead(state) && (ofBeacon === undefined || isAllRead(ofBeacon))
    observations.push({ endpoint: pool.hostOf(id), fields: snapshotOf(state, ofBeacon, before), isComplete })
  }
  return withLogicFields(
    changes,
    silent.map((change): SilentChange => {
      const found = observed(change.field)
      const isSeen = found.length > 0 && found.every(({ fields }) => fields[change.field] === change.current)
      const isSingle = isSeen && found.length === 1
      const values = found.map(({ endpoint, fields }) => ({ endpoint, value: fields[change.field] ?? null }))
      const isDisputed = new Set(values.map(({ value }) => value)).size > 1
      return {
        change,
        isConfirmed: isSeen && (!isSingle || isOldEnough(change)),
        isSingle,
        ...(isDisputed && { disagreement: values }),
      }
    }),
  )
}

const isAllRead = ({ code, slots, calls }: ContractState): boolean =>
  [code, ...Object.values(slots), ...Object.values(calls)].every(({ type }) => type !== 'unread')

const onlyFrom = (pool: RpcPool, only: EndpointId): RpcPool => ({
  ...pool,
  request: (request, options) => pool.request(request, { ...options, only }),
})
