/**
 * A control status as a picture of 250 by 54, to be put on other people's pages.
 *
 * Pure: the same words and the same theme are the same bytes. Nothing in it comes from elsewhere (no font, no style,
 * no script), every word is escaped, and no word leaves its place: long ones are cut, and what is near the edge is
 * held to the width it may take, whatever font the page has.
 */
import { LABEL_TEXTS, LABEL_TONES, type Label, type Tone, weakestLabel } from '../../../../vocabulary/labels.ts'

export const BADGE_WIDTH = 250
export const BADGE_HEIGHT = 54

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** An unknown theme is the light one: a page that embeds the badge must not break. */
export const themeOf = (text: unknown): Theme => THEMES.find((theme) => theme === text) ?? 'light'

export type Badge = {
  readonly label: Label
  /** What it is about: a contract's name, a protocol, an address. */
  readonly subject: string
  /** After the subject: "3 of 12 contracts". */
  readonly detail?: string
  /** Instead of the text of the label. */
  readonly text?: string
  readonly stale?: boolean
}

type Colours = { readonly ground: string; readonly edge: string; readonly text: string; readonly faint: string }

const COLOURS: Readonly<Record<Theme, Colours>> = {
  light: { ground: '#ffffff', edge: '#d0d7de', text: '#1f2328', faint: '#57606a' },
  dark: { ground: '#161b22', edge: '#30363d', text: '#f0f6fc', faint: '#9198a1' },
}

/** Each readable on its ground (contrast of 4.5 and more against it). */
const TONE_COLOURS: Readonly<Record<Theme, Readonly<Record<Tone, string>>>> = {
  light: { green: '#1a7f37', amber: '#9a6700', red: '#cf222e', grey: '#59636e' },
  dark: { green: '#3fb950', amber: '#d29922', red: '#f85149', grey: '#9198a1' },
}

const TEXT_LEFT = 48
const TEXT_ROOM = BADGE_WIDTH - TEXT_LEFT - 10
const MARKS: Readonly<Record<Tone, string>> = {
  green: 'M18 27l5 5 9-10',
  amber: 'M25 19v9M25 33v.5',
  red: 'M19.5 21.5l11 11M30.5 21.5l-11 11',
  grey: 'M19 27h12',
}

export function renderBadge(badge: Badge, theme: Theme): string {
  const colours = COLOURS[theme]
  const tone = LABEL_TONES[badge.label]
  const accent = TONE_COLOURS[theme][tone]
  const status = fitted(badge.text ?? LABEL_TEXTS[badge.label], 12, true)
  const about = [badge.subject, badge.detail, badge.stale === true ? 'stale' : undefined].filter(
    (part) => part !== undefined && part !== '',
  )
  // A long name is cut, never what follows it: how many, and that it may be old.
  const line = fitted(
    about[0] ?? '',
    11,
    false,
    about
      .slice(1)
      .map((part) => ` · ${part}`)
      .join(''),
  )
  const title = escapeXml(`${about.join(', ')}: ${badge.text ?? LABEL_TEXTS[badge.label]}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${BADGE_WIDTH}" height="${BADGE_HEIGHT}" viewBox="0 0 ${BADGE_WIDTH} ${BADGE_HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect x=".5" y=".5" width="${BADGE_WIDTH - 1}" height="${BADGE_HEIGHT - 1}" rx="8" fill="${colours.ground}" stroke="${colours.edge}"/>`,
    `<circle cx="25" cy="27" r="14" fill="none" stroke="${accent}" stroke-width="2.5"/>`,
    `<path d="${MARKS[tone]}" fill="none" stroke="${accent}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>`,
    `<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif">`,
    `<text x="${TEXT_LEFT}" y="24" font-size="12" font-weight="bold" fill="${colours.text}"${status.held}>${escapeXml(status.text)}</text>`,
    `<text x="${TEXT_LEFT}" y="41" font-size="11" fill="${colours.faint}"${line.held}>${escapeXml(line.text)}</text>`,
    `</g></svg>`,
  ].join('')
}

/** Text that fits its line: cut before `tail` where it is far too long, held to the room where fonts might make it so. */
function fitted(
  text: string,
  size: number,
  bold: boolean,
  tail = '',
): { readonly text: string; readonly held: string } {
  const scale = size * (bold ? 1.12 : 1)
  // A fifth more can be squeezed in and still be read.
  const room = (TEXT_ROOM * 1.2) / scale
  const end = shortened(lettersOf(tail), room - LEAST_NAME)
  const shown = [...shortened(lettersOf(text), room - widthOfAll(end)), ...end]
  const isNearEdge = widthOfAll(shown) * scale > TEXT_ROOM * 0.94
  return {
    text: shown.join(''),
    held: isNearEdge ? ` textLength="${TEXT_ROOM}" lengthAdjust="spacingAndGlyphs"` : '',
  }
}

/** Room for some four letters of a name. */
const LEAST_NAME = 3

/** What a reader sees as one letter, however many code points it has. */
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

/** Widths of the widest font they may be shown in, mostly Verdana, in parts of the font's size; what it lacks is square. */
function widthOf(character: string): number {
  if (/^[ijl.,:;'|! ]$/.test(character)) return 0.36
  if (/^[ftrsI()[\]\-/·]$/.test(character)) return 0.46
  if (/^[mwMW@&]$/.test(character)) return 0.98
  if (/^[%ÆæŒœ]$/.test(character)) return 1.08
  if (/^[#<=>^~]$/.test(character)) return 0.82
  if (/^[A-ZÀ-Þ+…]$/.test(character)) return 0.74
  return /^[\u0020-\u024f]$/.test(character) ? 0.63 : 1.1
}

/** Text for an element or an attribute; characters that no XML may hold are left out. */
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

/** `0x1234…cdef`: enough to recognise, short enough to read. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** A protocol is as strong as its weakest contract; the badge says how many are like it. */
export function protocolBadge(subject: string, labels: readonly Label[]): Badge {
  const label = weakestLabel(labels)
  if (labels.length === 0) return { label, subject }
  const count = labels.filter((each) => each === label).length
  return { label, subject, detail: `${count} of ${labels.length} ${labels.length === 1 ? 'contract' : 'contracts'}` }
}
