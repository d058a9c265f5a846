/**
 * Renders what a page is about as an SVG image of 1200 by 630 pixels, which messengers show with a link.
 *
 * Pure: the same texts always give the same bytes. Every text is escaped, and long ones are cut.
 */
import { LABEL_TONES, labelText, type Tone } from '../../../../vocabulary/labels.ts'
import { shortPowerText } from '../../../../vocabulary/powers.ts'
import { type Badge, escapeXml, MARKS, TONE_COLORS } from './badge.ts'

const WIDTH = 1200
const HEIGHT = 630
const LEFT = 80
const TEXT_WIDTH = WIDTH - 2 * LEFT
/** Width of a character relative to the size of the font: an upper bound for most texts. */
const CHARACTER = 0.58

export type Card = {
  readonly tone: Tone
  readonly subject: string
  /** Where the subject is: "on Ethereum". */
  readonly where: string
  /** One to three lines. */
  readonly statements: readonly string[]
}

/** The card of a control label. */
export function labelCard(badge: Badge, where: string): Card {
  const statements = [badge.text ?? labelText(badge.label, badge.leader)]
  if (badge.power !== undefined) statements.push(shortPowerText(badge.power))
  if (badge.stale === true) statements.push('The last check failed')
  return { tone: badge.tone ?? LABEL_TONES[badge.label], subject: badge.subject, where, statements }
}

export function renderCard({ tone, subject, where, statements }: Card): string {
  const accent = TONE_COLORS.light[tone]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Geist">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/><rect width="${WIDTH}" height="16" fill="${accent}"/>`,
    line({ text: 'Gatewatch', y: 110, size: 36, weight: 600, color: '#57606a' }),
    line({ text: subject, y: 250, size: 84, weight: 600, color: '#1f2328' }),
    line({ text: where, y: 318, size: 40, weight: 400, color: '#57606a' }),
    `<g transform="translate(${LEFT} 390) scale(4) translate(-10 -12)">`,
    `<circle cx="25" cy="27" r="14" fill="none" stroke="${accent}" stroke-width="2.5"/>`,
    `<path d="${MARKS[tone]}" fill="none" stroke="${accent}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></g>`,
    ...statements.map((text, index) =>
      line({
        text,
        x: LEFT + 160,
        y: (statements.length === 1 ? 468 : 440) + 66 * index,
        size: index === 0 ? 56 : 46,
        weight: 600,
        color: index === 0 ? '#1f2328' : accent,
      }),
    ),
    '</svg>',
  ].join('')
}

type Line = {
  readonly text: string
  readonly x?: number
  readonly y: number
  readonly size: number
  readonly weight: number
  readonly color: string
}

/** A line of text: smaller if it is long, cut if it is very long. */
function line({ text, x = LEFT, y, size, weight, color }: Line): string {
  const room = TEXT_WIDTH - (x - LEFT)
  const smallest = size / 2
  const most = Math.floor(room / (smallest * CHARACTER))
  const characters = Array.from(text)
  const shown = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
  const fitting = Math.min(size, room / (CHARACTER * Array.from(shown).length))
  return `<text x="${x}" y="${y}" font-size="${Math.floor(fitting)}" font-weight="${weight}" fill="${color}">${escapeXml(shown)}</text>`
}
