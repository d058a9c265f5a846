/**
 * Abstract interpreter for EVM bytecode: finds delegatecalls, slots written, and comparisons of the caller.
 *
 * Follows every path with a stack of abstract values: a constant, the content of a slot, the caller, input, the outcome
 * of a call, or anything. Memory is not followed, except for constants copied from code. Where a path cannot be followed
 * (a computed jump, too many states), `settled` is false, and nothing may be ruled out.
 */
import {
  ANYTHING,
  constant,
  fromSlot,
  HASH,
  type Held,
  holding,
  inputOf,
  keyOf,
  knowing,
  masked,
  maskFrom,
  memberOf,
  opposite,
  powerOf,
  testedByZero,
  type Value,
  withOutcome,
} from './abstract-value.ts'
import { type CodeBehavior, Findings } from './code-behavior.ts'
import { bigEndian, jumpDestinations } from './instructions.ts'

const MAX_STEPS = 400_000
/** OpenZeppelin's governor needs 89 for its return addresses. Bounded, because recursion would never end. */
const MAX_STACK = 128

/** Items popped and pushed by instructions whose result is not tracked. */
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

export function interpret(code: Uint8Array): CodeBehavior {
  const destinations = jumpDestinations(code)
  const found = new Findings()
  const seen = new Set<string>()
  const waiting: Step[] = [{ at: 0, stack: [], held: {} }]
  let steps = 0
  let settled = true
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const key = `${step.at}|${step.held.sender ?? ''}|${step.held.notAt ?? ''}|${step.held.unset ?? ''}|${step.stack.map(keyOf).join()}`
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
      if (steps > MAX_STEPS) return found.done(false)
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
      } else if (op === 0x15) {
        const value = pop()
        const outcome = testedByZero(value, at)
        stack.push(opposite(value))
        if (outcome !== undefined) stack = withOutcome(stack, outcome)
      } else if (COMPARISONS.has(op)) {
        const [left, right] = [pop(), pop()]
        const tests =
          found.compared(left, right) ??
          (isZero(left) ? testedByZero(right, at) : isZero(right) ? testedByZero(left, at) : undefined)?.tests
        stack.push(op === 0x03 ? maskFrom(left, right) : ANYTHING)
        if (tests !== undefined)
          stack = withOutcome(
            stack,
            op === 0x14
              ? { from: 'yes', position: at, tests }
              : { from: 'no', position: at, tests, isDifference: true },
          )
      } else if (!execute(op, stack, pop, found, held)) break
      else if (CALLS.has(op)) stack = withOutcome(stack, { from: 'yes', position: at })
      if (MEMORY_WRITES.has(op)) copied = undefined
    }
  }
  return found.done(settled)
}

/** A word copied from code to memory: some compilers keep constants in the code and load them at once. */
type Copied = { readonly to: bigint; readonly value: bigint }

function copiedFrom(code: Uint8Array, to: Value, offset: Value, size: Value): Copied | undefined {
  if (to.from !== 'constant' || offset.from !== 'constant' || size.from !== 'constant' || size.value !== 32n)
    return undefined
  const at = Number(offset.value)
  return at + 32 > code.length ? undefined : { to: to.value, value: bigEndian(code.subarray(at, at + 32)) }
}

const isZero = (value: Value): boolean => value.from === 'constant' && value.value === 0n

const MEMORY_WRITES: ReadonlySet<number> = new Set([0x37, 0x3c, 0x3e, 0x52, 0x53, 0x5e, 0xf1, 0xf2, 0xf4, 0xfa])

/** Executes one instruction that is not a jump; false for an invalid instruction. */
function execute(op: number, stack: Value[], pop: () => Value, found: Findings, held: Held): boolean {
  switch (op) {
    case 0x5b: // JUMPDEST
      return true
    case 0x30:
      return stack.push({ from: 'self' }) > 0
    case 0x32: // ORIGIN, which a guard may compare instead of CALLER
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
      found.written(pop(), held)
      pop()
      return true
    case 0x52:
      pop()
      found.remembered(pop())
      return true
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

const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
/** EQ, XOR and SUB. */
const COMPARISONS: ReadonlySet<number> = new Set([0x14, 0x18, 0x03])

function swap(stack: Value[], depth: number): void {
  while (stack.length <= depth) stack.unshift(ANYTHING)
  const [top, other] = [stack.length - 1, stack.length - 1 - depth]
  const held = stack[top] as Value
  stack[top] = stack[other] as Value
  stack[other] = held
}

const trimmed = (stack: readonly Value[]): readonly Value[] => stack.slice(-MAX_STACK)
