/**
 * Checks JSON before it is parsed: how deep it nests, and how many values it has for its size. Finds where a long list can
 * be divided, because a check costs less than parsing, and needs no memory.
 *
 * An endpoint decides what it returns. Forty megabytes of nested brackets take the parser twenty seconds, and a list of
 * empty lists takes ten times its size in memory.
 */
import { MalformedError } from './rpc-error.ts'

const [QUOTE, BACKSLASH, COMMA, BRACKET] = [0x22, 0x5c, 0x2c, 0x5b]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** A log has a value for every 40 bytes. Small responses have short values. */
const BYTES_PER_VALUE = 12
const FREE_VALUES = 20_000

/**
 * Throws if the text nests deeper than `maxDepth` or consists of more values than responses have. Returns where the list
 * `result` of a response can be divided: its opening bracket, commas at least `partBytes` apart, and its closing bracket.
 * Empty if there is no such list.
 */
export function checkJson(
  bytes: Uint8Array,
  maxDepth: number,
  partBytes = Number.POSITIVE_INFINITY,
): readonly number[] {
  const maxValues = FREE_VALUES + bytes.length / BYTES_PER_VALUE
  const cuts: number[] = []
  let [depth, values, list] = [0, 0, 'ahead' as 'ahead' | 'open' | 'closed']
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
    } else if (OPENING.has(byte)) {
      depth += 1
      values += 1
      if (depth > maxDepth) throw new MalformedError(`the response nests deeper than ${maxDepth} levels`)
      if (list === 'ahead' && depth === 2 && byte === BRACKET && isResult(bytes, at)) {
        list = 'open'
        cuts.push(at)
      }
    } else if (CLOSING.has(byte)) {
      if (list === 'open' && depth === 2) {
        list = 'closed'
        cuts.push(at)
      }
      depth -= 1
    } else if (byte === COMMA) {
      values += 1
      if (list === 'open' && depth === 2 && at - (cuts.at(-1) as number) > partBytes) cuts.push(at)
    }
    if (values > maxValues) throw new MalformedError('the response has too many values for its size')
  }
  return list === 'closed' ? cuts : []
}

/** Whether the value at this position has the key `result`. */
const isResult = (bytes: Uint8Array, at: number): boolean =>
  /"result"\s*:\s*$/.test(String.fromCharCode(...bytes.subarray(Math.max(0, at - 32), at)))

/** The position of the closing quote, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return bytes.length
}
