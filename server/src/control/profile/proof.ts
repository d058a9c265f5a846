/**
 * Proves who can change the code that runs on a contract's storage.
 *
 * Everything that could change it is found in the code: writes of a pointer to other code or of a slot that names a
 * holder, delegatecalls to an address that is not fixed, self-destructs. Each must be reserved to accounts that are known,
 * or be impossible in the present state. What is neither is unproven, and the contract's label can then not be better than
 * unknown: green and amber need proof, everything else may only lower a label.
 */
import type { Hex } from 'viem'
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { Condition, Effect, Target } from '../code/effects.ts'
import { evaluate, slotsRead } from '../code/expressions.ts'
import { canonical, mayHit, type Position } from '../code/positions.ts'
import { addressesOf, addressOf } from './abi-values.ts'
import { callsOthers } from './code-behavior.ts'
import type { CodeFacts } from './code-facts.ts'
import { hasRoles, hasWards, isBurnAddress } from './controllers.ts'
import { factoryAdmin } from './eip1967-proxy.ts'
import { each, type Facts } from './facts.ts'
import { distinctUpgraders, roleUpgraders, type Upgrader, upgrader, wardUpgraders } from './upgrader.ts'

/** An effect that no known account is needed for: where it is. */
export type Unproven = {
  readonly address: Hex
  readonly at: number
  readonly effect: Effect['kind'] | 'code'
  readonly selector?: Hex
  /** The limit that the analysis of the code exceeded. */
  readonly exceeded?: ExceededLimit
}

export type Proof = { readonly holders: readonly Upgrader[]; readonly unproven: readonly Unproven[] }

/** Code that runs on the storage of the contract. `conditions`: what holds whenever it is reached. */
type Running = { readonly address: Hex; readonly code: CodeFacts; readonly conditions: readonly Condition[] }

const MAX_CODES = 64
const MAX_DEPTH = 4

/** Who can change the code that runs on the storage of a contract. */
export function prove(facts: Facts): Proof {
  const code = facts.code()
  return code === undefined ? { holders: [], unproven: [] } : new Prover(facts, 0).run(code)
}

/**
 * How the rules of a contract decide about its calls. `caller`: only checks of the caller do. `entry`: an entry in
 * storage, such as a vote that passed. `queue`: an entry whose time has come.
 */
export type Gate = 'caller' | 'entry' | 'queue'

/** Who can make a contract act on the contracts it controls. */
export function proveActs(facts: Facts, gate: Gate): Proof & Queue {
  const code = facts.code()
  if (code === undefined) return { holders: [], unproven: [], delaySlots: [], queuers: [] }
  const prover = new Prover(facts, 0, gate)
  return { ...prover.run(code), ...prover.queue }
}

/** The slots with the least time that an operation waits, and the accounts that may queue one. */
type Queue = { readonly delaySlots: readonly Hex[]; readonly queuers: readonly Upgrader[] }

/** Functions of tokens: a call of one changes no control. */
const TOKEN_FUNCTIONS: ReadonlySet<Hex> = new Set<Hex>([
  '0xa9059cbb', // transfer
  '0x23b872dd', // transferFrom
  '0x095ea7b3', // approve
  '0x42842e0e', // safeTransferFrom
  '0x70a08231', // balanceOf
])

class Prover {
  readonly #facts: Facts
  readonly #depth: number
  readonly #running: Running[] = []
  readonly #protected = new Map<string, Position>()
  #holders: Upgrader[] = []
  readonly #queuers: Upgrader[] = []
  readonly #unproven = new Map<string, Unproven>()
  /** Functions that the contract itself may use; undefined among them: any code. */
  readonly #ownFunctions = new Set<Hex | undefined>()
  /** Set where the acts of the contract are proven too. */
  readonly #acts: Gate | undefined
  readonly #queues = new Map<string, Position>()
  readonly #delaySlots = new Set<Hex>()
  /** Queues whose entries are times. */
  readonly #times = new Set<string>()

  constructor(facts: Facts, depth: number, acts?: Gate) {
    this.#facts = facts
    this.#depth = depth
    this.#acts = acts
  }

