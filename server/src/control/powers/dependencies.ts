/**
 * Contracts in slots that functions call. What such a function does depends on them: an account that chooses one may get what
 * the function gives.
 */
import { type Target, targetOf } from '../code/targets.ts'
import type { CodeFunction } from './functions.ts'

/** Where the address of the contract is. */
export type Dependency = Target & { readonly type: 'slot' }

/** A call without data pays an account, and depends on nothing that it does. */
export function dependenciesOf(functions: readonly CodeFunction[]): readonly Dependency[] {
  const found = functions
    .filter(({ isView }) => !isView)
    .flatMap(({ effects }) => effects)
    .filter(({ kind, passedSize }) => kind === 'call' && passedSize !== 0)
    .map(({ subject, facts }) => targetOf(subject, facts))
    .filter((target) => target.type === 'slot')
  return [...new Map(found.map((target) => [JSON.stringify(target), target])).values()]
}
