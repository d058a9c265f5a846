/** Exports: a whole list as CSV or as one JSON object per line, read page by page while the client takes it. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { stringifyExactly } from '../json.ts'
import { tooManyRequests } from './api-error.ts'

const EXPORT_FORMATS = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const exportFormat = z
  .enum(EXPORT_FORMATS, `must be one of ${EXPORT_FORMATS.join(', ')}`)
  .default('ndjson')
  .describe('`csv` has one column for each field, with a header line; `ndjson` has one JSON object in each line')

/** The success of an export in the schema of a route. */
export const exportResponse = {
  description: 'All rows. The connection breaks if they cannot be read to the end: a complete response is complete',
  content: { 'text/csv': { schema: z.string() }, 'application/x-ndjson': { schema: z.string() } },
}

export type ExportRow = Readonly<Record<string, unknown>>

export type Export = {
  readonly format: ExportFormat
  /** The name of the downloaded file, without its extension. */
  readonly name: string
  /** The columns of a CSV: paths of fields, such as `contract.name`. */
  readonly columns: readonly string[]
  /** Pages of rows. */
  readonly pages: AsyncIterable<readonly ExportRow[]>
}

const MAX_EXPORTS_PER_ACCOUNT = 2
const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export type Exports = {
  /** Sends an export. Throws before the first byte if the first page cannot be read. */
  readonly send: (reply: FastifyReply, accountId: string, requested: Export) => Promise<FastifyReply>
}

/** Sends exports, at most two at a time for one account. `code` is that of the refusal. */
export function createExports(code: string): Exports {
  const running = new Map<string, number>()
  const add = (accountId: string, count: number): void => {
    const left = (running.get(accountId) ?? 0) + count
    if (left > 0) running.set(accountId, left)
    else running.delete(accountId)
  }
  return {
    send: async (reply, accountId, { format, name, columns, pages }) => {
      if ((running.get(accountId) ?? 0) >= MAX_EXPORTS_PER_ACCOUNT)
        throw tooManyRequests({
          code,
          message: `An account can run ${MAX_EXPORTS_PER_ACCOUNT} exports at a time. Wait until one has ended.`,
          retryAfterSeconds: 10,
        })
      add(accountId, 1)
      try {
        const iterator = pages[Symbol.asyncIterator]()
        const first = await iterator.next()
        const text = textOf(format, columns, startingWith(first, iterator))
        const stream = Readable.from(text, { objectMode: false }).once('close', () => add(accountId, -1))
        return await reply
          .type(`${TYPES[format]}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="${name}.${format}"`)
          .send(stream)
      } catch (error) {
        add(accountId, -1)
        throw error
      }
    },
  }
}

type Pages = AsyncIterator<readonly ExportRow[]>

async function* startingWith(
  first: IteratorResult<readonly ExportRow[]>,
  rest: Pages,
): AsyncGenerator<readonly ExportRow[]> {
  for (let page = first; page.done !== true; page = await rest.next()) yield page.value
}

async function* textOf(
  format: ExportFormat,
  columns: readonly string[],
  pages: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<string> {
  const isCsv = format === 'csv'
  const paths = columns.map((column) => column.split('.'))
  if (isCsv) yield `${columns.join(',')}\r\n`
  for await (const rows of pages)
    yield rows
      .map((row) =>
        isCsv ? `${paths.map((path) => csvField(valueAt(row, path))).join(',')}\r\n` : `${stringifyExactly(row)}\n`,
      )
      .join('')
}

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as ExportRow)[name] : undefined),
    row,
  )

/** A field as RFC 4180 describes it. Text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : stringifyExactly(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