  get queue(): Queue {
    return { delaySlots: [...this.#delaySlots], queuers: distinctUpgraders(this.#queuers) }
  }

  get #size(): number {
    return this.#protected.size + this.#running.length + this.#queues.size + this.#ownFunctions.size
  }

  run(code: CodeFacts): Proof {
    this.#add({ address: this.#facts.state.address, code, conditions: [] })
    let size = -1
    // Every guard that is accepted names slots that must be guarded in turn.
    while (size !== this.#size) {
      size = this.#size
      for (const running of this.#running.slice())
        each(running.code.effects.effects, (effect) => this.#judge(running, effect))
    }
    return { holders: distinctUpgraders(this.#holders), unproven: [...this.#unproven.values()] }
  }

  #add(running: Running): void {
    // Code that was reached under fewer conditions can do no less.
    const texts = new Set(running.conditions.map((condition) => JSON.stringify(condition)))
    const isKnown = this.#running.some(
      ({ address, conditions }) =>
        address === running.address && conditions.every((condition) => texts.has(JSON.stringify(condition))),
    )
    if (isKnown) return
    const { address, code } = running
    if (this.#running.length >= MAX_CODES) return this.#fail(address, { at: 0, kind: 'code' })
    this.#running.push(running)
    if (code.cloneOf !== undefined) this.#runs(code.cloneOf, running, [])
    else if (code.delegatedTo !== undefined || !code.effects.settled)
      this.#fail(address, { at: code.effects.unsettledAt ?? 0, kind: 'code' }, code.effects.exceeded)
  }

  /** The code at an address runs on this storage too. */
  #runs(address: Hex, from: Running, conditions: readonly Condition[]): void {
    const code = this.#facts.sameChain(address).code()
    if (code !== undefined) this.#add({ address, code, conditions: [...from.conditions, ...conditions] })
  }

  #fail(
    address: Hex,
    { at, kind, selector }: Pick<Effect, 'at' | 'selector'> & { kind: Unproven['effect'] },
    exceeded?: ExceededLimit,
  ): void {
    this.#unproven.set(`${address}${at}${kind}`, {
      address,
      at,
      effect: kind,
      ...(selector === undefined ? {} : { selector }),
      ...(exceeded === undefined ? {} : { exceeded }),
    })
  }

