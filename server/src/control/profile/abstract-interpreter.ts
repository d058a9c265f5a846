/**
 * Abstract interpreter for EVM bytecode: finds delegatecalls, slots written, and comparisons of the caller.
 *
 * Follows every path with a stack of abstract values: a constant, the content of a slot, the caller, input, the outcome
 * of a call, or anything. Memory is not followed, except for constants copied from code. Where a path cannot be followed
 * (a computed jump, too many states), `settled` is false, and nothing may be ruled out.
 */

import { bigEndian, isPush, jumpDestinations, OP, pushSize } from '../code/instructions.ts'
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

const MAX_STEPS = 400_000
/** OpenZeppelin's governor needs 89 for its return addresses. Bounded, because recursion would never end. */
const MAX_STACK = 128

/** Instructions whose result is not tracked, with the numbers of items they pop and push. */
const EFFECTS: ReadonlyMap<number, readonly [pops: number, pushes: number]> = new Map(
  (
    [
      [2, 1, [OP.MUL, OP.SDIV, OP.MOD, OP.SMOD, OP.SIGNEXTEND, OP.LT, OP.GT, OP.SLT, OP.SGT, OP.OR, OP.BYTE, OP.SAR]],
      [3, 1, [OP.ADDMOD, OP.MULMOD, OP.CREATE]],
      [1, 1, [OP.NOT, OP.CLZ, OP.BALANCE, OP.EXTCODESIZE, OP.EXTCODEHASH, OP.BLOCKHASH, OP.BLOBHASH, OP.TLOAD]],
      [
        0,
        1,
        [
          OP.CALLVALUE,
          OP.CALLDATASIZE,
          OP.CODESIZE,
          OP.GASPRICE,
          OP.RETURNDATASIZE,
          OP.COINBASE,
          OP.TIMESTAMP,
          OP.NUMBER,
          OP.PREVRANDAO,
          OP.GASLIMIT,
          OP.CHAINID,
          OP.SELFBALANCE,
          OP.BASEFEE,
          OP.BLOBBASEFEE,
          OP.PC,
          OP.MSIZE,
          OP.GAS,
        ],
      ],
      [3, 0, [OP.CALLDATACOPY, OP.RETURNDATACOPY, OP.MCOPY, OP.LOG1]],
      [2, 0, [OP.MSTORE8, OP.TSTORE, OP.LOG0]],
      [4, 0, [OP.EXTCODECOPY, OP.LOG2]],
      [1, 0, [OP.POP]],
      [5, 0, [OP.LOG3]],
      [6, 0, [OP.LOG4]],
      [4, 1, [OP.CREATE2]],
    ] as const
  ).flatMap(([pops, pushes, ops]) => ops.map((op): [number, [number, number]] => [op, [pops, pushes]])),
)

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
      if (isPush(op)) {
        const size = pushSize(op)
        stack.push(constant(bigEndian(code.subarray(at + 1, at + 1 + size))))
        at += size
      } else if (op >= OP.DUP1 && op <= OP.DUP16) stack.push(stack.at(-(op - OP.DUP1 + 1)) ?? ANYTHING)
      else if (op >= OP.SWAP1 && op <= OP.SWAP16) swap(stack, op - OP.SWAP1 + 1)
      else if (op === OP.JUMP) {
        goTo(pop(), stack, held)
        break
      } else if (op === OP.JUMPI) {
        const [target, condition] = [pop(), pop()]
        const isKnown = condition.from === 'constant'
        if (!isKnown || condition.value !== 0n)
          goTo(target, knowing(stack, condition, true), holding(held, condition, true))
        if (isKnown && condition.value !== 0n) break
        stack = knowing(stack, condition, false)
        held = holding(held, condition, false)
      } else if (ENDS.has(op)) break
      else if (op === OP.CODECOPY) copied = copiedFrom(code, pop(), pop(), pop())
      else if (op === OP.MLOAD) {
        const from = pop()
        const isCopied = copied !== undefined && from.from === 'constant' && from.value === copied.to
        stack.push(isCopied && copied !== undefined ? constant(copied.value) : ANYTHING)
      } else if (op === OP.ISZERO) {
        const value = pop()
        const outcome = testedByZero(value, at)
        stack.push(opposite(value))
        if (outcome !== undefined) stack = withOutcome(stack, outcome)
      } else if (COMPARISONS.has(op)) {
        const [left, right] = [pop(), pop()]
        const tests =
          found.compared(left, right) ??
          (isZero(left) ? testedByZero(right, at) : isZero(right) ? testedByZero(left, at) : undefined)?.tests
        stack.push(op === OP.SUB ? maskFrom(left, right) : ANYTHING)
        if (tests !== undefined)
          stack = withOutcome(
            stack,
            op === OP.EQ
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

const MEMORY_WRITES: ReadonlySet<number> = new Set([
  OP.CALLDATACOPY,
  OP.EXTCODECOPY,
  OP.RETURNDATACOPY,
  OP.MSTORE,
  OP.MSTORE8,
  OP.MCOPY,
  OP.CALL,
  OP.CALLCODE,
  OP.DELEGATECALL,
  OP.STATICCALL,
])

/** Executes one instruction that is not a jump; false for an invalid instruction. */
function execute(op: number, stack: Value[], pop: () => Value, found: Findings, held: Held): boolean {
  switch (op) {
    case OP.JUMPDEST:
      return true
    case OP.ADDRESS:
      return stack.push({ from: 'self' }) > 0
    case OP.ORIGIN: // A guard may compare it instead of CALLER.
    case OP.CALLER:
      return stack.push({ from: 'sender' }) > 0
    case OP.CALLDATALOAD:
      pop()
      return stack.push({ from: 'input' }) > 0
    case OP.KECCAK256:
      pop()
      pop()
      return stack.push(HASH) > 0
    case OP.SLOAD: {
      const position = pop()
      found.read(position)
      return stack.push(fromSlot(position)) > 0
    }
    case OP.SSTORE:
      found.written(pop(), held)
      pop()
      return true
    case OP.MSTORE:
      pop()
      found.remembered(pop())
      return true
    case OP.SHL: // SHL and EXP make the power of two that a mask is one less than
    case OP.EXP: {
      const [left, right] = [pop(), pop()]
      return stack.push(powerOf(op, left, right)) > 0
    }
    case OP.ADD: {
      // A member of a struct or an element of an array behind a hash stays behind that hash.
      const [left, right] = [pop(), pop()]
      return stack.push(left.from === 'hash' || right.from === 'hash' ? HASH : memberOf(left, right)) > 0
    }
    case OP.AND: {
      const [left, right] = [pop(), pop()]
      return stack.push(masked(left, right)) > 0
    }
    case OP.DIV: // DIV and SHR take a value out of a packed slot
    case OP.SHR: {
      const [left, right] = [pop(), pop()]
      const whole = op === OP.DIV ? left : right
      return stack.push(whole.from === 'slot' ? whole : inputOf(left, right)) > 0
    }
    case OP.DELEGATECALL:
    case OP.CALLCODE: {
      pop()
      found.delegated(pop(), held)
      for (let more = op === OP.DELEGATECALL ? 4 : 5; more > 0; more -= 1) pop()
      return stack.push(ANYTHING) > 0
    }
    case OP.CALL:
    case OP.STATICCALL:
      pop()
      found.called(op, pop(), held)
      for (let more = op === OP.CALL ? 5 : 4; more > 0; more -= 1) pop()
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

const ENDS: ReadonlySet<number> = new Set([OP.STOP, OP.RETURN, OP.REVERT, OP.SELFDESTRUCT])
const CALLS: ReadonlySet<number> = new Set([OP.CALL, OP.CALLCODE, OP.DELEGATECALL, OP.STATICCALL])
const COMPARISONS: ReadonlySet<number> = new Set([OP.EQ, OP.XOR, OP.SUB])

function swap(stack: Value[], depth: number): void {
  while (stack.length <= depth) stack.unshift(ANYTHING)
  const [top, other] = [stack.length - 1, stack.length - 1 - depth]
  const held = stack[top] as Value
  stack[top] = stack[other] as Value
  stack[other] = held
}

const trimmed = (stack: readonly Value[]): readonly Value[] => stack.slice(-MAX_STACK)
