/** Cursors of a person's own lists: opaque, and refused unless we made them. */
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/cursor.ts'

/** The last one shown, and how many may still follow it. */
export type PagePosition = { readonly before: number; readonly left: number }

/** For lists without a bottom. */
export const ENDLESS = 999_999_999_999_999

export const writePage = ({ before, left }: PagePosition): string => encodeCursor(before, left)

export function readPage(cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) return undefined
  const fields = decodeCursor(cursor, /^(\d{1,15})\.(\d{1,15})$/)
  if (fields === undefined) throw invalidCursor('invalid_cursor')
  return { before: Number(fields[0]), left: Number(fields[1]) }
}

/** One page of a list read newest first, `most` rows deep at the utmost. */
export async function readPaged<Row extends { readonly id: number }>(
  read: (page: { readonly before: number | undefined; readonly limit: number }) => Promise<readonly Row[]>,
  { limit, cursor, most }: { readonly limit: number; readonly cursor?: string | undefined; readonly most: number },
): Promise<{ readonly rows: readonly Row[]; readonly nextCursor: string | null }> {
  const position = readPage(cursor)
  const left = position?.left ?? most
  const wanted = Math.min(limit, left)
  // One more than asked for tells whether there is a next page.
  const found = wanted === 0 ? [] : await read({ before: position?.before, limit: wanted + 1 })
  const rows = found.slice(0, wanted)
  const last = rows.at(-1)
  const goesOn = found.length > wanted && left > wanted && last !== undefined
  return { rows, nextCursor: goesOn ? writePage({ before: last.id, left: left - wanted }) : null }
}
