/** What blocks reach when they are executed. */
import type { Reached, State } from './block.ts'
import type { Term } from './terms.ts'

/**
 * What one execution of a block reached. `ends`: the stores made on every path to each end of a call that succeeds. `entered`:
 * the blocks that follow, with the conditions that hold there and what is on top of the stack.
 */
export type Execution = {
  readonly effects: ({ readonly effect: Reached } & Pick<State, 'facts' | 'epoch'>)[]
  readonly ends: (readonly number[])[]
  readonly entered: { readonly node: number; readonly facts: readonly number[]; readonly top: Term | undefined }[]
  steps: number
}

export const newExecution = (): Execution => ({ effects: [], ends: [], entered: [], steps: 0 })

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
  a.unreported === b.unreported &&
  a.made === b.made &&
  a.added === b.added &&
  (a.stack === b.stack || a.stack.every((term, index) => term === b.stack[index]))
