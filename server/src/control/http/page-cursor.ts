/** Pages of an account's own lists, newest first. */
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'

/** The last id of a page, and how many rows may follow it. */
type PagePosition = { readonly before: number; readonly left: number }

export const UNLIMITED = 999_999_999_999_999

function readPage(cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) return undefined
  const fields = decodeCursor(cursor, /^(\d{1,15})\.(\d{1,15})$/)
  if (fields === undefined) throw invalidCursor('invalid_cursor')
  return { before: Number(fields[0]), left: Number(fields[1]) }
}

/** Reads one page of a list that ends after `max` rows. */
export async function readPaged<Row extends { readonly id: number }>(
  read: (page: { readonly before: number | undefined; readonly limit: number }) => Promise<readonly Row[]>,
  { limit, cursor, max }: { readonly limit: number; readonly cursor?: string | undefined; readonly max: number },
): Promise<{ readonly rows: readonly Row[]; readonly nextCursor: string | null }> {
  const position = readPage(cursor)
  const left = position?.left ?? max
  const wanted = Math.min(limit, left)
  // One more than requested shows whether there is a next page.
  const found = wanted === 0 ? [] : await read({ before: position?.before, limit: wanted + 1 })
  const rows = found.slice(0, wanted)
  const last = rows.at(-1)
  const hasNext = found.length > wanted && left > wanted && last !== undefined
  return { rows, nextCursor: hasNext ? encodeCursor(last.id, left - wanted) : null }
}
