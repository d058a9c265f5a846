/** Profiles one contract: reads what the judgment needs, in rounds, until nothing is missing. */
import { type Profile, type ProfileInput, profileOf } from '../profile/profile.ts'
import { type ContractState, type Need, refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { isWeaker } from './control-changes.ts'
import type { Session } from './session.ts'

export type ProbeDeps = {
  readonly session: Pick<Session, 'state' | 'more' | 'report'>
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

export type Probed = {
  readonly profile: Profile
  /** Every account the profile depends on, as it was read. */
  readonly graph: ReadonlyMap<string, ContractState>
}

/** Every hop takes two or three rounds. */
const MAX_ROUNDS = 60

export async function probe(
  { session, nameOf }: ProbeDeps,
  target: ContractRef,
  { previous, isOverdue }: Pick<ProfileInput, 'previous' | 'isOverdue'> = {},
): Promise<Probed> {
  const graph = new Map<string, ContractState>()
  for (let round = 0; ; round += 1) {
    const { profile, needs, faults } = profileOf({
      graph,
      target,
      previous,
      isOverdue,
      ...(nameOf === undefined ? {} : { nameOf }),
    })
    if (needs.length === 0 || round === MAX_ROUNDS) {
      for (const fault of faults) session.report(fault)
      return { profile, graph }
    }
    await Promise.all(
      [...Map.groupBy(needs, refKey).values()].map((ofContract) => readNeeds(graph, session, ofContract)),
    )
  }
}

/**
 * As `probe`. A profile that is stronger than the last one, or is the first, is also made of what other endpoints return, and
 * the weaker one counts: an endpoint alone makes no label stronger.
 */
export async function probeTwice(
  { session, nameOf }: ProbeDeps & { readonly session: Session },
  target: ContractRef,
  last: Pick<ProfileInput, 'previous' | 'isOverdue'> = {},
): Promise<Probed> {
  const first = await probe({ session, nameOf }, target, last)
  const { profile } = first
  const isStronger = last.previous === undefined ? isAssuring(profile) : isWeaker(profile, last.previous)
  const other = isStronger ? session.second(target.chainId) : undefined
  if (other === undefined) return first
  const second = await probe({ session: other, nameOf }, target, last)
  return !second.profile.stale && isWeaker(profile, second.profile) ? second : first
}

const isAssuring = ({ tone }: Profile): boolean => tone === 'green' || tone === 'amber'

async function readNeeds(
  graph: Map<string, ContractState>,
  session: ProbeDeps['session'],
  [first, ...others]: readonly Need[],
): Promise<void> {
  if (first === undefined) return
  const key = refKey(first)
  const known = graph.get(key)
  if (known === undefined) {
    graph.set(key, await session.state(first))
    return
  }
  const found = await Promise.all([first, ...others].map((need) => session.more(need)))
  graph.set(
    key,
    found.reduce((state, add) => add(state), known),
  )
}

/** The state of the beacon, which the walk may not have read. */
export async function beaconOf(
  session: Pick<Session, 'state'>,
  state: ContractState | undefined,
): Promise<ContractState | undefined> {
  const beacon = state?.slots.beacon
  if (state === undefined || beacon?.type !== 'value') return undefined
  return await session.state({ chainId: state.chainId, address: `0x${beacon.value.slice(-40)}` })
}
