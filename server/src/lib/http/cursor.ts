/** Opaque cursors: the position where a page ended, which a client sends back to read the next page. */
import { ApiError } from './api-error.ts'

export const encodeCursor = (...fields: readonly (string | number)[]): string =>
  Buffer.from(fields.join('.'), 'latin1').toString('base64url')

/** The groups of `shape` in a cursor that `encodeCursor` wrote; undefined for any other text. */
export function decodeCursor(cursor: string, shape: RegExp): readonly string[] | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const match = encodeCursor(text) === cursor ? shape.exec(text) : null
  return match?.slice(1)
}

/** The 400 of a cursor that this service did not write. Each API has its own `code`. `words` are accepted as well. */
export const invalidCursor = (code: string, parameter = 'cursor', words: readonly string[] = []): ApiError =>
  new ApiError({
    status: 400,
    code,
    message: `${parameter}: must be ${words.map((word) => `${word}, `).join('')}${words.length > 0 ? 'or ' : ''}the nextCursor of an earlier response`,
  })
