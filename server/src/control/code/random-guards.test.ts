/**
 * Random code that checks its caller is analyzed and run: what the analysis says must hold for a store holds in every run
 * that makes it. The programs compare the caller with slots, constants and tables, keep the outcome in variables, loop,
 * and call subroutines, so that checks of one path must not be believed of another.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BINARY, type Call, type Made, run } from '../../../../testing/evm/interpreter.ts'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import type { Hex } from '../../lib/hex.ts'
import { WORD_MASK } from './arithmetic.ts'
import { type Dataflow, followCode, type RawEffect } from './dataflow.ts'
import { type Condition, type Effect, effectsOf } from './effects.ts'
import { evaluate, slotsRead } from './expressions.ts'
import { bytesOf, hashOf } from './hashes.ts'
import { mayHit } from './hits.ts'
import { OP } from './instructions.ts'
import type { Position } from './positions.ts'
import type { Target } from './targets.ts'
import { ADDRESS_MASK, type Segment, type Term, word } from './terms.ts'

const PROGRAMS = 400
const RUNS = 16
const VARIABLES = 3
const INPUTS = 4
const SLOTS = [0n, 1n, 2n, 3n]
const CALLERS = [0xca11n, 0xb0bn, (1n << 159n) | 7n]
const NUMBERS = [0n, 1n, 2n, 5n, 0xffn, 96n, 160n, ADDRESS_MASK, WORD_MASK, ...CALLERS]
const NOW = 1_000n
const PURE = [OP.ADD, OP.SUB, OP.MUL, OP.DIV, OP.SLT, OP.SGT, OP.BYTE, OP.SHL, OP.SHR, OP.OR, OP.XOR, OP.AND]
const TESTS = [OP.EQ, OP.EQ, OP.EQ, OP.LT, OP.GT, OP.XOR, OP.SUB]

/** `block`: where the jump leads; a negative number is a place in the code. */
type Label = { readonly at: number; readonly block: number }

/**
 * Writes a program of blocks and subroutines. Between them the stack holds the variables, and in a subroutine the place
 * to return to above them.
 */
class Writer {
  readonly #random: Random
  readonly #code: number[] = []
  readonly #labels: Label[] = []
  /** Values on the stack above the variables. */
  #above = 0
  #hasVariables = false

  constructor(random: Random) {
    this.#random = random
  }

