/**
 * Parses a `.env` file. A line that is not `NAME=value` is a fault, because the operator would expect an ignored line
 * to have an effect.
 */

import { withoutByteOrderMark } from '../lib/byte-order-mark.ts'

export type EnvFile = { readonly values: Readonly<Record<string, string>>; readonly faults: readonly string[] }

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/

export function parseEnvFile(text: string): EnvFile {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const [index, line] of withoutByteOrderMark(text).split(/\r?\n/).entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue
    const [, name, raw] = ASSIGNMENT.exec(line) ?? []
    if (name === undefined || raw === undefined) {
      faults.push(`.env line ${index + 1}: is not NAME=value; correct it, or start it with #`)
      continue
    }
    const value = unquote(raw)
    if (value === undefined)
      faults.push(
        `.env line ${index + 1}: ${name} has an unclosed quote or text after the closing quote; quote the whole value`,
      )
    else if (Object.hasOwn(values, name))
      faults.push(`.env line ${index + 1}: ${name} is set twice; remove one of the lines`)
    else values[name] = value
  }
  return { values, faults }
}

/** Returns the value without quotes, or without a trailing comment if it is unquoted; undefined for an unclosed quote. */
function unquote(raw: string): string | undefined {
  const quote = raw[0]
  if (quote !== '"' && quote !== "'") return raw.replace(/\s+#.*$/, '').trim()
  const closed = new RegExp(`^${quote}([^${quote}]*)${quote}\\s*(#.*)?$`).exec(raw)
  return closed?.[1]
}
