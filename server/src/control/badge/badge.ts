/**
 * Renders a control label as an SVG image of 250 by 54 pixels, to be embedded in other sites.
 *
 * Pure: the same badge and theme always give the same bytes. The image loads nothing (no font, style or script), and
 * every text is escaped. Long texts are cut. A text that is nearly too wide has a fixed length, so that it fits in any
 * font.
 */
import {
  LABEL_TONES,
  type Label,
  type Leader,
  labelText,
  type Tone,
  weakestLabel,
} from '../../../../vocabulary/labels.ts'
import { type ShortPower, shortPowerText, worseTone } from '../../../../vocabulary/powers.ts'

export const BADGE_WIDTH = 250
export const BADGE_HEIGHT = 54

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Light for an unknown theme, because a page that embeds the badge must not break. */
export const themeOf = (text: unknown): Theme => THEMES.find((theme) => theme === text) ?? 'light'

export type Badge = {
  readonly label: Label
  /** A vote decides, alone or next to a multisig. */
  readonly leader?: Leader | null | undefined
  /** That of the label, unless a power makes it worse. */
  readonly tone?: Tone
  /** The power that makes the tone worse than that of the label. */
  readonly power?: ShortPower | undefined
  /** The name of a contract or a protocol, or an address. */
  readonly subject: string
  /** Follows the subject: "3 of 12 contracts". */
  readonly detail?: string
  /** Replaces the text of the label. */
  readonly text?: string
  readonly stale?: boolean
}

type Colors = { readonly background: string; readonly edge: string; readonly text: string; readonly faint: string }

const COLORS: Readonly<Record<Theme, Colors>> = {
  light: { background: '#ffffff', edge: '#d0d7de', text: '#1f2328', faint: '#57606a' },
  dark: { background: '#161b22', edge: '#30363d', text: '#f0f6fc', faint: '#9198a1' },
}

/** Contrast of at least 4.5 against the background. */
export const TONE_COLORS: Readonly<Record<Theme, Readonly<Record<Tone, string>>>> = {
  light: { green: '#1a7f37', amber: '#9a6700', red: '#cf222e', grey: '#59636e' },
  dark: { green: '#3fb950', amber: '#d29922', red: '#f85149', grey: '#9198a1' },
}

const TEXT_LEFT = 48
const TEXT_WIDTH = BADGE_WIDTH - TEXT_LEFT - 10
export const MARKS: Readonly<Record<Tone, string>> = {
  green: 'M18 27l5 5 9-10',
  amber: 'M25 19v9M25 33v.5',
  red: 'M19.5 21.5l11 11M30.5 21.5l-11 11',
  grey: 'M19 27h12',
}

export function renderBadge(badge: Badge, theme: Theme): string {
  const colors = COLORS[theme]
  const tone = badge.tone ?? LABEL_TONES[badge.label]
  const accent = TONE_COLORS[theme][tone]
  const text = badge.text ?? labelText(badge.label, badge.leader)
  const status = fitted(text, 12, true)
  const power = badge.power === undefined ? undefined : fitted(shortPowerText(badge.power), 11, true)
  const parts = [badge.subject, badge.detail, badge.stale === true ? 'stale' : undefined].filter(
    (part) => part !== undefined && part !== '',
  )
  // A long subject is cut, never the detail or the mark of a stale label.
  const line = fitted(
    parts[0] ?? '',
    11,
    false,
    parts
      .slice(1)
      .map((part) => ` · ${part}`)
      .join(''),
  )
  const stated = [text, ...(badge.power === undefined ? [] : [shortPowerText(badge.power)])]
  const title = escapeXml(`${parts.join(', ')}: ${stated.join('. ')}`)
  // Three lines where a power decides the tone.
  const [first, last] = power === undefined ? [24, 41] : [18, 47]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${BADGE_WIDTH}" height="${BADGE_HEIGHT}" viewBox="0 0 ${BADGE_WIDTH} ${BADGE_HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect x=".5" y=".5" width="${BADGE_WIDTH - 1}" height="${BADGE_HEIGHT - 1}" rx="8" fill="${colors.background}" stroke="${colors.edge}"/>`,
    `<circle cx="25" cy="27" r="14" fill="none" stroke="${accent}" stroke-width="2.5"/>`,
    `<path d="${MARKS[tone]}" fill="none" stroke="${accent}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>`,
    `<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif">`,
    `<text x="${TEXT_LEFT}" y="${first}" font-size="12" font-weight="bold" fill="${colors.text}"${status.fixedLength}>${escapeXml(status.text)}</text>`,
    ...(power === undefined
      ? []
      : [
          `<text x="${TEXT_LEFT}" y="33" font-size="11" font-weight="bold" fill="${accent}"${power.fixedLength}>${escapeXml(power.text)}</text>`,
        ]),
    `<text x="${TEXT_LEFT}" y="${last}" font-size="11" fill="${colors.faint}"${line.fixedLength}>${escapeXml(line.text)}</text>`,
    `</g></svg>`,
  ].join('')
}

