/** Profiles one contract: reads what the judgment needs, in rounds, until nothing is missing. */
import { type Profile, type ProfileInput, profileOf } from '../profile/profile.ts'
import { type ContractState, type Need, refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
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
