/** Writes the English sentence for a control event from its key and arguments, for pages, mails and Telegram. */
import { cutText } from './cut-text.ts'
import { EVENT_TEMPLATES, STATE_FIELD_NAMES } from './event-templates.ts'
import { FUNCTIONS, ROLES } from './known-hashes.ts'
import { LABEL_TEXTS, type Label } from './labels.ts'
import { EFFECT_TEXTS, type PowerEffect } from './powers.ts'
import { duration, exactTime } from './time.ts'
import { coinText, type Token, tokenText } from './tokens.ts'
import { type UpgradeReport, upgradeTexts } from './upgrades.ts'

/** A piece of a sentence. Each channel decides how it shows an account (link, name, address). */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'account'; readonly address: string }
  | { readonly kind: 'value'; readonly text: string }

type Args = Readonly<Record<string, unknown>>
type NamedEvent = { readonly eventKey: string; readonly args: Args }

const textPart = (text: string): Part => ({ kind: 'text', text })
const valuePart = (text: string): Part => ({ kind: 'value', text })

/** Warnings about queued changes, which are not events of a contract. */
const WARNING_TEMPLATES: Readonly<Record<string, string>> = {
  'pending.due': 'Change[ of {target}] can be executed within an hour, at the earliest from {earliestAt:time}',
  'pending.queued': 'Safe transaction {nonce} waits for signatures ({signatures})[: {calls:calls}]',
  'pending.ready': 'Safe transaction {nonce} has enough signatures ({signatures})[: {calls:calls}]',
  'pending.target_changed': 'Code of {target} changed while a change that uses it is queued',
}

/** Returns the sentence as parts, without a full stop at the end. `token`: the contract, if it is a known token. */
export function eventSentence(event: NamedEvent, token?: Token): readonly Part[] {
  const { moreLikeThis, ...args } = event.args
  const sentence = sentenceOf({ eventKey: event.eventKey, args }, token)
  if (typeof moreLikeThis !== 'string' || !/^\d{1,9}$/.test(moreLikeThis)) return sentence
  return [...sentence, textPart(` (${Number(moreLikeThis).toLocaleString('en-US')} more like this)`)]
}

function sentenceOf({ eventKey, args }: NamedEvent, token: Token | undefined): readonly Part[] {
  if (eventKey === 'slot.implementation_unpublished')
    return [textPart('Source of the new implementation '), formatValue(args.current), textPart(' is not published')]
  if (eventKey === 'slot.storage_layout_changed') return layoutSentence(args)
  if (eventKey === 'slot.powers_changed') return powersSentence(args)
  if (eventKey === 'slot.control_weakened') return weakenedSentence(args)
  if (eventKey === 'slot.upgrade_reported') return upgradeSentence(args)
  if (eventKey === 'slot.delegate_changed') return delegateSentence(args)
  if (eventKey.startsWith('slot.')) return stateChangeSentence(args)
  const removal = REMOVALS[eventKey]
  if (removal !== undefined && args[removal.argument] === ZERO_ADDRESS) return [textPart(removal.text)]
  if (args.decode === 'mismatch') return [textPart(`${eventTitle(eventKey)} (arguments could not be decoded)`)]
  const template = EVENT_TEMPLATES[eventKey] ?? WARNING_TEMPLATES[eventKey]
  const filled = template === undefined ? undefined : fillTemplate(template, args, token)
  return filled ?? sentenceFromArguments(eventKey, args)
}

/** Sentences for a value that was set to the zero address. */
const REMOVALS: Readonly<Record<string, { readonly argument: string; readonly text: string }>> = {
  'safe.changed_guard': { argument: 'guard', text: 'Guard removed: transactions are no longer checked' },
  'safe.changed_module_guard': {
    argument: 'moduleGuard',
    text: 'Module guard removed: transactions of modules are no longer checked',
  },
  'safe.changed_fallback_handler': { argument: 'handler', text: 'Fallback handler removed' },
}

/** The items of a list, which arguments and snapshots contain as an array or separated by commas. */
function listOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' && value !== '' ? value.split(/, ?/) : []
}

const NAMED_ACCOUNTS = 4

/** `0x…, 0x… and 3 more`. */
function accountParts(accounts: readonly string[]): readonly Part[] {
  if (accounts.length === 0) return [valuePart('none')]
  const named = accounts.slice(0, accounts.length > NAMED_ACCOUNTS + 1 ? NAMED_ACCOUNTS : undefined)
  const parts = named.flatMap((account, at) => [...(at === 0 ? [] : [textPart(', ')]), formatValue(account)])
  return named.length === accounts.length ? parts : [...parts, textPart(` and ${accounts.length - named.length} more`)]
}

