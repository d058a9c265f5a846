/** What a policy can state about a contract, as it was read from the chain. */
import type { Label } from '../../../../vocabulary/labels.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
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
  readonly delay: number
}

export type ObservedPower = { readonly label: Label; readonly delay: number; readonly holders: readonly Hex[] }

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
  readonly delay: number | null
  readonly controllers: readonly ObservedController[]
  /** Null: not analyzed. */
  readonly powers: ReadonlyMap<PowerEffect, ObservedPower> | null
}

export function observe(target: ContractRef, { profile, graph, isContract }: ProbedContract): Observed {
  const { label, kind, stale, tree, powers } = profile
  const state = graph.get(refKey(target))
  const decisive = (powers ?? []).find(({ effect }) => effect === 'upgrade' || effect === 'execute')
  return {
    isContract,
    isStale: stale,
    label,
    kind,
    fields: state === undefined ? {} : snapshotOf(state),
    ...quorumOf(tree),
    delay: decisive?.delaySeconds ?? null,
    controllers: controllersOf(tree, new Set([refKey(target)])),
    powers:
      powers &&
      new Map(
        powers.map((power) => [
          power.effect,
          {
            label: power.label,
            delay: power.delaySeconds,
            holders: [...new Set(power.holders.map(({ address }) => address))].sort(),
          },
        ]),
      ),
  }
}

const quorumOf = ({ account, signers }: ControlNode): Pick<Observed, 'threshold' | 'signers'> => ({
  threshold: 'threshold' in account ? account.threshold : null,
  signers: signers?.map(({ address }) => address).sort() ?? null,
})

/** The accounts of the tree, each once, in the order of the tree. */
function controllersOf({ paths }: ControlNode, seen: Set<string>): readonly ObservedController[] {
  return paths.flatMap((node) => {
    const key = refKey(node)
    if (seen.has(key)) return []
    seen.add(key)
    const { chainId, address, account, delaySeconds } = node
    const own = { chainId, address, kind: account.kind, ...quorumOf(node), delay: delaySeconds }
    return [own, ...controllersOf(node, seen)]
  })
}
