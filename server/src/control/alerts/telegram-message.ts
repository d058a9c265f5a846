/** A message as Telegram shows it: its small HTML, in as many parts as its limit on length asks for. */
import type { Alert } from './alert.ts'
import { HTML } from './mail-message.ts'
import { headlineOf, introOf, itemLines } from './message-lines.ts'

/** Telegram counts 4,096 after reading the marks; counting them too stays below. */
const MOST_CHARACTERS = 4_000

export function telegramParts(alert: Alert): readonly string[] {
  const intro = introOf(alert)
  const head = [
    ...(alert.retracts === null ? [] : [HTML.bold(headlineOf(alert))]),
    ...(intro === undefined ? [] : [HTML.plain(intro)]),
  ]
  const blocks = alert.items.map((item) => itemLines(item, HTML))
  return packed([...(head.length === 0 ? [] : [head]), ...blocks])
}

/** Whole blocks as long as they fit; a block longer than a part goes on in the next, never inside a line. */
function packed(blocks: readonly (readonly string[])[]): readonly string[] {
  const parts: string[] = []
  let part = ''
  const add = (text: string, gap: string): void => {
    if (part === '') part = text
    else if (part.length + gap.length + text.length <= MOST_CHARACTERS) part += gap + text
    else {
      parts.push(part)
      part = text
    }
  }
  for (const lines of blocks) {
    const block = lines.join('\n')
    if (block.length <= MOST_CHARACTERS) add(block, '\n\n')
    else for (const [at, line] of lines.entries()) add(line, at === 0 ? '\n\n' : '\n')
  }
  return part === '' ? parts : [...parts, part]
}