/**
 * Text that fits its line. It is cut before `tail` if it is far too long. If some fonts might make it too long, its
 * length is fixed.
 */
function fitted(
  text: string,
  size: number,
  bold: boolean,
  tail = '',
): { readonly text: string; readonly fixedLength: string } {
  const scale = size * (bold ? 1.12 : 1)
  // A text that is compressed by a fifth is still readable.
  const room = (TEXT_WIDTH * 1.2) / scale
  const end = shortened(lettersOf(tail), room - MIN_SUBJECT)
  const letters = [...shortened(lettersOf(text), room - widthOfAll(end)), ...end]
  const isNearEdge = widthOfAll(letters) * scale > TEXT_WIDTH * 0.94
  return {
    text: letters.join(''),
    fixedLength: isNearEdge ? ` textLength="${TEXT_WIDTH}" lengthAdjust="spacingAndGlyphs"` : '',
  }
}

/** Room for about four letters of the subject. */
const MIN_SUBJECT = 3

/** Grapheme clusters: what a reader sees as one letter. */
const lettersOf = (text: string): readonly string[] =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text.replaceAll(/\s+/g, ' '))].map(
    ({ segment }) => segment,
  )

const widthOfAll = (letters: readonly string[]): number => letters.reduce((sum, letter) => sum + widthOf(letter), 0)

function shortened(letters: readonly string[], room: number): readonly string[] {
  if (widthOfAll(letters) <= room) return letters
  let width = widthOf('…')
  const end = letters.findIndex((letter) => (width += widthOf(letter)) > room)
  const kept = letters.slice(0, Math.max(0, end))
  return [...kept.slice(0, kept.findLastIndex((letter) => letter !== ' ') + 1), '…']
}

/** The width in the widest likely font, mostly Verdana, relative to the font size. Other scripts count as square. */
function widthOf(character: string): number {
  if (/^[ijl.,:;'|! ]$/.test(character)) return 0.36
  if (/^[ftrsI()[\]\-/·]$/.test(character)) return 0.46
  if (/^[mwMW@&]$/.test(character)) return 0.98
  if (/^[%ÆæŒœ]$/.test(character)) return 1.08
  if (/^[#<=>^~]$/.test(character)) return 0.82
  if (/^[A-ZÀ-Þ+…]$/.test(character)) return 0.74
  return /^[\u0020-\u024f]$/.test(character) ? 0.63 : 1.1
}

/** Escapes text for an element or an attribute, and removes characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** `0x1234…cdef`. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

type Control = Required<Pick<Badge, 'label' | 'tone'>> & Pick<Badge, 'power' | 'leader'>

/**
 * The label of a protocol is that of its weakest contract, and its tone the worst. The detail counts the contracts with
 * that label.
 */
export function protocolBadge(subject: string, contracts: readonly Control[]): Badge {
  const label = weakestLabel(contracts.map((each) => each.label))
  if (contracts.length === 0) return { label, subject }
  const tone = contracts.map((each) => each.tone).reduce(worseTone, LABEL_TONES[label])
  const count = contracts.filter((each) => each.label === label).length
  const power = tone === LABEL_TONES[label] ? undefined : contracts.find((each) => each.tone === tone)?.power
  const detail = `${count} of ${contracts.length} ${contracts.length === 1 ? 'contract' : 'contracts'}`
  return { label, leader: leaderOf(contracts.filter((each) => each.label === label)), tone, power, subject, detail }
}

/** Votes decide about all contracts of the label, about some, or about none. */
function leaderOf(contracts: readonly Control[]): Leader | undefined {
  if (contracts.every(({ leader }) => leader === undefined || leader === null)) return undefined
  return contracts.every(({ leader }) => leader === 'vote') ? 'vote' : 'vote_or_multisig'
}
