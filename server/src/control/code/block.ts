/** Executes the instructions of one block of code on a symbolic state. */
import { WORD_MASK } from './arithmetic.ts'
import { union } from './conditions.ts'
import { lastCallIn } from './epochs.ts'
import { IS_FIXED, IS_PURE, OP, pushedValue, STACK_EFFECTS } from './instructions.ts'
import { jumpTable } from './jump-tables.ts'
import { type Address, FREE_POINTER, type Memory } from './memory.ts'
import {
  ANSWER,
  BYTES,
  CODE,
  COPIED,
  FORWARDED,
  hasSelector,
  isFirstArgument,
  isForwarding,
  isInputSize,
  PART,
  questionOf,
  UNSEEN,
  WHOLE,
} from './passed-input.ts'
import { freePointer } from './pointer-sums.ts'
import { isRecovery, signerOf } from './recovered-signers.ts'
import { createdBy } from './taken-words.ts'
import { isAnswerSize, isPointer, type Segment, type Term, type Terms } from './terms.ts'

/** `exit`: the end of a call that does not revert. `look`: code outside of functions reads something of an account. */
export type EffectKind = 'store' | 'delegatecall' | 'call' | 'selfdestruct' | 'create' | 'look' | 'log' | 'exit'

/** State at the start of a block. Facts are sorted numbers: twice the id of the term, plus one if it holds. */
export type State = {
  readonly stack: readonly Term[]
  readonly memory: Memory
  readonly facts: readonly number[]
  /** The last write or call, after which storage may have changed. */
  readonly epoch: string
  /** The last call, whose data RETURNDATASIZE is about; empty where it is not known. */
  readonly lastCall: string
  readonly selector: bigint | undefined
  /** Where something may have been added to a stored number on the way: sorted positions in the code. */
  readonly added: readonly number[]
}

/** An effect at its instruction. */
export type Reached = {
  readonly kind: EffectKind
  readonly at: number
  readonly op: number
  /** The position of a store, the target of a call, the beneficiary of a self-destruct, the word that is returned. */
  readonly subject: Term
  /** The value of a store. */
  readonly value?: Term
  /** The first bytes that a call passes, or that are returned in an answer as long as that of a call. */
  readonly passed?: readonly Segment[]
  /** How many bytes a call passes, where it is known. */
  readonly passedSize?: number
  /** The call passes as many bytes as the input has. */
  readonly isInputSized?: boolean
  /** It passes as many bytes as a word of the input says: bytes that the caller chooses. */
  readonly isSizeChosen?: true
  /** The ether that a call or a creation sends. */
  readonly amount?: Term
  /** The topics of a log. */
  readonly topics?: readonly Term[]
  /** Where something may have been added to a stored number before, in the same call. */
  readonly addedBefore?: readonly number[]
}

/** The analysis that a block belongs to. */
export type Analysis = {
  readonly code: Uint8Array
  readonly terms: Terms
  /** Where each path is followed apart, and bytes are known one by one: the size of what calls return. */
  readonly answerSize: bigint | undefined
  readonly enter: (at: number, state: State) => void
  readonly jump: (at: number, target: Term, state: State) => void
  /** The state after a branch; undefined where the condition cannot have this outcome. */
  readonly branch: (state: State, condition: Term, outcome: boolean) => State | undefined
  /** How far from where a loop stored in its last round, where bytes are known one by one; zero where it is no loop. */
  readonly strideTo: (at: number, to: Address) => number
  /** An address in memory; undefined where its offset is out of reach. */
  readonly addressOf: (address: Term, facts: readonly number[]) => Address | undefined
  /** The facts with a condition that holds from here on. */
  readonly assume: (facts: readonly number[], condition: Term) => readonly number[]
  /** The code cannot be followed further here. */
  readonly unsettled: (at: number, selector: bigint | undefined) => void
  readonly record: (effect: Reached, state: Pick<State, 'facts' | 'epoch'>) => void
  /** A function reads this position of storage. */
  readonly loaded: (selector: bigint | undefined, position: Term) => void
  /** A function reads this word of the input, or copies others. */
  readonly given: (selector: bigint | undefined, word: Term) => void
}

const MAX_STACK = 1024
/** No copy has so many bytes. */
export const MOST_BYTES = 1n << 40n
/** Hashes of more bytes, or of a number that is not known, are described by their first bytes. */
const MAX_HASHED = 2_048
const HASHED_PREFIX = 192
/** The state before any call. */
export const NO_CALL = 'none'

