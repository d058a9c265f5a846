/** The code that runs for a contract: its own, the code that it passes its input on to, and libraries. */
import type { Hex } from 'viem'
import type { Effect } from '../code/effects.ts'
import type { CodePower } from '../powers/code-powers.ts'
import { type LibrariesAt, powersWithLibraries } from '../powers/with-libraries.ts'
import { accountIn, addressesOf, addressOf } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { keepsFunction } from './running-code.ts'

const MAX_CODES = 32

export type RunningCodes = {
  readonly codes: readonly CodeFacts[]
  readonly isComplete: boolean
  /** A table routes functions, and the contract itself lists what is in it. */
  readonly isListed: boolean
}

/** The code of the contract, and all code that it passes its input on to; all of it if each gets the functions by their names. */
export function codesOf(facts: Facts): RunningCodes {
  const codes = new Map<Hex, CodeFacts>()
  let [isComplete, isListed] = [true, false]
  const add = (address: Hex): void => {
    if (codes.has(address) || isBurnAddress(address)) return
    const code = facts.sameChain(address).code()
    if (code === undefined) return
    if (codes.size >= MAX_CODES) {
      isComplete = false
      return
    }
    codes.set(address, code)
    if (code.cloneOf !== undefined) add(code.cloneOf)
    for (const effect of code.effects.effects) {
      if (effect.kind !== 'delegatecall' || !isPassedOn(effect)) continue
      const targets = targetsOf(facts, effect.target)
      if (effect.target?.type === 'table') isListed = true
      // Which of its functions it runs is then not known.
      if (!keepsFunction(effect)) isComplete = false
      if (targets === undefined) isComplete = false
      else each(targets, add)
    }
  }
  add(facts.state.address)
  return { codes: [...codes.values()], isComplete, isListed }
}

/**
 * Whether a delegatecall passes the input on. A fallback function may change it before, unless the caller chooses the target,
 * as in a call of an upgrade; what other functions pass is a call of a library.
 */
const isPassedOn = ({ isForwarded, selector, target }: Effect): boolean =>
  isForwarded === true ||
  (selector === undefined && target !== undefined && target.type !== 'input' && target.type !== 'unknown')

/** The code that a call with other data than the input may run. An account without code does nothing. */
export const librariesOf =
  (facts: Facts): LibrariesAt =>
  (target) => {
    const addresses = targetsOf(facts, target)
    if (addresses === undefined) return undefined
    const codes = each(addresses, (address) =>
      isBurnAddress(address) ? undefined : facts.sameChain(address).code()?.powers,
    )
    return codes.filter((code) => code !== undefined)
  }

/** The powers in all code that runs on the storage of a contract. `hasLibraries`: the libraries that it runs are known. */
export function powersInCode(facts: Facts): {
  readonly running: RunningCodes
  readonly whole: readonly ReturnType<typeof powersWithLibraries>[]
  readonly found: readonly CodePower[]
  readonly isFollowed: boolean
  readonly hasLibraries: boolean
} {
  const running = codesOf(facts)
  const librariesAt = librariesOf(facts)
  // All of them are read together.
  each(
    running.codes.flatMap(({ powers }) => powers.libraryCalls),
    ({ target }) => librariesAt(target),
  )
  const whole = running.codes.map(({ powers }) => powersWithLibraries(powers, librariesAt))
  return {
    running,
    whole,
    found: whole.flatMap(({ powers }) => powers).filter(({ refusedAt }) => refusedAt !== facts.state.address),
    isFollowed: running.isComplete && running.codes.every(({ powers }) => powers.settled),
    hasLibraries: whole.every((code) => code.isFollowed),
  }
}

/** `implementation()`, which every poll reads of a beacon. */
const IMPLEMENTATION: Hex = '0x5c60da1b'

/** The contracts that a delegatecall may run. */
export function targetsOf(facts: Facts, target: Effect['target']): readonly Hex[] | undefined {
  const inSlot = (slot: Hex, shift: number): Hex => accountIn(facts.storage(slot) ?? '0x0', shift)
  switch (target?.type) {
    case 'constant':
      return [target.address]
    case 'slot':
      return [inSlot(target.slot, target.shift)]
    case 'table': {
      const data = facts.result('facetAddresses')
      return data === undefined ? undefined : addressesOf(data)
    }
    case 'returned': {
      const { by, selector } = target
      const source = by.type === 'constant' ? by.address : by.type === 'slot' ? inSlot(by.slot, by.shift) : undefined
      if (source === undefined || isBurnAddress(source)) return undefined
      const there = facts.sameChain(source)
      const data = selector === IMPLEMENTATION ? there.result('implementation') : there.call(selector)
      const address = data === undefined ? undefined : addressOf(data)
      return address === undefined ? undefined : [address]
    }
    case 'self':
      return []
    case 'caller':
    case 'input':
    case 'unknown':
    case undefined:
    default:
      return undefined
  }
}
