/**
 * Code of other contracts that a function runs on the storage of its own: libraries, which it calls by delegatecall with
 * other data than its input. Their code is analyzed on its own, see `with-libraries.ts`.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { isForwarding, selectorPassed } from '../code/passed-input.ts'
import { positionOf } from '../code/positions.ts'
import { isPrecompiled, type Target, targetOf } from '../code/targets.ts'
import { isAddress, isChosen, isFromCaller } from './acts.ts'
import type { CodeFunction } from './functions.ts'
import { accessFields, type Guard, type UnknownGuard } from './guards.ts'

/** A call of a library, and who may make it: every caller where `guards` is empty and `unknown` is missing. */
export type LibraryCall = {
  /** The function that makes the call. */
  readonly selector: Hex
  readonly target: Target
  /** The function that runs; undefined where it is not fixed. */
  readonly runs?: Hex
  readonly guards: readonly Guard[]
  readonly unknown?: UnknownGuard
}

/** What a function does to the storage that it runs on, and who passes its checks. */
export type LibraryFunction = {
  readonly selector: Hex
  readonly effects: readonly PowerEffect[]
  readonly guards: readonly Guard[]
  readonly unknown?: UnknownGuard
}

/** A target that the caller chooses is the power to execute, and the contract's own functions give no other power. */
export function libraryCalls({ selector, access, accessAtAny, effects }: CodeFunction): readonly LibraryCall[] {
  const calls = effects.flatMap((effect): readonly LibraryCall[] => {
    const { kind, subject, passed, facts } = effect
    if (kind !== 'delegatecall' || isForwarding(passed) || isChosen(subject, facts)) return []
    const target = targetOf(subject, facts)
    if (target.type === 'self' || target.type === 'caller' || isPrecompiled(target)) return []
    const runs = selectorPassed(passed)
    const reached = access.type === 'guarded' ? access : accessAtAny([effect])
    return [{ selector, target, ...(runs && { runs }), ...accessFields(reached) }]
  })
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]
}

/** Libraries write to the position that the calling contract passes, which their own code does not show. */
export function libraryActs({ kind, subject, value, facts }: RawEffect): readonly PowerEffect[] {
  if (kind !== 'store' || value === undefined || positionOf(subject, facts).type !== 'anywhere') return []
  if (!isFromCaller(subject) || !isFromCaller(value)) return []
  return [isAddress(value) ? 'set_dependency' : 'set_terms']
}
