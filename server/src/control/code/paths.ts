/** How the blocks of code follow each other: whether a call that succeeds may leave something out. */
import type { State } from './block.ts'
import type { Fact } from './conditions.ts'
import { type Execution, isEnd, NO_NODE } from './executions.ts'
import { OP } from './instructions.ts'
import { JOIN } from './joins.ts'
import type { Term } from './terms.ts'

/** `held`: all conditions that hold there. `top`: what is on top of the stack. */
type Step = {
  readonly from: number
  readonly to: number
  readonly learned: readonly Fact[]
  readonly held: () => readonly Fact[]
  readonly top: Term | undefined
}
/** Whether a condition excuses a branch, where others hold too. */
export type IsExcused = (fact: Fact, held: () => readonly Fact[]) => boolean
/** `blocks`: those that are reached. */
type Followed = { readonly isExcused: IsExcused; readonly blocks: ReadonlySet<number> }
type Block = { readonly selector: bigint | undefined; readonly isEnd: boolean; readonly steps: readonly Step[] }

/** The blocks at which functions begin. */
type Entries = Map<bigint | undefined, Set<number>>
type Graph = {
  readonly blocks: readonly Block[]
  readonly entries: Entries
  readonly to: ReadonlyMap<number, readonly Step[]>
}
type Node = { readonly state: Pick<State, 'selector' | 'stack'>; readonly last: Execution }

/** Conditions of conditions, as in `a && b && c`. */
const MOST_JOINS = 4

/** Values that differ between paths have the number of the block at which the paths met, and their place on the stack. */
const JOINED = new RegExp(`(?:^|\\.)${JOIN}(\\d+)\\.(\\d+)!?$`)

/** The condition that a term is, in the form that branches are recorded in. */
function conditionOf(term: Term, holds: boolean): Fact {
  const [inner] = term.args
  return term.kind === 'operation' && term.op === OP.ISZERO && inner !== undefined
    ? conditionOf(inner, !holds)
    : { term, holds }
}

export class Paths {
  readonly #nodes: readonly Node[]
  readonly #factsOf: (facts: readonly number[]) => readonly Fact[]
  #known: Graph | undefined

  /** `nodes`: in the order of their numbers, each with its last execution. */
  constructor(nodes: readonly Node[], factsOf: (facts: readonly number[]) => readonly Fact[]) {
    this.#nodes = nodes
    this.#factsOf = factsOf
  }

  /**
   * Whether a call of a function that succeeds may pass one of the first blocks and none of the others. Branches with an
   * excused condition do not count.
   */
  mayMiss(
    selector: bigint | undefined,
    passed: readonly number[],
    missed: readonly number[],
    isExcused: IsExcused,
  ): boolean {
    const { blocks, entries } = this.#graph
    const left = new Set(missed)
    const follow = (from: readonly number[], followed: Followed): ReadonlySet<number> => {
      const isLeft = ({ learned, held }: Step): boolean => learned.some((fact) => this.#isExcused(fact, held, followed))
      const found = new Set<number>()
      const open = [...from]
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (found.has(at) || left.has(at)) continue
        found.add(at)
        for (const step of blocks[at]?.steps ?? []) if (!isLeft(step)) open.push(step.to)
      }
      return found
    }
    // More blocks that are reached leave more paths that may have met, and so fewer branches that are excused.
    const reached = (from: readonly number[], before: ReadonlySet<number>): ReadonlySet<number> => {
      let found: ReadonlySet<number> = new Set()
      for (let size = -1; size !== found.size; ) {
        size = found.size
        found = follow(from, { isExcused, blocks: before.union(found) })
      }
      return found
    }
    const begun = reached([...(entries.get(selector) ?? [])], new Set())
    const ended = reached(
      passed.filter((at) => begun.has(at)),
      begun,
    )
    return [...ended].some((at) => blocks[at]?.isEnd === true)
  }

  /** Whether a path leads from one of the first blocks back to one of them, and through none of the others. */
  mayRepeat(repeated: readonly number[], others: readonly number[]): boolean {
    const { blocks } = this.#graph
    const [ends, left] = [new Set(repeated), new Set(others)]
    const found = new Set<number>()
    const open = [...repeated]
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { to } of blocks[at]?.steps ?? []) {
        if (left.has(to) || found.has(to)) continue
        if (ends.has(to)) return true
        found.add(to)
        open.push(to)
      }
    return false
  }

  /**
   * Whether a condition is excused. Where paths have met, as after `a && b`, it is the condition that each of them has left, unless
   * that path is excused or not reached.
   */
  #isExcused({ term, holds }: Fact, held: Step['held'], followed: Followed, depth = 0): boolean {
    if (followed.isExcused({ term, holds }, held)) return true
    const [, node, index] = (term.kind === 'opaque' ? JOINED.exec(term.tag) : null) ?? []
    const met = this.#nodes[Number(node)]
    if (met === undefined || met.state.stack.length !== Number(index) + 1 || depth > MOST_JOINS) return false
    return (this.#graph.to.get(Number(node)) ?? []).every(({ from, learned, held: before, top }) => {
      const isOut = (fact: Fact): boolean => this.#isExcused(fact, before, followed, depth + 1)
      // What is before the function is reached in any case.
      const isReached = followed.blocks.has(from) || this.#nodes[from]?.state.selector !== met.state.selector
      if (!isReached || learned.some(isOut)) return true
      const left = conditionOf(top as Term, holds)
      return left.term.kind === 'constant' ? (left.term.value !== 0n) !== left.holds : isOut(left)
    })
  }

  get #graph(): Graph {
    if (this.#known !== undefined) return this.#known
    const blocks = this.#nodes.map(({ state: { selector }, last: { effects, entered } }, from) => ({
      selector,
      isEnd: effects.some(({ effect }) => isEnd(effect)),
      steps: entered.map(({ node, facts, top }, at) => {
        const others = new Set(entered[1 - at]?.facts)
        const learned = entered.length === 2 ? facts.filter((fact) => !others.has(fact)) : []
        return { from, to: node, learned: this.#factsOf(learned), held: () => this.#factsOf(facts), top }
      }),
    }))
    const entries: Entries = new Map([[undefined, new Set([0])]])
    for (const { selector, steps } of blocks)
      for (const { to } of steps) {
        const next = blocks[to]?.selector
        if (to !== NO_NODE && next !== selector) entries.set(next, (entries.get(next) ?? new Set()).add(to))
      }
    const to = Map.groupBy(
      blocks.flatMap(({ steps }) => steps),
      (step) => step.to,
    )
    return (this.#known = { blocks, entries, to })
  }
}