/** Names the first variable whose place in storage another one has. */
function layoutSentence({ current, changes }: Args): readonly Part[] {
  const all: readonly unknown[] = Array.isArray(changes) ? changes : []
  const { slot, previous, current: now } = (all[0] ?? {}) as Args
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : ''
  return [
    textPart('New implementation '),
    formatValue(current),
    textPart(` has other variables where the one before kept its own: slot ${String(slot)}, `),
    valuePart(cutText(String(previous), 80)),
    textPart(' → '),
    valuePart(cutText(String(now), 80)),
    ...(more === '' ? [] : [textPart(more)]),
  ]
}

/** Names the first power that was gained, otherwise the first that was lost. */
function powersSentence({ previous, current }: Args): readonly Part[] {
  const [before, now] = [listOf(previous), listOf(current)]
  const gained = now.filter((power) => !before.includes(power))
  const changed = gained.length > 0 ? gained : before.filter((power) => !now.includes(power))
  // What a holder can do says more than that it can appoint others.
  const named = changed.find((power) => !power.startsWith('grant:')) ?? changed[0] ?? ''
  const [effect = '', label = '', holder = ''] = named.split(':')
  const what = EFFECT_TEXTS[effect as PowerEffect] ?? effect
  const who: Part = holder === '' ? textPart('An account that is not known') : formatValue(holder)
  const others = changed.length - 1
  const more = others > 0 ? ` (and ${others} more ${others === 1 ? 'change' : 'changes'} of powers)` : ''
  const wasHeld = before.some((power) => power.startsWith(`${effect}:`) && power.endsWith(`:${holder}`))
  const control = label === 'unknown' ? 'who controls it is no longer known' : 'its own control changed'
  if (gained.length > 0 && wasHeld)
    return [textPart('Powers changed: '), who, textPart(` can ${what} as before; ${control}${more}`)]
  return [textPart('Powers changed: '), who, textPart(` can ${gained.length > 0 ? 'now' : 'no longer'} ${what}${more}`)]
}

function weakenedSentence({ previous, current, previousText, currentText, cause }: Args): readonly Part[] {
  const [from = '', fromTone = ''] = String(previous).split(':')
  const [to = '', tone = ''] = String(current).split(':')
  const label = (text: unknown, of: string): string =>
    typeof text === 'string' ? text : (LABEL_TEXTS[of as Label] ?? of)
  const why = causeText(cause)
  if (from === to)
    return [textPart(`Control became weaker: ${label(currentText, to)}, now ${tone}, before ${fromTone}${why}`)]
  return [textPart(`Control became weaker: ${label(previousText, from)} → ${label(currentText, to)}${why}`)]
}

/** Events that carry out something else, which the state shows. */
const CAUSES: Readonly<Record<string, string>> = {
  'safe.multisig_tx': 'Safe transaction',
  'safe.exec_ok': 'Safe transaction',
  'safe.module_tx_ok': 'transaction of a module',
}

/** `; cause: Owner changed`. */
function causeText(cause: unknown): string {
  const names = (Array.isArray(cause) ? cause : []).flatMap((each: unknown) => {
    const { eventKey, field } = (each ?? {}) as { readonly eventKey?: unknown; readonly field?: unknown }
    if (typeof eventKey === 'string') return CAUSES[eventKey] ?? eventTitle(eventKey)
    return typeof field === 'string' ? `${STATE_FIELD_NAMES[field] ?? field} changed` : []
  })
  const distinct = [...new Set(names)]
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : ''
  return distinct.length === 0 ? '' : `; cause: ${distinct.slice(0, 3).join(', ')}${more}`
}

function delegateSentence({ account, current }: Args): readonly Part[] {
  const who = [textPart('Account with control '), formatValue(account)]
  if (current === null) return [...who, textPart(' no longer delegates to code')]
  if (current === 'code') return [...who, textPart(' had only a key and has contract code now')]
  return [...who, textPart(' now acts through code at '), formatValue(current), textPart(' (EIP-7702)')]
}

