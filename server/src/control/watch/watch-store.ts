/**
 * The interface of the watcher's store.
 *
 * Every write is one transaction that first checks the lease: a process that lost the lease of its chain cannot write.
 * Events and cursor are stored together, and each event is stored once. `watch-store-pg.ts` implements it with
 * PostgreSQL; the simulator has its own implementation.
 */
import type { PowerClass } from '../../../../vocabulary/powers.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import type { RangeLimitStore } from '../rpc/range-reader.ts'

/** A reference to a block: the number orders it, the hash identifies it. */
export type BlockRef = { readonly number: number; readonly hash: Hex }

export type StoredBlock = BlockRef & { readonly time: number }

/** What is known about when a contract was created. Each bound only narrows, until a reorg widens it. */
export type CreationFact = {
  readonly address: Hex
  /** The highest block known to end without its code. */
  readonly absentUntil: number | undefined
  /** The lowest block known to end with its code. */
  readonly presentFrom: number | undefined
  readonly txHash: Hex | undefined
}

export type ChainState = {
  readonly cursor: StoredBlock
  /** Events before this block are not stored. */
  readonly startBlock: number
  /** The second pass has verified every block up to this one. */
  readonly verifiedTo: number
  /** The number of reorgs: work planned before a reorg must not be stored after it. */
  readonly reorgs: number
  /** Recent blocks that a reorg may still replace, oldest first, the cursor last. Gaps are allowed. */
  readonly window: readonly StoredBlock[]
}

export type JobScope =
  | 'contracts' // all catalog events of the given contracts
  | 'chainwide' // the chain-wide events of every contract
  | 'gap' // both, as the follower reads them

export type JobPhase = 'read' | 'verify' | 'done'

export type Job = {
  readonly id: number
  readonly scope: JobScope
  readonly addresses: readonly Hex[]
  readonly from: number
  readonly to: number
  /** Every earlier block has been read in this phase. */
  readonly next: number
  readonly phase: JobPhase
  /** Whether its events are announced: those of a gap are, those of history are not. */
  readonly announce: boolean
}

export type NewJob = Pick<Job, 'scope' | 'addresses' | 'from' | 'to' | 'announce'>

export type WatchedContract = { readonly address: Hex; readonly kind: string | undefined }

/** A contract that is not watched yet. If `isNew`, its history is read too. */
export type PendingContract = WatchedContract & {
  readonly isNew: boolean
  /** The registry's value, not verified. */
  readonly deployBlock: number | undefined
}

/** The lease of the writing process, see platform/leases.ts. */
export type Fence = { readonly name: string; readonly holder: string; readonly fence: number }

export type Found = { readonly events: readonly EventRecord[]; readonly facts: readonly CreationFact[] }

/** Contracts to watch from now on because of the events found. */
export type Discovered = { readonly discovered: readonly Hex[] }

export type OwnerChange = {
  /** `replaced`: it was reported that no earlier owner is left. */
  readonly kind: 'added' | 'removed' | 'replaced'
  readonly owner: Hex | undefined
  /** Milliseconds since the epoch. */
  readonly time: number
}

