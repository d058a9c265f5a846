/**
 * Follows every path of EVM bytecode and collects its effects: writes to storage, delegatecalls, calls, self-destructs,
 * each with the conditions that hold whenever it is reached.
 *
 * Paths that meet at a jump destination are joined, unless they will return to different places, belong to different
 * functions, or have checked the caller differently. Where they are joined, a value that differs becomes opaque, and
 * only conditions that hold on both paths remain. The result holds for every path; code that cannot be followed to its
 * end is not settled, and nothing may be concluded from it.
 */

import { common, type Fact, indexFor, isCallerCheck, isEntryCheck, isSelectorTest, learn } from './conditions.ts'
import { jumpDestinations, OP, pushedValue, STACK_EFFECTS } from './instructions.ts'
import { addressOf, Memory } from './memory.ts'
import { FORWARDED, isBoolean, type Segment, selectorIn, type Term, Terms } from './terms.ts'

export type EffectKind = 'store' | 'delegatecall' | 'call' | 'selfdestruct' | 'create'

/** One effect with the terms that describe it. Facts are conditions that hold where it is reached. */
export type RawEffect = {
  readonly kind: EffectKind
  readonly at: number
  readonly op: number
  /** The position of a store, the target of a call, the beneficiary of a self-destruct. */
  readonly subject: Term
  /** The value of a store. */
  readonly value?: Term
  /** The first bytes that a call passes. */
  readonly passed?: readonly Segment[]
  readonly facts: readonly Fact[]
  readonly selector: bigint | undefined
}

export type Dataflow = {
  readonly effects: readonly RawEffect[]
  /** Every path was followed to its end. */
  readonly settled: boolean
  /** Where it could not be followed, and why. */
  readonly unsettledAt?: number
  readonly steps: number
}

export type Budget = { readonly steps: number; readonly nodes: number }
/** OpenZeppelin's governor needs 2,700,000 steps and 41,000 nodes. */
const BUDGET: Budget = { steps: 5_000_000, nodes: 120_000 }

/** State at the start of a block. Facts are sorted numbers: twice the id of the term, plus one if it holds. */
type State = {
  readonly stack: readonly Term[]
  readonly memory: Memory
  readonly facts: readonly number[]
  /** The last write or call, after which storage may have changed. */
  readonly epoch: string
  readonly selector: bigint | undefined
}

type Node = { readonly id: number; readonly at: number; state: State; isQueued: boolean }

const MAX_STACK = 1024
/** Checks of the caller and of storage that keep paths apart. */
const MAX_CHECKS = 6

export function followCode(code: Uint8Array, budget: Budget = BUDGET): Dataflow {
  return new Follower(code, budget).run()
}

class Follower {
  readonly #code: Uint8Array
  readonly #budget: Budget
  readonly #destinations: ReadonlySet<number>
  readonly #terms = new Terms()
  readonly #byId: Term[] = []
  readonly #nodes = new Map<string, Node>()
  readonly #queue: Node[] = []
  #steps = 0
  #unsettledAt: number | undefined
  #isRecording = false
  readonly #effects = new Map<string, RawEffect>()
  readonly #pushes = new Map<number, Term>()

  constructor(code: Uint8Array, budget: Budget) {
    this.#code = code
    this.#budget = budget
    this.#destinations = jumpDestinations(code)
  }

