/** What blocks reach when they are executed. */
import type { Reached, State } from './block.ts'
import type { Term } from './terms.ts'

/**
 * What one execution of a block reached, in its order. `entered`: the blocks that follow, with the conditions that hold there
 * and what is on top of the stack.
 */
export type Execution = {
  readonly effects: ({ readonly effect: Reached } & Pick<State, 'facts' | 'epoch'>)[]
  readonly entered: { readonly node: number; readonly facts: readonly number[]; readonly top: Term | undefined }[]
  steps: number
}

/** The number of a block that is not followed, because it only reverts. */
export const NO_NODE = -1

export const newExecution = (): Execution => ({ effects: [], entered: [], steps: 0 })

/** The same for effects that count once. */
export function effectKey(
  { effect, facts, epoch }: Execution['effects'][number],
  selector: bigint | undefined,
): string {
  const passed = effect.passed?.map(({ term, from, to }) => `${term.id}:${from}:${to}`).join() ?? ''
  const topics = effect.topics?.map(({ id }) => id).join() ?? ''
  return `${effect.at}|${effect.subject.id}|${effect.value?.id ?? ''}|${passed}|${topics}|${selector ?? ''}|${epoch}|${effect.addedBefore?.join() ?? ''}|${facts.join()}`
}

/** Whether a join has left a state of the same function as it was. */
export const isSameState = (a: State, b: State): boolean =>
  a.facts === b.facts &&
  a.memory === b.memory &&
  a.epoch === b.epoch &&
  a.lastCall === b.lastCall &&
  a.added === b.added &&
  (a.stack === b.stack || a.stack.every((term, index) => term === b.stack[index]))

type Followed = { readonly state: Pick<State, 'selector'>; readonly last: Execution }

/** A call succeeds with this effect. */
export const isEnd = ({ kind }: Pick<Reached, 'kind'>): boolean => kind === 'exit' || kind === 'selfdestruct'

/**
 * Carries what is known before a block along all paths: an effect changes it, and where paths meet it is joined. `joined`
 * returns what was known before where the other path changes nothing.
 */
export function carry<Known>(
  nodes: readonly Followed[],
  first: Known,
  after: (known: Known, reached: Execution['effects'][number], selector: bigint | undefined) => Known,
  joined: (before: Known, other: Known) => Known,
): void {
  const knownAt: (Known | undefined)[] = [first]
  const open = new Set([0])
  for (const at of open) {
    open.delete(at)
    const { state, last } = nodes[at] as Followed
    let known = knownAt[at] as Known
    for (const reached of last.effects) known = after(known, reached, state.selector)
    for (const { node } of last.entered) {
      if (node === NO_NODE) continue
      const before = knownAt[node]
      const met = before === undefined ? known : joined(before, known)
      if (met === before) continue
      knownAt[node] = met
      open.add(node)
    }
  }
}
