/** What every judgment of an account shares: the path that led to it, the next accounts, and how paths are combined. */
import type { Hex } from 'viem'
import type { ControlledAccount, ControlRole } from '../../../../vocabulary/control-roles.ts'
import type { FailedRead, Reason } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type ControlNode, type PathLabel, weakestPath } from './control-node.ts'
import { controllersOf, isBurnAddress } from './controllers.ts'
import { type Facts, type Ledger, PendingSignal } from './facts.ts'
import { MalformedSignal, refKey, UnreadSignal } from './state.ts'

/** One walk of a control graph. */
export type Walk = {
  readonly ledger: Ledger
  readonly nameOf: (ref: ContractRef) => string | undefined
  readonly failedReads: FailedRead[]
  readonly faults: Fault[]
  /** Contracts that were judged by who can change them, not by who can make them act, by `refKey`. */
  readonly passive: Set<string>
  /** Judges the next account on a path. */
  readonly visit: (ref: ContractRef, hop: Hop) => ControlNode
}

/** An unexpected error, and the account whose judgment it ended. */
export type Fault = { readonly ref: ContractRef; readonly error: unknown }

export type Hop = {
  readonly role: ControlRole
  /** Seconds that every change on this path must wait. */
  readonly delaySeconds: number
  /** From the profiled contract on. */
  readonly path: readonly ContractRef[]
  /** The functions of the profiled contract that the path is about, other than those that replace its code. */
  readonly functions?: readonly Hex[]
}
export type Judgment = Pick<ControlNode, 'label' | 'notes' | 'paths'> &
  Pick<Partial<ControlNode>, 'signers' | 'signersNeeded' | 'delaySeconds'>

/** A bound against paths that are built to be long. */
export const MAX_HOPS = 8

export const delayedBy = (hop: Hop, seconds: number): Hop => ({
  ...hop,
  delaySeconds: Math.max(hop.delaySeconds, seconds),
})

/** Judges another account of the same chain as a controller of this one. */
export const child = (walk: Walk, facts: Facts, address: Hex, hop: Hop): ControlNode =>
  walk.visit({ chainId: facts.state.chainId, address }, hop)

/** Controllers that an account names in addition to its own rules. Burn addresses are left out. */
export function namedControllers(
  walk: Walk,
  facts: Facts,
  kind: ControlledAccount['kind'],
  hop: Hop,
): readonly ControlNode[] {
  const of = { kind, address: facts.state.address }
  return controllersOf(facts)
    .filter(({ address }) => !isBurnAddress(address))
    .map(({ name, address }) => child(walk, facts, address, { ...hop, role: { code: 'controller', name, of } }))
}

/** The account below this one on the path, where it is on the same chain. */
export function controlledBy(facts: Facts, hop: Hop): Facts | undefined {
  const below = hop.path.at(-2)
  return below?.chainId === facts.state.chainId ? facts.sameChain(below.address) : undefined
}

/**
 * Whether the last contract of a path counts by what it can be made to do. One that was judged by who can change it counts
 * so where the path comes back to it.
 */
export function isMadeToAct(walk: Walk, path: readonly ContractRef[]): boolean {
  const last = path.at(-1)
  if (last === undefined || !walk.passive.has(refKey(last))) return true
  return path.filter((passed) => refKey(passed) === refKey(last)).length > 1
}

/** The weakest of the paths, and of the account's own label if it has one. */
export function through(
  paths: readonly ControlNode[],
  {
    delaySeconds,
    own,
    notes = [],
  }: { delaySeconds?: number; own?: PathLabel | undefined; notes?: readonly Reason[] } = {},
): Judgment {
  const labels = paths.map((path) => path.label)
  return {
    label: weakestPath(own === undefined ? labels : [own, ...labels]),
    paths,
    notes,
    ...(delaySeconds === undefined ? {} : { delaySeconds }),
  }
}

/**
 * Turns a judgment that lacks something into an unknown label with the reason.
 *
 * An unexpected error is caught too: it would end the whole poll and keep the last label, so a contract that can cause
 * it would keep that label for ever.
 */
export function guarded(
  walk: Pick<Walk, 'failedReads' | 'faults'>,
  base: Omit<ControlNode, 'account' | 'label'>,
  judgment: () => ControlNode,
): ControlNode {
  try {
    return judgment()
  } catch (signal) {
    const { chainId, address } = base
    const failed: ControlNode = { ...base, account: { kind: 'unjudged' }, label: 'unknown' }
    if (signal instanceof PendingSignal) return failed
    if (signal instanceof MalformedSignal)
      return { ...failed, notes: [{ code: 'malformed', address, defect: signal.defect }] }
    if (!(signal instanceof UnreadSignal)) {
      walk.faults.push({ ref: { chainId, address }, error: signal })
      return { ...failed, notes: [{ code: 'not_judged', address }] }
    }
    const read: FailedRead = { address, read: signal.read, cause: signal.message }
    walk.failedReads.push(read)
    return { ...failed, notes: [{ code: 'read_failed', ...read }] }
  }
}
