/**
 * What every judgement of an account shares: who it was reached from, what is walked next, how paths are put together.
 */
import type { Hex } from 'viem'
import { type ControlNode, type PathLabel, weakestPath } from './control-node.ts'
import { type Facts, type Ledger, PendingSignal } from './facts.ts'
import { MalformedSignal, UnreadSignal } from './read.ts'
import type { Place } from './state.ts'

export type Walk = {
  readonly ledger: Ledger
  readonly nameOf: (place: Place) => string | undefined
  /** What could not be read on the way. */
  readonly unread: Set<string>
  /** What no judgement should have thrown. */
  readonly faults: Fault[]
  /** The next account on a path. */
  readonly visit: (place: Place, hop: Hop) => ControlNode
}

/** A mistake of ours, and whose judgement it ended. */
export type Fault = { readonly place: Place; readonly error: unknown }

export type Hop = {
  readonly role: string
  /** Seconds that every change on this path must wait. */
  readonly delay: number
  readonly path: readonly Place[]
}
export type Judged = Pick<ControlNode, 'label' | 'notes' | 'paths'> & Pick<Partial<ControlNode>, 'signers' | 'delay'>

/** More hops than anyone builds on purpose. */
export const MOST_HOPS = 8

export const longer = (hop: Hop, delay: number): Hop => ({ ...hop, delay: Math.max(hop.delay, delay) })

export const child = (to: Walk, facts: Facts, address: Hex, hop: Hop): ControlNode =>
  to.visit({ chainId: facts.state.chainId, address }, hop)

/** The account that was judged before this one, where it is on the same chain. */
export function controlledBy(facts: Facts, hop: Hop): Facts | undefined {
  const below = hop.path.at(-2)
  return below?.chainId === facts.state.chainId ? facts.beside(below.address) : undefined
}

/** The weakest of the paths, and of what the account itself is worth where that is known. */
export function through(
  paths: readonly ControlNode[],
  { delay, own, notes = [] }: { delay?: number; own?: PathLabel | undefined; notes?: readonly string[] } = {},
): Judged {
  const labels = paths.map((path) => path.label)
  return {
    label: weakestPath(own === undefined ? labels : [own, ...labels]),
    paths,
    notes,
    ...(delay === undefined ? {} : { delay }),
  }
}

/**
 * A judgement that lacks something is unknown, and says what.
 *
 * So is one that ends in an error nobody foresaw: thrown on, it would end the whole look and leave the last label, and a
 * contract that knows how to cause it would keep that for ever.
 */
export function guarded(
  to: Pick<Walk, 'unread' | 'faults'>,
  base: Omit<ControlNode, 'kind' | 'text' | 'label'>,
  judgement: () => ControlNode,
): ControlNode {
  try {
    return judgement()
  } catch (signal) {
    const failed = { ...base, kind: 'unjudged', label: 'unknown', text: base.address } as const
    if (signal instanceof PendingSignal) return failed
    if (signal instanceof MalformedSignal) return { ...failed, notes: [`${base.address}: ${signal.message}.`] }
    if (!(signal instanceof UnreadSignal)) {
      to.faults.push({ place: { chainId: base.chainId, address: base.address }, error: signal })
      return { ...failed, notes: [`${base.address} could not be judged.`] }
    }
    const what = `${signal.what} of ${base.address} could not be read (${signal.message})`
    to.unread.add(what)
    return { ...failed, notes: [`${what[0]?.toUpperCase()}${what.slice(1)}.`] }
  }
}
