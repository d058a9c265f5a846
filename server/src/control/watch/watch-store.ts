/**
 * What the watcher keeps, and the promises of whoever keeps it.
 *
 * Every writing method is one transaction that first checks the lease: a process that lost its chain cannot write a
 * row, however late it wakes up. Events and cursor are written together or not at all; an event is stored once,
 * whoever reads it again. `watch-store-pg.ts` keeps these promises with PostgreSQL; the simulator has its own keeper.
 */
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { EventRecord } from '../catalog/event-record.ts'
import type { RangeLimitStore } from '../rpc/range-limit.ts'

/** A block named twice: its number orders it, its hash identifies it. */
export type BlockRef = { readonly number: number; readonly hash: Hex }

export type StoredBlock = BlockRef & { readonly time: number }

/** What is known about when an address got its code; each side only ever narrows, until a rewind widens it. */
export type CreationFact = {
  readonly address: Hex
  /** The highest block after which it had no code. */
  readonly absentUntil: number | undefined
  /** The lowest block after which it had code. */
  readonly presentFrom: number | undefined
  readonly txHash: Hex | undefined
}

export type ChainState = {
  readonly cursor: StoredBlock
  /** Events before this block are not wanted. */
  readonly startBlock: number
  /** The second pass has read every block up to this one. */
  readonly verifiedTo: number
  /** Counts reorgs: work that was planned before one must not be stored after it. */
  readonly reorgs: number
  /** Blocks that may still be undone, oldest first, the cursor last. Gaps are allowed. */
  readonly window: readonly StoredBlock[]
}

export type JobScope =
  | 'contracts' // the whole catalog, of the contracts named
  | 'chainwide' // the chain-wide events, of any contract
  | 'gap' // both, as the follower would have read them

export type JobPhase = 'read' | 'verify' | 'done'

export type Job = {
  readonly id: number
  readonly scope: JobScope
  readonly addresses: readonly Hex[]
  readonly from: number
  readonly to: number
  /** Every block before this one has been read in this phase. */
  readonly next: number
  readonly phase: JobPhase
  /** Whether what it finds is news: a gap is, history is not. */
  readonly announce: boolean
}

export type NewJob = Pick<Job, 'scope' | 'addresses' | 'from' | 'to' | 'announce'>

export type KnownContract = { readonly address: Hex; readonly kind: string | undefined }

/** A contract the watcher has not taken up yet; `isNew` asks for its history too. */
export type PendingContract = KnownContract & {
  readonly isNew: boolean
  /** As the registry has it: to be confirmed. */
  readonly deployBlock: number | undefined
}

/** Who writes; see platform/leases.ts. */
export type Fence = { readonly name: string; readonly holder: string; readonly fence: number }

export type Found = { readonly events: readonly EventRecord[]; readonly facts: readonly CreationFact[] }

/** Contracts that come under watch because of what was found. */
export type Discovered = { readonly discovered: readonly Hex[] }

export type WatchStore = RangeLimitStore & {
  readonly findState: () => Promise<ChainState | undefined>
  readonly getKnown: () => Promise<readonly KnownContract[]>
  readonly getPending: () => Promise<readonly PendingContract[]>
  readonly getFacts: (addresses: readonly Hex[]) => Promise<readonly CreationFact[]>
  readonly getJobs: () => Promise<readonly Job[]>
  /** The block from which an operator has asked for history since the last `extendHistory`. */
  readonly findBackfillRequest: () => Promise<number | undefined>
  /** `number:logIndex` of every event stored in these blocks. */
  readonly getIdentities: (from: number, to: number) => Promise<ReadonlySet<string>>

  /** The first step on a chain: nothing is stored before it. */
  readonly start: (
    fence: Fence,
    first: { readonly window: readonly StoredBlock[]; readonly startBlock: number; readonly jobs: readonly NewJob[] },
  ) => Promise<void>
  /**
   * Earlier history is wanted than before, and no other wish is left. `blocks` are ancestors of the cursor that the
   * window lacks.
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
  /** Contracts under watch from the block after `after` on; `job` reads what they did before. */
  readonly adopt: (
    fence: Fence,
    step: {
      readonly after: BlockRef
      readonly contracts: readonly PendingContract[]
      readonly jobs: readonly NewJob[]
    },
  ) => Promise<void>
  /** `blocks` follow `after` without a gap, and `events` are all that is in them. Blocks below `keepFrom` are forgotten. */
  readonly advance: (
    fence: Fence,
    step: Found &
      Discovered & {
        readonly after: BlockRef
        readonly blocks: readonly StoredBlock[]
        readonly keepFrom: number
      },
  ) => Promise<void>
  /** Undoes every block above `to`: their events are deleted, and their alerts retracted. */
  readonly rewind: (fence: Fence, step: { readonly from: BlockRef; readonly to: BlockRef }) => Promise<void>
  /** Moves the cursor to the final block `to`; the blocks between are read by `job`, which is stored with the move. */
  readonly handOver: (
    fence: Fence,
    step: { readonly after: BlockRef; readonly to: StoredBlock; readonly jobs: readonly NewJob[] },
  ) => Promise<void>
  /** The second pass has read up to `to`; `events` are what the first one missed. */
  readonly confirm: (
    fence: Fence,
    step: Found & Discovered & { readonly after: number; readonly to: number; readonly reorgs: number },
  ) => Promise<void>
  /** A job has read up to (excluding) `next`. */
  readonly moveJob: (
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

/** Another process holds the chain now, or the row moved under us: whatever was planned is void. */
export abstract class FencedError extends GatewatchError {
  override readonly retryable = true
}

export class LeaseLostError extends FencedError {
  override readonly code = 'lease_lost'
  constructor(name: string) {
    super(`${name}: another process holds the lease`)
  }
}

/** The stored state is not the one the step was planned on. */
export class StaleStepError extends FencedError {
  override readonly code = 'stale_step'
}