export type WatchStore = RangeLimitStore & {
  readonly findState: () => Promise<ChainState | undefined>
  readonly getWatched: () => Promise<readonly WatchedContract[]>
  readonly getPending: () => Promise<readonly PendingContract[]>
  /**
   * Of these, the contracts that the registry, an operator, a protocol or a subscription refers to, themselves or through a
   * contract that they control.
   */
  readonly getReferenced: (addresses: readonly Hex[]) => Promise<ReadonlySet<Hex>>
  /** The accounts that control these contracts, by their last poll. */
  readonly getControllers: (addresses: readonly Hex[]) => Promise<ReadonlyMap<Hex, ReadonlySet<Hex>>>
  /** The Safes that these accounts control, by their last poll. Accounts with very many are missing. */
  readonly getControlledSafes: (accounts: readonly Hex[]) => Promise<ReadonlyMap<Hex, readonly Hex[]>>
  /** The last changes of the owners of a Safe up to a time (milliseconds since the epoch), in order. */
  readonly getOwnerChanges: (safe: Hex, to: number) => Promise<readonly OwnerChange[]>
  readonly getFacts: (addresses: readonly Hex[]) => Promise<readonly CreationFact[]>
  readonly getJobs: () => Promise<readonly Job[]>
  /** The first block of the history an operator requested since the last `extendHistory`. */
  readonly findBackfillRequest: () => Promise<number | undefined>
  /** `number:logIndex` of every event stored in these blocks. */
  readonly getIdentities: (from: number, to: number) => Promise<ReadonlySet<string>>
  /** The worst class of the functions that a role opens, by `book role`. Roles that are not known are missing. */
  readonly getRoleClasses: (
    roles: readonly { readonly book: Hex; readonly role: string }[],
  ) => Promise<ReadonlyMap<string, PowerClass>>

  /** Stores the initial state of a chain. */
  readonly start: (
    fence: Fence,
    first: { readonly window: readonly StoredBlock[]; readonly startBlock: number; readonly jobs: readonly NewJob[] },
  ) => Promise<void>
  /**
   * Moves the start block back, adds the jobs for the history before the old one, and deletes the backfill request.
   * `blocks` are ancestors of the cursor that the window lacks.
   */
  readonly extendHistory: (
    fence: Fence,
    step: {
      readonly after: BlockRef
      readonly startBlock: number
      readonly blocks: readonly StoredBlock[]
      readonly jobs: readonly NewJob[]
    },
  ) => Promise<void>
  /** Watches contracts from the block after `after` on. The jobs read their earlier events. */
  readonly startWatching: (
    fence: Fence,
    step: {
      readonly after: BlockRef
      readonly contracts: readonly PendingContract[]
      readonly jobs: readonly NewJob[]
    },
  ) => Promise<void>
  /** Stops watching the contracts that have expired, and returns them. */
  readonly stopWatching: (fence: Fence) => Promise<readonly Hex[]>
  /** Stores the blocks that follow `after` and all their events. Deletes blocks below `pruneBelow`. */
  readonly advance: (
    fence: Fence,
    step: Found &
      Discovered & {
        readonly after: BlockRef
        readonly blocks: readonly StoredBlock[]
        readonly pruneBelow: number
      },
  ) => Promise<void>
  /**
   * Queues the alerts at head for the events of the blocks above `after` up to the head, and retracts those of blocks that
   * left the chain. Returns how many alerts are neither confirmed nor retracted.
   */
  readonly alertAtHead: (
    fence: Fence,
    step: {
      readonly after: BlockRef
      readonly blocks: readonly BlockRef[]
      readonly events: readonly EventRecord[]
    },
  ) => Promise<number>
  /** Rolls back every block above `to`: their events are deleted and retracted. */
  readonly rollBack: (fence: Fence, step: { readonly from: BlockRef; readonly to: BlockRef }) => Promise<void>
  /** Moves the cursor to the finalized block `to`. The jobs stored with it read the blocks in between. */
  readonly handOver: (
    fence: Fence,
    step: { readonly after: BlockRef; readonly to: StoredBlock; readonly jobs: readonly NewJob[] },
  ) => Promise<void>
  /** Stores that the second pass has verified the blocks up to `to`, and the events the first pass missed. */
  readonly advanceSecondPass: (
    fence: Fence,
    step: Found & Discovered & { readonly after: number; readonly to: number; readonly reorgs: number },
  ) => Promise<void>
  /** Stores the events of a job up to (excluding) block `next`, and its new position. */
  readonly advanceJob: (
    fence: Fence,
    step: Found &
      Discovered & {
        readonly job: Job
        readonly next: number
        readonly phase: JobPhase
        readonly reorgs: number
      },
  ) => Promise<void>
}

/** Another process holds the lease, or the stored state changed: the planned step is void. */
export abstract class FencedError extends GatewatchError {
  override readonly retryable = true
}

export class LeaseLostError extends FencedError {
  override readonly code = 'lease_lost'
  constructor(name: string) {
    super(`${name}: another process holds the lease`)
  }
}

/** The stored state differs from the one the step was planned on. */
export class StaleStepError extends FencedError {
  override readonly code = 'stale_step'
}
