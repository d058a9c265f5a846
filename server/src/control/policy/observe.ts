/** What a policy can state about a contract, as it was read from the chain. */
import { type Label, weakestLabel } from '../../../../vocabulary/labels.ts'
import type { Power, PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { ProbedContract } from '../poll/prober.ts'
import { type Snapshot, snapshotOf } from '../poll/snapshot.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'

export type ObservedController = ContractRef & {
  readonly kind: string
  readonly threshold: number | null
  readonly signers: readonly Hex[] | null
  /** The least of all paths up to the account. */
  readonly delay: number
}

export type ObservedPower = {
  readonly label: Label
  readonly delay: number
  readonly holders: readonly ContractRef[]
  /** An account without any privilege can use it. */
  readonly isOpen: boolean
  /** False: there may be other holders, with a shorter delay. */
  readonly isComplete: boolean
}

export type Observed = {
  readonly isContract: boolean
  /** A read failed: what is missing here may be there. */
  readonly isStale: boolean
  readonly label: Label
  readonly kind: string
  /** Without a field that could not be read. */
  readonly fields: Snapshot
  readonly threshold: number | null
  readonly signers: readonly Hex[] | null
  /** Null: nothing can be upgraded or executed. */
  readonly delay: Pick<ObservedPower, 'delay' | 'isComplete'> | null
  readonly controllers: readonly ObservedController[]
  /** False: there may be other controllers than those listed. */
  readonly hasAllControllers: boolean
  /** Null: not analyzed. */
  readonly powers: ReadonlyMap<PowerEffect, ObservedPower> | null
}

export function observe(target: ContractRef, { profile, graph, beacon, isContract }: ProbedContract): Observed {
  const { label, kind, stale, tree, powers } = profile
  const state = graph.get(refKey(target))
  const observed = powers === null ? null : powersOf(powers)
  return {
    isContract,
    isStale: stale,
    label,
    kind,
    fields: state === undefined ? {} : withLogicOfBeacon(snapshotOf(state, beacon)),
    ...quorumOf(tree),
    delay: observed?.get('upgrade') ?? observed?.get('execute') ?? null,
    controllers: controllersOf(tree, target),
    hasAllControllers: isKnown(tree),
    powers: observed,
  }
}

/** What has one effect can be stated in parts: functions that were judged, and code that could not be followed. */
const powersOf = (powers: readonly Power[]): ReadonlyMap<PowerEffect, ObservedPower> =>
  new Map(
    [...Map.groupBy(powers, ({ effect }) => effect)].map(([effect, parts]): [PowerEffect, ObservedPower] => {
      const holders = parts.flatMap((part) => part.holders)
      return [
        effect,
        {
          label: weakestLabel(parts.map((part) => part.label)),
          delay: Math.min(...parts.map(({ delaySeconds }) => delaySeconds)),
          holders: [
            ...new Map(
              holders.map(({ chainId, address }) => [refKey({ chainId, address }), { chainId, address }]),
            ).values(),
          ],
          isOpen: parts.some(({ isOpen }) => isOpen === true),
          isComplete: parts.every((part) => part.unknown === undefined && part.label !== 'unknown'),
        },
      ]
    }),
  )

/** The logic of a beacon proxy is what its beacon names. */
function withLogicOfBeacon(fields: Snapshot): Snapshot {
  if (fields.implementation !== null || fields.beacon === null) return fields
  const { implementation: _, ...others } = fields
  const logic = fields.beaconImplementation
  return logic === undefined ? others : { ...others, implementation: logic }
}

const quorumOf = ({ account, signers }: ControlNode): Pick<Observed, 'threshold' | 'signers'> => ({
  threshold: 'threshold' in account ? account.threshold : null,
  signers: signers?.map(({ address }) => address).sort() ?? null,
})

const isKnown = ({ label, paths }: ControlNode): boolean => label !== 'unknown' && paths.every(isKnown)

/** The accounts of the tree, each once, in the order of the tree. */
function controllersOf(tree: ControlNode, target: ContractRef): readonly ObservedController[] {
  const found = new Map<string, ObservedController>()
  const add = (node: ControlNode): void => {
    const { chainId, address, account, delaySeconds } = node
    const key = refKey(node)
    const known = found.get(key)
    const own = { chainId, address, kind: account.kind, ...quorumOf(node), delay: delaySeconds }
    // An account can act on several paths, and the shortest delay counts.
    if (key !== refKey(target))
      found.set(key, { ...(known ?? own), delay: Math.min(known?.delay ?? delaySeconds, delaySeconds) })
    node.paths.forEach(add)
  }
  tree.paths.forEach(add)
  return [...found.values()]
}
