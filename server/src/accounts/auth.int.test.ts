/** Sign-up, sign-in and sign-out, with mails received by a real SMTP server. */

import assert from 'node:assert/strict'
import { createPublicKey, type JsonWebKey, randomBytes, scryptSync, verify } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import { after, test } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testClock } from '../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../../testing/support/log.ts'
import { freePort } from '../../../testing/support/port.ts'
import {
  AUTH_SECRET,
  cookieOf,
  makeTestAccount,
  type Service,
  signIn,
  startService,
} from '../../../testing/support/service.ts'
import { monthOf } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { sql } from '../platform/sql.ts'
import { AccountRefusedError, createAccount, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './accounts.ts'
import { createAuth } from './auth.ts'
import { createPasswordHashing } from './password-hashing.ts'
import { ATTEMPTS_PER_EMAIL_AND_CLIENT } from './throttling.ts'

const store = await createTestDatabase()
const clock = testClock('2026-11-15T12:00:00.000Z')

const mails: ParsedMail[] = []
const waiting: ((mail: ParsedMail) => void)[] = []
const smtpPort = await freePort()
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData: (stream, _session, done) => {
    simpleParser(stream, (error, mail) => {
      if (error === null || error === undefined) {
        const waiter = waiting.shift()
        if (waiter === undefined) mails.push(mail)
        else waiter(mail)
      }
      done(error)
    })
  },
})
await new Promise<void>((resolve) => smtp.listen(smtpPort, '127.0.0.1', resolve))
after(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
const nextMail = () =>
  new Promise<ParsedMail>((resolve) => {
    const mail = mails.shift()
    if (mail === undefined) waiting.push(resolve)
    else resolve(mail)
  })

const plain = await startService(store, { clock })
const mailing = await startService(store, {
  clock,
  env: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: 'Gatewatch <gw@example.org>' },
})

const post = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', origin: url, ...headers },
    body: JSON.stringify(body),
  })
const sessionOf = async (url: string, cookie: string) =>
  (await fetch(`${url}/api/auth/get-session`, { headers: { cookie } })).json() as Promise<{
    user: Record<string, unknown>
  } | null>
const newPassword = () => keepSecretOfTest(randomBytes(12).toString('base64url'))
const linkIn = (mail: ParsedMail): string => {
  const [link] = /http\S+/.exec(mail.text ?? '') ?? []
  if (link === undefined) throw new Error('no link in the mail')
  const token = new URL(link).searchParams.get('token') ?? new URL(link).pathname.split('/').at(-1) ?? ''
  keepSecretOfTest(token)
  return link
}

test('sign-up, sign-in and sign-out work without mail, and a new account cannot choose its plans', async () => {
  const { url } = plain
  const email = 'Ann@Example.org'
  const password = newPassword()
  const signedUp = await post(url, '/sign-up/email', { email, password, name: 'Ann', plan: 'team', operator: true })
  assert.equal([200, 400].includes(signedUp.status), true)
  if (signedUp.status === 400)
    assert.equal((await post(url, '/sign-up/email', { email, password, name: 'Ann' })).status, 200)
  const cookie = await signIn(plain, { id: '', email, password })
  const session = await sessionOf(url, cookie)
  assert.deepEqual(
    [session?.user.email, session?.user.plan, session?.user.utxoPlan, session?.user.operator],
    ['ann@example.org', 'free', 'basic', false],
  )
  assert.equal((await post(url, '/sign-out', {}, { cookie })).status, 200)
  assert.equal(await sessionOf(url, cookie), null)
  assert.equal((await fetch(`${url}/me/api-keys`, { headers: { cookie } })).status, 401)
})

test('the session cookie is not readable by scripts and not sent by other sites', async () => {
  const account = await makeTestAccount(store.database)
  const answer = await post(plain.url, '/sign-in/email', { email: account.email, password: account.password })
  cookieOf(answer)
  const [cookie = ''] = answer.headers.getSetCookie()
  assert.match(cookie, /HttpOnly/i)
  assert.match(cookie, /SameSite=Lax/i)
  const publicUrl = 'https://gatewatch.example'
  const port = String(await freePort())
  await startService(store, { clock, env: { PUBLIC_URL: publicUrl, PORT: port } })
  const { email, password } = account
  const behindTls = `http://127.0.0.1:${port}`
  const overTls = await post(behindTls, '/sign-in/email', { email, password }, { origin: publicUrl })
  cookieOf(overTls)
  assert.match(overTls.headers.getSetCookie()[0] ?? '', /^__Secure-.*; Secure/i)
})

