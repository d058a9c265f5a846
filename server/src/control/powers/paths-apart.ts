/**
 * What a function does on each of its paths to an end, followed apart from the others.
 *
 * Where paths meet, conditions are lost, and values become ones that are not known. A path by itself is a list of effects
 * under all its conditions.
 */
import { type Fact, includesAll } from '../code/conditions.ts'
import { type Dataflow, followExactly, type RawEffect } from '../code/dataflow.ts'
import { mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { partsCopied } from '../code/passed-input.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { isAnswerSize, type Term, Terms } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { isZero } from './acts.ts'
import type { Store } from './consents.ts'
import type { CodeFunction } from './functions.ts'
import { mentions } from './guards.ts'
import { tokenCallOf } from './token-calls.ts'

/** A transfer that asks about fees, limits and lists needs 3,000 steps. */
const BUDGET = { steps: 40_000, nodes: 2_000 }
const MOST_PATHS = 200
const SELECTOR_SHIFT = 224n

/** The input of one function. */
class OneFunction extends Terms {
  readonly #selector: bigint

  constructor(code: Uint8Array, selector: bigint) {
    super(code)
    this.#selector = selector
  }

  override operation(op: number, a: Term, b?: Term): Term {
    const isShifted = op === OP.SHR && valueOf(a) === SELECTOR_SHIFT && b !== undefined && isFirstWord(b)
    const isDivided = op === OP.DIV && isFirstWord(a) && b !== undefined && valueOf(b) === 1n << SELECTOR_SHIFT
    return isShifted || isDivided ? this.constant(this.#selector) : super.operation(op, a, b)
  }
}

const isFirstWord = ({ kind, args: [offset] }: Term): boolean =>
  kind === 'input' && offset !== undefined && isZero(offset)

const FOLLOWED: ReadonlySet<RawEffect['kind']> = new Set(['store', 'log', 'exit', 'call'])
const isFollowed = ({ kind }: RawEffect): boolean => FOLLOWED.has(kind)

/** Sizes of answers, if code asks only whether there is one, and whether it has a word. */
const ANSWER_SIZES = [0n, 1n, 32n]
const LARGEST_SIZE = 32n
/** No answer has so many bytes. */
const MOST_BYTES = 1n << 32n

const isSizeTest = ({ op, args: [left, right] }: Term): boolean => {
  const other = isAnswerSize(left) ? right : left
  return (
    other?.kind === 'constant' &&
    (op === OP.LT ? other.value <= LARGEST_SIZE || other.value > MOST_BYTES : op === OP.EQ && other.value === 0n)
  )
}

/** What is stored where a store is made, just before it. */
export type NowAt = (store: Store) => Term
export type Path = {
  /** Those of the path, each under all its conditions. */
  readonly effects: readonly RawEffect[]
  readonly facts: readonly Fact[]
  readonly nowAt: NowAt
}

/** The paths of a function; undefined where they are too many, or not only values decide which one is taken. */
export function pathsApart(flow: Dataflow, each: CodeFunction): readonly Path[] | undefined {
  let known = FOLLOWED_APART.get(each)
  if (known === undefined) FOLLOWED_APART.set(each, (known = { paths: followApart(flow, each) }))
  return known.paths
}

/** Several questions are asked about the paths of one function. */
const FOLLOWED_APART = new WeakMap<CodeFunction, { readonly paths: readonly Path[] | undefined }>()

function followApart({ code, conditions, sizes }: Dataflow, each: CodeFunction): readonly Path[] | undefined {
  const isTooLarge = (sizes.get(BigInt(each.selector)) ?? 0) > BUDGET.nodes
  if (each.isFallback || isTooLarge || !each.effects.every(isFollowed)) return undefined
  const isCalling = each.effects.some(({ kind }) => kind === 'call')
  const paths: Path[] = []
  const called = new Set<string>()
  for (const answerSize of isCalling ? ANSWER_SIZES : [0n]) {
    const exactness = { answerSize, isMerging: false }
    const exact = followExactly(code, new OneFunction(code, BigInt(each.selector)), exactness, BUDGET)
    const found = pathsIn(exact)
    if (found === undefined) return undefined
    paths.push(...found)
    for (const { kind, at } of exact.effects) if (kind === 'call') called.add(String(at))
  }
  // Other functions may ask more about the sizes of answers.
  const isOwnSize = (term: Term): boolean => {
    const place = isAnswerSize(term) ? /\.(\d+)$/.exec(term.tag)?.[1] : undefined
    return isAnswerSize(term) && (place === undefined || called.has(place))
  }
  const isTested = (term: Term): boolean => !mentions(term, isOwnSize) || isAnswerSize(term) || isSizeTest(term)
  return conditions.every(isTested) ? paths : undefined
}

function pathsIn(flow: Dataflow): readonly Path[] | undefined {
  const exits = flow.effects.filter(({ kind }) => kind === 'exit')
  if (!flow.settled || exits.length > MOST_PATHS || !flow.effects.every(isFollowed)) return undefined
  return exits.map(({ facts }) => {
    const on = flow.effects.filter((effect) => includesAll(facts, effect.facts))
    const { rename, factsOf } = readsOnce(flow, on)
    const known = factsOf(facts)
    const effects = on.map(({ value, amount, passed, ...effect }) => ({
      ...effect,
      ...(value && { value: rename(value) }),
      ...(amount && { amount: rename(amount) }),
      ...(passed && { passed: partsCopied(passed).map((part) => ({ ...part, term: rename(part.term) })) }),
      facts: known,
    }))
    return { effects, facts: known, nowAt: ({ subject, epoch }) => rename(flow.terms.stored(subject, epoch)) }
  })
}

/** The calls of a function; those of tokens whose words a loop has copied as they are on each path. */
export function callsShown(flow: Dataflow, each: CodeFunction): readonly RawEffect[] {
  return each.effects
    .filter(({ kind }) => kind === 'call')
    .flatMap((effect): readonly RawEffect[] => {
      const moved = tokenCallOf(effect)
      if (moved === undefined || (moved.to !== undefined && moved.amount !== undefined)) return [effect]
      const paths = pathsApart(flow, each)
      return (
        paths?.flatMap(({ effects }) => effects.filter(({ kind, at }) => kind === 'call' && at === effect.at)) ?? [
          effect,
        ]
      )
    })
}

/** Gives reads of a position that no store of the path changes in between one name. */
function readsOnce(
  { terms }: Dataflow,
  path: readonly RawEffect[],
): {
  readonly rename: (term: Term) => Term
  readonly factsOf: (facts: readonly Fact[]) => readonly Fact[]
} {
  const stores = path
    .filter(({ kind, op }) => kind === 'store' || (kind === 'call' && op !== OP.STATICCALL))
    .map(({ kind, subject, facts, epoch }): { readonly position: Position; readonly epoch: string } => ({
      // What is called may call this contract.
      position: kind === 'call' ? { type: 'anywhere' } : positionOf(subject, facts),
      epoch,
    }))
  const known = new Map<Term, Term>()
  const rename = (term: Term): Term => {
    const found = known.get(term) ?? renamed(term)
    known.set(term, found)
    return found
  }
  const renamed = (term: Term): Term => {
    const [left, right] = term.args
    if (term.kind === 'operation' && left !== undefined)
      return terms.operation(term.op, rename(left), ...(right === undefined ? [] : [rename(right)]))
    if (term.kind !== 'stored' || left === undefined) return term
    const position = positionOf(left, [])
    let at = stores.findIndex(({ epoch }) => epoch === term.tag)
    if (at < 0) at = stores.length
    while (at > 0 && !mayHit(stores[at - 1]?.position ?? position, position)) at -= 1
    const first = stores[at]?.epoch
    return first === undefined ? term : terms.stored(left, first)
  }
  const factsOf = (facts: readonly Fact[]): readonly Fact[] =>
    facts.map(({ term, holds }) => ({ term: rename(term), holds }))
  return { rename, factsOf }
}
