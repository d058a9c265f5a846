/** Cursors of the feed: opaque to callers, and refused unless we made them. */
import { ApiError } from '../../lib/api-error.ts'
import type { FeedPosition } from './feed.ts'

export const writeCursor = ({ blockTime, id }: FeedPosition): string =>
  Buffer.from(`${blockTime}.${id}`).toString('base64url')

export function readCursor(cursor: string | undefined): FeedPosition | undefined {
  if (cursor === undefined) return undefined
  const [, blockTime, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const position = { blockTime: Number(blockTime), id: Number(id) }
  if (blockTime === undefined || id === undefined || writeCursor(position) !== cursor) {
    throw new ApiError({
      status: 400,
      code: 'invalid_cursor',
      message: 'cursor: must be the nextCursor of an earlier answer',
    })
  }
  return position
}