test('only the salted scrypt hash of a password is stored', async () => {
  const { id, password } = await makeTestAccount(store.database)
  const { rows } = await store.database.query<{ password: string }>(
    sql`select password from credential where account_id = $1`,
    [id],
  )
  const [salt = '', key = ''] = rows[0]?.password.split(':') ?? []
  assert.match(salt, /^[0-9a-f]{32}$/)
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }
  assert.equal(key, scryptSync(password, salt, 64, cost).toString('hex'))
})

test('a wrong password and an unknown address get the same response', async () => {
  const account = await makeTestAccount(store.database)
  const wrong = await post(plain.url, '/sign-in/email', { email: account.email, password: newPassword() })
  const unknown = await post(plain.url, '/sign-in/email', { email: 'nobody@example.org', password: newPassword() })
  assert.deepEqual([wrong.status, unknown.status], [401, 401])
  assert.equal(await wrong.text(), await unknown.text())
})

test('attempts on one address are limited, and allowed again after a quarter of an hour', async () => {
  const { email, password } = await makeTestAccount(store.database)
  for (let n = 0; n < ATTEMPTS_PER_EMAIL_AND_CLIENT; n++)
    assert.equal((await post(plain.url, '/sign-in/email', { email, password: newPassword() })).status, 401)
  const refused = await post(mailing.url, '/sign-in/email', { email: email.toUpperCase(), password })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '900')
  clock.advance(15 * 60_000)
  assert.equal((await post(plain.url, '/sign-in/email', { email, password })).status, 200)
})

test('a sign-in or sign-out from another site is rejected', async () => {
  const { email, password } = await makeTestAccount(store.database)
  const cookie = await signIn(plain, { id: '', email, password })
  const foreign = [
    { origin: 'https://evil.example', cookie },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  ]
  for (const headers of foreign)
    assert.equal((await post(plain.url, '/sign-in/email', { email, password }, headers)).status, 403)
  assert.equal((await post(plain.url, '/sign-out', {}, { origin: 'https://evil.example', cookie })).status, 403)
  assert.notEqual(await sessionOf(plain.url, cookie), null)
})

test('text that the database cannot store is rejected, and every error has a message', async () => {
  const cookie = await signIn(plain, await makeTestAccount(store.database))
  for (const [path, body] of [
    ['/update-user', { name: 'a\0' }],
    ['/update-user', { name: null }],
    ['/update-user', { image: ['a'] }],
    ['/revoke-session', { token: '\0' }],
    ['/reset-password', { newPassword: 'long enough to be one', token: '\0' }],
  ] as const)
    assert.equal((await post(plain.url, path, body, { cookie })).status, 400, path)
  const answer = await fetch(`${plain.url}/api/auth/list-sessions`)
  const { error } = (await answer.json()) as { error?: { message?: string } }
  assert.deepEqual([answer.status, typeof error?.message], [401, 'string'])
})

test('operations of better-auth that are not described are not served', async () => {
  const cookie = await signIn(plain, await makeTestAccount(store.database))
  for (const path of ['/account-info?accountId=a', '/list-accounts', '/ok', '/error', '/delete-user/callback?token=a'])
    assert.equal((await fetch(`${plain.url}/api/auth${path}`, { headers: { cookie } })).status, 404, path)
  for (const path of ['/change-email', '/sign-in/social', '/link-social', '/unlink-account', '/update-session'])
    assert.equal((await post(plain.url, path, { newEmail: 'x@example.org' }, { cookie })).status, 404, path)
})

test('with mail, an address must be confirmed before the first sign-in', async () => {
  const { url } = mailing
  const email = 'ben@example.org'
  const password = newPassword()
  assert.equal((await post(url, '/sign-up/email', { email, password, name: 'Ben' })).status, 200)
  const mail = await nextMail()
  assert.equal(mail.subject, 'Confirm your e-mail address for Gatewatch')
  clock.advance(3_600_000)
  assert.equal((await post(url, '/sign-in/email', { email, password })).status, 403)
  const again = await nextMail() // a sign-in sends the mail again, an hour after the first
  const confirmed = await fetch(linkIn(again), { redirect: 'manual' })
  assert.equal([200, 302].includes(confirmed.status), true)
  assert.equal((await post(url, '/sign-in/email', { email, password })).status, 200)
})

