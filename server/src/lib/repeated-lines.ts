/**
 * Collapses repeated log lines: the first is written at once, equal ones within a minute are counted, and the count is
 * written with the next one or at the end of the minute.
 */
import type { LoggerOptions } from 'pino'

const WINDOW_MS = 60_000
/** More different lines than this are not compared, so that a flood of them takes no memory. */
const MOST_LINES = 1_000
/** Fields that are ignored when lines are compared. */
const INDIVIDUAL: ReadonlySet<string> = new Set(['reqId', 'err', 'ms', 'repeated'])

type Write = (...args: unknown[]) => void
type Line = { at: number; repeated: number; write: () => void }

/** Returns a hook for pino. `now` is in milliseconds. */
export function collapseRepeatedLines(now: () => number = Date.now): NonNullable<LoggerOptions['hooks']>['logMethod'] {
  const lines = new Map<string, Line>()
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    for (const [key, line] of lines) {
      if (now() - line.at < WINDOW_MS) continue
      lines.delete(key)
      if (line.repeated > 0) line.write()
    }
  }
  return function (args, method, level) {
    const write: Write = (...written) => method.apply(this, written as Parameters<typeof method>)
    const [first, text] = args as readonly unknown[]
    const facts = typeof first === 'object' && first !== null ? first : {}
    const message = typeof first === 'string' ? first : text
    const key = `${level} ${String(message)} ${keyOf(facts)}`
    const known = lines.get(key)
    if (known !== undefined && now() - known.at < WINDOW_MS) {
      known.repeated += 1
      known.write = () =>
        write({ ...facts, repeated: known.repeated }, `${String(message)} (${known.repeated} more times)`)
      return
    }
    flush()
    lines.delete(key)
    if (lines.size < MOST_LINES) lines.set(key, { at: now(), repeated: 0, write: () => undefined })
    timer ??= setInterval(flush, WINDOW_MS).unref()
    write(...args)
  }
}

function keyOf(facts: object): string {
  try {
    return JSON.stringify(Object.entries(facts).filter(([name]) => !INDIVIDUAL.has(name)))
  } catch {
    return '' // facts that JSON cannot express
  }
}
