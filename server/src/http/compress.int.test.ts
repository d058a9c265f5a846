/** Compressed responses: which are, with which encoding, and that they hold the same text. */
import assert from 'node:assert/strict'
import { get, type IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, signIn, startService } from '../../../testing/support/service.ts'
import { acceptedEncoding } from './compress.ts'

test('the best accepted encoding is chosen', () => {
  const chosen = (header: string | undefined) => acceptedEncoding(header)
  assert.equal(chosen(undefined), undefined)
  assert.equal(chosen(''), undefined)
  assert.equal(chosen('identity'), undefined)
  assert.equal(chosen('gzip, deflate'), 'gzip')
  assert.equal(chosen('gzip, deflate, br, zstd'), 'br')
  assert.equal(chosen('GZIP;q=1.0, br;q=0.5'), 'gzip')
  assert.equal(chosen('br;q=0, gzip;q=0'), undefined)
  assert.equal(chosen('*'), 'br')
  assert.equal(chosen('br;q=0, *'), 'gzip')
  assert.equal(chosen('br;q=nonsense'), undefined)
})

/** Reads without decompressing, which `fetch` would do. */
const read = (url: string, headers: Record<string, string>) =>
  new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    }).on('error', reject)
  })

test('long JSON is compressed if the client accepts it; short ones and those of web sessions are not', async () => {
  const store = await createTestDatabase()
  const { url, ...service } = await startService(store)
  const account = await makeTestAccount(store.database, { plan: 'team', operator: true })
  const { key } = await makeTestKey(store.database, account, 'v1')
  const plain = await read(`${url}/openapi.json`, {})
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.headers.vary, 'accept-encoding')

  const small = await read(`${url}/openapi.json`, { 'accept-encoding': 'br' })
  assert.equal(small.headers['content-encoding'], 'br')
  assert.equal(small.headers['content-length'], String(small.body.length))
  assert.ok(small.body.length < plain.body.length / 5)
  assert.ok(brotliDecompressSync(small.body).equals(plain.body))
  const zipped = await read(`${url}/openapi.json`, { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.ok(gunzipSync(zipped.body).equals(plain.body))

  const accepting = { 'accept-encoding': 'br, gzip', authorization: `Bearer ${key}` }
  assert.equal((await read(`${url}/v1/events`, accepting)).headers['content-encoding'], undefined, 'short')
  const cookie = await signIn({ url, ...service }, account)
  for (let count = 0; count < 12; count++) await makeTestAccount(store.database)
  const accounts = await read(`${url}/me/operator/accounts`, { ...accepting, cookie })
  assert.ok(accounts.body.length > 1_400)
  assert.equal(accounts.headers['content-encoding'], undefined, 'of a web session')
})
