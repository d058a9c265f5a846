/**
 * Follows the source of one function of a contract: modifiers, internal calls and inherited code included.
 *
 * Collects what it changes and reports, and the conditions there. It reads the syntax tree only, never bytecode.
 */
import { assemblyOf } from './assembly.ts'
import {
  child,
  children,
  hasExit,
  implementationOf,
  inOrder,
  type Node,
  parametersOf,
  places,
  referenced,
  type Tree,
  text,
  typeId,
  typeText,
  unwrapped,
} from './ast.ts'
import { type Change, type Frame, labelOf, memberOf, partOf, type Reading, withMember, writesOf } from './changes.ts'
import { constantOf, variableValue } from './constants.ts'
import { encodedBy, selectorValue } from './encodings.ts'
import {
  type Condition,
  choice,
  common,
  constant,
  either,
  INPUT,
  keyOf,
  operation,
  SENDER,
  UNKNOWN,
  type Value,
} from './values.ts'

const [MAX_DEPTH, MAX_STEPS] = [32, 60_000]

export class Interpreter {
  readonly tree: Tree
  readonly #bases: readonly Node[]
  changes: Change[] = []
  when: readonly Condition[] = []
  isDead = false
  readonly inside: string[] = []
  #steps = 0

  constructor(tree: Tree, contract: Node) {
    this.tree = tree
    this.#bases = tree.linearized(contract)
  }

  read(definition: Node): Reading {
    this.changes = []
    this.when = []
    this.isDead = false
    this.inside.length = 0
    this.#steps = 0
    this.call(
      definition,
      parametersOf(definition).map(() => INPUT),
    )
    return {
      changes: this.changes,
      atEnd: this.when,
      isDead: this.isDead,
      isCut: this.#steps > MAX_STEPS,
      modifiers: children(definition, 'modifiers').map((each) => text(child(each, 'modifierName'), 'name')),
    }
  }

  record(change: Omit<Change, 'when' | 'inside'>): void {
    if (!this.isDead) this.changes.push({ ...change, when: this.when, inside: [...this.inside] })
  }

  assume(value: Value, holds: boolean): void {
    this.when = [...this.when, { value, holds }]
  }

