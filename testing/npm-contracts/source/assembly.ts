/** Follows inline assembly: comparisons with the caller, reads and writes of storage, calls. */
import { child, children, type Node, text } from './ast.ts'
import type { Frame } from './changes.ts'
import { constantOf, variableValue } from './constants.ts'
import type { Interpreter } from './interpret.ts'
import { constant, INPUT, keyOf, operation, SENDER, type Stored, UNKNOWN, type Value } from './values.ts'

type Reference = {
  readonly declaration: number
  readonly src: string
  readonly isSlot?: boolean
  readonly isOffset?: boolean
  readonly suffix?: string
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '==',
  lt: '<',
  gt: '>',
  iszero: '!',
  xor: '!=',
  sub: '-',
  add: '+',
  and: '&',
  or: '|',
  shl: '<<',
  shr: '>>',
  mul: '*',
  div: '/',
}

/** The place of a variable, not its value. A variable may have the name `slot` too. */
const isSlot = ({ isSlot: is, suffix }: Reference): boolean => is === true || suffix === 'slot'

class Assembly {
  readonly #run: Interpreter
  readonly #frame: Frame
  readonly #references: ReadonlyMap<string, Reference>
  readonly #locals = new Map<string, Value>()
  /** Words that were written to memory: what a hash may depend on. */
  readonly #memory = new Map<string, Value>()
  readonly #functions = new Map<string, Node>()

  constructor(run: Interpreter, frame: Frame, references: readonly Reference[]) {
    this.#run = run
    this.#frame = frame
    this.#references = new Map(references.map((each) => [each.src, each]))
  }