  program(): Uint8Array {
    const isLarge = this.#random.chance(0.1)
    const [blocks, subroutines] = [this.#random.between(2, isLarge ? 12 : 5), this.#random.below(3)]
    const starts: number[] = []
    for (let variable = 0; variable < VARIABLES; variable += 1) this.#expression(1)
    this.#hasVariables = true
    for (let block = 0; block < blocks + subroutines; block += 1) {
      const isSubroutine = block >= blocks
      starts.push(this.#code.length)
      this.#code.push(OP.JUMPDEST)
      this.#above = isSubroutine ? 1 : 0
      for (let left = this.#random.between(1, 3); left > 0; left -= 1)
        this.#statement(blocks, subroutines, isSubroutine)
      if (isSubroutine) this.#code.push(OP.JUMP)
      else if (block === blocks - 1) this.#code.push(OP.STOP)
      else this.#branch(blocks)
    }
    const fail = this.#code.length
    this.#code.push(OP.JUMPDEST, OP.PUSH0, OP.PUSH0, OP.REVERT)
    for (const { at, block } of this.#labels) {
      const start = block === FAIL ? fail : block < 0 ? -block : (starts[block] as number)
      this.#code[at] = start >> 8
      this.#code[at + 1] = start & 0xff
    }
    return Uint8Array.from(this.#code)
  }

  #push(value: bigint): void {
    const digits = value.toString(16)
    const bytes = [...Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')]
    this.#code.push(OP.PUSH1 + bytes.length - 1, ...bytes)
    this.#above += 1
  }

  /** An instruction that pops so many values and pushes one. */
  #apply(op: number, pops: number): void {
    this.#code.push(op)
    this.#above += 1 - pops
  }

  #jump(op: number, block: number): void {
    this.#labels.push({ at: this.#code.length + 1, block })
    this.#code.push(OP.PUSH2, 0, 0, op)
  }

  /** Jumps to a block, or reverts, if a condition holds; sometimes it jumps in any case. */
  #branch(blocks: number): void {
    this.#condition(2)
    this.#jump(OP.JUMPI, this.#random.chance(0.4) ? FAIL : this.#random.below(blocks))
    this.#above -= 1
    if (this.#random.chance(0.3)) this.#jump(OP.JUMP, this.#random.below(blocks))
  }

  #statement(blocks: number, subroutines: number, isSubroutine: boolean): void {
    const kind = this.#random.below(10)
    if (kind < 3) this.#assign(() => this.#condition(2))
    else if (kind < 4) this.#assign(() => (this.#random.chance(0.5) ? this.#expression(2) : this.#kept()))
    else if (kind < 6) this.#store()
    else if (kind < 8) {
      this.#condition(2)
      this.#jump(OP.JUMPI, FAIL)
      this.#above -= 1
    } else if (subroutines > 0 && !isSubroutine) {
      // The place to return to is after the jump.
      this.#labels.push({ at: this.#code.length + 1, block: -(this.#code.length + 7) })
      this.#code.push(OP.PUSH2, 0, 0)
      this.#jump(OP.JUMP, blocks + this.#random.below(subroutines))
      this.#code.push(OP.JUMPDEST)
    } else this.#store()
  }

  #variable(): void {
    this.#code.push(OP.DUP1 + this.#above + this.#random.below(VARIABLES))
    this.#above += 1
  }