  /** The implementation that a name refers to in the most derived contract. */
  resolve(definition: Node, after?: Node): Node {
    return implementationOf(this.tree, this.#bases, definition, after)
  }

  /** Runs a function with its modifiers. */
  call(definition: Node, args: readonly Value[]): Value {
    if (this.inside.length > MAX_DEPTH || this.inside.filter((each) => each === text(definition, 'name')).length > 2)
      return UNKNOWN
    const body = child(definition, 'body')
    if (body === undefined) return UNKNOWN
    const locals = new Map<number, Value>()
    for (const [index, parameter] of parametersOf(definition).entries())
      locals.set(parameter.id, args[index] ?? UNKNOWN)
    const results = children(child(definition, 'returnParameters'), 'parameters')
    for (const result of results) locals.set(result.id, constant(0n))
    const contract = this.tree.contractOf(definition)
    const modifiers = children(definition, 'modifiers').flatMap((use) => {
      const found = this.tree.find(referenced(child(use, 'modifierName')))
      return found?.nodeType === 'ModifierDefinition' ? [{ use, definition: this.resolve(found) }] : []
    })
    let value: Value = UNKNOWN
    const run = (index: number): void => {
      const modifier = modifiers[index]
      if (modifier === undefined) {
        value = this.#body(body, { locals, contract, results, exits: [], inner: () => {} })
        return
      }
      const inner = new Map(locals)
      const passed = children(modifier.use, 'arguments').map((arg) =>
        this.eval(arg, { locals, contract, results, exits: [], inner: () => {} }),
      )
      for (const [at, parameter] of parametersOf(modifier.definition).entries())
        inner.set(parameter.id, passed[at] ?? UNKNOWN)
      const inside = child(modifier.definition, 'body')
      if (inside === undefined) return
      this.inside.push(`modifier ${text(modifier.definition, 'name')}`)
      this.#body(inside, {
        locals: inner,
        contract: this.tree.contractOf(modifier.definition),
        results: [],
        exits: [],
        inner: () => {
          const name = this.inside.pop() as string
          run(index + 1)
          this.inside.push(name)
        },
      })
      this.inside.pop()
    }
    this.inside.push(text(definition, 'name'))
    run(0)
    this.inside.pop()
    return value
  }

  /** Runs a body to its ends, and joins them. */
  #body(body: Node, frame: Frame): Value {
    this.exec(body, frame)
    if (!this.isDead) frame.exits.push({ when: this.when, value: this.#results(frame) })
    const [first, ...others] = frame.exits
    this.isDead = first === undefined
    if (first === undefined) return UNKNOWN
    const shared = others.reduce((held, exit) => common(held, exit.when), first.when)
    this.when = others.reduce((held, exit) => either(held, exit.when), first.when)
    const isOne = others.every(({ value }) => keyOf(value) === keyOf(first.value))
    if (isOne) return first.value
    return choice(
      frame.exits.map(({ when, value }) => ({ when: when.filter((each) => !shared.includes(each)), value })),
    )
  }

  #results({ results, locals }: Frame): Value {
    const values = results.map((each) => locals.get(each.id) ?? UNKNOWN)
    return values.length === 1 ? (values[0] as Value) : operation('tuple', ...values)
  }

  exec(node: Node | undefined, frame: Frame): void {
    this.#steps += 1
    if (node === undefined || this.isDead || this.#steps > MAX_STEPS) return
    switch (node.nodeType) {
      case 'Block':
      case 'UncheckedBlock':
        for (const each of children(node, 'statements')) this.exec(each, frame)
        return
      case 'ExpressionStatement':
        this.eval(child(node, 'expression'), frame)
        return
      case 'VariableDeclarationStatement': {
        const initial = child(node, 'initialValue')
        const value = initial === undefined ? constant(0n) : this.eval(initial, frame)
        this.#declare(places(node, 'declarations'), value, frame)
        return
      }
      case 'IfStatement':
        this.branch(
          this.eval(child(node, 'condition'), frame),
          () => this.exec(child(node, 'trueBody'), frame),
          () => this.exec(child(node, 'falseBody'), frame),
          frame,
        )
        return
      case 'ForStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.#loop(node, frame)
        return
      case 'Return': {
        const expression = child(node, 'expression')
        const value = expression === undefined ? this.#results(frame) : this.eval(expression, frame)
        if (!this.isDead) frame.exits.push({ when: this.when, value })
        this.isDead = true
        return
      }
      case 'RevertStatement':
      case 'Throw':
      case 'Break':
      case 'Continue':
        this.isDead = true
        return
      case 'EmitStatement': {
        const event = child(node, 'eventCall')
        const args = children(event, 'arguments').map((arg) => this.eval(arg, frame))
        const expression = child(event, 'expression')
        this.record({ kind: 'event', name: text(expression, 'name') || text(expression, 'memberName'), args })
        return
      }
      case 'TryStatement': {
        this.eval(child(node, 'externalCall'), frame)
        const [done, ...failed] = children(node, 'clauses')
        for (const parameter of children(child(done, 'parameters'), 'parameters'))
          frame.locals.set(parameter.id, UNKNOWN)
        this.branch(
          UNKNOWN,
          () => this.exec(child(done, 'block'), frame),
          () => this.exec(child(failed[0], 'block'), frame),
          frame,
        )
        return
      }
      case 'PlaceholderStatement':
        frame.inner()
        return
      case 'InlineAssembly':
        assemblyOf(this, node, frame)
        return
      default:
        return
    }
  }

  /** Runs both sides of a branch, and joins what they leave. */
  branch(value: Value, yes: () => void, no: () => void, frame: Frame): void {
    if (value.kind === 'constant') return value.value === 0n ? no() : yes()
    const before = this.when
    const locals = new Map(frame.locals)
    this.assume(value, true)
    yes()
    const [whenYes, deadYes, localsYes] = [this.when, this.isDead, new Map(frame.locals)]
    this.when = before
    this.isDead = false
    frame.locals.clear()
    for (const [id, local] of locals) frame.locals.set(id, local)
    this.assume(value, false)
    no()
    if (this.isDead && deadYes) return
    if (this.isDead) {
      this.isDead = false
      this.when = whenYes
      frame.locals.clear()
      for (const [id, local] of localsYes) frame.locals.set(id, local)
      return
    }
    if (deadYes) return
    for (const [id, local] of localsYes) {
      const other = frame.locals.get(id)
      if (other === undefined || keyOf(other) === keyOf(local)) continue
      const sides = [
        { when: [{ value, holds: true }], value: local },
        { when: [{ value, holds: false }], value: other },
      ]
      frame.locals.set(id, choice(sides))
    }
    this.when = either(whenYes, this.when)
  }

  #loop(node: Node, frame: Frame): void {
    this.exec(child(node, 'initializationExpression'), frame)
    const condition = child(node, 'condition')
    const value = condition === undefined ? UNKNOWN : this.eval(condition, frame)
    this.branch(
      value.kind === 'constant' ? UNKNOWN : value,
      () => {
        const before = new Map(frame.locals)
        this.exec(child(node, 'body'), frame)
        this.isDead = false
        this.exec(child(node, 'loopExpression'), frame)
        for (const [id, local] of frame.locals)
          if (before.get(id) !== local && local.kind !== 'stored') frame.locals.set(id, UNKNOWN)
      },
      () => {},
      frame,
    )
    // A loop without a condition and without a way out never ends.
    this.isDead = condition === undefined && !hasExit(child(node, 'body'))
  }

  #declare(declarations: readonly (Node | undefined)[], value: Value, { locals }: Frame): void {
    if (declarations.length === 1 && declarations[0] !== undefined) {
      locals.set(declarations[0].id, value)
      return
    }
    const parts = value.kind === 'operation' && value.op === 'tuple' ? value.args : []
    for (const [index, declared] of declarations.entries())
      if (declared !== undefined) locals.set(declared.id, parts[index] ?? partOf(value))
  }

  eval(node: Node | undefined, frame: Frame): Value {
    this.#steps += 1
    if (node === undefined || this.isDead || this.#steps > MAX_STEPS) return UNKNOWN
    const fixed = constantOf(this.tree, node)
    if (fixed !== undefined) return constant(fixed)
    switch (node.nodeType) {
      case 'Identifier':
        return this.#identifier(node, frame)
      case 'MemberAccess':
        return this.#member(node, frame)
      case 'IndexAccess': {
        const base = this.eval(child(node, 'baseExpression'), frame)
        const key = this.eval(child(node, 'indexExpression'), frame)
        if (base.kind === 'stored') return { ...base, path: [...base.path, { key }] }
        return base.kind === 'input' ? INPUT : UNKNOWN
      }
      case 'TupleExpression': {
        const parts = places(node, 'components').map((each) => (each === undefined ? UNKNOWN : this.eval(each, frame)))
        return parts.length === 1 ? (parts[0] as Value) : operation('tuple', ...parts)
      }
      case 'Assignment':
        return this.#assign(node, frame)
      case 'UnaryOperation': {
        const op = text(node, 'operator')
        const inner = child(node, 'subExpression')
        const value = this.eval(inner, frame)
        if (op === '!' || op === '-' || op === '~') return operation(op, value)
        this.write(inner, op === 'delete' ? constant(0n) : operation('+', value, constant(1n)), frame)
        return value
      }
      case 'BinaryOperation': {
        const op = text(node, 'operator')
        const left = this.eval(child(node, 'leftExpression'), frame)
        const right = this.eval(child(node, 'rightExpression'), frame)
        return operation(op, left, right)
      }
      case 'Conditional': {
        const condition = this.eval(child(node, 'condition'), frame)
        const [yes, no] = ['trueExpression', 'falseExpression'].map((field) => this.eval(child(node, field), frame))
        return choice([
          { when: [{ value: condition, holds: true }], value: yes ?? UNKNOWN },
          { when: [{ value: condition, holds: false }], value: no ?? UNKNOWN },
        ])
      }
      case 'FunctionCall':
        return this.#called(node, frame)
      case 'IndexRangeAccess':
        return this.eval(child(node, 'baseExpression'), frame)
      default:
        return UNKNOWN
    }
  }

  #identifier(node: Node, { locals }: Frame): Value {
    if (text(node, 'name') === 'this') return { kind: 'self' }
    const declared = this.tree.find(referenced(node))
    if (declared?.nodeType !== 'VariableDeclaration') return UNKNOWN
    return variableValue(this.tree, declared) ?? locals.get(declared.id) ?? UNKNOWN
  }

  #member(node: Node, frame: Frame): Value {
    const [expression, name] = [child(node, 'expression'), text(node, 'memberName')]
    const owner = text(expression, 'name')
    if (owner === 'msg' && name === 'sender') return SENDER
    if (owner === 'tx' && name === 'origin') return SENDER
    if (owner === 'msg' || owner === 'tx') return INPUT
    const declared = this.tree.find(referenced(node))
    if (declared?.nodeType === 'VariableDeclaration' && declared['stateVariable'] === true)
      return variableValue(this.tree, declared) ?? UNKNOWN
    if (declared?.nodeType === 'EnumValue') {
      const members = children(this.tree.find(referenced(expression)), 'members')
      const index = members.findIndex((each) => each.id === declared.id)
      return constant(BigInt(Math.max(0, index)))
    }
    const selector = name === 'selector' ? selectorValue(this.tree, expression) : undefined
    if (selector !== undefined) return selector
    return memberOf(this.tree, expression, this.eval(expression, frame), name)
  }

  #assign(node: Node, frame: Frame): Value {
    const right = this.eval(child(node, 'rightHandSide'), frame)
    const left = child(node, 'leftHandSide')
    const op = text(node, 'operator')
    const value = op === '=' ? right : operation(op.slice(0, -1), this.eval(left, frame), right)
    this.write(left, value, frame)
    return value
  }

  write(left: Node | undefined, value: Value, frame: Frame): void {
    if (left?.nodeType === 'TupleExpression') {
      const parts = value.kind === 'operation' && value.op === 'tuple' ? value.args : []
      for (const [index, each] of places(left, 'components').entries())
        if (each !== undefined) this.write(each, parts[index] ?? partOf(value), frame)
      return
    }
    const declared = left?.nodeType === 'Identifier' ? this.tree.find(referenced(left)) : undefined
    if (declared !== undefined && declared['stateVariable'] !== true) {
      frame.locals.set(declared.id, value)
      return
    }
    const at = this.eval(left, frame)
    if (at.kind === 'stored') for (const each of writesOf(this.tree, left, at, value)) this.record(each)
    const owner = child(left, 'expression')
    const local = owner?.nodeType === 'Identifier' ? frame.locals.get(referenced(owner) ?? 0) : undefined
    if (local !== undefined && left?.nodeType === 'MemberAccess')
      frame.locals.set(referenced(owner) ?? 0, withMember(this.tree, owner, local, text(left, 'memberName'), value))
  }

  #called(node: Node, frame: Frame): Value {
    const args = children(node, 'arguments')
    if (text(node, 'kind') === 'typeConversion') return this.eval(args[0], frame)
    if (text(node, 'kind') === 'structConstructorCall')
      return operation('struct', ...inOrder(this.tree, node, args).map((arg) => this.eval(arg, frame)))
    const { callee, sent } = unwrapped(child(node, 'expression'))
    const amount = sent === undefined ? undefined : this.eval(sent, frame)
    const type = typeId(callee)
    const passed = (): readonly Value[] => args.map((arg) => this.eval(arg, frame))
    if (type.startsWith('t_function_require') || type.startsWith('t_function_assert')) {
      const [condition] = passed()
      if (condition?.kind === 'constant') this.isDead = condition.value === 0n
      else if (condition !== undefined) this.assume(condition, true)
      return UNKNOWN
    }
    if (type.startsWith('t_function_revert')) {
      this.isDead = true
      return UNKNOWN
    }
    if (type.startsWith('t_function_selfdestruct')) {
      const [target] = passed()
      this.record({ kind: 'destroy', target: target ?? UNKNOWN })
      this.isDead = true
      return UNKNOWN
    }
    if (type.startsWith('t_function_arraypush') || type.startsWith('t_function_bytearraypush')) {
      const at = this.eval(child(callee, 'expression'), frame)
      const [value = UNKNOWN] = passed()
      if (at.kind === 'stored') {
        const path = [...at.path, { key: UNKNOWN }]
        const label = labelOf(child(callee, 'expression'))
        for (const each of writesOf(this.tree, args[0], { ...at, path }, value, label)) this.record(each)
      }
      return UNKNOWN
    }
    if (type.startsWith('t_function_arraypop')) {
      const at = this.eval(child(callee, 'expression'), frame)
      if (at.kind === 'stored') this.record({ kind: 'write', at, value: constant(0n) })
      return UNKNOWN
    }
    if (type.startsWith('t_function_ecrecover')) return operation('ecrecover', ...passed())
    if (type.startsWith('t_function_creation')) this.record({ kind: 'create', args: passed() })
    if (/^t_function_(?:object)?creation/.test(type)) return UNKNOWN
    if (type.startsWith('t_function_internal')) return this.#internal(callee, passed(), frame)
    if (/^t_function_(?:external|bare|transfer|send|delegatecall|declaration)/.test(type))
      return this.#external(callee as Node, type, args, amount, frame)
    const values = passed()
    const encoded = encodedBy(this.tree, type, args, values)
    return encoded ?? (values.some(({ kind }) => kind === 'input') ? INPUT : operation('function', ...values))
  }

  #internal(callee: Node | undefined, args: readonly Value[], frame: Frame): Value {
    const declared = this.tree.find(referenced(callee))
    if (declared?.nodeType !== 'FunctionDefinition') return UNKNOWN
    const before = child(callee, 'expression')
    const isBound = /(?:bound_to|attached_to)/.test(typeId(callee))
    const passed = isBound ? [this.eval(before, frame), ...args] : args
    const isSuper = text(before, 'name') === 'super'
    const isNamed = !isBound && before !== undefined && !isSuper
    const definition = isNamed ? declared : this.resolve(declared, isSuper ? frame.contract : undefined)
    this.record({ kind: 'internal', name: text(definition, 'name'), args: passed })
    return this.call(definition, passed)
  }

  #external(callee: Node, type: string, nodes: readonly Node[], amount: Value | undefined, frame: Frame): Value {
    const args = nodes.map((arg) => this.eval(arg, frame))
    const target = this.eval(child(callee, 'expression'), frame)
    const name = text(callee, 'memberName')
    const declared = this.tree.find(referenced(callee))
    const selector = text(declared, 'functionSelector')
    const isBound = /(?:bound_to|attached_to)/.test(type)
    const isRead = / (?:view|pure) /.test(typeText(callee)) || type.startsWith('t_function_barestaticcall')
    const sent = /^t_function_(?:transfer|send)/.test(type) ? (args[0] ?? UNKNOWN) : amount
    const passed = isBound ? [target, ...args] : args
    // A linked library runs on the storage of the contract.
    const isLinked = type.startsWith('t_function_delegatecall_') && child(declared, 'body') !== undefined
    if (isLinked && declared !== undefined) {
      this.record({ kind: 'internal', name, args: passed })
      return this.call(declared, passed)
    }
    if (!isRead)
      this.record({
        kind: 'call',
        name: /^t_function_(?:transfer|send)/.test(type) ? 'send' : name,
        target,
        args: passed,
        types: nodes.map(typeText),
        ...(sent !== undefined && { amount: sent }),
      })
    return { kind: 'answer', target, name, args: passed, ...(selector !== '' && { selector: `0x${selector}` }) }
  }
}
