/** One-time codes, repeated passwords before sensitive changes, deletion of accounts, and the end of reset links. */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../testing/support/log.ts'
import { eventually } from '../../../testing/support/receivers.ts'
import {
  cookieOf,
  makeTestAccount,
  makeTestKey,
  type Service,
  signIn,
  startService,
  type TestAccount,
} from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'

const store = await createTestDatabase()
const service = await startService(store)
const { url } = service

const newPassword = () => keepSecretOfTest(randomBytes(12).toString('base64url'))
async function send(method: string, path: string, cookie: string, body?: unknown, to: string = url) {
  const answer = await fetch(to + path, {
    method,
    headers: { cookie, origin: to, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as Record<string, unknown> & { error?: { code: string } }
  return { answer, json, outcome: `${answer.status} ${json.error?.code ?? ''}`.trim() }
}
const auth = (path: string, body: unknown, cookie = '', to: string = url) =>
  send('POST', `/api/auth${path}`, cookie, body, to)

/** The code of an authenticator app (RFC 6238: SHA-1, 30 s, six digits). */
function codeOf(secret: string, at = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', base32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}
function base32(text: string): Buffer {
  const bits = text
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

async function withCodes({ password }: TestAccount, cookie: string, to: string = url) {
  const { json } = await auth('/two-factor/enable', { password }, cookie, to)
  const secret = keepSecretOfTest(new URL(String(json.totpURI)).searchParams.get('secret') ?? '')
  const verified = await auth('/two-factor/verify-totp', { code: codeOf(secret) }, cookie, to)
  assert.equal(verified.outcome, '200')
  return { secret, backupCodes: json.backupCodes as readonly string[], cookie: cookieOf(verified.answer) }
}

test('with one-time codes, a password alone does not sign in', async () => {
  const account = await makeTestAccount(store.database)
  const { secret, backupCodes } = await withCodes(account, await signIn(service, account))
  const { email, password } = account
  const half = await auth('/sign-in/email', { email, password })
  assert.deepEqual([half.outcome, half.json.twoFactorRedirect, half.json.token], ['200', true, undefined])
  const challenge = cookieOf(half.answer)
  assert.equal((await send('GET', '/me/api-keys', challenge)).outcome, '401 unauthorized')
  assert.equal((await auth('/two-factor/verify-totp', { code: '000000' }, challenge)).answer.status, 401)
  const full = await auth('/two-factor/verify-totp', { code: codeOf(secret) }, challenge)
  assert.equal((await send('GET', '/me/api-keys', cookieOf(full.answer))).outcome, '200')

  const another = cookieOf((await auth('/sign-in/email', { email, password })).answer)
  const [code = ''] = backupCodes
  const byBackup = await auth('/two-factor/verify-backup-code', { code }, another)
  assert.equal((await send('GET', '/me/api-keys', cookieOf(byBackup.answer))).outcome, '200')
  const third = cookieOf((await auth('/sign-in/email', { email, password })).answer)
  assert.equal((await auth('/two-factor/verify-backup-code', { code }, third)).answer.status, 401, 'it works once')

  assert.equal(
    (await auth('/two-factor/disable', { password: newPassword() }, cookieOf(full.answer))).answer.status,
    400,
  )
})

test('the secret of one-time codes and the backup codes are stored encrypted', async () => {
  const account = await makeTestAccount(store.database)
  const { secret, backupCodes } = await withCodes(account, await signIn(service, account))
  const { rows } = await store.database.query<{ text: string }>(
    sql`select two_factor::text as text from two_factor where account_id = $1`,
    [account.id],
  )
  const text = rows[0]?.text ?? ''
  assert.notEqual(text, '')
  for (const plain of [secret, base32(secret).toString(), ...backupCodes]) assert.equal(text.includes(plain), false)
})

test('a change of an account that is deleted meanwhile gets 401', async () => {
  const account = await makeTestAccount(store.database)
  const cookie = await signIn(service, account)
  const deletion = await store.database.connect()
  await deletion.query(sql`begin`)
  await deletion.query(sql`delete from user_account where id = $1`, [account.id])
  const change = auth('/two-factor/disable', { password: account.password }, cookie)
  await eventually(async () => {
    const { rowCount } = await store.database.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 1 || undefined
  })
  await deletion.query(sql`commit`)
  deletion.release()
  assert.equal((await change).outcome, '401 unauthorized')
})

test('operators need one-time codes if the setting requires them', async () => {
  const strict: Service = await startService(store, { env: { OPERATOR_TWO_FACTOR: 'true' } })
  const account = await makeTestAccount(store.database, { operator: true })
  const cookie = await signIn(strict, account)
  const outcomes = async (session: string) => {
    const token = await fetch(`${strict.url}/api/auth/token`, { headers: { cookie: session } })
    const authorization = `Bearer ${keepSecretOfTest(((await token.json()) as { token: string }).token)}`
    return [
      (await send('GET', '/me/operator/accounts', session, undefined, strict.url)).outcome,
      (await fetch(`${strict.url}/api/v1/analytics/overview?scope=all`, { headers: { authorization } })).status,
      (await send('GET', '/me/api-keys', session, undefined, strict.url)).outcome,
    ]
  }
  assert.deepEqual(await outcomes(cookie), ['403 two_factor_required', 403, '200'])
  const { cookie: confirmed } = await withCodes(account, cookie, strict.url)
  assert.deepEqual(await outcomes(confirmed), ['200', 200, '200'])
})

test('keys and webhooks need a recent sign-in or the password again', async () => {
  const account = await makeTestAccount(store.database, { plan: 'team', utxoPlan: 'pro' })
  const cookie = await signIn(service, account)
  const changes = [
    ['POST', '/me/api-keys', { name: 'laptop' }],
    ['POST', '/me/utxo-keys', { name: 'laptop' }],
    ['PUT', '/me/channels/webhook', { url: 'https://hooks.example.org/x' }],
    ['POST', '/me/channels/webhook/rotate-secret', undefined],
    ['DELETE', '/me/channels/webhook', undefined],
  ] as const
  const outcomes = async () => {
    const found: string[] = []
    for (const [method, path, body] of changes) {
      const { outcome, json } = await send(method, path, cookie, body)
      if (typeof json.key === 'string') keepSecretOfTest(json.key)
      found.push(outcome)
    }
    return found
  }
  await store.database.query(sql`update session set created_at = now() - interval '16 minutes' where account_id = $1`, [
    account.id,
  ])
  assert.deepEqual(
    await outcomes(),
    changes.map(() => '403 reauthentication_required'),
  )
  assert.equal((await auth('/verify-password', { password: newPassword() }, cookie)).answer.status, 400)
  assert.deepEqual(
    await outcomes(),
    changes.map(() => '403 reauthentication_required'),
    'a wrong password',
  )
  assert.equal((await auth('/verify-password', { password: account.password }, cookie)).outcome, '200')
  assert.deepEqual(await outcomes(), ['201', '201', '200', '200', '200'])
})

test('an account that deletes itself leaves nothing behind, and its keys and sessions end', async () => {
  const account = await makeTestAccount(store.database, { plan: 'team' })
  const { key } = await makeTestKey(store.database, account, 'v1')
  const [cookie, other] = [await signIn(service, account), await signIn(service, account)]
  const read = () => fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal((await read()).status, 200)
  await store.database.query(sql`update session set created_at = now() - interval '16 minutes' where account_id = $1`, [
    account.id,
  ])
  assert.equal((await auth('/delete-user', {}, cookie)).answer.status, 400, 'a stolen session cannot delete it')
  assert.equal((await auth('/delete-user', { password: newPassword() }, cookie)).answer.status, 400)
  assert.equal((await auth('/delete-user', { password: account.password }, cookie)).outcome, '200')
  assert.equal((await send('GET', '/me/api-keys', other)).outcome, '401 unauthorized')
  const { rows } = await store.database.query<{ name: string }>(
    sql`select table_name as name from information_schema.columns
       where column_name = 'account_id' and table_schema = 'public' and is_updatable = 'YES'`,
  )
  assert.ok(rows.length > 8)
  const { rowCount } = await store.database.query(sql`select from user_account where id = $1`, [account.id])
  assert.equal(rowCount, 0)
  for (;;) if ((await read()).status === 401) break // within a second, when the process hears of it
})

test('a password reset or change ends all other reset links', async () => {
  const account = await makeTestAccount(store.database)
  const insert = async (token: string) => {
    await store.database.query(
      sql`insert into verification (id, identifier, value, expires_at) values ($1, $2, $3, now() + interval '1 hour')`,
      [token, `reset-password:${token}`, account.id],
    )
    return token
  }
  const [first, second] = [await insert(randomBytes(8).toString('hex')), await insert(randomBytes(8).toString('hex'))]
  const password = newPassword()
  assert.equal((await auth('/reset-password', { newPassword: password, token: first })).outcome, '200')
  const reuse = await auth('/reset-password', { newPassword: newPassword(), token: second })
  assert.equal(reuse.answer.status, 400)
  const third = await insert(randomBytes(8).toString('hex'))
  const cookie = await signIn(service, { ...account, password })
  const change = { currentPassword: password, newPassword: newPassword() }
  assert.equal((await auth('/change-password', change, cookie)).outcome, '200')
  assert.equal((await auth('/reset-password', { newPassword: newPassword(), token: third })).answer.status, 400)
})

test('common passwords are refused wherever a password is set', async () => {
  const account = await makeTestAccount(store.database)
  const cookie = await signIn(service, account)
  const email = `${randomBytes(6).toString('hex')}@example.org`
  for (const [path, body] of [
    ['/sign-up/email', { email, name: 'Eve', password: 'Password123!' }],
    ['/sign-up/email', { email, name: 'Eve', password: email }],
    ['/change-password', { currentPassword: account.password, newPassword: 'qwertyuiop' }],
    ['/reset-password', { token: 'x', newPassword: '1234567890' }],
  ] as const)
    assert.equal((await auth(path, body, cookie)).outcome, '400 common_password', path)
})
