/** Cursors of the request log. */
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/cursor.ts'
import type { Place } from '../store/log.ts'

export const writeCursor = ({ at, requestId }: Place): string => encodeCursor(at, requestId)

export function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [at, requestId] = decodeCursor(cursor, /^(\d{12,14})\.([\w-]+)$/) ?? []
  if (at === undefined || requestId === undefined) throw invalidCursor('INVALID_PARAMETER')
  return { at: Number(at), requestId }
}
