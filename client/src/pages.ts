/** Reads lists page by page. */
import { ResponseError } from './response-error.ts'

type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null | undefined }
type Answer<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response }

/**
 * Yields every item of a list. `read` requests one page, `pageOf` finds the items and the next cursor in its response.
 *
 *     const events = pages(
 *       (cursor) => gatewatch.GET('/v1/events', { params: { query: { chain: 'base', limit: 200, cursor } } }),
 *       ({ data, nextCursor }) => ({ items: data, nextCursor }),
 *     )
 *     for await (const event of events) console.log(event.eventKey)
 *
 * Throws a `ResponseError` if a page is refused.
 */
export async function* pages<Data, Item>(
  read: (cursor: string | undefined) => Promise<Answer<Data>>,
  pageOf: (data: Data) => Page<Item>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  for (;;) {
    const { data, error, response } = await read(cursor)
    if (data === undefined) throw new ResponseError(response.status, error)
    const { items, nextCursor } = pageOf(data)
    yield* items
    if (nextCursor === null || nextCursor === undefined) return
    cursor = nextCursor
  }
}