  #protect(position: Position): void {
    this.#protected.set(JSON.stringify(canonical(position)), position)
  }

  #judge(running: Running, effect: Effect): void {
    const conditions = [...running.conditions, ...effect.conditions]
    if (effect.kind === 'delegatecall' && this.#follows(running, effect)) return
    if (!this.#isRelevant(effect) || this.#isGated(effect, conditions)) return
    const isReserved = (): boolean => conditions.some((condition) => this.#accepts(condition, effect))
    // What a vote may do depends on its queue, which changes with every vote; its executor is known in any case.
    const isHarmless =
      this.#acts === 'entry'
        ? isReserved() || this.#isImpossible(conditions)
        : this.#isImpossible(conditions) || isReserved()
    if (!isHarmless) this.#fail(running.address, effect)
  }

  #isRelevant({ kind, position, isClear, target, passes, isForwarded }: Effect): boolean {
    // To remove an entry from a list of accounts gives no account a power.
    if (kind === 'store') return position !== undefined && this.#isProtected(position, isClear === true)
    if (kind !== 'call') return true
    if (isForwarded === true && (target === undefined || !this.#followsCall(target))) return true
    // A token's functions change no control.
    if (this.#acts !== undefined && (passes === undefined || !TOKEN_FUNCTIONS.has(passes))) return true
    return this.#mayCallItself(target, passes)
  }

  /** Whether a call may use a function that is reserved to the contract itself. */
  #mayCallItself(target: Target | undefined, passes: Hex | undefined): boolean {
    if (this.#ownFunctions.size === 0) return false
    if (target?.type === 'constant' && target.address !== this.#facts.state.address) return false
    return passes === undefined || this.#ownFunctions.has(undefined) || this.#ownFunctions.has(passes)
  }

  /** Follows a call that passes the input on: who can change the target, and what runs there. */
  #followsCall(target: Target): boolean {
    const address = this.#contractOf(target)
    if (address === undefined || this.#depth >= MAX_DEPTH) return false
    if (!isBurnAddress(address)) this.#include(new Prover(this.#facts.sameChain(address), this.#depth + 1))
    return true
  }

  /** Adds what another proof found. */
  #include(other: Prover): void {
    const code = other.#facts.code()
    if (code === undefined) return
    const { holders, unproven } = other.run(code)
    this.#holders.push(...holders)
    for (const found of unproven) this.#unproven.set(JSON.stringify(found), found)
  }

  /** Whether the contract's own rules decide: a passed vote, or an operation that has waited. */
  #isGated(effect: Effect, conditions: readonly Condition[]): boolean {
    const { kind, position, isClear, constant, delaySlot, target } = effect
    const gate = this.#acts ?? 'caller'
    if (gate === 'caller') return false
    if (kind === 'call') {
      // A governor's own timelock; that votes decide about its calls is believed.
      if (gate === 'entry' && target?.type === 'slot') return true
      const hasCome = conditions.some(({ type }) => type === 'come')
      for (const condition of conditions) {
        if (condition.type !== 'due' && (condition.type !== 'entry' || (gate === 'queue' && !hasCome))) continue
        // The entry must belong to the operation: its key is a hash.
        if (gate === 'queue' && !isHashed(condition.table)) continue
        if (condition.type === 'due') this.#times.add(JSON.stringify(canonical(condition.table)))
        if (gate === 'queue') this.#queues.set(JSON.stringify(canonical(condition.table)), condition.table)
        return true
      }
      return false
    }
    if (kind !== 'store' || position === undefined || gate !== 'queue') return false
    // An operation is queued with its delay, marked as done, or removed.
    const isQueue = [...this.#queues.values()].some((queue) => mayHit(position, queue))
    const isHeld = [...this.#protected.values()].some(
      (held) =>
        isSameTable(position, held) || (held.type === 'slot' && position.type !== 'table' && mayHit(position, held)),
    )
    if (!isQueue || isHeld) return false
    if (delaySlot !== undefined) {
      this.#delaySlots.add(delaySlot)
      this.#protect({ type: 'slot', slot: delaySlot })
      return this.#acceptsQueuer(effect, conditions)
    }
    return isClear === true || (constant !== undefined && BigInt(constant) <= 1n && this.#hasOnlyTimes)
  }

  /** Who may queue an operation must be known too, though what they queue waits. */
  #acceptsQueuer(effect: Effect, conditions: readonly Condition[]): boolean {
    const holders = this.#holders
    this.#holders = []
    const isAccepted = conditions.some((condition) => this.#accepts(condition, effect))
    this.#queuers.push(...this.#holders)
    this.#holders = holders
    return isAccepted
  }

  /** In a queue of times one means done; in a queue of flags it means queued. */
  get #hasOnlyTimes(): boolean {
    return this.#times.size === this.#queues.size
  }

  #isProtected(position: Position, isClear: boolean): boolean {
    const sound = this.#isSound(position) ? position : ({ type: 'anywhere' } as const)
    for (const queue of this.#queues.values()) if (mayHit(sound, queue)) return true
    for (const held of this.#protected.values()) if (!(isClear && isList(held)) && mayHit(sound, held)) return true
    return false
  }

  /** Whether the lengths that an index is compared with stay plausible: no store gives them another value. */
  #isSound(position: Position): boolean {
    if (!('lengths' in position) || position.lengths === undefined) return true
    const isPlausible = (length: Position): boolean =>
      length.type !== 'slot' || BigInt(this.#facts.storage(length.slot) ?? 0) < 1n << 64n
    return position.lengths.every(
      (length) =>
        isPlausible(length) &&
        this.#running.every(({ code }) =>
          code.effects.effects.every(
            (effect) =>
              effect.kind !== 'store' ||
              effect.isCount === true ||
              effect.position === undefined ||
              !mayHit(effect.position, length),
          ),
        ),
    )
  }

  /** Follows a delegatecall to code that can be read; false where the target is not given by the code. */
  #follows(running: Running, { target, conditions, at, selector, isForwarded }: Effect): boolean {
    switch (target?.type) {
      case 'constant': {
        if (BigInt(target.address) <= 0xffffn) return true
        // Storage may choose between several versions of the logic.
        if (isForwarded === true) this.#protectChoice(conditions)
        const there = this.#facts.sameChain(target.address).code()
        // Code may still be deployed there.
        if (there === undefined) this.#fail(target.address, { at, kind: 'delegatecall', ...(selector && { selector }) })
        else this.#runs(target.address, running, conditions)
        return true
      }
      case 'slot': {
        this.#protect({ type: 'slot', slot: target.slot })
        const address = this.#accountIn(target)
        if (address !== undefined && !isBurnAddress(address)) this.#runs(address, running, conditions)
        return true
      }
      case 'self':
        return true
      case 'table': {
        // The facets that a diamond lists. Others may be in its table, so that it is not proven.
        const data = this.#facts.result('facetAddresses')
        const facets = data === undefined ? undefined : addressesOf(data)
        if (facets === undefined) return false
        this.#protect(target.position)
        each(facets, (facet) => this.#runs(facet, running, conditions))
        return false
      }
      case 'returned': {
        const source = this.#contractOf(target.by)
        if (source === undefined || this.#depth >= MAX_DEPTH) return false
        const there = this.#facts.sameChain(source)
        const address = answerOf(there, target.selector)
        if (address === undefined) return false
        this.#runs(address, running, conditions)
        // The answer may depend on any slot of the contract, and on contracts that it asks.
        const code = there.code()
        if (code === undefined || callsOthers(code)) return false
        this.#include(new Prover(there, this.#depth + 1).protectAll())
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

  /** The slots that decide whether code runs. */
  #protectChoice(conditions: readonly Condition[]): void {
    for (const condition of conditions)
      if (condition.type === 'state')
        for (const slot of slotsRead(condition.expression)) this.#protect({ type: 'slot', slot })
  }

  /** Every write of this contract counts: what it returns may depend on any slot. */
  protectAll(): this {
    this.#protect({ type: 'anywhere' })
    return this
  }

  #contractOf(target: Target): Hex | undefined {
    if (target.type === 'constant') return target.address
    if (target.type !== 'slot') return undefined
    this.#protect({ type: 'slot', slot: target.slot })
    return this.#accountIn(target)
  }

  #accountIn({ slot, shift }: { readonly slot: Hex; readonly shift: number }): Hex | undefined {
    const stored = this.#facts.storage(slot)
    if (stored === undefined) return undefined
    const account = (BigInt(stored) >> BigInt(shift)) & ((1n << 160n) - 1n)
    return `0x${account.toString(16).padStart(40, '0')}`
  }

  /** A condition that the present storage contradicts. The slots it depends on are protected, so that it stays so. */
  #isImpossible(conditions: readonly Condition[]): boolean {
    return conditions.some((condition) => {
      if (condition.type !== 'state') return false
      const slots = slotsRead(condition.expression)
      const words = new Map(each(slots, (slot) => [slot, BigInt(this.#facts.storage(slot) ?? 0)] as const))
      const value = evaluate(condition.expression, BigInt(this.#facts.state.address), words)
      if (value === undefined || (value === 0n) === condition.isZero) return false
      for (const slot of slots) this.#protect({ type: 'slot', slot })
      return true
    })
  }

  /** Whether a condition reserves the effect to accounts that are known; they become holders. */
  #accepts(condition: Condition, effect: Effect): boolean {
    switch (condition.type) {
      case 'caller':
        return this.#acceptsCaller(condition.is, effect)
      case 'listed':
        return this.#acceptsListed(condition.table, effect)
      case 'entry':
      case 'due':
      case 'come':
      case 'state':
      default:
        return false
    }
  }

  #acceptsCaller(is: Target, { selector }: Effect): boolean {
    if (is.type === 'self') {
      this.#ownFunctions.add(selector)
      return true
    }
    if (is.type === 'constant') {
      if (is.address === this.#facts.state.address) this.#ownFunctions.add(selector)
      else this.#holders.push(factoryAdmin(this.#facts, is.address) ?? upgrader(is.address, { code: 'caller_in_code' }))
      return true
    }
    if (is.type !== 'slot') return false
    this.#protect({ type: 'slot', slot: is.slot })
    const account = this.#accountIn(is) ?? ZERO_ADDRESS
    if (account === this.#facts.state.address) this.#ownFunctions.add(selector)
    else this.#holders.push(upgrader(account, { code: 'caller_in_slot', slot: is.slot }))
    return true
  }

  /** Members of a role and its granters, or wards. The table itself is protected. */
  #acceptsListed(table: Position & { readonly type: 'table' }, effect: Effect): boolean {
    const facts = this.#facts
    const [role, caller, ...more] = table.keys
    if (role === 'caller' && caller === undefined) {
      if (!hasWards(facts)) return false
      this.#protect({ ...table, keys: ['?0'] })
      this.#holders.push(...wardUpgraders(facts, 'uups'))
      return true
    }
    if (role === undefined || caller !== 'caller' || more.length > 0 || !hasRoles(facts)) return false
    if (role.startsWith('0x')) {
      this.#protect({ ...table, keys: [role, '?0'] })
      this.#protect({ ...table, keys: [role], member: 1 })
      this.#holders.push(...roleUpgraders(facts, 'uups', { needsAllRoles: true, required: [role as Hex] }))
      return true
    }
    // A grant needs the admin of the very role that is granted; members of that role are holders already.
    const granted = effect.position?.type === 'table' ? effect.position.keys[0] : undefined
    const admin =
      granted === undefined ? '' : JSON.stringify({ type: 'table', base: table.base, keys: [granted], member: 1 })
    const isGrant =
      effect.position?.type === 'table' && effect.position.base === table.base && effect.position.keys.length === 2
    return isGrant && role === `@${admin}`
  }
}

/** `implementation()`, which every poll reads. */
const IMPLEMENTATION: Hex = '0x5c60da1b'

/** The address that a contract returns for a function without arguments. */
function answerOf(facts: Facts, selector: Hex): Hex | undefined {
  const result = selector === IMPLEMENTATION ? facts.result('implementation') : facts.call(selector)
  return result === undefined ? undefined : addressOf(result)
}

/** A list of accounts: an entry that is removed gives no account a power. */
const isList = (position: Position): boolean =>
  position.type === 'table' && position.member === 0 && position.keys.at(-1) === '?0'

const isHashed = (position: Position): boolean =>
  position.type === 'table' && position.keys.at(-1)?.startsWith('#') === true

const isSameTable = (a: Position, b: Position): boolean =>
  a.type === 'table' && b.type === 'table' && a.base === b.base && a.keys.length === b.keys.length
