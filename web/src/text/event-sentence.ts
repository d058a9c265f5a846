/** A control event as a sentence of parts; how a part looks is the components' affair. Pure. */
import { FUNCTIONS, ROLES } from './known-hashes.ts'
import { SLOT_FIELDS, TEMPLATES } from './sentence-templates.ts'
import { duration, exactTime } from './time.ts'

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'account'; readonly address: string }
  | { readonly kind: 'value'; readonly text: string }

type Args = Readonly<Record<string, unknown>>
type Told = { readonly eventKey: string; readonly args: Args }

const text = (words: string): Part => ({ kind: 'text', text: words })

export function sentenceOf({ eventKey, args }: Told): readonly Part[] {
  if (eventKey === 'slot.implementation_unpublished')
    return [text('Source of the new implementation '), shown(args.current), text(' is not published')]
  if (eventKey.startsWith('slot.')) return silentChange(args)
  if (args.decode === 'mismatch') return [text(`${headlineOf(eventKey)}, in a form of its own`)]
  const template = TEMPLATES[eventKey]
  return (template === undefined ? undefined : filled(template, args)) ?? byArgumentNames(eventKey, args)
}

/** The same as plain text. */
export const plainSentence = (told: Told): string =>
  sentenceOf(told)
    .map((part) => (part.kind === 'account' ? part.address : part.text))
    .join('')

/** `aave.oracle_updated` → `Aave: oracle updated`. */
export function headlineOf(eventKey: string): string {
  const [family = '', ...rest] = eventKey.split('.')
  const words = rest.join(' ').replaceAll('_', ' ')
  return `${family.charAt(0).toUpperCase()}${family.slice(1)}: ${words}`
}

/** Undefined where the log lacks an argument the sentence needs. */
function filled(template: string, args: Args): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const segment of template.split(/(\[[^\]]*\])/)) {
    const isOptional = segment.startsWith('[')
    const inner = isOptional ? segment.slice(1, -1) : segment
    const found = filledSegment(inner, args)
    if (found !== undefined) parts.push(...found)
    else if (!isOptional) return undefined
  }
  return parts
}

function filledSegment(segment: string, args: Args): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const piece of segment.split(/(\{[^}]+\})/)) {
    const [, name, how] = /^\{(\w+)(?::(\w+))?\}$/.exec(piece) ?? []
    if (name === undefined) {
      if (piece !== '') parts.push(text(piece))
      continue
    }
    if (args[name] === undefined) return undefined
    parts.push(shown(args[name], how))
  }
  return parts
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const NOBODY = `0x${'0'.repeat(40)}`
const MOST_TEXT = 80

function shown(value: unknown, how?: string): Part {
  if (how === 'duration') return { kind: 'value', text: duration(Number(value)) }
  if (how === 'time') return { kind: 'value', text: exactTime(Number(value) * 1000) }
  if (how === 'count' && Array.isArray(value)) return { kind: 'value', text: String(value.length) }
  if (how === 'call') return { kind: 'value', text: callName(String(value)) }
  if (how === 'wei') return text(String(value) === '0' ? '' : `, with ${shortened(String(value))} wei`)
  if (how === 'operation') return text(String(value) === '1' ? ', as a delegate call' : '')
  if (how === 'role') return { kind: 'value', text: ROLES[String(value)] ?? `Role ${shortened(String(value))}` }
  if (typeof value === 'string' && ADDRESS.test(value))
    return value === NOBODY ? { kind: 'value', text: 'nobody' } : { kind: 'account', address: value }
  return { kind: 'value', text: shortened(asText(value)) }
}

const asText = (value: unknown): string =>
  value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)

/** The function that is called, by its name where everybody knows it. */
function callName(data: string): string {
  const selector = data.slice(0, 10)
  if (selector === '0x' || selector === '') return 'a payment'
  return FUNCTIONS[selector]?.replace(/\(.*/, '') ?? `function ${selector}`
}

/** Amounts are grouped; numbers longer than any amount are identifiers, and told by their beginning, as hashes are. */
function shortened(words: string): string {
  const [, coins] = /^(\d+)0{18}$/.exec(words) ?? []
  if (coins !== undefined) return `${grouped(coins)} × 10¹⁸`
  if (/^\d{5,27}$/.test(words)) return grouped(words)
  if (/^(0x[0-9a-f]{20,}|\d{28,})$/i.test(words)) return `${words.slice(0, 10)}…`
  return words.length > MOST_TEXT ? `${words.slice(0, MOST_TEXT)}…` : words
}

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')

function silentChange({ field, previous, current }: Args): readonly Part[] {
  const what = SLOT_FIELDS[String(field)] ?? String(field)
  const how = field === 'minDelay' ? 'duration' : undefined
  const side = (value: unknown): Part => shown(value, value === null ? undefined : how)
  return [text(`${what} changed without an event: `), side(previous), text(' → '), side(current)]
}

const BEFORE = /^_?(previous|old|current|from)|Before$|^_old$/i
const AFTER = /^_?(new|proposed|to$)|After$|^_new$/i
const MOST_OTHERS = 3

/** From → to where the arguments are called so, then what else fits on a line. */
function byArgumentNames(eventKey: string, args: Args): readonly Part[] {
  const names = Object.keys(args).filter((name) => name !== 'subject')
  const before = names.find((name) => BEFORE.test(name))
  const after = names.find((name) => AFTER.test(name))
  const parts: Part[] = [text(headlineOf(eventKey))]
  if (before !== undefined && after !== undefined)
    parts.push(text(' '), shown(args[before]), text(' → '), shown(args[after]))
  else if (after !== undefined) parts.push(text(' → '), shown(args[after]))
  const others = names.filter((name) => name !== after && (name !== before || after === undefined))
  for (const name of others.slice(0, MOST_OTHERS)) parts.push(text(`, ${wordsOf(name)} `), shown(args[name]))
  return parts
}

/** `newQuorumNumerator` → `new quorum numerator`. */
const wordsOf = (name: string): string =>
  name
    .replace(/^_/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
