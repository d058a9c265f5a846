/**
 * The walk against real nodes: reads what the judgement needs, one round at a time, until it needs nothing more.
 */
import { type Profile, profileOf } from '../profile/profile.ts'
import { type ContractState, type Need, refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { Session } from './session.ts'

export type ProbeDeps = {
  readonly session: Pick<Session, 'state' | 'more' | 'report'>
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

export type Probed = {
  readonly profile: Profile
  /** Every account that had a say in it, as it was read. */
  readonly graph: ReadonlyMap<string, ContractState>
}

/** Rounds of reading: every hop takes two or three. */
const MOST_ROUNDS = 60

export async function probe(
  { session, nameOf }: ProbeDeps,
  target: ContractRef,
  { previous }: { readonly previous?: Profile | undefined } = {},
): Promise<Probed> {
  const graph = new Map<string, ContractState>()
  for (let round = 0; ; round += 1) {
    const { profile, needs, faults } = profileOf({
      graph,
      target,
      previous,
      ...(nameOf === undefined ? {} : { nameOf }),
    })
    if (needs.length === 0 || round === MOST_ROUNDS) {
      for (const fault of faults) session.report(fault)
      return { profile, graph }
    }
    await Promise.all([...Map.groupBy(needs, refKey).values()].map((ofPlace) => answer(graph, session, ofPlace)))
  }
}

async function answer(
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
