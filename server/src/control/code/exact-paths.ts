/**
 * Which paths are joined where code is followed exactly, with an input of known lengths.
 *
 * Those are joined that differ in values alone: a search over checkpoints would otherwise have paths without end. What a
 * search stores in memory outside of the words in which keys are hashed, what it writes and what it calls keep paths apart,
 * and so do numbers that are known, such as the state of a proposal, and the place of return.
 *
 * A value that differs gets a name of its block and its place on the stack. At its block nothing else has that name, because
 * the first path to it cannot have it, so that the name always means what the last visit of the block found.
 */
import type { State } from './block.ts'
import { common, union } from './conditions.ts'
import { isSameState } from './executions.ts'
import { JOIN } from './joins.ts'
import type { Memory } from './memory.ts'
import type { Term, Terms } from './terms.ts'

/**
 * `answerSize`: how much every call returns. `isMerging`: paths that differ in values alone are joined; otherwise each path is
 * followed apart from the others.
 */
export type Exactness = { readonly answerSize: bigint; readonly isMerging: boolean }

/** Known numbers keep so many paths apart at one place: the square root of a number has a path for each of its bits. */
const MAX_PATTERNS = 24

/** `N`: what is known of paths that are joined. */
export class MergedPaths<N> {
  readonly nodes = new Map<string, N>()
  /** The position of the jump destination that a constant is, otherwise -1. */
  readonly #destinationOf: (constant: Term) => number
  /** The numbers on the stack that keep paths apart, by all else that does. */
  readonly #patterns = new Map<string, Set<string>>()
  readonly #memories = new WeakMap<Memory, number>()
  readonly #contents = new Map<string, number>()

  constructor(destinationOf: (constant: Term) => number) {
    this.#destinationOf = destinationOf
  }

  /** The same for paths that are joined. */
  keyOf(at: number, { stack, memory, epoch, lastCall, selector }: State): string {
    let [returns, numbers] = ['', '']
    for (let index = 0; index < stack.length; index += 1) {
      const term = stack[index] as Term
      if (term.kind !== 'constant') continue
      if (this.#destinationOf(term) >= 0) returns += `,${index}:${term.id}`
      else numbers += `,${index}:${term.id}`
    }
    const place = `${at}|${stack.length}|${selector ?? ''}|${epoch}|${lastCall}|${this.#numberOf(memory)}|${returns}`
    let known = this.#patterns.get(place)
    if (known === undefined) this.#patterns.set(place, (known = new Set()))
    if (!known.has(numbers) && known.size >= MAX_PATTERNS) return `${place}*`
    known.add(numbers)
    return `${place}|${numbers}`
  }

  /** The same number for memories that hold the same. */
  #numberOf(memory: Memory): number {
    const known = this.#memories.get(memory)
    if (known !== undefined) return known
    const { content } = memory
    const number = this.#contents.get(content) ?? this.#contents.size
    this.#contents.set(content, number)
    this.#memories.set(memory, number)
    return number
  }
}

/** The state where a path meets those at a node. */
export function joinedExactly(terms: Terms, node: { readonly id: number; readonly state: State }, state: State): State {
  const { id, state: old } = node
  const stack = old.stack.map((term, index) => {
    const other = state.stack[index] as Term
    return term === other ? term : terms.opaqueAt(JOIN, id, index, term.hasCaller || other.hasCaller)
  })
  const joined: State = {
    ...old,
    stack,
    memory: old.memory.joined(state.memory),
    facts: common(old.facts, state.facts),
    added: union(old.added, state.added),
  }
  return isSameState(old, joined) ? old : joined
}

type Reached = { readonly from: Reached | undefined }

/** Whether a node was first reached by a path through another one, or is that one: a path from it to that one is a loop. */
export function isAfter(node: Reached | undefined, other: Reached): boolean {
  for (let at = node; at !== undefined; at = at.from) if (at === other) return true
  return false
}

type Executed<N> = { readonly at: number; readonly state: State; readonly from: N | undefined }

/** The last node of a path at the same place that will return to the same places. */
export function lastRound<N extends Executed<N>>(node: N, destinationOf: (constant: Term) => number): N | undefined {
  const { stack } = node.state
  const isReturn = (term: Term): boolean => term.kind === 'constant' && destinationOf(term) >= 0
  const isSame = (term: Term, other: Term): boolean => term === other || !(isReturn(term) || isReturn(other))
  for (let other = node.from; other !== undefined; other = other.from) {
    const before = other.state.stack
    const isHere = other.at === node.at && before.length === stack.length
    if (isHere && stack.every((term, index) => isSame(term, before[index] as Term))) return other
  }
  return undefined
}
