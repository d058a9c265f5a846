/** A copy of the database is of no use without AUTH_SECRET. */

import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { makeTestAccount, signIn, startService } from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'

const store = await createTestDatabase()
const service = await startService(store)
const statusWith = async (cookie: string): Promise<number> =>
  (await fetch(`${service.url}/me/api-keys`, { headers: { cookie } })).status

test('a session token from the database is useless without the signature of its cookie', async () => {
  const account = await makeTestAccount(store.database)
  const cookie = await signIn(service, account)
  assert.equal(await statusWith(cookie), 200)
  const { rows } = await store.database.query<{ token: string }>(sql`select token from session where account_id = $1`, [
    account.id,
  ])
  const token = rows[0]?.token ?? assert.fail()
  const name = cookie.slice(0, cookie.indexOf('='))
  assert.ok(decodeURIComponent(cookie).startsWith(`${name}=${token}.`), 'the cookie is the token and its signature')
  const forged = createHmac('sha256', randomBytes(32)).update(token).digest('base64')
  for (const value of [token, `${token}.`, `${token}.${forged}`])
    assert.equal(await statusWith(`${name}=${encodeURIComponent(value)}`), 401)
})

test('the key that signs tokens is stored encrypted', async () => {
  const cookie = await signIn(service, await makeTestAccount(store.database))
  const { status } = await fetch(`${service.url}/api/auth/token`, { headers: { cookie } })
  assert.equal(status, 200)
  const { rows } = await store.database.query<{ sealed: string }>(sql`select private_key as sealed from signing_key`)
  assert.equal(rows.length, 1)
  const sealed = JSON.parse(rows[0]?.sealed ?? '') as unknown
  assert.equal(typeof sealed, 'string', 'a JSON Web Key would be an object with its "d"')
  assert.match(String(sealed), /^[0-9a-f]{64,}$/)
})
