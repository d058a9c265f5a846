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
  /** One of several values, each under its conditions. */
  | { readonly kind: 'choice'; readonly of: readonly { readonly when: readonly Condition[]; readonly value: Value }[] }

export type Condition = { readonly value: Value; readonly holds: boolean }

export const UNKNOWN: Value = { kind: 'unknown' }
export const INPUT: Value = { kind: 'input' }
export const SENDER: Value = { kind: 'sender' }

export const constant = (value: bigint): Value => ({ kind: 'constant', value })
export const operation = (op: string, ...args: readonly Value[]): Value => ({ kind: 'operation', op, args })

/** Whether a part of a value has a property. */
export function mentions(value: Value, is: (part: Value) => boolean): boolean {
  if (is(value)) return true
  switch (value.kind) {
    case 'stored':
      return value.path.some((part) => 'key' in part && mentions(part.key, is))
    case 'answer':
      return mentions(value.target, is) || value.args.some((arg) => mentions(arg, is))
    case 'operation':
      return value.args.some((arg) => mentions(arg, is))
    case 'choice':
      return value.of.some((each) => mentions(each.value, is) || each.when.some((when) => mentions(when.value, is)))
    case 'sender':
    case 'self':
    case 'input':
    case 'unknown':
    case 'constant':
    case 'immutable':
    default:
      return false
  }
}

export const mentionsSender = (value: Value): boolean => mentions(value, ({ kind }) => kind === 'sender')

/** One text for equal values. */
export const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `0x${part.toString(16)}` : part))

/** The conditions of both lists. */
export const common = (a: readonly Condition[], b: readonly Condition[]): readonly Condition[] =>
  a.filter((each) => b.includes(each))
