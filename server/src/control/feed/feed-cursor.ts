/** Cursors of the feed. */
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/cursor.ts'
import type { FeedPosition } from './feed.ts'

export const writeCursor = ({ blockTime, id }: FeedPosition): string => encodeCursor(blockTime, id)

export function readCursor(cursor: string | undefined): FeedPosition | undefined {
  if (cursor === undefined) return undefined
  const fields = decodeCursor(cursor, /^(\d{1,15})\.(\d{1,15})$/)
  if (fields === undefined) throw invalidCursor('invalid_cursor')
  return { blockTime: Number(fields[0]), id: Number(fields[1]) }
}
