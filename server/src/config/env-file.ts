/**
 * Reads a `.env` file strictly: a line that is not `NAME=value` is a fault with its number, because a silently
 * ignored line is a setting the operator believes in.
 */

export type EnvFile = { readonly values: Readonly<Record<string, string>>; readonly faults: readonly string[] }

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/

export function parseEnvFile(text: string): EnvFile {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue
    const [, name, raw] = ASSIGNMENT.exec(line) ?? []
    if (name === undefined || raw === undefined) {
      faults.push(`.env line ${index + 1}: expected NAME=value`)
      continue
    }
    const value = unquote(raw)
    if (value === undefined)
      faults.push(`.env line ${index + 1}: ${name} has a quote that is never closed, or text after it`)
    else if (Object.hasOwn(values, name)) faults.push(`.env line ${index + 1}: ${name} is set twice`)
    else values[name] = value
  }
  return { values, faults }
}

/** The value without its quotes or, where unquoted, without a trailing comment; undefined for an open quote. */
function unquote(raw: string): string | undefined {
  const quote = raw[0]
  if (quote !== '"' && quote !== "'") return raw.replace(/\s+#.*$/, '').trim()
  const closed = new RegExp(`^${quote}([^${quote}]*)${quote}\\s*(#.*)?$`).exec(raw)
  return closed?.[1]
}
