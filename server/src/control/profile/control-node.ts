/** One account of a chain of control, as it is judged and as it is shown; the whole tree is kept. */
import type { Hex } from 'viem'
import { LABELS, type Label, weakestLabel } from '../../../../vocabulary/labels.ts'
import type { Account } from './account.ts'
import type { Place } from './state.ts'

/** A path that returns to itself adds nobody: what counts are the other paths of the account it returns to. */
export type PathLabel = Label | 'circular'

export type ControlNode = Place & {
  /** What it is to the account below: "Proxy admin", "proposer", "module". */
  readonly role: string
  readonly kind: Account['kind'] | 'unjudged'
  /** What it is, in words. */
  readonly text: string
  readonly label: PathLabel
  /** Seconds that every change on this path must wait, up to and including here. */
  readonly delay: number
  readonly notes: readonly string[]
  readonly paths: readonly ControlNode[]
  /** Owners of a multisig, shown below it; their keys are counted, not walked. */
  readonly signers?: readonly Seat[]
  /** Of the accounts that the contract names, whether code stands there, as far as it was read. */
  readonly hasCode?: Readonly<Record<string, boolean>>
}

/** An owner of a multisig. */
export type Seat = { readonly address: Hex; readonly text: string; readonly kind: Account['kind'] }

export function weakestPath(labels: readonly PathLabel[]): PathLabel {
  const straight = labels.filter((label) => label !== 'circular')
  return straight.length === 0 && labels.length > 0 ? 'circular' : weakestLabel(straight)
}

/** The weakest label that some path certainly has: the whole cannot be stronger. Undefined where no path has one. */
export function weakestRead(node: ControlNode): Label | undefined {
  const below = node.paths.flatMap((path) => weakestRead(path) ?? [])
  const own = node.label === 'unknown' || node.label === 'circular' ? [] : [node.label]
  return own.length + below.length === 0 ? undefined : weakestLabel([...own, ...below])
}

/** Weakest first: the weakest path determines the label. */
const ORDER: readonly PathLabel[] = [...LABELS.toReversed(), 'circular']

export function byWeakness(nodes: readonly ControlNode[]): readonly ControlNode[] {
  return nodes.toSorted((a, b) => ORDER.indexOf(a.label) - ORDER.indexOf(b.label))
}

/** One sentence per hop, weakest path first. */
export function sentencesOf(node: ControlNode): readonly string[] {
  return [`${node.role} is ${node.text}.`, ...node.notes, ...byWeakness(node.paths).flatMap(sentencesOf)]
}