  #assign(value: () => void): void {
    value()
    this.#code.push(OP.SWAP1 + this.#above - 1 + this.#random.below(VARIABLES), OP.POP)
    this.#above -= 1
  }

  /** A test, mostly of the caller, or of a variable with the outcome of one. */
  #condition(depth: number): void {
    const kind = this.#random.below(12)
    if (kind < 3) {
      this.#account()
      this.#apply(OP.CALLER, 0)
      this.#apply(this.#random.pick(TESTS), 2)
    } else if (kind < 5) this.#entry()
    else if (kind < 6) this.#variable()
    else if (depth === 0) this.#expression(1)
    else if (kind < 9) {
      this.#condition(depth - 1)
      this.#apply(OP.ISZERO, 1)
    } else if (kind < 11) {
      this.#condition(depth - 1)
      this.#condition(depth - 1)
      this.#apply(this.#random.pick([OP.AND, OP.OR, OP.EQ, OP.XOR]), 2)
    } else {
      this.#expression(1)
      this.#expression(1)
      this.#apply(this.#random.pick(TESTS), 2)
    }
  }

  /** An account: in a slot, also behind other bits, or a constant. */
  #account(): void {
    const kind = this.#random.below(4)
    if (kind === 0) return this.#push(this.#random.pick(CALLERS))
    this.#push(this.#random.pick(SLOTS))
    this.#apply(OP.SLOAD, 1)
    if (kind > 1) {
      this.#push(this.#random.pick([8n, 96n]))
      this.#apply(OP.SHR, 2)
    }
    if (kind !== 2) {
      this.#push(ADDRESS_MASK)
      this.#apply(OP.AND, 2)
    }
  }

  /** What is in a slot, with fewer bits or one more or less. */
  #kept(slot = this.#random.pick(SLOTS)): void {
    this.#push(slot)
    this.#apply(OP.SLOAD, 1)
    this.#push(this.#random.pick([1n, WORD_MASK, 0xffn]))
    this.#apply(this.#random.pick([OP.ADD, OP.AND]), 2)
  }

  /** An entry of a table, all of it or some bits. */
  #entry(): void {
    this.#element()
    this.#apply(OP.SLOAD, 1)
    if (this.#random.chance(0.5)) return
    this.#push(this.#random.pick([1n, 2n, 0xffn]))
    this.#apply(OP.AND, 2)
  }

  /** The position of an element of a mapping, of a mapping in a mapping, or of a list. */
  #element(): void {
    this.#key()
    this.#push(this.#random.pick(SLOTS))
    this.#hash()
    if (this.#random.chance(0.25)) {
      // The key of the inner mapping is hashed before its place.
      this.#code.push(OP.PUSH1, 0x20, OP.MSTORE)
      this.#above -= 1
      this.#key()
      this.#code.push(OP.PUSH0, OP.MSTORE, OP.PUSH1, 0x40, OP.PUSH0, OP.KECCAK256)
    }
    if (this.#random.chance(0.2)) {
      this.#push(this.#random.pick([1n, 2n]))
      this.#apply(OP.ADD, 2)
    }
  }

  #hash(): void {
    this.#code.push(OP.PUSH1, 0x20, OP.MSTORE, OP.PUSH0, OP.MSTORE, OP.PUSH1, 0x40, OP.PUSH0, OP.KECCAK256)
    this.#above -= 1
  }

  #key(): void {
    if (this.#random.chance(0.6)) this.#apply(OP.CALLER, 0)
    else this.#expression(0)
  }

  #expression(depth: number): void {
    const kind = this.#random.below(depth === 0 ? 5 : 8)
    if (kind === 0) this.#push(this.#random.pick(NUMBERS))
    else if (kind === 1) {
      this.#push(BigInt(this.#random.below(INPUTS) * 32))
      this.#apply(OP.CALLDATALOAD, 1)
    } else if (kind === 2 && this.#hasVariables) this.#variable()
    else if (kind === 3) {
      this.#push(this.#random.pick(SLOTS))
      this.#apply(OP.SLOAD, 1)
    } else if (kind <= 4) this.#apply(this.#random.pick([OP.CALLER, OP.TIMESTAMP]), 0)
    else {
      this.#expression(depth - 1)
      this.#expression(depth - 1)
      this.#apply(this.#random.pick(PURE), 2)
    }
  }

  #store(): void {
    const kind = this.#random.below(6)
    const slot = this.#random.pick(SLOTS)
    // The value first, so that it is below the position.
    if (kind === 0) this.#kept(slot)
    else if (kind === 1) this.#variable()
    else this.#expression(1)
    if (kind < 3) this.#push(slot)
    else if (kind < 5) this.#element()
    else this.#expression(1)
    this.#code.push(OP.SSTORE)
    this.#above -= 2
  }
}

/** The block that reverts. */
const FAIL = -1

/** Slots of elements by key and base: all calls have the same few. */
const slots = new Map<string, bigint>()

function slotOf(key: bigint, base: bigint): bigint {
  const place = `${key}/${base}`
  const slot = slots.get(place) ?? hashOf(Buffer.concat([bytesOf(key), bytesOf(base)]))
  slots.set(place, slot)
  return slot
}

/** A call by one of the accounts that programs know, with storage that lists some of them. */
function callOf(random: Random): Call & { readonly caller: bigint } {
  const value = (): bigint => {
    const bits = random.pick([0n, 8n, 96n])
    return random.chance(0.3) ? random.pick(NUMBERS) : (random.pick(CALLERS) << bits) & WORD_MASK
  }
  const storage = new Map(SLOTS.map((slot) => [slot, value()]))
  for (const base of SLOTS)
    for (const key of CALLERS)
      if (random.chance(0.5)) {
        storage.set(slotOf(key, base), value())
        for (const inner of CALLERS) if (random.chance(0.5)) storage.set(slotOf(inner, slotOf(key, base)), value())
      }
  const input = Array.from({ length: INPUTS }, () =>
    random.chance(0.8) ? random.pick([...NUMBERS, ...SLOTS]) : BigInt(random.hex(32)),
  )
  return { input, caller: random.pick(CALLERS), now: NOW, storage }
}

