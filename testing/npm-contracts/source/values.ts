/** What an expression of a source means, as far as it decides who may call. */

export type Part = { readonly member: string } | { readonly key: Value }

export type Stored = {
  readonly kind: 'stored'
  /** The declaration of a state variable, a slot that assembly names, or another place. */
  readonly at: { readonly variable: number } | { readonly slot: bigint } | { readonly hash: string }
  readonly path: readonly Part[]
}

export type Value =
  | { readonly kind: 'sender' | 'self' | 'input' | 'unknown' }
  | { readonly kind: 'constant'; readonly value: bigint }
  | { readonly kind: 'immutable'; readonly id: number }
  | Stored
  /** What another contract returned. */
  | {
      readonly kind: 'answer'
      readonly target: Value
      readonly name: string
      readonly selector?: string
      readonly args: readonly Value[]
    }
  | { readonly kind: 'operation'; readonly op: string; readonly args: readonly Value[] }
  /** The data of a call of one function, as `abi.encodeCall` builds it. `as`: what a condition on it depends on. */
  | {
      readonly kind: 'encoded'
      readonly selector: bigint
      readonly name: string
      readonly passed: readonly Value[]
      readonly as: Value
    }
  /** One of several values, each under its conditions. */
  | { readonly kind: 'choice'; readonly of: readonly { readonly when: readonly Condition[]; readonly value: Value }[] }

export type Condition = { readonly value: Value; readonly holds: boolean }

export const UNKNOWN: Value = { kind: 'unknown' }
export const INPUT: Value = { kind: 'input' }
export const SENDER: Value = { kind: 'sender' }

export const constant = (value: bigint): Value => ({ kind: 'constant', value })
export const operation = (op: string, ...args: readonly Value[]): Value => bounded({ kind: 'operation', op, args })
export const choice = (of: readonly { readonly when: readonly Condition[]; readonly value: Value }[]): Value =>
  bounded({ kind: 'choice', of })

/** Parts of a value. Values share parts, so that their texts grow without end where a function has many branches. */
const MOST_PARTS = 400
const sizes = new WeakMap<Value, number>()

function sizeOf(value: Value): number {
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = partsOf(value).reduce((sum, part) => sum + sizeOf(part), 1)
  sizes.set(value, size)
  return size
}

function partsOf(value: Value): readonly Value[] {
  switch (value.kind) {
    case 'stored':
      return value.path.flatMap((part) => ('key' in part ? part.key : []))
    case 'answer':
      return [value.target, ...value.args]
    case 'operation':
      return value.args
    case 'choice':
      return value.of.flatMap((each) => [each.value, ...each.when.map((when) => when.value)])
    case 'encoded':
      return [value.as]
    case 'sender':
    case 'self':
    case 'input':
    case 'unknown':
    case 'constant':
    case 'immutable':
    default:
      return []
  }
}

/** A value that is too large is unknown, and concerns the caller if a part of it does. */
function bounded(value: Value): Value {
  if (sizeOf(value) <= MOST_PARTS) return value
  return mentionsSender(value) ? { kind: 'operation', op: 'too large', args: [SENDER] } : UNKNOWN
}

/** Whether a part of a value has a property. `enters`: whether the parts of a part are asked too. */
export function mentions(
  value: Value,
  is: (part: Value) => boolean,
  enters: (part: Value) => boolean = () => true,
): boolean {
  if (is(value)) return true
  return enters(value) && partsOf(value).some((part) => mentions(part, is, enters))
}

export const mentionsSender = (value: Value): boolean => mentions(value, ({ kind }) => kind === 'sender')

/** One text for equal values. */
export const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `0x${part.toString(16)}` : part))

/** The conditions of both lists. */
export const common = (a: readonly Condition[], b: readonly Condition[]): readonly Condition[] =>
  a.filter((each) => b.includes(each))

const allOf = (when: readonly Condition[]): Value =>
  operation('&&', ...when.map(({ value, holds }) => (holds ? value : operation('!', value))))

/** What holds where two paths meet: the conditions of both, and where one of them is about the caller, either's. */
export function either(a: readonly Condition[], b: readonly Condition[]): readonly Condition[] {
  const shared = common(a, b)
  const [onlyA, onlyB] = [a, b].map((all) => all.filter((each) => !shared.includes(each)))
  const rest = [onlyA ?? [], onlyB ?? []]
  const isSilent = rest.some((each) => each.length === 0) || !rest.flat().some(({ value }) => mentionsSender(value))
  return isSilent ? shared : [...shared, { value: operation('||', ...rest.map(allOf)), holds: true }]
}
