/** What a vote depends on: storage that may prevent it, and whether other votes of the function need as much. */
import { type Fact, isSelectorTest } from './conditions.ts'
import type { Dataflow, RawEffect } from './dataflow.ts'
import type { IsExcused } from './paths.ts'
import type { Position } from './positions.ts'
import { positionsOf } from './taken-words.ts'
import type { Term } from './terms.ts'

export type VoteConditions = {
  /** The storage that the conditions of the vote test. */
  readonly needs: readonly Position[]
  /** The votes of the same function, by their positions in the code, that need all that this one needs. */
  readonly openAs: readonly number[]
}

export type ConditionsOfVote = (vote: RawEffect) => VoteConditions

/** `votes`: all stores that count votes. */
export function voteConditions({ paths }: Dataflow, votes: readonly RawEffect[]): ConditionsOfVote {
  const met = new Map<RawEffect, ReadonlySet<string>>()
  /** The conditions that paths meet which may reach a vote. */
  const metBefore = (vote: RawEffect): ReadonlySet<string> => {
    const known = met.get(vote)
    if (known !== undefined) return known
    const found = new Set<string>()
    const isApart = isApartFrom(vote)
    paths.mayMiss(vote.selector, vote.blocks, [], (fact) => {
      if (isApart(fact)) return true
      found.add(keyOf(fact))
      return false
    })
    met.set(vote, found)
    return found
  }
  /** Whether a path leads to a vote that needs nothing that another does not need, but input, and a count with room. */
  const isAsOpenAs = (vote: RawEffect, other: RawEffect): boolean => {
    const [isApart, known] = [isApartFrom(vote), metBefore(other)]
    const isOwn: IsExcused = (fact) =>
      isApart(fact) ||
      !(known.has(keyOf(fact)) || isSelectorTest(fact.term) || isOfInput(fact.term) || reads(fact.term, vote.subject))
    return paths.mayMiss(vote.selector, vote.blocks, [], isOwn)
  }
  return (vote) => {
    const others = votes.filter((other) => other.selector === vote.selector && isAsOpenAs(vote, other))
    return {
      needs: positionsOf(positionsTested(vote.facts), vote.facts),
      openAs: [...new Set(others.map(({ at }) => at))].sort((a, b) => a - b),
    }
  }
}

const keyOf = ({ term, holds }: Fact): string => `${term.id}${holds}`

/** Whether a path with a condition does not reach a store. */
const isApartFrom =
  ({ facts }: RawEffect) =>
  ({ term, holds }: Fact): boolean =>
    facts.some((fact) => fact.term === term && fact.holds !== holds)

const isOfInput = ({ kind, args }: Term): boolean =>
  kind === 'constant' || kind === 'input' || (kind === 'operation' && args.every(isOfInput))

const reads = ({ kind, args }: Term, position: Term): boolean =>
  (kind === 'stored' && args[0] === position) || (kind === 'operation' && args.some((arg) => reads(arg, position)))

/** The positions in storage that conditions compare or test. */
function positionsTested(facts: readonly Fact[]): readonly Term[] {
  const found = new Set<Term>()
  const visit = ({ kind, args }: Term): void => {
    if (kind === 'stored') found.add(args[0] as Term)
    if (kind === 'operation') args.forEach(visit)
  }
  for (const { term } of facts) visit(term)
  return [...found]
}