/** What a run knew when it made a store. */
class Moment {
  readonly #made: Made
  readonly #call: Call & { readonly caller: bigint }

  constructor(made: Made, call: Call & { readonly caller: bigint }) {
    this.#made = made
    this.#call = call
  }

  /** What a term was in the run; undefined where that is not known. */
  #valueOf(term: Term): bigint | undefined {
    const [left, right] = term.args.map((arg) => this.#valueOf(arg))
    switch (term.kind) {
      case 'constant':
        return term.value
      case 'caller':
        return this.#call.caller
      case 'environment':
        return term.op === OP.TIMESTAMP ? NOW : undefined
      case 'input':
        return left === undefined ? undefined : this.#call.input[Number(left) / 32]
      case 'stored': {
        if (left === undefined) return undefined
        // Before the first write or call it is what the call found.
        const [first, ...later] = this.#values(left)
        return term.tag === '' || later.length === 0 ? first : undefined
      }
      case 'hash':
        return this.#hashOf(term.segments ?? [])
      case 'operation':
        if (left === undefined) return undefined
        if (term.op === OP.ISZERO) return left === 0n ? 1n : 0n
        if (term.op === OP.NOT) return WORD_MASK - left
        return right === undefined ? undefined : BINARY.get(term.op)?.(left, right)
      case 'origin':
      case 'self':
      case 'returned':
      case 'signer':
      case 'asked':
      case 'opaque':
      default:
        return undefined
    }
  }

