/**
 * Runtime code → what it can do to its own logic: where it delegates, which slots it writes, whom it lets pass.
 *
 * Follows every path of the code with a stack of abstract values: a constant, what stands in a slot, the sender, input,
 * the outcome of a call, or anything. Memory is not followed, but for constants of the code. Where a path leaves what can be followed (a computed jump, too many states) the
 * answer says so in `settled`, and nobody may conclude from it that something is impossible.
 */
import type { Hex } from 'viem'

/** Where a value comes from. */
type Value =
  | { readonly from: 'constant'; readonly value: bigint; readonly isMember?: true }
  | { readonly from: 'slot'; readonly slot: bigint | 'hashed' | 'any' }
  /**
   * Whether the call at this place of the code went well, or the comparison held: 1 or 0, and the opposite. A difference
   * is 0 where it held, and anything else where not.
   */
  | { readonly from: 'yes' | 'no'; readonly place: number; readonly asks?: Question; readonly isDifference?: true }
  /** `isPart`: some of its bits alone, which say little about the others. */
  | { readonly from: 'self' | 'sender'; readonly isPart?: true }
  | { readonly from: 'input' | 'hash' | 'anything' }

/** Is the sender whoever stands in this slot, or this address; does the code run at this address. */
type Question = { readonly about: 'sender' | 'self'; readonly is: Hex }

/** What must hold on a path: who the sender is (in a slot, or an address of the code), and where it does not run. */
type Held = { readonly sender?: Hex; readonly notAt?: Hex }

export type DelegateSource =
  | { readonly from: 'fixed'; readonly address: Hex }
  | { readonly from: 'slot'; readonly slot: Hex }
  | { readonly from: 'mapping' } // a slot found by hashing: a diamond's table of facets
  | { readonly from: 'self' | 'anything' }
  /** `sender`: only for whoever stands in this slot, or for this address. `notAt`: only where it runs for another. */
  | { readonly from: 'input'; readonly sender?: Hex; readonly notAt?: Hex }

export type CodeBehaviour = {
  /** Every delegatecall that can be reached. */
  readonly delegates: readonly DelegateSource[]
  /** Slots at fixed positions that it may write; mappings are not among them. */
  readonly writes: readonly Hex[]
  /** It may write a slot whose position could not be told. */
  readonly writesAnywhere: boolean
  /** Slots at fixed positions that it reads. */
  readonly reads: readonly Hex[]
  /** Addresses in the code that the sender is compared with. */
  readonly senders: readonly Hex[]
  /** Slots that the sender is compared with. */
  readonly senderSlots: readonly Hex[]
  /** It puts its sender into memory: to look it up in a table, or to ask another contract about it. */
  readonly looksUpSender: boolean
  /** It calls other contracts, or itself for anyone: its logic may then decide what its own code does not. */
  readonly callsOut: boolean
  /** Slots whose contracts it asks something, in a call that can change nothing. */
  readonly askedSlots: readonly Hex[]
  /** Every path was followed to its end. */
  readonly settled: boolean
}

const MOST_STEPS = 400_000
/** Return addresses of the callers: a governor of OpenZeppelin needs 89. Bounded, because recursion would be without end. */
const MOST_STACK = 128

const ANYTHING: Value = { from: 'anything' }
const HASH: Value = { from: 'hash' }
const constant = (value: bigint): Value => ({ from: 'constant', value })

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const account = (value: bigint): Hex => `0x${value.toString(16).padStart(40, '0')}`

/** Items taken from and put on the stack by instructions whose result tells us nothing. */
const EFFECTS: ReadonlyMap<number, readonly [number, number]> = new Map([
  ...[0x02, 0x05, 0x06, 0x07, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x17, 0x1a, 0x1d].map((op): [number, [number, number]] => [
    op,
    [2, 1],
  ]),
  ...[0x08, 0x09].map((op): [number, [number, number]] => [op, [3, 1]]),
  ...[0x19, 0x1e, 0x31, 0x3b, 0x3f, 0x40, 0x49, 0x5c].map((op): [number, [number, number]] => [op, [1, 1]]),
  ...[0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a, 0x58, 0x59, 0x5a].map(
    (op): [number, [number, number]] => [op, [0, 1]],
  ),
  ...[0x37, 0x3e, 0x5e].map((op): [number, [number, number]] => [op, [3, 0]]),
  ...[0x53, 0x5d].map((op): [number, [number, number]] => [op, [2, 0]]),
  [0x3c, [4, 0]],
  [0x50, [1, 0]],
  [0xa0, [2, 0]],
  [0xa1, [3, 0]],
  [0xa2, [4, 0]],
  [0xa3, [5, 0]],
  [0xa4, [6, 0]],
  [0xf0, [3, 1]],
  [0xf5, [4, 1]],
])

