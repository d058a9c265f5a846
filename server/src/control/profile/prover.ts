/**
 * Proves the effects of code one by one, and of all code that it runs.
 *
 * Every guard that is accepted names slots that must be guarded in turn, so the proof runs until nothing new is found.
 */
import type { Hex } from 'viem'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { Condition, Effect } from '../code/effects.ts'
import { mayHit } from '../code/hits.ts'
import type { Position } from '../code/positions.ts'
import type { Target } from '../code/targets.ts'
import { accountIn, addressesOf } from './abi-values.ts'
import { permittedCallers } from './access-manager.ts'
import { onlyRemoves } from './cancellations.ts'
import type { CodeFacts } from './code-facts.ts'
import { codeThatRan } from './code-history.ts'
import { isBurnAddress, isUnusable } from './controllers.ts'
import { type EarlierLogic, earlierLogic, silentStores } from './earlier-logic.ts'
import { factoryAdmin } from './eip1967-proxy.ts'
import { each, type Facts } from './facts.ts'
import { isFilledByRules } from './filled-entries.ts'
import { type Gate, Gates, type Queue } from './gates.ts'
import { isImpossible } from './impossible.ts'
import { hasOnlyKnownEntries, hasPendingOperation, setsOfMembers } from './known-entries.ts'
import { listedHolders } from './listed-holders.ts'
import { withPlausibleLengths } from './plausible-lengths.ts'
import { ProtectedStorage } from './protected-storage.ts'
import {
  effectsWith,
  endOf,
  isByConstant,
  keepsFunction,
  mayName,
  ownEffects,
  type PassedInput,
  type Running,
  sharedConditions,
  slotsDeciding,
  TOKEN_FUNCTIONS,
  type Unproven,
  unfollowed,
  withoutFunction,
} from './running-code.ts'
import { distinctUpgraders, type Upgrader, upgrader, upgradersThrough } from './upgrader.ts'

export type Proof = { readonly holders: readonly Upgrader[]; readonly unproven: readonly Unproven[] }

const MAX_CODES = 64
const MAX_DEPTH = 4

export class Prover {
  readonly #facts: Facts
  readonly #depth: number
  readonly #running: Running[] = []
  readonly #storage = new ProtectedStorage()
  #holders: Upgrader[] = []
  readonly #unproven = new Map<string, Unproven>()
  /** Code that could not be followed. */
  readonly #unfollowed: Unproven[] = []
  /** Functions that the contract itself may use; undefined among them: any code. */
  readonly #ownFunctions = new Set<Hex | undefined>()
  /** Set where the acts of the contract are proven too. */
  readonly #acts: Gate | undefined
  readonly #gates: Gates
  readonly #reservedBelow: ReadonlySet<Hex | undefined>
  /** Who can change code at other addresses where it is called on its own. */
  readonly #onItsOwn = new Map<Hex, Proof>()
  /** Contracts that answer which code runs. */
  readonly #beacons = new Set<Hex>()
  /** The functions that each holder may use; undefined among them: code outside of functions. */
  readonly #functionsOf = new Map<Hex, Set<Hex | undefined>>()