test('a password reset link works once and ends all sessions', async () => {
  const { url } = mailing
  const account = await makeTestAccount(store.database)
  const cookie = await signIn(mailing, account)
  assert.equal((await post(url, '/request-password-reset', { email: account.email, redirectTo: '/reset' })).status, 200)
  const link = linkIn(await nextMail())
  const landing = await fetch(link, { redirect: 'manual' })
  const token = new URL(landing.headers.get('location') ?? '', url).searchParams.get('token')
  const password = newPassword()
  assert.equal((await post(url, '/reset-password', { newPassword: password, token })).status, 200)
  assert.equal(await sessionOf(url, cookie), null)
  assert.equal((await post(url, '/sign-in/email', { email: account.email, password: account.password })).status, 401)
  assert.equal((await post(url, '/sign-in/email', { email: account.email, password })).status, 200)
  assert.equal((await post(url, '/reset-password', { newPassword: newPassword(), token })).status, 400)
})

test('a password reset for an unknown address gets the same response and sends no mail', async () => {
  assert.equal(
    (await post(mailing.url, '/request-password-reset', { email: 'nobody@example.org', redirectTo: '/reset' })).status,
    200,
  )
  assert.equal(mails.length, 0)
})

test('a slow mail server delays no response, response times do not reveal accounts, and a stop waits for the mail', async () => {
  const connected = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held: (() => void)[] = []
  const slow = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect: (_session, done) => {
      connected[held.push(done) - 1]?.resolve()
    },
    onData: (stream, _session, done) => {
      simpleParser(stream, (error, mail) => {
        mails.push(mail)
        done(error)
      })
    },
  })
  const port = await freePort()
  await new Promise<void>((resolve) => slow.listen(port, '127.0.0.1', resolve))
  after(() => new Promise<void>((resolve) => slow.close(() => resolve())))
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Gatewatch <gw@example.org>' }
  const service = await startService(store, { clock, env })
  const reset = async (email: string) => {
    const answer = await post(service.url, '/request-password-reset', { email, redirectTo: '/reset' })
    return [answer.status, await answer.text()]
  }
  const [account, name] = [await makeTestAccount(store.database), 'Eve']
  assert.deepEqual(await reset(account.email), await reset('nobody@example.org'))
  const email = 'eve@example.org'
  assert.equal((await post(service.url, '/sign-up/email', { email, password: newPassword(), name })).status, 200)
  await Promise.all(connected.map(({ promise }) => promise))
  const stopped = service.stop()
  for (const admit of held) admit()
  await stopped
  const sent = mails.splice(0).map(({ to }) => (Array.isArray(to) ? to[0]?.text : to?.text))
  assert.deepEqual(new Set(sent), new Set([email, account.email]))
})

test('a mail that cannot be sent is logged with the reason', async () => {
  const { email } = await makeTestAccount(store.database)
  const logged = Promise.withResolvers<{ readonly err: Error }>()
  const log = { ...testLog, warn: logged.resolve } as unknown as Logger
  const send = () => Promise.reject(new Error('450 mailbox busy'))
  const mailer = { send, verify: send, close: () => {} }
  const mailLimit = async () =>
    ({ isAllowed: true, month: monthOf(0), monthUsed: 1, giveBack: () => Promise.resolve() }) as const
  const deps = { ...store, hashing: createPasswordHashing(), mailer, mailLimit, log }
  const auth = createAuth({ ...deps, secret: AUTH_SECRET, publicUrl: plain.url, origins: [] })
  await auth.api.requestPasswordReset({ body: { email, redirectTo: '/reset' } })
  assert.match((await logged.promise).err.message, /mailbox busy/)
})