type Step = { readonly at: number; readonly stack: readonly Value[]; readonly held: Held }

export function behaviourOf(code: Uint8Array): CodeBehaviour {
  const destinations = jumpDestinations(code)
  const found = new Findings()
  const seen = new Set<string>()
  const waiting: Step[] = [{ at: 0, stack: [], held: {} }]
  let steps = 0
  let settled = true
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const key = `${step.at}|${step.held.sender ?? ''}|${step.held.notAt ?? ''}|${step.stack.map(keyOf).join()}`
    if (seen.has(key)) continue
    seen.add(key)
    let stack = [...step.stack]
    let { held } = step
    let copied: Copied | undefined
    const pop = (): Value => stack.pop() ?? ANYTHING
    const goTo = (target: Value, having: readonly Value[], holding: Held): void => {
      if (target.from !== 'constant') settled = false
      else if (destinations.has(Number(target.value)))
        waiting.push({ at: Number(target.value), stack: trimmed(having), held: holding })
    }
    for (let at = step.at; at < code.length; at += 1) {
      steps += 1
      if (steps > MOST_STEPS) return found.done(false)
      const op = code[at] as number
      if (op >= 0x5f && op <= 0x7f) {
        const size = op - 0x5f
        stack.push(constant(bigEndian(code.subarray(at + 1, at + 1 + size))))
        at += size
      } else if (op >= 0x80 && op <= 0x8f) stack.push(stack.at(-(op - 0x7f)) ?? ANYTHING)
      else if (op >= 0x90 && op <= 0x9f) swap(stack, op - 0x8f)
      else if (op === 0x56) {
        goTo(pop(), stack, held)
        break
      } else if (op === 0x57) {
        const [target, condition] = [pop(), pop()]
        const isKnown = condition.from === 'constant'
        if (!isKnown || condition.value !== 0n)
          goTo(target, knowing(stack, condition, true), holding(held, condition, true))
        if (isKnown && condition.value !== 0n) break
        stack = knowing(stack, condition, false)
        held = holding(held, condition, false)
      } else if (op === 0x00 || op === 0xf3 || op === 0xfd || op === 0xff) break
      else if (op === 0x39) copied = copiedFrom(code, pop(), pop(), pop())
      else if (op === 0x51) {
        const from = pop()
        const isCopied = copied !== undefined && from.from === 'constant' && from.value === copied.to
        stack.push(isCopied && copied !== undefined ? constant(copied.value) : ANYTHING)
      } else if (COMPARISONS.has(op)) {
        const [left, right] = [pop(), pop()]
        const asks = found.compared(left, right)
        stack.push(op === 0x03 ? maskFrom(left, right) : ANYTHING)
        if (asks !== undefined)
          stack = withAnswer(
            stack,
            op === 0x14 ? { from: 'yes', place: at, asks } : { from: 'no', place: at, asks, isDifference: true },
          )
      } else if (!execute(op, stack, pop, found, held)) break
      else if (CALLS.has(op)) stack = withAnswer(stack, { from: 'yes', place: at })
      if (MEMORY_WRITES.has(op)) copied = undefined
    }
  }
  return found.done(settled)
}

/** A word of the code in memory: compilers that save every byte keep their constants so, and load them at once. */
type Copied = { readonly to: bigint; readonly value: bigint }

function copiedFrom(code: Uint8Array, to: Value, offset: Value, size: Value): Copied | undefined {
  if (to.from !== 'constant' || offset.from !== 'constant' || size.from !== 'constant' || size.value !== 32n)
    return undefined
  const at = Number(offset.value)
  return at + 32 > code.length ? undefined : { to: to.value, value: bigEndian(code.subarray(at, at + 32)) }
}

