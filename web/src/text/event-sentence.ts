/** A control event as a sentence of parts; how a part looks is the components' affair. Pure. */
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

/** The roles everybody uses: the hash says nothing, the name everything. */
const ROLES: Readonly<Record<string, string>> = {
  [`0x${'0'.repeat(64)}`]: 'Default admin role',
  '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6': 'Minter role',
  '0x65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a': 'Pauser role',
  '0x189ab7a9244df0848122154315af71fe140f3db0fe014031783b0946b8c9d2e3': 'Upgrader role',
  '0xb09aa5aeb3702cfd50b6b62bc4532604938f21248a27a1d5ca736082b6819cc1': 'Proposer role',
  '0xd8aa0f3194971a2a116679f7c2090f6939c8d4e01a2a8d7e41d55e5351469e63': 'Executor role',
  '0xfd643c72710c63c0180259aba6b2d05451e3591a24e58b62239378085726f783': 'Canceller role',
}

function shown(value: unknown, how?: string): Part {
  if (how === 'duration') return { kind: 'value', text: duration(Number(value)) }
  if (how === 'time') return { kind: 'value', text: exactTime(Number(value) * 1000) }
  if (how === 'count' && Array.isArray(value)) return { kind: 'value', text: String(value.length) }
  if (how === 'role') return { kind: 'value', text: ROLES[String(value)] ?? `Role ${shortened(String(value))}` }
  if (typeof value === 'string' && ADDRESS.test(value))
    return value === NOBODY ? { kind: 'value', text: 'nobody' } : { kind: 'account', address: value }
  return { kind: 'value', text: shortened(asText(value)) }
}

const asText = (value: unknown): string =>
  value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)

/** Amounts are grouped; numbers longer than any amount are identifiers, and told by their beginning, as hashes are. */
function shortened(words: string): string {
  if (/^\d{5,27}$/.test(words)) return words.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  if (/^(0x[0-9a-f]{20,}|\d{28,})$/i.test(words)) return `${words.slice(0, 10)}…`
  return words.length > MOST_TEXT ? `${words.slice(0, MOST_TEXT)}…` : words
}

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
