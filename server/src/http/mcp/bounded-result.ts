/** Bounds the text of a result, because a language model reads all of it. */
import { parseToForward } from '../../lib/json.ts'
import { OperationError } from './operation-error.ts'

/** About 15,000 tokens. */
export const MAX_RESULT_CHARACTERS = 60_000

export type BoundedResult = {
  readonly value: Readonly<Record<string, unknown>>
  readonly text: string
  /** One sentence for each list that was cut. */
  readonly notes: readonly string[]
}

type List = { readonly path: string; readonly items: unknown[]; readonly characters: number }

/**
 * Shortens the longest list until the value fits. A page is refused instead: the next page would not begin where a cut
 * one ends.
 */
export function boundedResult(
  value: Readonly<Record<string, unknown>>,
  pageSize: 'limit' | 'pageSize' | undefined,
): BoundedResult {
  let text = JSON.stringify(value)
  if (text.length <= MAX_RESULT_CHARACTERS) return { value, text, notes: [] }
  if (pageSize !== undefined)
    throw new OperationError(
      `The result has ${text.length} characters, and at most ${MAX_RESULT_CHARACTERS} are returned. Call again with a smaller ${pageSize}.`,
    )
  const copy = parseToForward(text) as Record<string, unknown>
  const lengths = new Map<string, number>()
  while (text.length > MAX_RESULT_CHARACTERS) {
    const longest = longestList(copy)
    if (longest === undefined)
      throw new OperationError(
        `The result has ${text.length} characters, and at most ${MAX_RESULT_CHARACTERS} are returned.`,
      )
    const { path, items } = longest
    if (!lengths.has(path)) lengths.set(path, items.length)
    items.length = Math.floor(items.length / 2)
    text = JSON.stringify(copy)
  }
  const notes = [...lengths].map(
    ([path, length]) => `The list ${path} is not complete: the result was too long for all of its ${length} entries.`,
  )
  return { value: copy, text, notes }
}

/** The list with the longest text that has entries to leave out. Lists inside its entries are part of it. */
function longestList(value: unknown, path = ''): List | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value) && value.length > 1) return { path, items: value, characters: JSON.stringify(value).length }
  let longest: List | undefined
  for (const [name, part] of Object.entries(value)) {
    const found = longestList(part, path === '' ? name : `${path}.${name}`)
    if (found !== undefined && found.characters > (longest?.characters ?? 0)) longest = found
  }
  return longest
}
