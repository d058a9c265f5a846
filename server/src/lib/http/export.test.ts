import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createExports, csvField, type ExportRow } from './export.ts'

test('a CSV field is quoted where RFC 4180 asks for it, and is never a formula', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [null, ''],
    [undefined, ''],
    [-5, '-5'],
    [12345678901234567890n, '12345678901234567890'],
    [true, 'true'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    [{ a: 1n }, '"{""a"":1}"'],
  ]
  for (const [value, field] of cases) assert.equal(csvField(value), field)
})

async function* pagesOf(...pages: readonly (readonly ExportRow[] | Error)[]): AsyncGenerator<readonly ExportRow[]> {
  for (const page of pages) {
    if (page instanceof Error) throw page
    yield page
  }
}

const COLUMNS = ['id', 'contract.name']
const ROWS = [
  { id: 1, contract: { name: 'A' } },
  { id: 2, contract: null },
]

async function serve(pages: () => AsyncIterable<readonly ExportRow[]>) {
  const app = Fastify()
  const exports = createExports('rate_limited')
  app.get<{ Querystring: { format: 'csv' | 'ndjson' } }>('/', (request, reply) =>
    exports.send(reply, 'account', { format: request.query.format, name: 'rows', columns: COLUMNS, pages: pages() }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  return { app, url: `http://127.0.0.1:${port}/?format=` }
}

test('rows of all pages are sent, with a header line in CSV', async () => {
  const { app, url } = await serve(() => pagesOf(ROWS, [], ROWS.slice(0, 1)))
  const csv = await fetch(`${url}csv`)
  assert.equal(await csv.text(), 'id,contract.name\r\n1,A\r\n2,\r\n1,A\r\n')
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="rows.csv"')
  assert.equal(
    await (await fetch(`${url}ndjson`)).text(),
    '{"id":1,"contract":{"name":"A"}}\n{"id":2,"contract":null}\n{"id":1,"contract":{"name":"A"}}\n',
  )
  await app.close()
})

test('a failure in the first page is an error response; one in a later page breaks the connection', async () => {
  const early = await serve(() => pagesOf(new Error('no')))
  assert.equal((await fetch(`${early.url}csv`)).status, 500)
  const late = await serve(() => pagesOf(ROWS, new Error('no')))
  await assert.rejects(async () => (await fetch(`${late.url}csv`)).text())
  await Promise.all([early.app.close(), late.app.close()])
})

test('an account can run two exports at a time', async () => {
  const held = Promise.withResolvers<void>()
  async function* slow(): AsyncGenerator<readonly ExportRow[]> {
    yield ROWS
    await held.promise
  }
  const { app, url } = await serve(slow)
  const open = [await fetch(`${url}csv`), await fetch(`${url}csv`)]
  assert.equal((await fetch(`${url}csv`)).status, 429)
  held.resolve()
  for (const response of open) await response.text()
  let status = 429
  while (status === 429) {
    const response = await fetch(`${url}csv`)
    await response.text()
    status = response.status
  }
  assert.equal(status, 200)
  await app.close()
})
