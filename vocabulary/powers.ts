/** Powers: what privileged callers can make a contract do, how harmful it is, and the English texts for it. */
import type { AccountKind, Hex } from './accounts.ts'
import { type Label, type Leader, TONES, type Tone } from './labels.ts'
import { exactDuration } from './time.ts'

/** From most harmful to least. */
export const EFFECTS = [
  'upgrade',
  'execute',
  'mint',
  'move_funds',
  'set_price',
  'set_verifier',
  'grant',
  'set_dependency',
  'freeze',
  'pause',
  'set_terms',
  'other',
] as const
export type PowerEffect = (typeof EFFECTS)[number]

/** From most harmful to least. */
export const POWER_CLASSES = ['critical', 'high', 'info'] as const
export type PowerClass = (typeof POWER_CLASSES)[number]

const CLASSES: Readonly<Record<Exclude<PowerEffect, 'grant'>, PowerClass>> = {
  upgrade: 'critical',
  execute: 'critical',
  mint: 'critical',
  move_funds: 'critical',
  set_price: 'critical',
  set_verifier: 'critical',
  set_dependency: 'high',
  freeze: 'high',
  pause: 'high',
  set_terms: 'high',
  other: 'info',
}

/** The class of an effect. A grant has the class of what it grants; what that is may not be known. */
export function classOf(effect: PowerEffect, grants: readonly PowerEffect[] = []): PowerClass {
  if (effect !== 'grant') return CLASSES[effect]
  return worstClass(grants.map((granted) => (granted === 'grant' ? 'info' : CLASSES[granted])))
}

export const worstClass = (classes: readonly PowerClass[]): PowerClass =>
  POWER_CLASSES.find((each) => classes.includes(each)) ?? 'info'

/** What the effect is, after "can". */
export const EFFECT_TEXTS: Readonly<Record<PowerEffect, string>> = {
  upgrade: 'replace the code',
  execute: 'make the contract call any address',
  mint: 'mint',
  move_funds: 'move funds',
  set_price: 'set prices',
  set_verifier: 'set who attests messages',
  grant: 'appoint holders of powers',
  set_dependency: 'replace contracts that this one trusts',
  freeze: 'freeze accounts',
  pause: 'pause',
  set_terms: 'set fees, limits or delays',
  other: 'use other guarded functions',
}

/** The same in a few words, for a badge or a drawing. */
export const SHORT_EFFECT_TEXTS: Readonly<Record<PowerEffect, string>> = {
  upgrade: 'upgrade',
  execute: 'call anything',
  mint: 'mint',
  move_funds: 'move funds',
  set_price: 'set prices',
  set_verifier: 'set verifiers',
  grant: 'grant powers',
  set_dependency: 'swap contracts',
  freeze: 'freeze accounts',
  pause: 'pause',
  set_terms: 'set terms',
  other: 'change state',
}

/** How a function was recognized: by what its code does, by a simulated call, or by its name. */
export type Evidence = 'code' | 'trial' | 'name'

export type PowerFunction = {
  readonly selector: Hex
  readonly signature: string | null
  readonly evidence: Evidence
}

/** The selector under which the fallback function is listed. */
const FALLBACK = '0x00000000'

/** The signature of a function, or its selector if the signature is not known. */
export const functionText = (of: { readonly selector: string; readonly signature: string | null }): string =>
  of.signature ?? (of.selector === FALLBACK ? 'fallback function' : of.selector)

export type PowerHolder = {
  readonly chainId: number
  readonly address: Hex
  readonly kind: AccountKind
  readonly role: string
  readonly label: Label
  readonly delaySeconds: number
  /** A vote decides for it, alone or next to a multisig. */
  readonly leader?: Leader
  /** Of a multisig. */
  readonly threshold?: number
  readonly owners?: number
}

/** Why holders or guard of a power are not known. */
export const UNKNOWN_HOLDERS = {
  signature: 'the functions check signatures, and who may sign is not known',
  condition: 'the functions check the caller in a form that is not understood',
  payment: 'every caller may call the functions, and what they ask for in return is not understood',
  delegated: 'the functions run code of another contract, which may check the caller',
  unsettled: 'the code could not be analyzed completely',
  taken: 'a function that every caller may call may change which accounts pass',
  unlisted: 'the contract may route functions that it does not list',
  table: 'the contract keeps a table of accounts that cannot be listed',
  answer: 'another contract decides who may call',
  source: 'another contract decides how much the functions give, or to whom, and who decides there is not known',
  self: 'only the contract itself may call, and who can make it do so is not known',
  read: 'a read failed',
} as const satisfies Readonly<Record<string, string>>
export type UnknownHolders = keyof typeof UNKNOWN_HOLDERS

export type Power = {
  readonly effect: PowerEffect
  readonly class: PowerClass
  readonly functions: readonly PowerFunction[]
  readonly holders: readonly PowerHolder[]
  /** The weakest holder; `immutable` where no account passes the guard. */
  readonly label: Label
  readonly delaySeconds: number
  /** A vote decides for the weakest holders, alone or next to a multisig. */
  readonly leader?: Leader
  /** Every caller has it: the code lets every caller become a holder, or a simulated call from a new account succeeded. */
  readonly isOpen?: true
  /** There may be other holders than those listed. */
  readonly unknown?: UnknownHolders
}

