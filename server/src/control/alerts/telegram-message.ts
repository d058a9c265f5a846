/** Renders an alert as Telegram HTML, split into parts within Telegram's length limit. */
import type { Alert } from './alert.ts'
import { HTML } from './mail-message.ts'
import { alertBlocks, headlineOf, introOf, markLine } from './message-lines.ts'

/** Telegram's limit is 4,096 without marks. Counting the marks too stays below it. */
const MAX_CHARACTERS = 4_000

export function telegramParts(alert: Alert): readonly string[] {
  const intro = introOf(alert)
  const head = [
    ...(alert.retracts === null ? [] : [HTML.bold(headlineOf(alert))]),
    ...(intro === undefined ? [] : [HTML.plain(intro)]),
  ]
  const blocks = alertBlocks(alert).map((lines) => lines.map((line) => markLine(line, HTML)))
  return packBlocks([...(head.length === 0 ? [] : [head]), ...blocks])
}

/** Keeps blocks whole where they fit. A longer block is split between lines. */
function packBlocks(blocks: readonly (readonly string[])[]): readonly string[] {
  const parts: string[] = []
  let part = ''
  const add = (text: string, gap: string): void => {
    if (part === '') part = text
    else if (part.length + gap.length + text.length <= MAX_CHARACTERS) part += gap + text
    else {
      parts.push(part)
      part = text
    }
  }
  for (const lines of blocks) {
    const block = lines.join('\n')
    if (block.length <= MAX_CHARACTERS) add(block, '\n\n')
    else for (const [at, line] of lines.entries()) add(line, at === 0 ? '\n\n' : '\n')
  }
  return part === '' ? parts : [...parts, part]
}