/** Executes a block; returns the number of instructions. `node` tells places of different contexts apart. */
export function executeBlock(analysis: Analysis, node: number, start: number, state: State): number {
  const { code, terms, answerSize } = analysis
  const stack = [...state.stack]
  let { memory, facts, epoch, lastCall, added } = state
  const { selector } = state
  let steps = 0
  // An instruction without operands reverts before it pops.
  const pop = (): Term => stack.pop() ?? terms.zero
  const placeOf = (term: Term): Address | undefined => analysis.addressOf(term, facts)
  /** Code outside of functions reads something of an account. */
  const looked = (at: number, subject: Term): void => {
    if (selector === undefined) analysis.record({ kind: 'look', at, op: code[at] as number, subject }, { facts, epoch })
  }
  /** An address and so many bytes there. */
  const bytesAt = (term: Term, size: Term): Address | undefined => {
    const [found, growth] = [placeOf(term), terms.slopeOf(size)]
    return found === undefined || growth === 0 ? found : { ...found, growth }
  }
  /** A longer text has more rounds, which store behind this one. */
  const storedAt = (at: number, term: Term): Address | undefined => {
    const found = placeOf(term)
    const stride = found === undefined ? 0 : analysis.strideTo(at, found)
    return found === undefined || stride <= 0 ? found : { ...found, stride }
  }
  const here = (): State => ({ stack, memory, facts, epoch, lastCall, selector, added })
  for (let at = start; at < code.length; at += 1) {
    steps += 1
    const op = code[at] as number
    if (op >= OP.PUSH0 && op <= OP.PUSH32) {
      const size = op - OP.PUSH0
      stack.push(terms.pushed(code, at, size))
      if (stack.length > MAX_STACK) return steps
      at += size
      continue
    }
    if (op >= OP.DUP1 && op <= OP.DUP16) {
      const copied = stack[stack.length - (op - OP.DUP1 + 1)]
      if (copied === undefined) return steps
      stack.push(copied)
      if (stack.length > MAX_STACK) return steps
      continue
    }
    if (op >= OP.SWAP1 && op <= OP.SWAP16) {
      const top = stack.length - 1
      const other = top - (op - OP.SWAP1 + 1)
      if (other < 0) return steps
      const held = stack[top] as Term
      stack[top] = stack[other] as Term
      stack[other] = held
      continue
    }
    const effect = STACK_EFFECTS[op]
    // A later hard fork, or another chain, may give the instruction a meaning.
    if (effect === undefined) {
      analysis.unsettled(at, selector)
      return steps
    }
    // Operands that are missing revert.
    if (stack.length < effect[0]) return steps
    switch (op) {
      case OP.JUMPDEST: {
        // A block begins here, because a jump may lead here too.
        if (steps === 1) break
        analysis.enter(at, here())
        return steps
      }
      case OP.RETURN: {
        const [from, size] = [pop(), pop()]
        const unknown = (): Term => terms.opaqueAt('returned', node, at)
        // A proxy returns as much as it got.
        const isWord = size.kind === 'constant' && size.value === 32n
        const subject = isWord ? memory.word(placeOf(from), terms, unknown) : isAnswerSize(size) ? size : unknown()
        const bytes = isAnswerSize(size) ? 32 : size.kind === 'constant' && size.value < 32n ? Number(size.value) : 0
        const passed = bytes === 0 ? {} : { passed: memory.read(placeOf(from), bytes, unknown) }
        analysis.record({ kind: 'exit', at, op, subject, ...passed }, { facts, epoch })
        return steps
      }
      case OP.STOP:
        analysis.record({ kind: 'exit', at, op, subject: terms.zero }, { facts, epoch })
        return steps
      case OP.REVERT:
      case OP.INVALID:
        return steps
      case OP.SELFDESTRUCT:
        analysis.record({ kind: 'selfdestruct', at, op, subject: pop() }, { facts, epoch })
        return steps
      case OP.JUMP:
        analysis.jump(at, pop(), here())
        return steps
      case OP.JUMPI: {
        const [target, condition] = [pop(), pop()]
        terms.tested(at, op, condition)
        const before = here()
        const taken = analysis.branch(before, condition, true)
        const other = analysis.branch(before, condition, false)
        if (taken !== undefined) analysis.jump(at, target, taken)
        if (other !== undefined) analysis.enter(at + 1, other)
        return steps
      }
      case OP.CALLER:
        stack.push(terms.caller)
        break
      case OP.ORIGIN:
        stack.push(terms.origin)
        break
      case OP.ADDRESS:
        stack.push(terms.self)
        break
      case OP.EXTCODESIZE: {
        const account = pop()
        if (account !== terms.self) looked(at, account)
        stack.push(account === terms.self ? terms.environment(op) : terms.opaqueAt('', node, at))
        break
      }
      case OP.CALLDATALOAD: {
        const word = terms.input(pop())
        analysis.given(selector, word)
        stack.push(word)
        break
      }
      case OP.RETURNDATASIZE:
        stack.push(
          lastCall === NO_CALL
            ? terms.zero
            : answerSize !== undefined
              ? terms.answerSize(answerSize)
              : lastCall === ''
                ? terms.opaqueAt('', node, at)
                : terms.returned(lastCall, 'size:', []),
        )
        break
      case OP.MLOAD: {
        const address = placeOf(pop())
        const isFreePointer = address?.base === 0 && address.offset === FREE_POINTER && memory.hasPointer
        const unknown = isFreePointer
          ? terms.pointerAt(node, at)
          : terms.opaqueAt('memory', node, at, memory.hasAnswer || memory.hasCallerIn(address))
        const loaded = memory.word(address, terms, () => unknown)
        const bytes = loaded === unknown ? memory.read(address, 32, () => unknown) : []
        const isKnown = answerSize === undefined ? isFirstArgument(bytes) : bytes.some(({ term }) => term !== unknown)
        if (isKnown || (answerSize !== undefined && loaded === unknown)) {
          stack.push(isKnown ? terms.asked(BYTES, bytes) : unknown)
          break
        }
        // Compilers save what is in memory and restore it.
        const first = memory.read(address, 4, () => unknown)
        const isInput = loaded === unknown && !isFreePointer && isForwarding(first)
        if (isInput) stack.push(terms.opaque(`${hasSelector(first) ? FORWARDED : PART}${node}.${at}`, memory.hasAnswer))
        else {
          if (address !== undefined && loaded === unknown) memory = memory.learned(address, loaded)
          stack.push(loaded)
        }
        break
      }
      case OP.MSTORE: {
        const address = storedAt(at, pop())
        const value = pop()
        const isFreePointer = address?.base === 0 && address.offset === FREE_POINTER && !isPointer(value)
        const free = isFreePointer ? analysis.addressOf(value, facts) : undefined
        memory = memory.written(address, 32, free?.isPointer === true ? freePointer(terms, node, at, free) : value)
        break
      }
      case OP.MSTORE8: {
        const address = storedAt(at, pop())
        memory = memory.written(address, 1, pop().hasCaller ? terms.opaqueAt('byte', node, at, true) : undefined)
        break
      }
      case OP.CALLDATACOPY:
      case OP.RETURNDATACOPY:
      case OP.MCOPY:
      case OP.CODECOPY: {
        const [to, from, size] = [pop(), pop(), pop()]
        const entries = op === OP.CODECOPY ? jumpTable(analysis, at + 1, from, sizeOf(size) ?? 0) : undefined
        if (entries !== undefined) {
          for (const entry of entries) {
            const read = { ...here(), memory: memory.written(bytesAt(to, size), sizeOf(size), entry) }
            steps += executeBlock(analysis, node, at + 1, read)
          }
          return steps
        }
        if (op === OP.CALLDATACOPY) analysis.given(selector, terms.opaqueAt(COPIED, node, at))
        const [address, length] = [bytesAt(to, size), sizeOf(size)]
        memory =
          op === OP.MCOPY && address !== undefined && length !== undefined
            ? memory.moved(address, bytesAt(from, size), length)
            : copied(analysis, memory, op, address, from, size, `${node}.${at}`)
        // A copy of more bytes would cost more gas than any block has.
        if (size.kind !== 'constant')
          facts = analysis.assume(facts, terms.operation(OP.LT, size, terms.constant(MOST_BYTES)))
        break
      }
      case OP.EXTCODECOPY: {
        looked(at, pop())
        const to = pop()
        pop()
        const size = pop()
        memory = memory.written(bytesAt(to, size), sizeOf(size))
        // As after a call, memory may hold what another contract gives.
        lastCall = ''
        break
      }
      case OP.KECCAK256: {
        const [from, size] = [pop(), pop()]
        const known = sizeOf(size)
        const unknown = (): Term => terms.opaqueAt('hashed', node, at)
        const isReadable = known !== undefined && known <= MAX_HASHED
        // Where bytes are known one by one, none is known to be hashed if their number is not.
        const least = answerSize === undefined || known !== undefined ? HASHED_PREFIX : 0
        const read = memory.read(bytesAt(from, size), isReadable ? known : least, unknown)
        stack.push(terms.hash(isReadable ? read : [...read, { term: unknown(), from: 0, to: -1 }]))
        break
      }
      case OP.SLOAD: {
        const position = terms.placed(pop())
        analysis.loaded(selector, position)
        stack.push(terms.stored(position, epoch))
        break
      }
      case OP.SSTORE: {
        const [position, value] = [terms.placed(pop()), pop()]
        const addedBefore = added
        analysis.record({ kind: 'store', at, op, subject: position, value, addedBefore }, { facts, epoch })
        if (value.kind === 'operation' && value.op === OP.ADD) added = union(added, [at])
        epoch = `${lastCallIn(epoch)}/${node}.${at}`
        break
      }
      case OP.TLOAD:
        pop()
        stack.push(terms.opaqueAt('', node, at, memory.isKept))
        break
      case OP.TSTORE:
        pop()
        if (pop().hasCaller) memory = memory.kept()
        break
      case OP.LOG0:
      case OP.LOG1:
      case OP.LOG2:
      case OP.LOG3:
      case OP.LOG4: {
        pop()
        pop()
        const topics: Term[] = []
        for (let more = op - OP.LOG0; more > 0; more -= 1) topics.push(pop())
        analysis.record({ kind: 'log', at, op, subject: terms.zero, topics }, { facts, epoch })
        break
      }
      case OP.CALL:
      case OP.CALLCODE:
      case OP.DELEGATECALL:
      case OP.STATICCALL: {
        pop()
        const target = pop()
        const amount = op === OP.CALL || op === OP.CALLCODE ? pop() : terms.zero
        const [from, size, to, length] = [pop(), pop(), pop(), pop()]
        const place = `${node}.${at}`
        const mayAsk = op === OP.STATICCALL && memory.hasCaller
        const unknown = (): Term => terms.opaque(`${UNSEEN}${place}`, mayAsk)
        const passedSize = sizeOf(size)
        // Four bytes of selector and three arguments show which question a call asks.
        const most = answerSize === undefined ? 100 : MAX_HASHED
        const passed = memory.read(bytesAt(from, size), Math.min(passedSize ?? most, most), unknown)
        const kind = op === OP.CALL || op === OP.STATICCALL ? 'call' : 'delegatecall'
        const isInputSized = isInputSize(size)
        const sized = { isInputSized, ...(size.kind === 'input' && { isSizeChosen: true as const }) }
        const shown = passedSize === undefined ? { passed, ...sized, amount } : { passed, passedSize, amount }
        analysis.record({ kind, at, op, subject: target, ...shown }, { facts, epoch })
        const asked = questionOf(terms, op, passedSize, passed, place)
        const args = [target, asked]
        if (asked.hasCaller) memory = memory.answered()
        const address = bytesAt(to, length)
        const recovered = kind === 'call' && isRecovery(target) ? signerOf(terms, memory, address, place) : undefined
        if (recovered !== undefined) memory = memory.recovered()
        memory = memory.written(address, sizeOf(length))
        const words = address === undefined ? 0 : Math.min((sizeOf(length) ?? 0) / 32, 8)
        // Code that runs on this storage answers from it, not from that of the contract it belongs to.
        const what = kind === 'call' ? 'word' : 'run'
        for (let word = 0; word + 1 <= words; word += 1) {
          const there = address as Address
          memory = memory.written(
            { ...there, offset: there.offset + word * 32 },
            32,
            (word === 0 ? recovered : undefined) ?? terms.returned(place, `${what}${word}:`, args),
          )
        }
        if (op !== OP.STATICCALL) epoch = place
        lastCall = place
        stack.push(terms.returned(place, 'success:', args))
        break
      }
      case OP.CREATE:
      case OP.CREATE2: {
        const [amount, from, size] = [pop(), pop(), pop()]
        if (op === OP.CREATE2) pop()
        const unknown = terms.opaqueAt('initial', node, at)
        const initial = memory.read(bytesAt(from, size), sizeOf(size) ?? 4, () => unknown)
        const what = createdBy(initial, sizeOf(size), unknown, lastCall === NO_CALL)
        analysis.record({ kind: 'create', at, op, subject: terms.zero, amount }, { facts, epoch })
        epoch = `${node}.${at}`
        lastCall = ''
        stack.push(terms.opaqueAt(what, node, at))
        break
      }
      case OP.BALANCE:
      case OP.EXTCODEHASH:
      case OP.SELFBALANCE:
        looked(at, op === OP.SELFBALANCE ? terms.self : (stack.at(-1) ?? terms.zero))
        executeOther(terms, op, effect, stack, pop, node, at)
        break
      default:
        executeOther(terms, op, effect, stack, pop, node, at)
    }
  }
  // Code ends as if a STOP followed.
  analysis.record({ kind: 'exit', at: code.length, op: OP.STOP, subject: terms.zero }, { facts, epoch })
  return steps
}