const MEMORY_WRITES: ReadonlySet<number> = new Set([0x37, 0x3c, 0x3e, 0x52, 0x53, 0x5e, 0xf1, 0xf2, 0xf4, 0xfa])

/** One instruction without jumps; false where the machine would stop (an instruction that is none). */
function execute(op: number, stack: Value[], pop: () => Value, found: Findings, held: Held): boolean {
  switch (op) {
    case 0x5b: // JUMPDEST
      return true
    case 0x30:
      return stack.push({ from: 'self' }) > 0
    case 0x32: // ORIGIN: whoever signed, which a guard may ask instead of the sender
    case 0x33:
      return stack.push({ from: 'sender' }) > 0
    case 0x35:
      pop()
      return stack.push({ from: 'input' }) > 0
    case 0x20:
      pop()
      pop()
      return stack.push(HASH) > 0
    case 0x54: {
      const position = pop()
      found.read(position)
      return stack.push(fromSlot(position)) > 0
    }
    case 0x55:
      found.written(pop())
      pop()
      return true
    case 0x52:
      pop()
      found.remembered(pop())
      return true
    case 0x15:
      return stack.push(opposite(pop())) > 0
    case 0x1b: // SHL and EXP make the power of two that a mask is one less than
    case 0x0a: {
      const [left, right] = [pop(), pop()]
      return stack.push(powerOf(op, left, right)) > 0
    }
    case 0x01: {
      // A member of a struct or an element of an array behind a hash stays behind that hash.
      const [left, right] = [pop(), pop()]
      return stack.push(left.from === 'hash' || right.from === 'hash' ? HASH : memberOf(left, right)) > 0
    }
    case 0x16: {
      const [left, right] = [pop(), pop()]
      return stack.push(masked(left, right)) > 0
    }
    case 0x04: // DIV and SHR take a value out of a packed slot
    case 0x1c: {
      const [left, right] = [pop(), pop()]
      const whole = op === 0x04 ? left : right
      return stack.push(whole.from === 'slot' ? whole : inputOf(left, right)) > 0
    }
    case 0xf4:
    case 0xf2: {
      pop()
      found.delegated(pop(), held)
      for (let more = op === 0xf4 ? 4 : 5; more > 0; more -= 1) pop()
      return stack.push(ANYTHING) > 0
    }
    case 0xf1:
    case 0xfa:
      pop()
      found.called(op, pop(), held)
      for (let more = op === 0xf1 ? 5 : 4; more > 0; more -= 1) pop()
      return stack.push(ANYTHING) > 0
    default: {
      const effect = EFFECTS.get(op)
      if (effect === undefined) return false
      for (let more = effect[0]; more > 0; more -= 1) pop()
      if (effect[1] === 1) stack.push(ANYTHING)
      return true
    }
  }
}

class Findings {
  readonly #delegates = new Map<string, DelegateSource>()
  readonly #writes = new Set<Hex>()
  readonly #reads = new Set<Hex>()
  readonly #senders = new Set<Hex>()
  readonly #senderSlots = new Set<Hex>()
  #anywhere = false
  #looksUpSender = false
  #callsOut = false
  readonly #askedSlots = new Set<Hex>()

  delegated(target: Value, held: Held): void {
    const found = sourceOf(target)
    const source = found.from === 'input' ? { ...found, ...held } : found
    this.#delegates.set(JSON.stringify(source), source)
  }

  read(position: Value): void {
    if (position.from === 'constant') this.#reads.add(word(position.value))
  }

  written(position: Value): void {
    if (position.from === 'constant') this.#writes.add(word(position.value))
    else if (position.from !== 'hash') this.#anywhere = true
  }

  remembered(value: Value): void {
    if (value.from === 'sender') this.#looksUpSender = true
  }

  called(op: number, target: Value, held: Held): void {
    // Past a comparison of its sender it is that sender who has it call itself.
    if (target.from === 'self' && !target.isPart && held.sender !== undefined) return
    if (op === 0xfa && target.from === 'slot' && typeof target.slot === 'bigint')
      this.#askedSlots.add(word(target.slot))
    else this.#callsOut = true
  }

