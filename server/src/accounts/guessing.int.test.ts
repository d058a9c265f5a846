/** Attacks on sign-in from many addresses: guesses, floods of mails, and floods of password hashes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testClock } from '../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../../testing/support/log.ts'
import { eventually, mailSink } from '../../../testing/support/receivers.ts'
import { AUTH_SECRET, cookieOf, makeTestAccount, startService } from '../../../testing/support/service.ts'
import { postgresCounters } from '../platform/counters/postgres-counters.ts'
import { createRateLimiter } from '../platform/counters/rate-limiter.ts'
import { sql } from '../platform/sql.ts'
import { createKnownDevices } from './known-devices.ts'
import { ATTEMPTS_PER_EMAIL_AND_CLIENT, createThrottle, DELAY_MS, UNDELAYED_ATTEMPTS_PER_EMAIL } from './throttling.ts'

const store = await createTestDatabase()
const clock = testClock('2026-11-15T12:00:00.000Z')
const sink = await mailSink()
const { url } = await startService(store, {
  clock,
  env: { TRUST_PROXY: 'true', SMTP_URL: sink.url, MAIL_FROM: 'Gatewatch <gw@example.org>' },
})

const newPassword = () => keepSecretOfTest(randomBytes(12).toString('base64url'))
let lastAddress = 0
/** Each request comes from another network, unless `from` names one. */
const post = (path: string, body: unknown, { from, cookie }: { from?: string; cookie?: string } = {}) => {
  lastAddress += 1
  const forwarded = from ?? `10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`
  return fetch(`${url}/api/auth${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      'x-forwarded-for': forwarded,
      ...(cookie !== undefined && { cookie }),
    },
    body: JSON.stringify(body),
  })
}
/** Counts attempts as the service does, without the cost of a password hash. */
async function attempt(
  count: number,
  given: Partial<Parameters<ReturnType<typeof createThrottle>>[0]> & { readonly email?: string },
): Promise<void> {
  const counters = postgresCounters(store.database)
  const throttle = createThrottle({ rateLimiter: createRateLimiter({ store: counters, clock, log: testLog }), clock })
  for (let n = 0; n < count; n++) {
    lastAddress += 1
    const client = `10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`
    await throttle({
      path: '/sign-in/email',
      client,
      email: undefined,
      device: undefined,
      accountId: undefined,
      ...given,
    })
  }
  await counters.close()
}
const statusOf = async (answer: Promise<Response>) => (await answer).status

test('guesses from many networks are delayed, and never lock the owner out', async () => {
  const { email, password } = await makeTestAccount(store.database)
  const known = cookieOf(await post('/sign-in/email', { email, password }))
  const guess = () => post('/sign-in/email', { email, password: newPassword() })
  await attempt(UNDELAYED_ATTEMPTS_PER_EMAIL - 1, { email })
  assert.equal((await guess()).status, 401, 'the first delayed guess')
  const delayed = await guess()
  assert.equal(delayed.status, 429)
  assert.ok(Number(delayed.headers.get('retry-after')) <= DELAY_MS / 1_000)
  assert.equal(await statusOf(post('/sign-in/email', { email, password }, { cookie: known })), 200, 'a known device')
  clock.advance(DELAY_MS)
  assert.equal(await statusOf(post('/sign-in/email', { email, password })), 200, 'another device, after the delay')
})

test('a known device has its own limit, and is known for its own account only', async () => {
  const [mine, other] = [await makeTestAccount(store.database), await makeTestAccount(store.database)]
  const cookie = cookieOf(await post('/sign-in/email', { email: mine.email, password: mine.password }))
  const [device = ''] = cookie.split('; ').filter((part) => part.startsWith('gatewatch.device='))
  assert.notEqual(device, '')
  const guess = ({ email }: { email: string }) =>
    statusOf(post('/sign-in/email', { email, password: newPassword() }, { cookie: device, from: '203.0.113.7' }))
  const id = createKnownDevices(AUTH_SECRET).idOf(device, mine.email)
  await attempt(ATTEMPTS_PER_EMAIL_AND_CLIENT - 1, { email: mine.email, device: id })
  assert.deepEqual([await guess(mine), await guess(mine)], [401, 429])
  await attempt(ATTEMPTS_PER_EMAIL_AND_CLIENT - 1, { email: other.email, client: '203.0.113.7' })
  assert.deepEqual([await guess(other), await guess(other)], [401, 429], 'counted by network and address')
  const again = cookieOf(await post('/sign-in/email', { email: other.email, password: other.password }, { cookie }))
  assert.match(again, /gatewatch\.device=/)
})

test('a password reset has its own counter, and makes the browser a known device', async () => {
  const { email } = await makeTestAccount(store.database)
  await attempt(UNDELAYED_ATTEMPTS_PER_EMAIL + 1, { email })
  assert.equal(await statusOf(post('/sign-in/email', { email, password: newPassword() })), 429)
  sink.mails.splice(0)
  assert.equal(await statusOf(post('/request-password-reset', { email, redirectTo: '/reset' })), 200)
  const { text } = await eventually(() => sink.mails.shift())
  const token = keepSecretOfTest(/reset-password\/([^?\s]+)/.exec(text ?? '')?.[1] ?? '')
  const password = newPassword()
  const reset = await post('/reset-password', { newPassword: password, token })
  assert.equal(reset.status, 200)
  assert.equal(await statusOf(post('/sign-in/email', { email, password }, { cookie: cookieOf(reset) })), 200)
})

test('an address gets at most one verification mail and one reset mail in an hour', async () => {
  const { email } = await makeTestAccount(store.database)
  const fresh = `${randomBytes(6).toString('hex')}@example.org`
  const password = newPassword()
  const requestAll = async () => {
    sink.mails.splice(0)
    assert.equal(await statusOf(post('/request-password-reset', { email, redirectTo: '/reset' })), 200)
    assert.equal(await statusOf(post('/request-password-reset', { email: email.toUpperCase() })), 200)
    await post('/sign-up/email', { email: fresh, password, name: 'Eve' })
    assert.equal(await statusOf(post('/send-verification-email', { email: fresh })), 200)
    assert.equal(await statusOf(post('/sign-in/email', { email: fresh, password })), 403)
  }
  const received = () => sink.mails.map(({ to, subject }) => `${[to].flat()[0]?.text} ${subject}`).sort()
  const expected = [
    `${email} Reset your Gatewatch password`,
    `${fresh} Confirm your e-mail address for Gatewatch`,
  ].sort()
  await requestAll()
  await eventually(() => (sink.mails.length >= 2 ? true : undefined))
  assert.deepEqual(received(), expected)
  clock.advance(3_600_000)
  await requestAll()
  await eventually(() => (sink.mails.length >= 2 ? true : undefined))
  assert.deepEqual(received(), expected, 'the mails of the hour before are not sent later')
})

test('every route that checks a password is limited by account and by network', async () => {
  const account = await makeTestAccount(store.database)
  const cookie = cookieOf(await post('/sign-in/email', { email: account.email, password: account.password }))
  const routes = [
    ['/verify-password', { password: newPassword() }],
    ['/change-password', { currentPassword: newPassword(), newPassword: newPassword() }],
    ['/two-factor/enable', { password: newPassword() }],
    ['/two-factor/disable', { password: newPassword() }],
    ['/delete-user', { password: newPassword() }],
  ] as const
  for (const [path, body] of routes) assert.equal(await statusOf(post(path, body, { cookie })), 400, path)
  await attempt(ATTEMPTS_PER_EMAIL_AND_CLIENT - routes.length, { path: '/verify-password', accountId: account.id })
  for (const [path, body] of routes) {
    const refused = await post(path, body, { cookie })
    assert.deepEqual([refused.status, refused.headers.has('retry-after')], [429, true], path)
  }
})

test('counters and device cookies contain no e-mail address', async () => {
  const { rows } = await store.database.query<{ subject: string }>(sql`select subject from request_counter`)
  assert.ok(rows.length > 10)
  assert.deepEqual(
    rows.filter(({ subject }) => /@|example/.test(subject)),
    [],
  )
})