/** Instructions whose result depends on their operands alone, or is not known. */
function executeOther(
  terms: Terms,
  op: number,
  [pops, pushes]: readonly [number, number],
  stack: Term[],
  pop: () => Term,
  node: number,
  at: number,
): void {
  if (op === OP.PC) stack.push(terms.constant(BigInt(at)))
  else if (IS_PURE[op] === true) {
    const first = pop()
    const second = pops === 1 ? undefined : pop()
    terms.tested(at, op, first, second)
    stack.push(terms.operation(op, first, second))
  } else if (IS_FIXED[op] === true) stack.push(terms.environment(op))
  else if (op === OP.MULMOD) {
    const [left, right, modulus] = [pop(), pop(), pop()]
    const isFullProduct = modulus.kind === 'constant' && modulus.value === WORD_MASK
    const hasCaller = left.hasCaller || right.hasCaller || modulus.hasCaller
    stack.push(isFullProduct ? terms.operation(op, left, right) : terms.opaqueAt('', node, at, hasCaller))
  } else {
    let hasCaller = false
    for (let more = pops; more > 0; more -= 1) {
      const operand = pop()
      if (pushes === 1) terms.used(operand)
      hasCaller = operand.hasCaller || hasCaller
    }
    if (pushes === 1) stack.push(terms.opaqueAt('', node, at, hasCaller))
  }
}