/** All lines of the report, most harmful first. */
function upgradeSentence({ report }: Args): readonly Part[] {
  const texts = upgradeTexts(report as UpgradeReport)
  if (texts.length === 0) return [textPart('New code has the same functions, guards and powers')]
  return [textPart(`New code: ${texts.map((text) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`).join('; ')}`)]
}

/** Returns the sentence as plain text, with whole addresses. */
export const eventText = (event: NamedEvent, token?: Token): string => plainText(eventSentence(event, token))

export const plainText = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'account' ? part.address : part.text)).join('')

/** Families of events whose name is not their key with a capital letter. */
const FAMILY_NAMES: Readonly<Record<string, string>> = {
  aave2: 'Aave v2',
  aave3: 'Aave v3',
  bravo: 'Governor Bravo',
  cctp: 'CCTP',
  comet: 'Compound III',
  comp: 'Compound',
  crosschain: 'Cross-chain',
  dsauth: 'DSAuth',
  dspause: 'DSPause',
  eigen: 'EigenLayer',
  fiat: 'FiatToken',
  manager: 'AccessManager',
  morpho2: 'Morpho Vault v2',
  oft: 'LayerZero',
  op: 'OP Stack',
  osx: 'Aragon OSx',
  oz1: 'OpenZeppelin 1',
  oz2: 'OpenZeppelin 2',
  starkware: 'StarkWare',
  usdt: 'USDT',
  xerc20: 'xERC20',
  zk: 'ZKsync',
  zos: 'ZeppelinOS',
}

/** `aave.oracle_updated` → `Aave: oracle updated`. */
export function eventTitle(eventKey: string): string {
  const [family = '', ...rest] = eventKey.split('.')
  const words = rest.join(' ').replaceAll('_', ' ')
  return `${FAMILY_NAMES[family] ?? `${family.charAt(0).toUpperCase()}${family.slice(1)}`}: ${words}`
}

/** Undefined if an argument that the template requires is missing. */
export function fillTemplate(template: string, args: Args, token?: Token): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const segment of template.split(/(\[[^\]]*\])/)) {
    const isOptional = segment.startsWith('[')
    const filled = fillSegment(isOptional ? segment.slice(1, -1) : segment, args, token)
    if (filled !== undefined) parts.push(...filled)
    else if (!isOptional) return undefined
  }
  return parts
}

function fillSegment(segment: string, args: Args, token: Token | undefined): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const piece of segment.split(/(\{[^}]+\})/)) {
    const [, name, format] = /^\{(\w+)(?::(\w+))?\}$/.exec(piece) ?? []
    if (name === undefined) {
      if (piece !== '') parts.push(textPart(piece))
      continue
    }
    if (args[name] === undefined) return undefined
    if (format === 'accounts') parts.push(...accountParts(listOf(args[name])))
    else if (format === 'amount' && token !== undefined) parts.push(amountPart(args[name], token))
    else parts.push(formatValue(args[name], format))
  }
  return parts
}

const amountPart = (value: unknown, token: Token): Part => {
  const text = tokenText(String(value), token)
  return text === undefined ? formatValue(value) : valuePart(text)
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

function formatValue(value: unknown, format?: string): Part {
  if (format === 'duration') return valuePart(duration(Number(value)))
  if (format === 'time') return valuePart(exactTime(Number(value) * 1000))
  if (format === 'count' && Array.isArray(value)) return valuePart(String(value.length))
  if (format === 'call') return valuePart(callName(String(value)))
  if (format === 'calls') return valuePart(callNames(value))
  if (format === 'wei') return textPart(paidText(String(value)))
  if (format === 'function') return textPart(String(value) === '' ? '' : `: ${shorten(String(value))}`)
  if (format === 'id') return valuePart(String(value))
  if (format === 'operation') return textPart(String(value) === '1' ? ', as a delegatecall' : '')
  if (format === 'role') return valuePart(ROLES[String(value)] ?? `Role ${shorten(String(value))}`)
  if (typeof value === 'string' && ADDRESS.test(value))
    return value === ZERO_ADDRESS ? valuePart('the zero address') : { kind: 'account', address: value }
  if (value === null) return valuePart('none')
  return valuePart(shorten(typeof value === 'string' ? value : JSON.stringify(value)))
}

/** What a call is paid: `, with 1.5 of the native coin`, or nothing. */
function paidText(wei: string): string {
  const coins = coinText(wei)
  return coins === undefined ? '' : `, with ${coins}`
}

const NAMED_CALLS = 3

/** The functions of the first calls. */
function callNames(calls: unknown): string {
  const list = Array.isArray(calls) ? (calls as readonly Args[]) : []
  const names = list
    .slice(0, NAMED_CALLS)
    .map((call) => callName(typeof call.function === 'string' ? call.function : '0x'))
  return `${names.join(', ')}${list.length > NAMED_CALLS ? ' and more' : ''}`
}

/** The name of the called function, or its selector if the name is not known. */
function callName(data: string): string {
  const [name] = /^\w+(?=\()/.exec(data) ?? []
  if (name !== undefined) return name
  const selector = data.slice(0, 10)
  if (selector === '0x' || selector === '') return 'a transfer without data'
  return FUNCTIONS[selector]?.replace(/\(.*/, '') ?? `function ${selector}`
}

const MAX_TEXT_LENGTH = 80

/** Groups the digits of amounts. Cuts hashes, and numbers too long to be amounts, to their first ten characters. */
function shorten(text: string): string {
  const [, coins] = /^(\d+)0{18}$/.exec(text) ?? []
  if (coins !== undefined) return `${groupDigits(coins)} × 10¹⁸`
  if (/^\d{5,27}$/.test(text)) return groupDigits(text)
  if (/^(0x[0-9a-f]{20,}|\d{28,})$/i.test(text)) return `${text.slice(0, 10)}…`
  return text.length > MAX_TEXT_LENGTH ? `${cutText(text, MAX_TEXT_LENGTH)}…` : text
}

const groupDigits = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** How code came to an address that had none. */
const APPEARANCES: Readonly<Record<string, string>> = {
  deployment: 'Contract deployed, code',
  redeployment: 'Code deployed again where a contract was before',
  delegation: 'Account delegated to code (EIP-7702)',
  controller: 'Code appeared at an address that controls other contracts',
  account: 'Code appeared at an account that sent transactions before',
  unexplained: 'Code appeared without a transaction that deployed it',
}

/** The sentence for a change that a poll found in the state and that no event announced. */
function stateChangeSentence({ field, previous, current, appearance }: Args): readonly Part[] {
  const appeared = APPEARANCES[String(appearance)]
  if (appeared !== undefined) return [textPart(`${appeared}: `), formatValue(current)]
  const name = STATE_FIELD_NAMES[String(field)] ?? String(field)
  if (ACCOUNT_LISTS.has(String(field))) return listChangeSentence(name, listOf(previous), listOf(current))
  const format = field === 'minDelay' ? 'duration' : undefined
  const side = (value: unknown): Part => formatValue(value, value === null ? undefined : format)
  return [textPart(`${name} changed without an event: `), side(previous), textPart(' → '), side(current)]
}

/** State fields that are lists of accounts. */
const ACCOUNT_LISTS: ReadonlySet<string> = new Set(['owners', 'modules', 'facets'])

/** `Safe signers changed without an event: 0x… added, 0x… removed`. */
function listChangeSentence(name: string, before: readonly string[], now: readonly string[]): readonly Part[] {
  const added = now.filter((account) => !before.includes(account))
  const removed = before.filter((account) => !now.includes(account))
  const parts: Part[] = [textPart(`${name} changed without an event: `)]
  if (added.length > 0) parts.push(...accountParts(added), textPart(' added'))
  if (added.length > 0 && removed.length > 0) parts.push(textPart(', '))
  if (removed.length > 0) parts.push(...accountParts(removed), textPart(' removed'))
  return added.length + removed.length > 0 ? parts : [textPart(`${name} changed without an event`)]
}

const PREVIOUS_NAME = /^_?(previous|old|current|from)|Before$|^_old$/i
const NEXT_NAME = /^_?(new|proposed|to$)|After$|^_new$/i
/** Numbers that name something: their digits are not grouped. */
const ID_NAME = /^_?(id|eid|nonce|domain)$|(Id|Eid|ID|Nonce|Domain)$/
const MAX_OTHER_ARGUMENTS = 3

/** The sentence for a key without a template: the title, then "old → new" where argument names reveal them. */
function sentenceFromArguments(eventKey: string, args: Args): readonly Part[] {
  const names = Object.keys(args).filter((name) => name !== 'subject')
  const previous = names.find((name) => PREVIOUS_NAME.test(name))
  const next = names.find((name) => NEXT_NAME.test(name))
  const parts: Part[] = [textPart(eventTitle(eventKey))]
  if (previous !== undefined && next !== undefined)
    parts.push(textPart(' '), formatValue(args[previous]), textPart(' → '), formatValue(args[next]))
  else if (next !== undefined) parts.push(textPart(' → '), formatValue(args[next]))
  const others = names.filter((name) => name !== next && (name !== previous || next === undefined))
  for (const name of others.slice(0, MAX_OTHER_ARGUMENTS))
    parts.push(textPart(`, ${argumentTitle(name)} `), formatValue(args[name], ID_NAME.test(name) ? 'id' : undefined))
  return parts
}

/** `newQuorumNumerator` → `new quorum numerator`. */
const argumentTitle = (name: string): string =>
  name
    .replace(/^_/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