  constructor(facts: Facts, depth: number, acts?: Gate, reservedBelow: ReadonlySet<Hex | undefined> = new Set()) {
    this.#facts = facts
    this.#depth = depth
    this.#acts = acts
    this.#reservedBelow = reservedBelow
    this.#gates = new Gates(acts ?? 'caller', {
      storage: this.#storage,
      contractOf: (target) => this.#contractOf(target),
      reservedTo: (effect, conditions) => this.#reservedTo(effect, conditions),
      effectsWith: (effect) => this.#effectsWith(effect),
      onlyCancels: (address, selector) => this.#onlyCancels(address, selector),
    })
  }

  get queue(): Queue {
    return this.#gates.queue
  }

  /** The effects of all code that runs on the storage. */
  get effects(): readonly Effect[] {
    return this.#running.flatMap(ownEffects)
  }

  /** The functions by which an account controls the contract; undefined among them: code outside of functions. */
  functionsOf(holder: Hex): ReadonlySet<Hex | undefined> {
    return this.#functionsOf.get(holder) ?? new Set()
  }

  get #size(): number {
    return [this.#storage, this.#ownFunctions, this.#gates].reduce((sum, { size }) => sum + size, this.#running.length)
  }

  run(code: CodeFacts): Proof {
    this.#add({ address: this.#facts.state.address, code, conditions: [], isRenamed: false })
    return this.#settle()
  }

  /** The accounts that the code returns for a function, and who can change them; undefined where they are not fixed. */
  runAnswer(code: CodeFacts, selector: Hex): Proof & { readonly accounts: readonly Hex[] | undefined } {
    this.run(code)
    return { accounts: this.#answers(selector), ...this.#settle() }
  }

  #settle(): Proof {
    let size = -1
    // Every guard that is accepted names slots that must be guarded in turn.
    while (size !== this.#size) {
      size = this.#size
      this.#unproven.clear()
      for (const running of this.#running.slice()) {
        each(running.code.effects.effects, (effect) => this.#judge(running, effect))
        this.#judgeEndOf(running)
      }
    }
    for (const { address, effect } of this.#gates.unopposed(this.#running)) this.#fail(address, effect)
    this.#judgeEarlierLogic()
    this.#judgeEntries()
    return { holders: distinctUpgraders(this.#holders), unproven: [...this.#unfollowed, ...this.#unproven.values()] }
  }

  #add(running: Running): void {
    // Code that was reached under fewer conditions can do no less.
    const texts = new Set(running.conditions.map((condition) => JSON.stringify(condition)))
    const isKnown = this.#running.some(
      ({ address, conditions, isRenamed }) =>
        address === running.address &&
        (isRenamed || !running.isRenamed) &&
        conditions.every((condition) => texts.has(JSON.stringify(condition))),
    )
    if (isKnown) return
    const { address, code } = running
    if (this.#running.length >= MAX_CODES) {
      this.#unfollowed.push({ address, at: 0, effect: 'code' })
      return
    }
    this.#running.push(running)
    this.#protectAnswers(running)
    if (code.cloneOf !== undefined) this.#runs(code.cloneOf, running, { conditions: [], isForwarded: true })
    else if (code.delegatedTo !== undefined || !code.effects.settled) this.#unfollowed.push(unfollowed(address, code))
  }

  /** An account that may store what the fallback function answers with decides what the contract does. */
  #protectAnswers({ address, code: { effects } }: Running): void {
    for (const position of effects.answersTake ?? [])
      if (position.type === 'slot' || position.type === 'table') this.#storage.add(position)
      else this.#unfollowed.push({ address, at: 0, effect: 'call' })
  }

  /** The code at an address runs on this storage too. */
  #runs(address: Hex, from: Running, { conditions, ...passed }: Pick<Effect, 'conditions' | PassedInput>): void {
    const code = this.#facts.sameChain(address).code()
    // Code may still be deployed there.
    if (code === undefined) return this.#fail(address, { at: 0, kind: 'code' })
    const isRenamed = from.isRenamed || !keepsFunction(passed)
    this.#add({ address, code, conditions: [...from.conditions, ...sharedConditions(conditions)], isRenamed })
  }

  #fail(address: Hex, { at, kind, selector }: Pick<Effect, 'at' | 'selector'> & { kind: Unproven['effect'] }): void {
    this.#unproven.set(`${address}${at}${kind}`, {
      address,
      at,
      effect: kind,
      ...(selector === undefined ? {} : { selector }),
    })
  }

  #judge(running: Running, effect: Effect): void {
    const conditions = [...running.conditions, ...effect.conditions]
    if (this.#storage.isSilent(this.#sound(effect))) this.#fail(running.address, { ...effect, kind: 'silent_store' })
    if (effect.kind === 'delegatecall' && this.#follows(running, effect)) return
    if (!this.#isRelevant(effect) || this.#gates.lets(effect, conditions)) return
    const own = running.isRenamed ? withoutFunction(effect) : effect
    const isReserved = (): boolean =>
      conditions.some((condition) => this.#accepts(condition, own)) && this.#isGivenByHolder(effect)
    // What a vote may do depends on its queue, which changes with every vote; its executor is known in any case.
    const isNever = (): boolean =>
      isImpossible(conditions, this.#facts, this.#storage, (target) => this.#contractOf(target))
    const isHarmless = this.#acts === 'vote' ? isReserved() || isNever() : isNever() || isReserved()
    if (!isHarmless) this.#fail(running.address, effect)
  }

  /** Whether only the holders may change what is stored. */
  #isGivenByHolder({ takes = [], takesOther }: Effect): boolean {
    for (const position of takes) this.#storage.add(position)
    return takesOther !== true && takes.every(({ type }) => type === 'slot' || type === 'table')
  }

  /** Code at another address may be destroyed by a call of its own, so that other code can be deployed there. */
  #judgeEndOf(running: Running): void {
    const { address, code } = running
    if (address === this.#facts.state.address) return
    const end = endOf(running, (each, effect) => isByConstant(each) && this.#accepts(each, effect))
    if (end === undefined) return
    if (this.#depth >= MAX_DEPTH) return this.#fail(address, end)
    const there = this.#facts.sameChain(address)
    // Its own storage names other accounts.
    const own = this.#onItsOwn.get(address) ?? new Prover(there, this.#depth + 1).run(code)
    this.#onItsOwn.set(address, own)
    this.#include({ holders: [], unproven: own.unproven }, address)
    const known = new Set(this.#holders.map((holder) => holder.address))
    if (own.holders.some((each) => !known.has(each.address) && !isUnusable(there, each.address)))
      this.#fail(address, end)
  }

  #isRelevant(effect: Effect): boolean {
    const { kind, target, passes, isForwarded } = effect
    if (kind === 'store') return this.#storage.isChangedBy(this.#sound(effect))
    if (kind !== 'call') return true
    if (isForwarded === true && (target === undefined || !this.#followsCall(target, passes))) return true
    if (this.#acts !== undefined && !this.#isTokenCall(passes)) return true
    return this.#mayCallItself(target, passes)
  }

  #isTokenCall(passes: Hex | undefined): boolean {
    if (passes === undefined || !TOKEN_FUNCTIONS.has(passes)) return false
    return !mayName(this.#reservedBelow, passes)
  }

  /** Whether a call may use a function that is reserved to the contract itself. */
  #mayCallItself(target: Target | undefined, passes: Hex | undefined): boolean {
    if (this.#ownFunctions.size === 0) return false
    if (target?.type === 'constant' && target.address !== this.#facts.state.address) return false
    return passes === undefined || mayName(this.#ownFunctions, passes)
  }

  /** Follows a call whose answer is passed back: who can change the target, and what runs there. */
  #followsCall(target: Target, passes: Hex | undefined): boolean {
    const address = this.#contractOf(target)
    if (address === undefined || this.#depth >= MAX_DEPTH) return false
    const there = this.#facts.sameChain(address)
    const code = there.code()
    // Code may still be deployed there.
    if (code === undefined) return isBurnAddress(address)
    this.#include(new Prover(there, this.#depth + 1).run(code), address)
    const isSilent = !code.effects.answers.some(({ selector }) => selector === undefined || selector === passes)
    return (
      passes === undefined ||
      isSilent ||
      this.#answersOf({ type: 'returned', by: target, selector: passes }) !== undefined
    )
  }

  /** Adds what the proof of another contract found. */
  #include({ holders, unproven }: Proof, contract: Hex): void {
    this.#holders.push(...upgradersThrough(holders, contract))
    for (const found of unproven) this.#unproven.set(JSON.stringify(found), found)
  }

  /** The effects of the code that an effect belongs to. */
  #effectsWith(effect: Effect): readonly Effect[] {
    const earlier = (): readonly CodeFacts[] => this.#earlierLogic().flatMap(({ code }) => code ?? [])
    return effectsWith(effect, this.#codes) ?? effectsWith(effect, earlier()) ?? []
  }

  /** Whether a function of another contract does nothing but remove entries of a queue. */
  #onlyCancels(address: Hex, selector: Hex): boolean {
    const there = this.#facts.sameChain(address)
    const code = there.code()
    if (code === undefined || this.#depth >= MAX_DEPTH) return false
    const other = new Prover(there, this.#depth + 1, 'queue')
    const isFollowed = other.run(code).unproven.every(({ effect }) => effect !== 'code')
    return isFollowed && onlyRemoves(other.#running, other.#storage, { selector, caller: this.#facts.state.address })
  }

  /** The accounts that an effect is reserved to; undefined where they are not known. They do not become holders. */
  #reservedTo(effect: Effect, conditions: readonly Condition[]): readonly Upgrader[] | undefined {
    const holders = this.#holders
    this.#holders = []
    const isReserved = conditions.some((condition) => this.#accepts(condition, effect))
    const found = this.#holders
    this.#holders = holders
    return isReserved ? found : undefined
  }

  /** An effect whose store is anywhere if the lengths that an index is compared with do not stay plausible. */
  #sound(effect: Effect): Effect {
    const others = (length: Position): readonly Effect[] =>
      this.#running.flatMap((running) =>
        running.code.effects.effects.filter((each) => !this.#isOfHolders(length, running, each)),
      )
    return withPlausibleLengths(this.#facts, effect, others)
  }

  /**
   * Whether only holders may make a store, which may change anything: then a length that they store is their own change.
   * Only the length of a list in a slot is known to be plausible now; others may have been stored by earlier holders.
   */
  #isOfHolders(length: Position, running: Running, effect: Effect): boolean {
    if (length.type !== 'slot' || effect.position?.type !== 'anywhere' || !this.#storage.isChangedBy(effect))
      return false
    const own = running.isRenamed ? withoutFunction(effect) : effect
    return [...running.conditions, ...effect.conditions].some(
      (condition) => condition.type === 'caller' && this.#acceptsCaller(condition.is, own),
    )
  }

  get #codes(): readonly CodeFacts[] {
    return this.#running.map(({ code }) => code)
  }

  /** Follows a delegatecall to code that can be read; false where the target is not given by the code. */
  #follows(running: Running, effect: Effect): boolean {
    const { target, conditions, at, selector, isForwarded } = effect
    switch (target?.type) {
      case 'constant': {
        const there = this.#facts.sameChain(target.address).code()
        // A precompiled contract changes no storage.
        if (there === undefined && BigInt(target.address) <= 0xffffn) return true
        // Storage may choose between several versions of the logic.
        if (isForwarded === true) for (const slot of slotsDeciding(conditions)) this.#storage.addSlot(slot)
        // Code may still be deployed there.
        if (there === undefined) this.#fail(target.address, { at, kind: 'delegatecall', ...(selector && { selector }) })
        else this.#runs(target.address, running, effect)
        return true
      }
      case 'slot': {
        this.#storage.addSlot(target.slot)
        const address = this.#accountIn(target)
        if (address !== undefined && !isBurnAddress(address)) this.#runs(address, running, effect)
        return true
      }
      case 'self':
        // Its functions are then reached under any name, such as that of a batch of calls.
        if (!keepsFunction(effect)) this.#runs(this.#facts.state.address, running, effect)
        return true
      case 'table': {
        // The facets that a diamond lists. Others may be in its table, so that it is not proven.
        const data = this.#facts.result('facetAddresses')
        const facets = data === undefined ? undefined : addressesOf(data)
        if (facets === undefined) return false
        this.#storage.add(target.position)
        each(facets, (facet) => this.#runs(facet, running, effect))
        return false
      }
      case 'returned': {
        const [answers, beacon] = [this.#answersOf(target), this.#contractOf(target.by)]
        if (answers === undefined || beacon === undefined) return false
        this.#beacons.add(beacon)
        each(answers, (address) => {
          if (!isBurnAddress(address)) this.#runs(address, running, effect)
        })
        return true
      }
      case 'caller':
      case 'input':
      case 'unknown':
      case undefined:
      default:
        return false
    }
  }

  /** Every account that another contract returns for a function, by its code; its slots are protected. */
  #answersOf({ by, selector }: Target & { readonly type: 'returned' }): readonly Hex[] | undefined {
    const source = this.#contractOf(by)
    if (source === undefined || this.#depth >= MAX_DEPTH) return undefined
    const there = this.#facts.sameChain(source)
    const code = there.code()
    if (code === undefined) return undefined
    const other = new Prover(there, this.#depth + 1)
    other.run(code)
    const answers = other.#answers(selector)
    this.#include(other.#settle(), source)
    return answers
  }

  /** What the code returns for a function: accounts in the code or in slots. Undefined where it is anything else. */
  #answers(selector: Hex): readonly Hex[] | undefined {
    const found: Hex[] = []
    for (const { code } of this.#running) {
      if (code.cloneOf !== undefined) continue
      for (const { is, selector: of } of code.effects.answers) {
        if (of !== undefined && of !== selector) continue
        if (is.type === 'forwarded') {
          // The code that is run answers itself, if it gets the same input.
          const calls = code.effects.effects.filter(({ kind }) => kind === 'delegatecall')
          if (!calls.every((call) => keepsFunction(call) || (call.selector ?? selector) !== selector)) return undefined
          continue
        }
        const address = is.type === 'constant' || is.type === 'slot' ? this.#contractOf(is) : undefined
        const nested = is.type === 'returned' ? this.#answersOf(is) : undefined
        if (address === undefined && nested === undefined) return undefined
        found.push(...(nested ?? [address as Hex]))
      }
    }
    return found.length === 0 ? undefined : found
  }

  #contractOf(target: Target): Hex | undefined {
    if (target.type === 'constant') return target.address
    if (target.type !== 'slot') return undefined
    this.#storage.addSlot(target.slot)
    return this.#accountIn(target)
  }

  #accountIn({ slot, shift }: { readonly slot: Hex; readonly shift: number }): Hex | undefined {
    const stored = this.#facts.storage(slot)
    return stored === undefined ? undefined : accountIn(stored, shift)
  }

  /** Whether a condition reserves the effect to accounts that are known; they become holders. What names them is protected. */
  #accepts(condition: Condition, effect: Effect): boolean {
    if (condition.type === 'caller') return this.#acceptsCaller(condition.is, effect)
    if (condition.type === 'listed')
      return this.#holds(listedHolders(this.#facts, this.#storage, condition.table, effect), effect)
    if (condition.type !== 'permitted') return false
    const { by, isDelayed } = condition
    const permitted = permittedCallers(this.#facts, this.#contractOf(by), effect.selector, isDelayed)
    // The manager itself is judged for the function too.
    return this.#holds(permitted, effect) && this.#acceptsCaller(by, effect)
  }

  #holds(holders: readonly Upgrader[] | undefined, effect: Effect): boolean {
    this.#hold(holders ?? [], effect)
    return holders !== undefined
  }

  #hold(holders: readonly Upgrader[], { selector }: Effect): void {
    this.#holders.push(...holders)
    for (const { address } of holders) this.#functionsOf.set(address, new Set([...this.functionsOf(address), selector]))
  }

  #acceptsCaller(is: Target, effect: Effect): boolean {
    const { selector } = effect
    if (is.type === 'self') {
      this.#ownFunctions.add(selector)
      return true
    }
    if (is.type === 'constant') {
      if (is.address === this.#facts.state.address) this.#ownFunctions.add(selector)
      else
        this.#hold([factoryAdmin(this.#facts, is.address) ?? upgrader(is.address, { code: 'caller_in_code' })], effect)
      return true
    }
    if (is.type !== 'slot') return false
    this.#storage.addSlot(is.slot)
    const account = this.#accountIn(is) ?? ZERO_ADDRESS
    if (account === this.#facts.state.address) this.#ownFunctions.add(selector)
    else this.#hold([upgrader(account, { code: 'caller_in_slot', slot: is.slot })], effect)
    return true
  }

  /**
   * Code that no longer runs may have filled tables without an event, such as the code that created the contract. The
   * storage excludes it: all of it, or what was there at first, if only known code ran since.
   */
  #judgeEntries(): void {
    if (!this.#storage.hasEntries) return
    const effects = this.#codes.flatMap((code) => code.effects.effects)
    const slots = effects.flatMap(({ position }) => (position?.type === 'slot' ? [position.slot] : []))
    const known = { slots, sets: setsOfMembers(effects, this.#storage) }
    const isKnown = (when: 'now' | 'created'): boolean => hasOnlyKnownEntries(this.#facts, this.#storage, when, known)
    if ((!isKnown('now') && !(this.#isFilledOpenly() && isKnown('created'))) || this.#hasLeftOperation())
      this.#fail(this.#facts.state.address, { at: 0, kind: 'entries' })
  }

  /** Whether an operation is pending that an account may have queued whose place another one has taken since. */
  #hasLeftOperation(): boolean {
    const isReplaced = (place: Position): boolean =>
      this.effects.some(({ position }) => position !== undefined && mayHit(position, place))
    return this.#gates.leaving.some(isReplaced) && hasPendingOperation(this.#facts, this.#storage)
  }

  /** Whether all logic that ever ran reports every entry that it stores, or stores it by the rules of the contract. */
  #isFilledOpenly(): boolean {
    const codes = codeThatRan(this.#facts, this.#codes)
    if (codes === undefined) return false
    const all = codes.flatMap((code) => code.effects.effects)
    const effects = each(all, (effect) => withPlausibleLengths(this.#facts, effect, all))
    return isFilledByRules(effects, {
      address: this.#facts.state.address,
      storage: this.#storage,
      gates: this.#gates,
    })
  }

  #earlierLogic(): readonly EarlierLogic[] {
    return earlierLogic(this.#facts, new Set(this.#running.map(({ address }) => address)), this.#beacons)
  }

  /** Logic that ran before may have filled the lists that are read from events. */
  #judgeEarlierLogic(): void {
    if (this.#storage.lists.length === 0) return
    for (const { address, ...found } of silentStores(this.#facts, this.#storage, this.#codes, this.#earlierLogic()))
      this.#fail(address, found)
  }
}