function copied(
  { code, terms, answerSize }: Analysis,
  memory: Memory,
  op: number,
  address: Address | undefined,
  from: Term,
  size: Term,
  place: string,
): Memory {
  const length = sizeOf(size)
  const blank = memory.written(address, length)
  if (address === undefined) return blank
  const isFixed = from.kind === 'constant' && terms.slopeOf(from) === 0
  if (op === OP.CODECOPY && isFixed && length !== undefined && length <= MAX_HASHED)
    return memory.filled(address, terms, length, (at, size) => pushedValue(code, Number(from.value) + at - 1, size))
  if (op === OP.CODECOPY && isFixed && length !== undefined && answerSize === undefined)
    return memory.written(address, length, terms.opaque(`${CODE}${place}`))
  if (
    op === OP.CALLDATACOPY &&
    answerSize !== undefined &&
    from.kind === 'constant' &&
    length !== undefined &&
    length <= MAX_HASHED
  )
    return memory.copied(address, length, (at) => terms.input(terms.constant(from.value + BigInt(at))))
  // A copy of the input, so that a call that passes it on is recognized. It may be empty, so nothing else is known.
  if (op === OP.CALLDATACOPY && from.kind === 'constant' && from.value === 0n)
    return blank.written(address, 4, terms.opaque(`${copyOf(size)}${place}`))
  if (op === OP.CALLDATACOPY) return blank.written(address, 4, terms.opaque(`${COPIED}${place}`))
  // A copy of what a call returned, so that code which returns it is recognized.
  if (op === OP.RETURNDATACOPY && from.kind === 'constant' && from.value === 0n && isAnswerSize(size))
    return blank.written(address, 32, terms.opaque(`${ANSWER}${size.tag}`, memory.hasAnswer))
  return blank
}

/** The tag of a copy of so many bytes of the input. */
const copyOf = (size: Term): string =>
  isInputSize(size) ? WHOLE : size.kind === 'constant' && size.value >= 4n ? FORWARDED : PART

const sizeOf = (size: Term): number | undefined =>
  size.kind === 'constant' && size.value <= 0xff_ffffn ? Number(size.value) : undefined