  exec(node: Node | undefined): void {
    if (node === undefined || this.#run.isDead) return
    switch (node.nodeType) {
      case 'YulBlock':
        for (const each of children(node, 'statements'))
          if (each.nodeType === 'YulFunctionDefinition') this.#functions.set(text(each, 'name'), each)
        for (const each of children(node, 'statements')) this.exec(each)
        return
      case 'YulExpressionStatement':
        this.eval(child(node, 'expression'))
        return
      case 'YulVariableDeclaration': {
        const value = this.eval(child(node, 'value'))
        for (const variable of children(node, 'variables')) this.#locals.set(text(variable, 'name'), value)
        return
      }
      case 'YulAssignment': {
        const value = this.eval(child(node, 'value'))
        for (const name of children(node, 'variableNames')) this.#assign(name, value)
        return
      }
      case 'YulIf':
        this.#run.branch(
          this.eval(child(node, 'condition')),
          () => this.exec(child(node, 'body')),
          () => {},
          this.#frame,
        )
        return
      case 'YulSwitch': {
        const value = this.eval(child(node, 'expression'))
        const cases = children(node, 'cases')
        const run = (index: number): void => {
          const each = cases[index]
          if (each === undefined) return
          const is = child(each, 'value')
          if (is === undefined) return this.exec(child(each, 'body'))
          this.#run.branch(
            operation('==', value, this.eval(is)),
            () => this.exec(child(each, 'body')),
            () => run(index + 1),
            this.#frame,
          )
        }
        run(0)
        return
      }
      case 'YulForLoop':
        this.exec(child(node, 'pre'))
        this.#run.branch(
          operation('loop', this.eval(child(node, 'condition'))),
          () => {
            this.exec(child(node, 'body'))
            this.#run.isDead = false
          },
          () => {},
          this.#frame,
        )
        return
      default:
        return
    }
  }

  #assign(name: Node, value: Value): void {
    const reference = this.#references.get(text(name, 'src'))
    if (reference === undefined) {
      this.#locals.set(text(name, 'name'), value)
      return
    }
    if (!isSlot(reference)) this.#frame.locals.set(reference.declaration, value)
    else this.#frame.locals.set(reference.declaration, place(value))
  }

  eval(node: Node | undefined): Value {
    if (node === undefined || this.#run.isDead) return UNKNOWN
    if (node.nodeType === 'YulLiteral') {
      const value = text(node, 'value')
      if (text(node, 'kind') === 'number') return constant(BigInt(value))
      return value === 'true' || value === 'false' ? constant(value === 'true' ? 1n : 0n) : UNKNOWN
    }
    if (node.nodeType === 'YulIdentifier') return this.#identifier(node)
    if (node.nodeType !== 'YulFunctionCall') return UNKNOWN
    const name = text(child(node, 'functionName'), 'name')
    // Arguments are evaluated from the last to the first.
    const args = children(node, 'arguments')
      .toReversed()
      .map((arg) => this.eval(arg))
      .toReversed()
    return this.#called(name, args)
  }

  #identifier(node: Node): Value {
    const reference = this.#references.get(text(node, 'src'))
    if (reference === undefined) return this.#locals.get(text(node, 'name')) ?? UNKNOWN
    const declared = this.#run.tree.find(reference.declaration)
    if (declared === undefined) return UNKNOWN
    const fixed = declared['constant'] === true ? constantOf(this.#run.tree, child(declared, 'value')) : undefined
    if (fixed !== undefined) return constant(fixed)
    const local = this.#frame.locals.get(declared.id)
    if (isSlot(reference)) {
      const at = local ?? variableValue(this.#run.tree, declared) ?? UNKNOWN
      return at.kind === 'stored' ? operation('slot', at) : UNKNOWN
    }
    const isOffset = reference.isOffset === true || reference.suffix === 'offset'
    if (isOffset && local?.kind !== 'input') return constant(0n)
    return local ?? variableValue(this.#run.tree, declared) ?? UNKNOWN
  }

  #called(name: string, args: readonly Value[]): Value {
    const [first = UNKNOWN, second = UNKNOWN, third = UNKNOWN] = args
    const run = this.#run
    switch (name) {
      case 'caller':
      case 'origin':
        return SENDER
      case 'address':
        return { kind: 'self' }
      case 'calldataload':
      case 'callvalue':
        return INPUT
      case 'not':
        return first.kind === 'constant' ? constant((1n << 256n) - 1n - first.value) : operation('function', first)
      case 'sload':
        return place(first)
      case 'sstore':
        run.record({ kind: 'write', at: place(first), value: second })
        return UNKNOWN
      case 'mstore':
        this.#memory.set(keyOf(first), second)
        return UNKNOWN
      case 'mload':
        return this.#memory.get(keyOf(first)) ?? UNKNOWN
      case 'keccak256':
        return operation('hash', ...this.#memory.values())
      case 'call':
      case 'callcode':
        // What it passes: words in memory, or bytes of Solidity.
        run.record({
          kind: 'call',
          name: 'call',
          target: second,
          amount: third,
          args: [...this.#memory.values(), ...args.slice(3, 4)],
        })
        return { kind: 'answer', target: second, name: 'call', args: [...this.#memory.values()] }
      case 'delegatecall':
        run.record({ kind: 'call', name: 'delegatecall', target: second, args: [] })
        return { kind: 'answer', target: second, name: 'delegatecall', args: [] }
      case 'staticcall': {
        const answer = this.#answerOf(second, third)
        // What it returns is where the code reads it.
        const [, , , , to = UNKNOWN, size = UNKNOWN] = args
        const words = size.kind === 'constant' ? Number(size.value) / 32 : 0
        for (let word = 0; word < Math.min(words, 8); word += 1)
          if (to.kind === 'constant') this.#memory.set(keyOf(constant(to.value + BigInt(word) * 32n)), answer)
        return answer
      }
      case 'create':
      case 'create2':
        run.record({ kind: 'create' })
        return UNKNOWN
      case 'selfdestruct':
        run.record({ kind: 'destroy', target: first })
        run.isDead = true
        return UNKNOWN
      case 'revert':
      case 'invalid':
        run.isDead = true
        return UNKNOWN
      case 'return':
      case 'stop':
        this.#frame.exits.push({ when: run.when, value: UNKNOWN })
        run.isDead = true
        return UNKNOWN
      case 'log1':
      case 'log2':
      case 'log3':
      case 'log4':
        run.record({ kind: 'event', name: keyOf(third), args: args.slice(3) })
        return UNKNOWN
      default:
        return this.#other(name, args)
    }
  }

  /** What a call returns: to the question that Solidity encoded, or to the words in memory. */
  #answerOf(target: Value, data: Value): Value {
    const parts = data.kind === 'operation' ? data.args : [data]
    const encoded = parts.find((part) => part.kind === 'encoded')
    if (encoded === undefined) return { kind: 'answer', target, name: 'staticcall', args: [...this.#memory.values()] }
    const selector = `0x${encoded.selector.toString(16).padStart(8, '0')}`
    return { kind: 'answer', target, name: encoded.name, selector, args: encoded.passed }
  }

  #other(name: string, args: readonly Value[]): Value {
    const op = OPERATORS[name]
    if (op !== undefined) return folded(op, args)
    const defined = this.#functions.get(name)
    if (defined !== undefined) {
      for (const [index, parameter] of children(defined, 'parameters').entries())
        this.#locals.set(text(parameter, 'name'), args[index] ?? UNKNOWN)
      this.exec(child(defined, 'body'))
      const [result] = children(defined, 'returnVariables')
      return result === undefined ? UNKNOWN : (this.#locals.get(text(result, 'name')) ?? UNKNOWN)
    }
    return operation('function', ...args)
  }
}

function folded(op: string, args: readonly Value[]): Value {
  const [a, b] = args
  if (op === '!' && a?.kind === 'constant') return constant(a.value === 0n ? 1n : 0n)
  // Masks and shifts that clean an address.
  const isMask = (value: Value | undefined): boolean => value?.kind === 'constant' && value.value >= 1n << 64n
  if (op === '&' && a !== undefined && b !== undefined && (isMask(a) || isMask(b))) return isMask(a) ? b : a
  if ((op === '<<' || op === '>>') && a?.kind === 'constant' && a.value === 96n && b !== undefined) return b
  return operation(op, ...args)
}

/** The place in storage that a number names. */
function place(value: Value): Stored {
  if (value.kind === 'constant') return { kind: 'stored', at: { slot: value.value }, path: [] }
  if (value.kind === 'operation' && value.op === 'slot' && value.args[0]?.kind === 'stored') return value.args[0]
  if (value.kind === 'operation' && value.op === 'hash')
    return { kind: 'stored', at: { hash: 'memory' }, path: value.args.map((key) => ({ key })) }
  return { kind: 'stored', at: { hash: 'unknown' }, path: [{ key: value }] }
}

export function assemblyOf(run: Interpreter, node: Node, frame: Frame): void {
  const references = (node['externalReferences'] as readonly Reference[] | undefined) ?? []
  new Assembly(run, frame, references).exec(child(node, 'AST'))
}
