/**
 * Random code is analyzed and run: every store that a run makes must be one that the analysis found. The programs move
 * pointers in loops and store to slots that they read from memory, so that what is believed of memory must be true.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Made, run } from '../../../../testing/evm/interpreter.ts'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { followCode } from './dataflow.ts'
import { type Effect, effectsOf } from './effects.ts'
import { mayHit } from './hits.ts'
import { OP } from './instructions.ts'
import { word } from './terms.ts'

const PROGRAMS = 1_000
const RUNS = 12
const VARIABLES = 4
const INPUTS = 6
const TOP = 1n << 256n
const NUMBERS = [0n, 1n, 5n, 0x20n, 0x40n, 0x60n, 0x80n, 0xa0n, 0x100n, TOP - 0x20n, 1n << 64n]
/** Slots that programs name. */
const SLOTS = [5n, 6n, 7n]

const push = (value: bigint): number[] => {
  const digits = value.toString(16)
  const bytes = [...Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')]
  return [OP.PUSH1 + bytes.length - 1, ...bytes]
}

/**
 * Writes a program of blocks. Between them the stack holds the variables and nothing else: pointers to free memory at
 * distances that the input chooses, so that they may be the same, and some numbers. The word at 0 decides jumps.
 */
class Writer {
  readonly #random: Random
  readonly #code: number[] = []

  constructor(random: Random) {
    this.#random = random
  }

  program(): Uint8Array {
    const blocks = this.#random.between(2, 5)
    const starts: number[] = []
    const labels: { readonly at: number; readonly block: number }[] = []
    const jumpTo = (): void => {
      labels.push({ at: this.#code.length + 1, block: this.#random.below(blocks + 1) })
      this.#code.push(OP.PUSH2, 0, 0)
    }
    this.#code.push(...push(0x80n), ...push(0x40n), OP.MSTORE)
    for (let variable = 0; variable < VARIABLES; variable += 1) this.#code.push(...push(this.#random.pick(NUMBERS)))
    for (let variable = 0; variable < VARIABLES; variable += 1) {
      if (this.#random.chance(0.85)) this.#allocate(variable)
      if (this.#random.chance(0.85)) this.#fill(variable)
    }
    this.#mark(0n)
    for (let block = 0; block <= blocks; block += 1) {
      starts.push(this.#code.length)
      this.#code.push(OP.JUMPDEST)
      for (let left = this.#random.below(5); left > 0; left -= 1) this.#statement()
      if (block === blocks) break
      if (this.#random.chance(0.5)) this.#code.push(...push(0n), OP.MLOAD)
      else this.#input()
      jumpTo()
      this.#code.push(OP.JUMPI)
      if (this.#random.chance(0.4)) {
        jumpTo()
        this.#code.push(OP.JUMP)
      }
    }
    this.#storeAt()
    this.#code.push(OP.STOP)
    for (const { at, block } of labels) {
      const start = starts[block] as number
      this.#code[at] = start >> 8
      this.#code[at + 1] = start & 0xff
    }
    return Uint8Array.from(this.#code)
  }

  #statement(): void {
    const variable = this.#random.below(VARIABLES)
    const kind = this.#random.below(12)
    if (kind < 4) this.#assign(variable, () => this.#read(this.#random.below(VARIABLES), 0))
    else if (kind < 5) this.#assign(variable, () => this.#moved())
    else if (kind < 8) this.#fill(variable)
    else if (kind < 10) this.#mark(BigInt(this.#random.below(2)))
    else if (kind < 11) this.#allocate(variable)
    else if (this.#random.chance(0.5)) this.#copy()
    else this.#storeAt()
  }

  /** Pushes a variable, below which `above` values were pushed. */
  #read(variable: number, above: number): void {
    this.#code.push(OP.DUP1 + above + variable)
  }

  #input(): void {
    this.#code.push(...push(BigInt(this.#random.below(INPUTS) * 32)), OP.CALLDATALOAD)
  }

  #number(): void {
    if (this.#random.chance(0.5)) this.#input()
    else this.#code.push(...push(this.#random.pick(SLOTS)))
  }

  /** Sets a variable to what is pushed. */
  #assign(variable: number, value: () => void): void {
    value()
    this.#code.push(OP.SWAP1 + variable, OP.POP)
  }

  /** A pointer at some distance of another one. */
  #moved(): void {
    this.#read(this.#random.below(VARIABLES), 0)
    if (this.#random.chance(0.5)) this.#code.push(...push(0x20n), OP.ADD)
    else {
      this.#input()
      this.#code.push(...push(0xffe0n), OP.AND, OP.ADD)
    }
  }

  #allocate(variable: number): void {
    this.#assign(variable, () => this.#code.push(...push(0x40n), OP.MLOAD))
    this.#input()
    this.#code.push(...push(0xffe0n), OP.AND, ...push(0x40n), OP.MLOAD, OP.ADD, ...push(0x40n), OP.MSTORE)
  }

  /** Stores a number where a variable points to. */
  #fill(variable: number): void {
    this.#number()
    this.#read(variable, 1)
    this.#code.push(OP.MSTORE)
  }

  #mark(value: bigint): void {
    this.#code.push(...push(value), ...push(0n), OP.MSTORE)
  }

  #copy(): void {
    this.#code.push(...push(0x20n))
    this.#read(this.#random.below(VARIABLES), 1)
    this.#read(this.#random.below(VARIABLES), 2)
    this.#code.push(OP.MCOPY)
  }

  /** Stores to the slot that a variable points to. */
  #storeAt(): void {
    this.#number()
    this.#read(this.#random.below(VARIABLES), 1)
    this.#code.push(OP.MLOAD, OP.SSTORE)
  }
}

const inputOf = (random: Random): readonly bigint[] =>
  Array.from({ length: INPUTS }, () => (random.chance(0.85) ? random.pick(NUMBERS) : BigInt(random.hex(32))))

const isFound = (effects: readonly Effect[], { slot, value }: Made): boolean =>
  effects.some(
    ({ position, constant }) =>
      position !== undefined &&
      mayHit(position, { type: 'slot', slot: word(slot) }) &&
      (constant === undefined || BigInt(constant) === value),
  )

/** The stores that the analysis finds, by their places. Of the whole code, equal ones at several places would be one. */
function storesOf(code: Uint8Array): ReadonlyMap<number, readonly Effect[]> {
  const flow = followCode(code)
  const places = Map.groupBy(flow.effects, ({ at }) => at)
  return new Map(
    places.entries().map(([at, raw]) => [at, effectsOf({ ...flow, effects: raw }).effects.filter(isStore)]),
  )
}

const isStore = ({ kind }: Effect): boolean => kind === 'store'

test(`every store that ${PROGRAMS} random programs make is found`, () => {
  let [stores, known] = [0, 0]
  for (let seed = 0; seed < PROGRAMS; seed += 1) {
    const random = seededRandom(seed)
    const code = new Writer(random).program()
    const effects = storesOf(code)
    known += effects
      .values()
      .reduce((sum, at) => sum + at.filter(({ position }) => position?.type === 'slot').length, 0)
    for (let nth = 0; nth < RUNS; nth += 1) {
      const all = run(code, { input: inputOf(random) }) ?? []
      stores += all.length
      for (const made of all)
        assert.ok(
          isFound(effects.get(made.at) ?? [], made),
          `seed ${seed}: the store at ${made.at} to slot ${made.slot} is not found`,
        )
    }
  }
  assert.ok(stores > PROGRAMS && known > PROGRAMS / 10, `${stores} stores, ${known} stores at known slots`)
})