  #hashOf(segments: readonly Segment[]): bigint | undefined {
    const parts: Uint8Array[] = []
    for (const { term, from, to } of segments) {
      const value = to < 0 ? undefined : this.#valueOf(term)
      if (value === undefined) return undefined
      parts.push(bytesOf(value).subarray(from, to))
    }
    return hashOf(Buffer.concat(parts))
  }

  /** Whether position, value and conditions are those of the store, as far as they are known. */
  #isPossible({ subject, value, facts }: RawEffect): boolean {
    const [slot, stored] = [this.#valueOf(subject), value && this.#valueOf(value)]
    if (slot !== undefined && slot !== this.#made.slot) return false
    if (stored !== undefined && stored !== this.#made.value) return false
    return facts.every(({ term, holds }) => {
      const known = this.#valueOf(term)
      return known === undefined || (known !== 0n) === holds
    })
  }

  /** The values that a slot has had so far. */
  #values(slot: bigint): readonly bigint[] {
    return this.#made.held.get(slot) ?? [this.#call.storage?.get(slot) ?? 0n]
  }

  /** The slot of a position; undefined where it depends on more than the caller. */
  #slotOf(position: Position): bigint | undefined {
    if (position.type === 'slot') return BigInt(position.slot)
    if (position.type !== 'table' || position.base.length !== 66 || position.member < 0) return undefined
    let slot = BigInt(position.base)
    for (const key of position.keys) {
      if (key !== 'caller' && !key.startsWith('0x')) return undefined
      if (key !== 'caller' && key.length !== 66) slot += BigInt(key)
      else slot = slotOf(key === 'caller' ? this.#call.caller : BigInt(key), slot)
    }
    return (slot + BigInt(position.member)) & WORD_MASK
  }

  #isAt(position: Position, test: (value: bigint) => boolean): boolean {
    const slot = this.#slotOf(position)
    return slot === undefined || this.#values(slot).some(test)
  }

  #isCaller(target: Target): boolean {
    const { caller } = this.#call
    if (target.type === 'constant') return BigInt(target.address) === caller
    if (target.type === 'slot')
      return this.#values(BigInt(target.slot)).some(
        (value) => ((value >> BigInt(target.shift)) & ADDRESS_MASK) === caller,
      )
    if (target.type !== 'table') return true
    return this.#isAt(target.position, (value) => ((value >> BigInt(target.shift)) & ADDRESS_MASK) === caller)
  }

  #holds(condition: Condition): boolean {
    switch (condition.type) {
      case 'caller':
        return this.#isCaller(condition.is)
      case 'listed':
        return this.#isAt(condition.table, (value) => (value & BigInt(condition.mask)) !== 0n)
      case 'entry':
        return this.#isAt(condition.table, (value) => value !== 0n)
      case 'unset':
        return this.#isAt(
          condition.table,
          (value) => (condition.mask === undefined ? value : value & BigInt(condition.mask)) === 0n,
        )
      case 'due':
        return this.#isAt(condition.table, (value) => value > 1n && value <= NOW)
      case 'state': {
        const words = new Map<Hex, bigint>()
        for (const slot of slotsRead(condition.expression)) {
          const [value = 0n, ...later] = this.#values(BigInt(slot))
          if (later.length > 0) return true
          words.set(slot, value)
        }
        const value = evaluate(condition.expression, 0n, words)
        return value === undefined || (value === 0n) === condition.isZero
      }
      case 'above':
      case 'clocked':
      case 'answered':
      case 'permitted':
      default:
        return true
    }
  }

  #isThere(position: Position): boolean {
    const slot = this.#slotOf(position)
    if (slot !== undefined) return slot === this.#made.slot
    const lengths = position.type === 'slot' || position.type === 'anywhere' ? [] : (position.lengths ?? [])
    const isPlausible = lengths.every((length) => {
      const at = this.#slotOf(length)
      return at !== undefined && this.#values(at).every((value) => value < 1n << 80n)
    })
    return !isPlausible || mayHit(position, { type: 'slot', slot: word(this.#made.slot) })
  }

  #isValue({ constant, isClear, isCount }: Effect): boolean {
    const { slot, value } = this.#made
    const values = this.#values(slot)
    if (constant !== undefined && BigInt(constant) !== value) return false
    if (isClear === true && (value & ~(values.at(-1) ?? 0n)) !== 0n) return false
    const isStep = (before: bigint): boolean => value - before >= -1n && value - before < 1n << 32n
    return isCount !== true || value < 1n << 65n || values.some(isStep)
  }

  /** Whether the store is the one that the analysis describes. */
  isOf(raw: RawEffect, effect: Effect): boolean {
    return (
      this.#isPossible(raw) &&
      effect.position !== undefined &&
      this.#isThere(effect.position) &&
      this.#isValue(effect) &&
      effect.conditions.every((condition) => this.#holds(condition))
    )
  }
}

/** An effect as the analysis collects it, and as it is stored. */
const described = (flow: Dataflow, raw: RawEffect): readonly (readonly [RawEffect, Effect])[] =>
  effectsOf({ ...flow, effects: [raw] }).effects.map((effect) => [raw, effect])

const isGuard = ({ type }: Condition): boolean => type === 'caller' || type === 'listed'

test(`what ${PROGRAMS} random programs check holds where the analysis says so`, () => {
  let [stores, guarded] = [0, 0]
  for (let seed = 0; seed < PROGRAMS; seed += 1) {
    const random = seededRandom(seed)
    const code = new Writer(random).program()
    const flow = followCode(code)
    if (!flow.settled) continue
    const places = Map.groupBy(flow.effects, ({ at }) => at)
    const effects = new Map(places.entries().map(([at, raw]) => [at, raw.flatMap((each) => described(flow, each))]))
    for (let nth = 0; nth < RUNS; nth += 1) {
      const call = callOf(random)
      for (const made of run(code, call) ?? []) {
        const moment = new Moment(made, call)
        const found = (effects.get(made.at) ?? []).filter(([raw, effect]) => moment.isOf(raw, effect))
        assert.ok(found.length > 0, `seed ${seed}: the store at ${made.at} to slot ${made.slot} is not as described`)
        stores += 1
        if (found.every(([, { conditions }]) => conditions.some(isGuard))) guarded += 1
      }
    }
  }
  assert.ok(stores > PROGRAMS && guarded > PROGRAMS / 10, `${stores} stores, ${guarded} of them behind a check`)
})
