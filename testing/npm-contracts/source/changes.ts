/** What following a source collects: changes of state, their conditions, and the names in the source. */
import { child, membersOf, type Node, type Tree, text, typeText } from './ast.ts'
import { type Condition, choice, constant, INPUT, operation, type Stored, UNKNOWN, type Value } from './values.ts'

/** A change of state or a report, under the conditions that hold there. */
export type Change = {
  readonly kind: 'write' | 'call' | 'create' | 'destroy' | 'event' | 'internal'
  readonly when: readonly Condition[]
  /** The place of a write. */
  readonly at?: Stored
  /** Its type and name in the source. */
  readonly type?: string
  readonly label?: string
  readonly value?: Value
  /** The function that is called, or the event. */
  readonly name?: string
  readonly target?: Value
  readonly args?: readonly Value[]
  /** The types of the arguments of a call. */
  readonly types?: readonly string[]
  /** The ether that a call sends. */
  readonly amount?: Value
  /** The modifiers and functions around it, outermost first. */
  readonly inside: readonly string[]
}

export type Reading = {
  readonly changes: readonly Change[]
  /** What holds whenever the function succeeds. */
  readonly atEnd: readonly Condition[]
  /** Every path reverts. */
  readonly isDead: boolean
  /** It was not followed to its end. */
  readonly isCut: boolean
  readonly modifiers: readonly string[]
}

type Exit = { readonly when: readonly Condition[]; readonly value: Value }
export type Frame = {
  readonly locals: Map<number, Value>
  /** The contract in which the code stands. */
  readonly contract: Node | undefined
  readonly exits: Exit[]
  readonly results: readonly Node[]
  readonly inner: () => void
}

/** The names of the variables and members that an expression is made of. */
export function labelOf(node: Node | undefined): string {
  if (node === undefined) return ''
  const own = text(node, 'memberName') || text(node, 'name')
  const inner = labelOf(child(node, 'expression') ?? child(node, 'baseExpression'))
  return [inner, own].filter((each) => each !== '').join('.')
}

/** A part of what a call returned. */
export const partOf = (value: Value): Value => (value.kind === 'answer' || value.kind === 'input' ? value : UNKNOWN)

/** A member of the value of an expression. */
export function memberOf(tree: Tree, node: Node | undefined, value: Value, name: string): Value {
  if (value.kind === 'stored') return { ...value, path: [...value.path, { member: name }] }
  if (value.kind === 'choice')
    return choice(value.of.map((each) => ({ when: each.when, value: memberOf(tree, node, each.value, name) })))
  if (name === 'length') return lengthOf(node, value)
  if (name === 'balance' || name === 'codehash' || name === 'code') return UNKNOWN
  if (value.kind === 'operation' && value.op === 'struct') return value.args[indexOf(tree, node, name)] ?? UNKNOWN
  return value.kind === 'input' ? INPUT : UNKNOWN
}

const indexOf = (tree: Tree, node: Node | undefined, name: string): number =>
  membersOf(tree, node).findIndex((member) => text(member, 'name') === name)

/** The length of text that is constant: an error, or none. */
function lengthOf(node: Node | undefined, value: Value): Value {
  if (value.kind !== 'constant' || !/^(?:bytes|string)\b/.test(typeText(node))) return UNKNOWN
  const digits = value.value
    .toString(16)
    .padStart(64, '0')
    .replace(/(?:00)+$/, '')
  return constant(BigInt(digits.length / 2))
}

/** A struct in memory after one of its members was written. */
export function withMember(tree: Tree, node: Node | undefined, value: Value, name: string, member: Value): Value {
  const index = indexOf(tree, node, name)
  if (value.kind !== 'operation' || value.op !== 'struct' || index < 0) return value
  return operation('struct', ...value.args.with(index, member))
}

/** A write to a place of the type of an expression: of a struct as a whole, and of each of its members. */
export function writesOf(
  tree: Tree,
  node: Node | undefined,
  at: Stored,
  value: Value,
  label = labelOf(node),
): readonly Omit<Change, 'when' | 'inside'>[] {
  const whole = { kind: 'write' as const, at, value, type: typeText(node), label }
  const valueOf = (name: string, index: number): Value => {
    if (value.kind === 'operation' && value.op === 'struct') return value.args[index] ?? UNKNOWN
    if (value.kind === 'stored') return { ...value, path: [...value.path, { member: name }] }
    return value.kind === 'constant' ? value : partOf(value)
  }
  return [
    whole,
    ...membersOf(tree, node).map((member, index) => ({
      kind: 'write' as const,
      at: { ...at, path: [...at.path, { member: text(member, 'name') }] },
      value: valueOf(text(member, 'name'), index),
      type: typeText(member),
      label: `${label}.${text(member, 'name')}`,
    })),
  ]
}
