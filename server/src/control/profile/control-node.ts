/** One account of a control tree, as it is judged and stored, and the rules that derive its label. */
import type { Hex } from 'viem'
import type { AccountSummary, NamedAccount } from '../../../../vocabulary/accounts.ts'
import type { ControlRole } from '../../../../vocabulary/control-roles.ts'
import { LABELS, type Label, weakestLabel } from '../../../../vocabulary/labels.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** A path that returns to itself adds no controller: the other paths of the account it returns to count. */
export type PathLabel = Label | 'circular'

export type ControlNode = ContractRef & {
  /** What the account is to the account below it. */
  readonly role: ControlRole
  readonly account: AccountSummary
  /** Its name in the registry. */
  readonly name?: string
  readonly label: PathLabel
  /** Seconds that every change on this path must wait, up to and including this account. */
  readonly delaySeconds: number
  readonly notes: readonly Reason[]
  readonly paths: readonly ControlNode[]
  /** Owners of a multisig. They are counted, not walked. */
  readonly signers?: readonly Signer[]
  /** The least number of distinct keys that can sign for a multisig. */
  readonly signersNeeded?: number
  /** For addresses the contract names: whether code is there, where that was read. */
  readonly hasCode?: Readonly<Record<string, boolean>>
}

/** An owner of a multisig. */
export type Signer = NamedAccount & {
  readonly address: Hex
  /** An account without code that never sent a transaction. */
  readonly isUnused?: boolean
}

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

/** One reason per hop with the notes of the account, weakest path first. */
export function reasonsOfPath(node: ControlNode): readonly Reason[] {
  return [hopReason(node), ...node.notes, ...byWeakness(node.paths).flatMap(reasonsOfPath)]
}

export const hopReason = ({ role, account, address, name }: ControlNode): Reason => ({
  code: 'controller',
  role,
  account,
  address,
  ...(name === undefined ? {} : { name }),
})

/** A delay of one day gives users time to leave before a change takes effect. */
export const LONG_DELAY_SECONDS = 86_400

export function labelByDelay(seconds: number): Label {
  if (seconds <= 0) return 'multisig'
  return seconds < LONG_DELAY_SECONDS ? 'short_timelock' : 'timelocked'
}

/** Whether `next` is stronger than `previous`. An unknown label or a single key is never stronger. */
export const isStronger = (next: Label, previous: Label): boolean =>
  next !== 'unknown' && next !== 'single_key' && LABELS.indexOf(next) < LABELS.indexOf(previous)