  run(): Dataflow {
    this.#enter(0, { stack: [], memory: Memory.EMPTY, facts: [], epoch: '', selector: undefined })
    for (let next = 0; next < this.#queue.length; next += 1) {
      const node = this.#queue[next] as Node
      node.isQueued = false
      this.#follow(node)
      if (this.#steps > this.#budget.steps || this.#nodes.size > this.#budget.nodes)
        return { effects: [], settled: false, unsettledAt: node.at, steps: this.#steps }
    }
    this.#isRecording = true
    for (const node of this.#nodes.values()) this.#follow(node)
    return {
      effects: [...this.#effects.values()],
      settled: this.#unsettledAt === undefined,
      ...(this.#unsettledAt === undefined ? {} : { unsettledAt: this.#unsettledAt }),
      steps: this.#steps,
    }
  }

  #unsettled(at: number): void {
    this.#unsettledAt ??= at
  }

  /** Brings a state to a block: a new node, or joined with what is known there. */
  #enter(at: number, state: State): void {
    if (this.#isRecording) return
    const key = this.#keyOf(at, state)
    const known = this.#nodes.get(key)
    if (known === undefined) {
      const node: Node = { id: this.#nodes.size, at, state, isQueued: true }
      this.#nodes.set(key, node)
      this.#queue.push(node)
      return
    }
    const joined = this.#join(known, state)
    if (joined === known.state) return
    known.state = joined
    if (!known.isQueued) {
      known.isQueued = true
      this.#queue.push(known)
    }
  }

  /** Return addresses on the stack, the function, and checks of the caller and of storage keep paths apart. */
  #keyOf(at: number, { stack, facts, selector }: State): string {
    let key = `${at}/${stack.length}/${selector ?? ''}/`
    for (let index = 0; index < stack.length; index += 1) {
      const term = stack[index] as Term
      if (term.kind === 'constant' && this.#isDestination(term.value)) key += `${index}:${term.value},`
    }
    let checks = 0
    for (const fact of facts) {
      const term = this.#term(fact)
      if (!term.isState && !isEntryCheck(term) && ((fact & 1) === 0 || !isCallerCheck(term))) continue
      key += `/${fact}`
      checks += 1
      // A loop may compare the caller with a new value each time.
      if (checks === MAX_CHECKS) break
    }
    return key
  }

  #isDestination(value: bigint): boolean {
    return value < BigInt(this.#code.length) && this.#destinations.has(Number(value))
  }

  #term(fact: number): Term {
    return this.#byId[fact >> 1] as Term
  }

  #join(node: Node, state: State): State {
    const old = node.state
    let isSame = true
    const stack = old.stack.map((term, index) => {
      const other = state.stack[index] as Term
      if (term === other) return term
      const joined = this.#terms.joined(term, other, `join${node.id}.${index}`)
      if (joined !== term) isSame = false
      return joined
    })
    const facts = common(old.facts, state.facts)
    if (facts !== old.facts) isSame = false
    const memory = old.memory.joined(state.memory)
    if (memory !== old.memory) isSame = false
    let { epoch } = old
    if (epoch !== state.epoch && epoch !== `join${node.id}`) {
      epoch = `join${node.id}`
      isSame = false
    }
    return isSame ? old : { stack, memory, facts, epoch, selector: old.selector }
  }

  #record(effect: Omit<RawEffect, 'facts' | 'selector'>, facts: readonly number[], selector: bigint | undefined): void {
    if (!this.#isRecording) return
    const passed = effect.passed?.map(({ term, from, to }) => `${term.id}:${from}:${to}`).join() ?? ''
    const key = `${effect.at}|${effect.subject.id}|${effect.value?.id ?? ''}|${passed}|${selector ?? ''}|${facts.join()}`
    const named = facts.map((fact) => ({ term: this.#term(fact), holds: (fact & 1) === 1 }))
    this.#effects.set(key, { ...effect, facts: named, selector })
  }

  /** Executes the block of a node and enters the blocks it leads to. */
  #follow(node: Node): void {
    const code = this.#code
    const terms = this.#terms
    const stack = [...node.state.stack]
    let { memory, facts, epoch } = node.state
    const { selector } = node.state
    let stepInBlock = 0
    // An instruction without operands reverts before it pops.
    const pop = (): Term => stack.pop() ?? terms.zero
    for (let at = node.at; at < code.length; at += 1) {
      this.#steps += 1
      stepInBlock += 1
      const op = code[at] as number
      const place = `${node.id}.${at}`
      if (op >= OP.PUSH0 && op <= OP.PUSH32) {
        const size = op - OP.PUSH0
        let pushed = this.#pushes.get(at)
        if (pushed === undefined) {
          pushed = terms.constant(pushedValue(code, at, size))
          this.#pushes.set(at, pushed)
        }
        stack.push(pushed)
        if (stack.length > MAX_STACK) return
        at += size
        continue
      }
      if (op >= OP.DUP1 && op <= OP.DUP16) {
        const copied = stack.at(-(op - OP.DUP1 + 1))
        if (copied === undefined) return
        stack.push(copied)
        if (stack.length > MAX_STACK) return
        continue
      }
      if (op >= OP.SWAP1 && op <= OP.SWAP16) {
        const top = stack.length - 1
        const other = top - (op - OP.SWAP1 + 1)
        if (other < 0) return
        const held = stack[top] as Term
        stack[top] = stack[other] as Term
        stack[other] = held
        continue
      }
      const effect = STACK_EFFECTS[op]
      // Invalid instructions and operands that are missing revert.
      if (effect === undefined || stack.length < effect[0]) return
      switch (op) {
        case OP.JUMPDEST: {
          // A block begins here, because a jump may lead here too.
          if (stepInBlock > 1) return this.#enter(at, { stack, memory, facts, epoch, selector })
          break
        }
        case OP.STOP:
        case OP.RETURN:
        case OP.REVERT:
        case OP.INVALID:
          return
        case OP.SELFDESTRUCT:
          return this.#record({ kind: 'selfdestruct', at, op, subject: pop() }, facts, selector)
        case OP.JUMP:
          return this.#jump(at, pop(), { stack, memory, facts, epoch, selector })
        case OP.JUMPI: {
          const [target, condition] = [pop(), pop()]
          const taken = this.#branch({ stack, memory, facts, epoch, selector }, condition, true)
          const other = this.#branch({ stack, memory, facts, epoch, selector }, condition, false)
          if (taken !== undefined) this.#jump(at, target, taken)
          if (other !== undefined) this.#enter(at + 1, other)
          return
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
          stack.push(account === terms.self ? terms.environment(op) : terms.opaque(place))
          break
        }
        case OP.CALLDATALOAD:
          stack.push(terms.input(pop()))
          break
        case OP.MLOAD: {
          const address = addressOf(pop())
          stack.push(memory.word(address, terms, () => terms.opaque(`memory${place}`)))
          break
        }
        case OP.MSTORE: {
          const address = addressOf(pop())
          memory = memory.written(address, 32, pop())
          break
        }
        case OP.MSTORE8: {
          const address = addressOf(pop())
          pop()
          memory = memory.written(address, 1)
          break
        }
        case OP.CALLDATACOPY:
        case OP.RETURNDATACOPY:
        case OP.MCOPY:
        case OP.CODECOPY: {
          const [to, from, size] = [pop(), pop(), pop()]
          memory = this.#copied(memory, op, to, from, size, place)
          break
        }
        case OP.EXTCODECOPY: {
          pop()
          const to = pop()
          pop()
          memory = memory.written(addressOf(to), sizeOf(pop()))
          break
        }
        case OP.KECCAK256: {
          const [from, size] = [pop(), pop()]
          const known = sizeOf(size)
          const isReadable = known !== undefined && known <= 512
          const unknown = (): Term => terms.opaque(`hashed${place}`)
          stack.push(
            isReadable
              ? terms.hash(memory.read(addressOf(from), known, unknown))
              : terms.hash([{ term: unknown(), from: 0, to: -1 }]),
          )
          break
        }
        case OP.SLOAD:
          stack.push(terms.stored(pop(), epoch))
          break
        case OP.SSTORE: {
          const [position, value] = [pop(), pop()]
          this.#record({ kind: 'store', at, op, subject: position, value }, facts, selector)
          epoch = place
          break
        }
        case OP.CALL:
        case OP.CALLCODE:
        case OP.DELEGATECALL:
        case OP.STATICCALL: {
          pop()
          const target = pop()
          if (op === OP.CALL || op === OP.CALLCODE) pop()
          const [from, size, to, length] = [pop(), pop(), pop(), pop()]
          const unknown = (): Term => terms.opaque(`passed${place}`)
          // Four bytes of selector and three arguments show which question a call asks.
          const passed = memory.read(addressOf(from), Math.min(sizeOf(size) ?? 100, 100), unknown)
          const kind = op === OP.CALL || op === OP.STATICCALL ? 'call' : 'delegatecall'
          this.#record({ kind, at, op, subject: target, passed }, facts, selector)
          // What a call without arguments returns is the answer to its selector.
          const isPlain = sizeOf(size) === 4 && passed.length === 1 && passed[0]?.term.kind === 'constant'
          const selected = isPlain ? terms.constant(selectorIn(passed[0] as Segment)) : terms.opaque(`passed${place}`)
          const args = [target, selected]
          memory = memory.written(addressOf(to), sizeOf(length))
          const words = Math.min((sizeOf(length) ?? 0) / 32, 8)
          for (let word = 0; word + 1 <= words; word += 1) {
            const address = addressOf(to)
            if (address !== undefined)
              memory = memory.written(
                { base: address.base, offset: address.offset + word * 32 },
                32,
                terms.returned(place, `word${word}:`, args),
              )
          }
          if (op !== OP.STATICCALL) epoch = place
          stack.push(terms.returned(place, 'success:', args))
          break
        }
        case OP.CREATE:
        case OP.CREATE2: {
          for (let more = effect[0]; more > 0; more -= 1) pop()
          this.#record({ kind: 'create', at, op, subject: terms.zero }, facts, selector)
          epoch = place
          stack.push(terms.opaque(place))
          break
        }
        default:
          this.#execute(op, effect, stack, pop, place, at)
      }
    }
  }

  /** Instructions whose result depends on their operands alone, or is not known. */
  #execute(
    op: number,
    [pops, pushes]: readonly [number, number],
    stack: Term[],
    pop: () => Term,
    place: string,
    at: number,
  ): void {
    const terms = this.#terms
    if (op === OP.PC) stack.push(terms.constant(BigInt(at)))
    else if (PURE.has(op)) {
      const args: Term[] = []
      for (let more = pops; more > 0; more -= 1) args.push(pop())
      stack.push(terms.operation(op, ...args))
    } else if (FIXED.has(op)) stack.push(terms.environment(op))
    else {
      for (let more = pops; more > 0; more -= 1) pop()
      if (pushes === 1) stack.push(terms.opaque(place))
    }
  }

  #copied(memory: Memory, op: number, to: Term, from: Term, size: Term, place: string): Memory {
    const [address, length] = [addressOf(to), sizeOf(size)]
    const code = this.#code
    const blank = memory.written(address, length)
    if (address === undefined) return blank
    if (op === OP.CODECOPY && from.kind === 'constant' && length === 32 && from.value < BigInt(code.length))
      return memory.written(address, 32, this.#terms.constant(pushedValue(code, Number(from.value) - 1, 32)))
    // A copy of the input, so that a call that passes it on is recognized. It may be empty, so nothing else is known.
    if (op === OP.CALLDATACOPY && from.kind === 'constant' && from.value === 0n)
      return blank.written(address, 4, this.#terms.opaque(`${FORWARDED}${place}`))
    return blank
  }

  #jump(at: number, target: Term, state: State): void {
    if (target.kind !== 'constant') return this.#unsettled(at)
    if (this.#isDestination(target.value)) this.#enter(Number(target.value), state)
  }

  /** The state after a branch; undefined where the condition cannot have this outcome. */
  #branch(state: State, condition: Term, outcome: boolean): State | undefined {
    const known = this.#truth(condition, state.facts)
    if (known !== undefined) return known === outcome ? state : undefined
    const added: Fact[] = []
    learn(this.#terms, condition, outcome, added)
    let { facts: sorted, selector } = state
    for (const { term, holds } of added) {
      const fact = term.id * 2 + (holds ? 1 : 0)
      const at = indexFor(sorted, fact & ~1)
      if (sorted[at] === (fact ^ 1)) return undefined
      this.#byId[term.id] = term
      if (sorted[at] !== fact) sorted = [...sorted.slice(0, at), fact, ...sorted.slice(at)]
      if (holds && isSelectorTest(term)) selector = (term.args[0] as Term).value
    }
    // Copies of a condition on the stack have a known outcome from here on.
    const stack = state.stack.map((term) => {
      if (!isBoolean(term)) return term
      const truth = this.#truth(term, sorted)
      return truth === undefined ? term : truth ? this.#terms.one : this.#terms.zero
    })
    return { ...state, stack, facts: sorted, selector }
  }

  /** Whether a term is not zero, where the facts decide it. */
  #truth(term: Term, facts: readonly number[]): boolean | undefined {
    if (term.kind === 'constant') return term.value !== 0n
    // Code that runs is not empty.
    if (term.kind === 'environment' && term.op === OP.EXTCODESIZE) return true
    if (term.kind === 'operation' && term.op === OP.ISZERO) {
      const inner = this.#truth(term.args[0] as Term, facts)
      return inner === undefined ? undefined : !inner
    }
    const id = term.id * 2
    const found = facts[indexFor(facts, id)]
    if (found === id || found === id + 1) return found === id + 1
    if (term.kind !== 'operation' || term.op !== OP.EQ || term.args[0]?.kind !== 'constant') return undefined
    // Equal to one number is not equal to another.
    for (const fact of facts) {
      if ((fact & 1) === 0) continue
      const other = this.#term(fact)
      if (other.kind !== 'operation' || other.op !== OP.EQ || other.args[1] !== term.args[1]) continue
      if (other.args[0]?.kind === 'constant' && other.args[0] !== term.args[0]) return false
    }
    return undefined
  }
}

const sizeOf = (size: Term): number | undefined =>
  size.kind === 'constant' && size.value <= 0xff_ffffn ? Number(size.value) : undefined

const PURE: ReadonlySet<number> = new Set([
  OP.ADD,
  OP.MUL,
  OP.SUB,
  OP.DIV,
  OP.MOD,
  OP.EXP,
  OP.LT,
  OP.GT,
  OP.SLT,
  OP.SGT,
  OP.EQ,
  OP.ISZERO,
  OP.AND,
  OP.OR,
  OP.XOR,
  OP.NOT,
  OP.BYTE,
  OP.SHL,
  OP.SHR,
])

/** The same for a whole call: value, size of the input, block and transaction fields. */
const FIXED: ReadonlySet<number> = new Set([
  OP.CALLVALUE,
  OP.CALLDATASIZE,
  OP.CODESIZE,
  OP.GASPRICE,
  OP.COINBASE,
  OP.TIMESTAMP,
  OP.NUMBER,
  OP.PREVRANDAO,
  OP.GASLIMIT,
  OP.CHAINID,
  OP.BASEFEE,
  OP.BLOBBASEFEE,
])
