/**
 * The powers of code together with those of the libraries that it runs.
 *
 * What a library does is a power of the accounts that may call it. A delegatecall keeps the caller, so that a check of the
 * caller in a library reserves what the calling function does.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { EVERY_CALLER } from '../../../../vocabulary/upgrades.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Target } from '../code/targets.ts'
import type { CodePower, CodePowers } from './code-powers.ts'
import { accessText } from './guards.ts'
import type { LibraryCall, LibraryFunction } from './library-calls.ts'

/** The code that a call may run; undefined where it is not known. */
export type LibrariesAt = (target: Target) => readonly CodePowers[] | undefined

export type WithLibraries = Pick<CodePowers, 'powers' | 'asLibrary' | 'functions'> & {
  /** Every library was found and followed. */
  readonly isFollowed: boolean
}

type Access = Pick<CodePower, 'guards' | 'unknown'>

/** `known`: libraries whose powers were collected before; undefined for those that are being collected. */
export function powersWithLibraries(
  code: CodePowers,
  librariesAt: LibrariesAt,
  known = new Map<CodePowers, WithLibraries | undefined>(),
): WithLibraries {
  known.set(code, undefined)
  let isFollowed = true
  const added: CodePower[] = []
  // Whom a library appoints is not known: it may be the holder of any power.
  const grants = [...new Set(code.powers.map(({ effect }) => effect))].filter((effect) => effect !== 'grant')
  /** Functions of which a library checks the caller. */
  const checked = new Map<Hex, Access>()
  const asLibrary = new Map<Hex, LibraryFunction>(code.asLibrary.map((each) => [each.selector, each]))
  for (const call of code.libraryCalls) {
    const libraries = librariesAt(call.target)
    if (libraries === undefined) isFollowed = false
    for (const library of libraries ?? []) {
      // Libraries that call each other in a circle are not followed.
      const inner = known.has(library) ? known.get(library) : powersWithLibraries(library, librariesAt, known)
      const isRun = (each: { readonly selector: Hex }): boolean =>
        call.runs === undefined || each.selector === call.runs
      // A contract without the function, such as a proxy, may run other code.
      const isKnown = library.settled && library.functions.some(isRun)
      if (!isKnown || inner?.isFollowed !== true) isFollowed = false
      const functions = inner?.asLibrary.filter(isRun) ?? []
      const own = code.asLibrary.find(({ selector }) => selector === call.selector)?.effects ?? []
      const reserved = inner?.powers.filter(isRun) ?? []
      added.push(...powersOfCall(call, { own, functions, reserved, grants }))
      if (!isReserved(call)) for (const each of functions.filter(isReserved)) checked.set(call.selector, passedOn(each))
      for (const each of functions) asLibrary.set(call.selector, withCalled(call, asLibrary.get(call.selector), each))
    }
  }
  // What a function asks for in return is of no interest where a library checks the caller.
  const isKept = ({ selector, effect, unknown }: CodePower): boolean =>
    unknown === 'payment'
      ? !checked.has(selector)
      : effect !== 'other' || !added.some((power) => power.selector === selector)
  const powers = distinct([...code.powers.filter(isKept), ...added])
  const functions = code.functions.map(({ selector, access }) => {
    const by = access === EVERY_CALLER ? checked.get(selector) : undefined
    return { selector, access: by === undefined ? access : textOf(by) }
  })
  const found = { functions, powers, asLibrary: [...asLibrary.values()], isFollowed }
  known.set(code, found)
  return found
}

const distinct = (powers: readonly CodePower[]): readonly CodePower[] => [
  ...new Map(powers.map((power) => [JSON.stringify(power), power])).values(),
]

const textOf = ({ guards, unknown }: Access): string =>
  accessText(unknown === undefined ? { type: 'guarded', guards } : { type: 'unknown', why: unknown })

const isReserved = ({ guards, unknown }: Access): boolean => guards.length > 0 || unknown !== undefined

/** The access that a check in a library gives the function that calls it. */
const passedOn = ({ guards, unknown }: Access): Access => ({
  guards,
  ...(unknown && { unknown: 'delegated' as const }),
})

/** A function together with one that it calls in a library. */
function withCalled(
  { selector }: LibraryCall,
  own: LibraryFunction | undefined,
  called: LibraryFunction,
): LibraryFunction {
  const effects = [...new Set([...(own?.effects ?? []), ...called.effects])]
  return { selector, effects, ...(own !== undefined && isReserved(own) ? accessIn(own) : passedOn(called)) }
}

const accessIn = ({ guards, unknown }: Access): Access => ({ guards, ...(unknown && { unknown }) })

/** `own`: what the calling function does itself; `reserved`: powers of the functions of the library. */
function powersOfCall(
  { selector, ...access }: LibraryCall,
  {
    own,
    functions,
    reserved,
    grants,
  }: {
    readonly own: readonly PowerEffect[]
    readonly functions: readonly LibraryFunction[]
    readonly reserved: readonly CodePower[]
    readonly grants: readonly PowerEffect[]
  },
): readonly CodePower[] {
  const powersBy = (effects: readonly PowerEffect[], by: Access): readonly CodePower[] =>
    [...new Set(effects)]
      .filter((effect) => effect !== 'other')
      .map((effect) => ({ selector, effect, evidence: 'code', ...by, ...(effect === 'grant' && { grants }) }))
  if (isReserved(access)) {
    // What every caller may do to the storage of the library is not done to it here.
    const others = reserved.filter(({ isTaken }) => isTaken !== true)
    const effects = [...functions.flatMap((each) => each.effects), ...others.map(({ effect }) => effect)]
    return powersBy(effects, accessIn(access))
  }
  return [
    ...reserved.filter(isReserved).flatMap((each) => powersBy([each.effect], accessIn(each))),
    ...functions.filter(isReserved).flatMap((each) => powersBy(own, passedOn(each))),
  ]
}
