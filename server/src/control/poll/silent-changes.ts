/** Whether a change was announced, and whether a second endpoint sees it too. */
import type { Hex } from '../../lib/hex.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { MULTICALL3 } from '../chains/chains.ts'
import type { ContractState } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { Header } from '../rpc/parse.ts'
import type { EndpointId, RpcPool } from '../rpc/pool.ts'
import { type Announced, type Silent, unexplained, withAnswers } from './announced-changes.ts'
import { createReads, type ReadsDeps } from './chain-reads.ts'
import type { CodeAnalyzer } from './code-analyzer.ts'
import { createLogHistory } from './contract-logs.ts'
import { readState } from './read-state.ts'
import { POSITIONS } from './session.ts'
import { type SlotChange, type Snapshot, snapshotOf } from './snapshot.ts'

export type Silence = {
  readonly catalog: Catalog
  readonly codes: CodeAnalyzer
  readonly poolOf: (chainId: number) => RpcPool | undefined
}

/** Of the contracts that had a say, factories and registries announce what they do to others; nobody has many. */
const MOST_OTHERS = 12

export type Around = {
  readonly beacon: Hex | undefined
  /** Contracts that had a say. */
  readonly others: readonly Hex[]
  /** What was known before the changes. */
  readonly before: Snapshot
  /** Whether the word of one endpoint is enough by now, where no other can be asked. */
  readonly isTrusted: (change: SlotChange) => boolean
}

/** What one endpoint shows; `isWhole` where it answered all it was asked, so that what is missing is not there. */
type Shown = { readonly fields: Snapshot; readonly isWhole: boolean }

/** Those of the changes that no log announced; `from` says from which block on one may have. */
export async function silentAmong(
  { catalog, codes, poolOf }: Silence,
  ref: ContractRef,
  block: Header,
  changes: readonly SlotChange[],
  from: (field: SlotField) => number,
  { beacon, others, before, isTrusted }: Around,
): Promise<readonly Silent[]> {
  const pool = poolOf(ref.chainId)
  const doubted = (): readonly Silent[] => changes.map((change) => ({ change, isConfirmed: false }))
  if (pool === undefined) return doubted()
  const logs = createLogHistory({ pool }, block, Math.min(...changes.map(({ field }) => from(field))))
  const announced: Announced[] = []
  const emitters = new Set([ref.address, ...(beacon === undefined ? [] : [beacon]), ...others.slice(0, MOST_OTHERS)])
  for (const emitter of emitters) {
    const read = await logs(emitter, catalog.topicsFor('watched'))
    // Without the logs nobody can say that a change was silent.
    if (read.type !== 'value') return doubted()
    for (const log of read.value) {
      const event = catalog.decode(log, undefined)
      if (event !== undefined) announced.push({ emitter, block: log.blockNumber, event })
    }
  }
  const silent = unexplained(changes, announced, { address: ref.address, beacon, from })
  if (silent.length === 0 || pool.all.length < 2) return silent.map((change) => ({ change, isConfirmed: true }))
  const shown: Shown[] = []
  /** Those that answer for a field: two are enough. */
  const heard = (field: SlotField): readonly Shown[] =>
    shown.filter(({ fields, isWhole }) => isWhole || field in fields).slice(0, 2)
  for (const id of pool.all) {
    if (silent.every(({ field }) => heard(field).length === 2)) break
    const only: ReadsDeps = { pool: onlyFrom(pool, id), multicall: MULTICALL3, codes, positions: POSITIONS }
    const reads = createReads(only, ref.chainId, block)
    const state = await readState({ reads }, ref.address)
    const ofBeacon = beacon === undefined ? undefined : await readState({ reads }, beacon)
    const isWhole = isAllRead(state) && (ofBeacon === undefined || isAllRead(ofBeacon))
    shown.push({ fields: snapshotOf(state, ofBeacon, before), isWhole })
  }
  return withAnswers(
    changes,
    silent.map((change): Silent => {
      const words = heard(change.field)
      const isSeen = words.length > 0 && words.every(({ fields }) => fields[change.field] === change.current)
      const isAlone = isSeen && words.length === 1
      return { change, isConfirmed: isSeen && (!isAlone || isTrusted(change)), isAlone }
    }),
  )
}

const isAllRead = ({ code, slots, calls }: ContractState): boolean =>
  [code, ...Object.values(slots), ...Object.values(calls)].every(({ type }) => type !== 'unread')

const onlyFrom = (pool: RpcPool, only: EndpointId): RpcPool => ({
  ...pool,
  request: (question, options) => pool.request(question, { ...options, only }),
})