/** The worse of two tones. */
export const worseTone = (a: Tone, b: Tone): Tone => (TONES.indexOf(a) >= TONES.indexOf(b) ? a : b)

type Judged = Pick<Power, 'effect' | 'class' | 'label'> & { readonly holders?: readonly Pick<PowerHolder, 'label'>[] }

/** The tone that a power gives a contract at best. */
export function powerTone({ effect, class: worst, label, holders = [] }: Judged): Tone {
  // The label states who can replace the code.
  if (effect === 'upgrade') return 'green'
  return [label, ...holders.map((holder) => holder.label)].map((each) => heldTone(worst, each)).reduce(worseTone)
}

function heldTone(worst: PowerClass, label: Label): Tone {
  if (worst === 'critical') {
    if (label === 'single_key') return 'red'
    if (label === 'multisig' || label === 'short_timelock') return 'amber'
    return label === 'unknown' ? 'grey' : 'green'
  }
  return worst === 'high' && label === 'single_key' ? 'amber' : 'green'
}

/**
 * The power that makes the tone worse than that of the label; the most harmful one of several. What a holder can do
 * says more than that it can appoint others.
 */
export function decisivePower<T extends Judged>(labelTone: Tone, powers: readonly T[]): T | undefined {
  const tone = toneOf(labelTone, powers)
  if (tone === labelTone) return undefined
  const decisive = powers.filter((power) => powerTone(power) === tone)
  return decisive.find(({ effect }) => effect !== 'grant') ?? decisive[0]
}

/** The tone of a contract: the worst of its label and its powers. */
export const toneOf = (labelTone: Tone, powers: readonly Judged[]): Tone =>
  powers.map(powerTone).reduce(worseTone, labelTone)

const HOLDERS: Readonly<Record<Label, string>> = {
  single_key: 'One key',
  multisig: 'A multisig without delay',
  short_timelock: 'A timelock under 24h',
  timelocked: 'A timelock of 24h or more',
  immutable: 'No account',
  unknown: 'An account that is not known',
}

const SHORT_HOLDERS: Readonly<Record<Label, string>> = {
  single_key: 'One key',
  multisig: 'Multisig',
  short_timelock: 'Timelock',
  timelocked: 'Timelock',
  immutable: 'No one',
  unknown: 'Unknown who',
}

/** Who can act at once where a vote decides. */
const VOTERS: Readonly<Record<Leader, string>> = {
  vote: 'A vote without delay',
  vote_or_multisig: 'A vote or a multisig without delay',
}
const SHORT_VOTERS: Readonly<Record<Leader, string>> = { vote: 'A vote', vote_or_multisig: 'Vote or multisig' }

/** "One key". */
export const holderText = (label: Label, leader?: Leader): string =>
  label === 'multisig' && leader !== undefined ? VOTERS[leader] : HOLDERS[label]

/** What a badge states of a power. */
export type ShortPower = Pick<Power, 'effect' | 'label' | 'leader' | 'isOpen'> & Pick<Judged, 'holders'>

/** The known holders who set the tone where others are not known. */
function namedLabel({ label, holders = [] }: Pick<ShortPower, 'label' | 'holders'>): Label {
  if (label !== 'unknown') return label
  return (
    (['multisig', 'short_timelock'] as const).find((each) => holders.some((holder) => holder.label === each)) ?? label
  )
}

/** "One key can mint". */
export const shortPowerText = (power: ShortPower): string => {
  const { effect, leader, isOpen } = power
  const label = namedLabel(power)
  if (isOpen === true) return `Anyone can ${SHORT_EFFECT_TEXTS[effect]}`
  const holder = label === 'multisig' && leader !== undefined ? SHORT_VOTERS[leader] : SHORT_HOLDERS[label]
  return `${holder} can ${SHORT_EFFECT_TEXTS[effect]}`
}

/** One sentence: who can do it, at what delay, and what is not known. */
export function powerText(power: Omit<Power, 'class' | 'functions'>): string {
  const { effect, delaySeconds, holders, leader, isOpen, unknown } = power
  const label = namedLabel(power)
  const what = EFFECT_TEXTS[effect]
  if (isOpen === true) return `Every caller can ${what}, by the code or by a simulated call from a new account.`
  const named = holders.filter((holder) => holder.label === label).map(({ address }) => address)
  const list =
    named.length === 0
      ? ''
      : ` (${named.slice(0, 3).join(', ')}${named.length > 3 ? ` and ${named.length - 3} more` : ''})`
  const delay = delaySeconds > 0 ? ` after ${exactDuration(delaySeconds)}` : ''
  const why = unknown === undefined ? '' : `; ${UNKNOWN_HOLDERS[unknown]}`
  return `${holderText(label, leader)}${list} can ${what}${delay}${why}.`
}