  /** What the comparison asks, where that is whole: a part of an address is one that many have. */
  compared(left: Value, right: Value): Question | undefined {
    const asked =
      [left, right].find(({ from }) => from === 'sender') ?? [left, right].find(({ from }) => from === 'self')
    if (asked === undefined) return undefined
    const other = asked === left ? right : left
    if (asked.from === 'sender') this.#comparedSender(other)
    if ('isPart' in asked || (asked.from !== 'sender' && asked.from !== 'self')) return undefined
    const is = wholeOf(other)
    return is === undefined ? undefined : { about: asked.from, is }
  }

  #comparedSender(other: Value): void {
    // Small numbers are precompiles and flags, not people.
    if (other.from === 'constant' && other.value > 0xffffn && other.value < 1n << 160n)
      this.#senders.add(account(other.value))
    if (other.from === 'slot' && typeof other.slot === 'bigint') this.#senderSlots.add(word(other.slot))
  }

  done(settled: boolean): CodeBehaviour {
    return {
      delegates: [...this.#delegates.values()],
      writes: [...this.#writes],
      writesAnywhere: this.#anywhere,
      reads: [...this.#reads],
      senders: [...this.#senders],
      senderSlots: [...this.#senderSlots],
      looksUpSender: this.#looksUpSender,
      callsOut: this.#callsOut,
      askedSlots: [...this.#askedSlots],
      settled,
    }
  }
}

function sourceOf(target: Value): DelegateSource {
  switch (target.from) {
    case 'constant':
      return { from: 'fixed', address: account(target.value & ((1n << 160n) - 1n)) }
    case 'slot':
      if (target.slot === 'hashed') return { from: 'mapping' }
      return target.slot === 'any' ? { from: 'anything' } : { from: 'slot', slot: word(target.slot) }
    case 'self':
      return { from: target.isPart ? 'anything' : 'self' }
    case 'input':
      return { from: 'input' }
    case 'sender':
    case 'hash':
    case 'yes':
    case 'no':
    case 'anything':
    default:
      return { from: 'anything' }
  }
}

const fromSlot = (position: Value): Value =>
  position.from === 'constant'
    ? { from: 'slot', slot: position.value }
    : { from: 'slot', slot: position.from === 'hash' ? 'hashed' : 'any' }

/** What a sender or the code's own address is compared with, where it can be named later. */
function wholeOf(other: Value): Hex | undefined {
  if (other.from === 'constant') return other.value < FAR ? account(other.value) : undefined
  return other.from === 'slot' && typeof other.slot === 'bigint' ? word(other.slot) : undefined
}

const ADDRESS_MASK = (1n << 160n) - 1n

/** A mask leaves a value what it was; an answer, which is one bit, only where it lets that bit through. */
function masked(left: Value, right: Value): Value {
  if (left.from === 'constant' && right.from === 'constant')
    return left.isMember || right.isMember ? ANYTHING : constant(left.value & right.value)
  const [mask, value] = left.from === 'constant' ? [left, right] : [right, left]
  if (mask.from !== 'constant') return ANYTHING
  const isWhole = (mask.value & ADDRESS_MASK) === ADDRESS_MASK
  if (value.from === 'sender' || value.from === 'self') return isWhole ? value : { from: value.from, isPart: true }
  if (value.from !== 'yes' && value.from !== 'no') return value
  return (value.isDifference ? isWhole : (mask.value & 1n) !== 0n) ? value : ANYTHING
}

const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
/** EQ, XOR and SUB. */
const COMPARISONS: ReadonlySet<number> = new Set([0x14, 0x18, 0x03])

type Answer = Value & { readonly from: 'yes' | 'no' }

const isAnswer = (value: Value): value is Answer => value.from === 'yes' || value.from === 'no'

/** What was just asked has left its answer on top. What an earlier round of a loop left is another answer. */
function withAnswer(stack: readonly Value[], answer: Answer): Value[] {
  const older = stack.slice(0, -1).map((value) => (isAnswer(value) && value.place === answer.place ? ANYTHING : value))
  return [...older, answer]
}

function opposite(value: Value): Value {
  if (value.from === 'constant') return constant(value.value === 0n ? 1n : 0n)
  if (!isAnswer(value)) return ANYTHING
  const { place, asks } = value
  return { from: value.from === 'yes' ? 'no' : 'yes', place, ...(asks === undefined ? {} : { asks }) }
}

/**
 * The stack where a condition turned out so: every copy of the answer it tells is known from there on. Without it a
 * `try` would be followed from its failure into what only its success leads to, with a stack that is not so.
 */
function knowing(stack: readonly Value[], condition: Value, isTrue: boolean): Value[] {
  if (!isAnswer(condition)) return [...stack]
  return stack.map((value) => {
    if (!isAnswer(value) || value.place !== condition.place) return value
    if ((value.from === condition.from) !== isTrue) return constant(0n)
    return value.isDifference ? ANYTHING : constant(1n)
  })
}

/** What holds beside where a condition turned out so. The first that held is enough: it still does. */
function holding(held: Held, condition: Value, isTrue: boolean): Held {
  if (!isAnswer(condition) || condition.asks === undefined) return held
  const { about, is } = condition.asks
  const isSo = (condition.from === 'yes') === isTrue
  if (about === 'sender') return isSo && held.sender === undefined ? { ...held, sender: is } : held
  return isSo || held.notAt !== undefined ? held : { ...held, notAt: is }
}

/** Only masks are computed: counters of loops would be states without end. */
function maskFrom(left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant' || left.isMember) return ANYTHING
  const isMask = right.value === 1n && left.value > 0xffffn
  return isMask ? constant(left.value - 1n) : ANYTHING
}

/** Places found by hashing are this far from zero, and addresses are not. */
const FAR = 1n << 160n

/** A member of a struct at a fixed place. Nothing is added to it again: a loop over members would be without end. */
function memberOf(left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant') return ANYTHING
  const [place, offset] = left.value > right.value ? [left, right] : [right, left]
  if (place.isMember || place.value < FAR || offset.value > 0xffn) return ANYTHING
  return { from: 'constant', value: (place.value + offset.value) & ((1n << 256n) - 1n), isMember: true }
}

function powerOf(op: number, left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant') return ANYTHING
  const [base, exponent] = op === 0x0a ? [left.value, right.value] : [right.value, left.value]
  if (exponent > 255n || base > 256n) return ANYTHING
  return constant((op === 0x0a ? base ** exponent : base << exponent) & ((1n << 256n) - 1n))
}

const inputOf = (left: Value, right: Value): Value =>
  left.from === 'input' || right.from === 'input' ? { from: 'input' } : ANYTHING

function swap(stack: Value[], depth: number): void {
  while (stack.length <= depth) stack.unshift(ANYTHING)
  const [top, other] = [stack.length - 1, stack.length - 1 - depth]
  const held = stack[top] as Value
  stack[top] = stack[other] as Value
  stack[other] = held
}

const trimmed = (stack: readonly Value[]): readonly Value[] => stack.slice(-MOST_STACK)

function keyOf(value: Value): string {
  if (value.from === 'constant') return `#${value.value.toString(36)}${value.isMember ? '+' : ''}` // a number must not read like a name
  if (isAnswer(value))
    return `${value.from}${value.place}${value.isDifference ? '-' : ''}${value.asks === undefined ? '' : `${value.asks.about}${value.asks.is}`}`
  if ('isPart' in value) return `${value.from}-`
  return value.from === 'slot' ? `s${value.slot}` : value.from
}

/** The same sweep by which the machine tells instructions from data: nothing outside it can ever run. */
function jumpDestinations(code: Uint8Array): ReadonlySet<number> {
  const destinations = new Set<number>()
  for (const { op, at } of instructions(code)) if (op === 0x5b) destinations.add(at)
  return destinations
}

export type Instruction = { readonly op: number; readonly at: number; readonly pushed: Uint8Array }

export function* instructions(code: Uint8Array): Generator<Instruction> {
  for (let at = 0; at < code.length; at += 1) {
    const op = code[at] as number
    const size = op >= 0x60 && op <= 0x7f ? op - 0x5f : 0
    yield { op, at, pushed: code.subarray(at + 1, at + 1 + size) }
    at += size
  }
}

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}