test('a signed token has subject, audience and expiry, and verifies with the published keys', async () => {
  const account = await makeTestAccount(store.database, { operator: true })
  const cookie = await signIn(plain, account)
  assert.equal((await fetch(`${plain.url}/api/auth/token`)).status, 401)
  const { token } = (await (await fetch(`${plain.url}/api/auth/token`, { headers: { cookie } })).json()) as {
    token: string
  }
  keepSecretOfTest(token)
  const [head = '', payload = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  assert.deepEqual([claims.sub, claims.iss, claims.aud, claims.operator], [account.id, plain.url, plain.url, true])
  assert.equal(claims.exp - claims.iat, 900)
  assert.equal('email' in claims, false)
  const { keys } = (await (await fetch(`${plain.url}/api/auth/jwks`)).json()) as {
    keys: (JsonWebKey & { kid: string })[]
  }
  const { kid, alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const jwk = keys.find((key) => key.kid === kid)
  assert.equal(alg, 'EdDSA')
  assert.equal('d' in (jwk ?? {}), false)
  assert.equal(
    verify(
      null,
      Buffer.from(`${head}.${payload}`),
      createPublicKey({ key: jwk ?? {}, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
    true,
  )
})

test('a token ends with its session: by a sign-out, a new password, or the removal of the session', async () => {
  const account = await makeTestAccount(store.database)
  const sessionWithToken = async () => {
    const cookie = await signIn(plain, account)
    const answer = await fetch(`${plain.url}/api/auth/token`, { headers: { cookie } })
    const token = keepSecretOfTest(((await answer.json()) as { token: string }).token)
    const use = async () =>
      (await fetch(`${plain.url}/api/v1/analytics/overview`, { headers: { authorization: `Bearer ${token}` } })).status
    assert.equal(await use(), 200)
    return { cookie, use }
  }
  const [left, removed, other, changing] = [
    await sessionWithToken(),
    await sessionWithToken(),
    await sessionWithToken(),
    await sessionWithToken(),
  ]
  assert.equal((await post(plain.url, '/sign-out', {}, { cookie: left.cookie })).status, 200)
  assert.deepEqual([await left.use(), await removed.use()], [401, 200])

  const own = (await sessionOf(plain.url, removed.cookie)) as unknown as { session: { token: string } }
  const revoked = { token: keepSecretOfTest(own.session.token) }
  assert.equal((await post(plain.url, '/revoke-session', revoked, { cookie: changing.cookie })).status, 200)
  assert.deepEqual([await removed.use(), await other.use()], [401, 200])

  const passwords = { currentPassword: account.password, newPassword: newPassword() }
  assert.equal((await post(plain.url, '/change-password', passwords, { cookie: changing.cookie })).status, 200)
  assert.deepEqual([await other.use(), await changing.use()], [401, 401])
})

test('after a change of AUTH_SECRET, a new key signs tokens', async () => {
  const account = await makeTestAccount(store.database)
  const tokenFrom = async ({ url }: Service) => {
    const { email, password } = account
    const cookie = cookieOf(await post(url, '/sign-in/email', { email, password }, { origin: plain.url }))
    const answer = await fetch(`${url}/api/auth/token`, { headers: { cookie } })
    assert.equal(answer.status, 200)
    return keepSecretOfTest(((await answer.json()) as { token: string }).token)
  }
  const kidOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
  const before = kidOf(await tokenFrom(plain))
  const changed = { AUTH_SECRET: keepSecretOfTest(randomBytes(32).toString('base64url')), PUBLIC_URL: plain.url }
  const startAnew = async () => {
    const port = String(await freePort())
    const service = await startService(store, { clock, env: { ...changed, PORT: port } })
    return { ...service, url: `http://127.0.0.1:${port}` } // where it really is
  }
  const renewed = kidOf(await tokenFrom(await startAnew()))
  assert.notEqual(renewed, before)
  const { rows } = await store.database.query<{ id: string }>(sql`select id from signing_key where expires_at is null`)
  assert.deepEqual(rows, [{ id: renewed }])
  await startAnew()
  const again = await store.database.query<{ id: string }>(sql`select id from signing_key where expires_at is null`)
  assert.deepEqual(again.rows, rows, 'a start with the same secret retires nothing')
})

test('no other spelling of the path and no other content type bypasses the throttle', async () => {
  const { email } = await makeTestAccount(store.database)
  const guess = (path: string) => post(plain.url, path, { email, password: newPassword() })
  while ((await guess('/sign-in/email')).status === 401);
  const host = new URL(plain.url).host
  for (const path of [
    '/api/auth/./sign-in/email',
    '/api/auth/x/../sign-in/email',
    '/api/auth/%2e/sign-in/email',
    '/api/auth//sign-in/email',
    '/api/auth/sign%2Din/email',
    `http://${host}/api/auth/sign-in/email`,
  ]) {
    const status = await rawPost(path, 'application/json', JSON.stringify({ email, password: newPassword() }))
    assert.equal(status, 400, path)
  }
  assert.equal(
    await rawPost('/api/auth/sign-in/email', 'application/x-www-form-urlencoded', `email=${email}&password=x`),
    415,
  )
})

/** Sends the path unchanged. `fetch` would normalize it. */
const rawPost = (path: string, type: string, body: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { port } = new URL(plain.url)
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body), origin: plain.url }
    rawRequest({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .on('error', reject)
      .end(body)
  })

test('a client behind a proxy cannot choose its address', async () => {
  const { url } = await startService(store, { clock, env: { TRUST_PROXY: 'true' } })
  const guess = (forwarded: string) =>
    post(url, '/sign-in/email', { email: 'x@example.org', password: newPassword() }, { 'x-forwarded-for': forwarded })
  for (let n = 0; n < ATTEMPTS_PER_EMAIL_AND_CLIENT; n++)
    assert.equal((await guess(`1.2.3.${n}, 203.0.113.9`)).status, 401)
  assert.equal((await guess('9.9.9.9, 203.0.113.9')).status, 429)
  assert.equal((await guess('9.9.9.9, 203.0.113.9:50123')).status, 429, 'another connection is no other client')
  assert.equal((await guess('9.9.9.9, 203.0.113.10')).status, 401)
})

// Sign-In with Ethereum

const wallet = () => {
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, sign: (message: string) => account.signMessage({ message }) }
}
const siweMessage = (url: string, address: string, nonce: string, domain = new URL(url).host) =>
  `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nSign in to Gatewatch\n\nURI: ${url}\nVersion: 1\nChain ID: 1\nNonce: ${nonce}\nIssued At: ${new Date().toISOString()}`
const nonceOf = async (url: string) => ((await (await post(url, '/siwe/nonce', {})).json()) as { nonce: string }).nonce

test('Sign-In with Ethereum: a wallet has one account, and a nonce works once', async () => {
  const { url } = plain
  const { address, sign } = wallet()
  const enter = async (message: string) => post(url, '/siwe/verify', { message, signature: await sign(message) })
  const message = siweMessage(url, address, await nonceOf(url))
  const first = await enter(message)
  assert.equal(first.status, 200)
  const session = await sessionOf(url, cookieOf(first))
  assert.equal(session?.user.plan, 'free')
  assert.equal((await enter(message)).status, 401)
  const second = await enter(siweMessage(url, address, await nonceOf(url)))
  assert.equal((await sessionOf(url, cookieOf(second)))?.user.id, session?.user.id)
})

test('Sign-In with Ethereum works at every local name of the service, and is one account', async () => {
  const { address, sign } = wallet()
  const { port } = new URL(plain.url)
  const accounts: unknown[] = []
  for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
    const message = siweMessage(origin, address, await nonceOf(plain.url))
    const entered = await post(plain.url, '/siwe/verify', { message, signature: await sign(message) }, { origin })
    assert.equal(entered.status, 200, origin)
    accounts.push((await sessionOf(plain.url, cookieOf(entered)))?.user.id)
  }
  assert.notEqual(accounts[0], undefined)
  assert.equal(accounts[0], accounts[1])
})

test('Sign-In with Ethereum: a signature of another wallet, another domain and an unknown nonce are rejected', async () => {
  const { url } = plain
  const [mine, other] = [wallet(), wallet()]
  const verifyWith = (message: string, signature: string) => post(url, '/siwe/verify', { message, signature })
  const forged = siweMessage(url, mine.address, await nonceOf(url))
  assert.equal((await verifyWith(forged, await other.sign(forged))).status, 401)
  const phished = siweMessage(url, mine.address, await nonceOf(url), 'evil.example')
  assert.equal((await verifyWith(phished, await mine.sign(phished))).status, 401)
  const invented = siweMessage(url, mine.address, 'abcdefgh12345678')
  assert.equal((await verifyWith(invented, await mine.sign(invented))).status, 401)
  for (const signature of ['0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`]) {
    assert.equal((await verifyWith(siweMessage(url, mine.address, await nonceOf(url)), signature)).status, 401)
  }
})

test('the address of a wallet account is reserved, so that a sign-up cannot lock the wallet out', async () => {
  const { url } = plain
  const { address, sign } = wallet()
  const email = `${address}@siwe.placeholder.invalid`
  const refused = await post(url, '/sign-up/email', { email, password: newPassword(), name: 'Mallory' })
  assert.equal(refused.status, 400)
  assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'reserved_address')
  await assert.rejects(createAccount(store.database, { email, password: newPassword() }), AccountRefusedError)
  const message = siweMessage(url, address, await nonceOf(url))
  assert.equal((await post(url, '/siwe/verify', { message, signature: await sign(message) })).status, 200)
})

test('passwords that are too short or too long are rejected', async () => {
  for (const password of ['x'.repeat(MIN_PASSWORD_LENGTH - 1), 'x'.repeat(MAX_PASSWORD_LENGTH + 1)])
    await assert.rejects(createAccount(store.database, { email: 'long@example.org', password }), AccountRefusedError)
})
