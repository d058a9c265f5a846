/** Where a page of the log ended, as the client carries it to the next. */
import { ApiError } from '../../lib/api-error.ts'
import type { Place } from '../store/log.ts'

export const writeCursor = ({ at, requestId }: Place): string =>
  Buffer.from(`${at} ${requestId}`, 'latin1').toString('base64url')

export function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, requestId] = /^(\d{12,14}) ([\w-]+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (at === undefined || requestId === undefined)
    throw new ApiError({ status: 400, code: 'INVALID_PARAMETER', message: 'cursor: is not one of ours' })
  return { at: Number(at), requestId }
}
