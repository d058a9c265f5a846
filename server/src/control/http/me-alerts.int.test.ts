/** `/me` routes of subscriptions, channels and notifications, and the two lists of `/v1/me`. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { addressOf, publish, upgradeOf } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { botServer, hookReceiver, mailSink } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, signIn, startService } from '../../../../testing/support/service.ts'
import { sql } from '../../platform/sql.ts'
import { channelFlagsOf } from '../alerts/subscriptions.ts'
import { saveContract } from '../registry/contracts.ts'

const store = await createTestDatabase()
const { database } = store
const [sink, bot, receiver] = await Promise.all([mailSink(), botServer(), hookReceiver()])
const service = await startService(store, {
  env: {
    ROLES: 'serve',
    SMTP_URL: sink.url,
    MAIL_FROM: 'alerts@example.org',
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_API_URL: bot.url,
    ALERT_ALLOW_PRIVATE: 'true',
  },
})
const { url } = service
const account = await makeTestAccount(database, { plan: 'team' })
const { key } = await makeTestKey(database, account, 'v1')
const cookie = await signIn(service, account)

async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { cookie, origin: url },
) {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json =
    response.headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(text) : undefined
  if (typeof json?.webhook?.secret === 'string') keepSecretOfTest(json.webhook.secret)
  if (typeof json?.code === 'string') keepSecretOfTest(json.code)
  return { status: response.status, body: json, text, outcome: `${response.status} ${json?.error?.code ?? ''}`.trim() }
}
const read = (path: string) => request('GET', path, undefined, { authorization: `Bearer ${key}` })

const [contract, other] = [addressOf(1), addressOf(2)]
await saveContract(database, { chainId: 1, address: contract }, { name: 'Vault', protocol: 'Example' })

test('without a session every route returns 401', async () => {
  for (const path of ['/me/subscriptions', '/me/channels', '/me/notifications'])
    assert.equal((await request('GET', path, undefined, {})).outcome, '401 unauthorized')
  const foreign = { cookie, origin: 'https://evil.example' }
  assert.equal((await request('POST', '/me/subscriptions', {}, foreign)).outcome, '403 cross_origin')
})

test('a subscription is created, listed by /me and /v1, changed, paused and deleted', async () => {
  const made = await request('POST', '/me/subscriptions', {
    chain: 'ethereum',
    address: contract,
    channels: { email: false },
  })
  assert.equal(made.status, 201)
  const { id, createdAt } = made.body
  assert.deepEqual(made.body, {
    id,
    source: 'manual',
    chainId: 1,
    chainSlug: 'ethereum',
    address: contract,
    protocol: null,
    minSeverity: 'info',
    channels: channelFlagsOf((kind) => kind !== 'email'),
    includeControllers: true,
    powerEffects: [],
    categories: [],
    eventKeys: [],
    queuedChanges: false,
    alertAt: null,
    createdAt,
    pausedAt: null,
    contract: { name: 'Vault', protocol: 'Example', kind: 'unknown' },
  })
  assert.deepEqual((await request('GET', '/me/subscriptions')).body, {
    items: [made.body],
    newContracts: { used: 0, limit: 1_000 },
  })
  const { protocol: _, includeControllers: __, alertAt: ___, ...open } = made.body
  const { powerEffects: ____, categories: _____, eventKeys: ______, queuedChanges: _______, ...shown } = open
  assert.deepEqual((await read('/v1/me/subscriptions')).body, { data: [shown], nextCursor: null })
  assert.equal(
    (await request('POST', '/me/subscriptions', { chain: '1', address: contract })).outcome,
    '409 already_subscribed',
  )
  const paused = await request('PATCH', `/me/subscriptions/${id}`, {
    paused: true,
    minSeverity: 'high',
    channels: { email: true },
  })
  assert.match(paused.body.pausedAt, /Z$/)
  const ruled = await request('PATCH', `/me/subscriptions/${id}`, { powerEffects: ['mint', 'pause'] })
  assert.deepEqual(ruled.body.powerEffects, ['mint', 'pause'])
  const rules = { categories: ['upgrade'], eventKeys: ['safe.changed_threshold'], queuedChanges: true }
  const narrowed = await request('PATCH', `/me/subscriptions/${id}`, rules)
  assert.deepEqual({ ...narrowed.body, ...rules, powerEffects: ['mint', 'pause'] }, narrowed.body)
  for (const wrong of [{ categories: ['weather'] }, { eventKeys: ['Upgraded'] }, { eventKeys: Array(51).fill('a.b') }])
    assert.equal((await request('PATCH', `/me/subscriptions/${id}`, wrong)).status, 400)
  const patchTime = async (alertAt: string | null) =>
    (await request('PATCH', `/me/subscriptions/${id}`, { alertAt })).body.alertAt
  assert.equal(await patchTime('head'), 'head')
  assert.equal((await request('PATCH', `/me/subscriptions/${id}`, { paused: true })).body.alertAt, 'head')
  assert.equal(await patchTime(null), null)
  assert.deepEqual([paused.body.minSeverity, paused.body.channels.email], ['high', true])
  assert.equal((await request('PATCH', `/me/subscriptions/${id}`, { paused: false })).body.pausedAt, null)
  const otherAccount = { cookie: await signIn(service, await makeTestAccount(database)), origin: url }
  assert.equal(
    (await request('DELETE', `/me/subscriptions/${id}`, undefined, otherAccount)).outcome,
    '404 subscription_not_found',
  )
  assert.deepEqual((await request('DELETE', `/me/subscriptions/${id}`)).body, { deleted: true, id })
  assert.deepEqual((await read('/v1/me/subscriptions')).body.data, [])
})

test('an account of the free plan may add 50 contracts that are not watched yet', async () => {
  const account = await makeTestAccount(database)
  const session = { cookie: await signIn(service, account), origin: url }
  const post = (n: number) =>
    request('POST', '/me/subscriptions', { chain: '1', address: `0x${n.toString(16).padStart(40, 'f')}` }, session)
  for (let n = 0; n < 2; n += 1) assert.equal((await post(n)).status, 201)
  await database.query(
    sql`insert into contract (chain_id, address, source, added_by)
     select 1, decode(lpad(to_hex(n), 40, 'e'), 'hex'), 'discovered', (select added_by from contract where added_by is not null limit 1)
     from generate_series(1, 48) as n`,
  )
  const refused = await post(3)
  assert.equal(refused.outcome, '409 limit_reached')
  assert.match(refused.body.error.message, /^Your plan allows 50 contracts that are not watched yet/)
  assert.deepEqual(refused.body.error.details, { limit: 50, used: 50, upgradeUrl: '/plans' })
  assert.deepEqual((await request('GET', '/me/subscriptions', undefined, session)).body.newContracts, {
    used: 50,
    limit: 50,
  })
})

test('subscriptions, views and badges choose the same protocol when the label of one is the slug of another', async () => {
  await database.query(sql`insert into protocol (label, slug) values ('beacon', 'first'), ('Second', 'beacon')`)
  const made = await request('POST', '/me/subscriptions', { protocol: 'Beacon' })
  assert.deepEqual(made.body.protocol, { label: 'Second', slug: 'beacon', contracts: 0 })
  assert.equal((await read('/v1/protocols/Beacon')).body.data.protocol, 'Second')
  assert.match((await request('GET', '/badge/protocol/Beacon.svg')).text, /Second/)
  await request('DELETE', `/me/subscriptions/${made.body.id}`)
})

test('a protocol is one subscription in /me and one entry for each contract in /v1, with the same id', async () => {
  const made = await request('POST', '/me/subscriptions', { protocol: 'EXAMPLE', minSeverity: 'high' })
  assert.deepEqual([made.status, made.body.protocol], [201, { label: 'Example', slug: 'example', contracts: 1 }])
  await saveContract(database, { chainId: 1, address: other }, { protocol: 'Example' })
  const { data } = (await read('/v1/me/subscriptions')).body
  assert.deepEqual(
    data.map((row: { id: number; address: string; source: string; minSeverity: string }) => [
      row.id,
      row.address,
      row.source,
      row.minSeverity,
    ]),
    [
      [made.body.id, other, 'protocol', 'high'],
      [made.body.id, contract, 'protocol', 'high'],
    ],
  )
  const first = await read('/v1/me/subscriptions?limit=1')
  const second = await read(`/v1/me/subscriptions?limit=1&cursor=${first.body.nextCursor}`)
  assert.deepEqual([...first.body.data, ...second.body.data], data)
  assert.equal(second.body.nextCursor, null)
  await request('PUT', '/me/channels/webhook', { url: receiver.url })
  await publish(database, [upgradeOf(contract)])
  const { items } = (await request('GET', '/me/notifications')).body
  assert.equal(items[0].subscriptionId, made.body.id)
  await request('DELETE', '/me/channels/webhook')
  const paused = await request('PATCH', `/me/subscriptions/${data[0].id}`, { paused: true })
  assert.deepEqual([paused.status, paused.body.id], [200, made.body.id])
  const after = (await read('/v1/me/subscriptions')).body.data
  assert.deepEqual(
    after.map(({ pausedAt }: { pausedAt: string | null }) => pausedAt),
    [paused.body.pausedAt, paused.body.pausedAt],
  )
  assert.deepEqual((await request('DELETE', `/me/subscriptions/${data[1].id}`)).body, {
    deleted: true,
    id: made.body.id,
  })
  assert.deepEqual((await read('/v1/me/subscriptions')).body.data, [])
})

test('an invalid subscription is refused with a reason', async () => {
  for (const [body, outcome] of [
    [{}, '400 invalid_request'],
    [{ chain: 'ethereum' }, '400 invalid_request'],
    [{ chain: 'ethereum', address: contract, protocol: 'Example' }, '400 invalid_request'],
    [{ chain: 'mars', address: contract }, '400 unknown_chain'],
    [{ chain: 'ethereum', address: '0x12' }, '400 invalid_address'],
    [{ protocol: 'nobody' }, '404 protocol_not_found'],
    [{ chain: 'ethereum', address: contract, minSeverity: 'huge' }, '400 invalid_request'],
    [{ chain: 'ethereum', address: contract, severity: 'high' }, '400 invalid_request'],
    [{ chain: 'ethereum', address: contract, channels: { fax: true } }, '400 invalid_request'],
  ] as const)
    assert.equal((await request('POST', '/me/subscriptions', body)).outcome, outcome, JSON.stringify(body))
  assert.equal((await request('PATCH', '/me/subscriptions/x', {})).outcome, '400 invalid_request')
  assert.equal((await read('/v1/me/notifications?cursor=AAAA')).outcome, '400 invalid_cursor')
})

test('a webhook is set, tested and signed; after a rotation both secrets are valid for a day', async () => {
  assert.equal(
    (await request('PUT', '/me/channels/webhook', { url: 'ftp://example.org' })).outcome,
    '400 invalid_request',
  )
  const set = await request('PUT', '/me/channels/webhook', { url: `${receiver.url}/mine` })
  const before = set.body.webhook.secret
  assert.equal(set.body.webhook.url, `${receiver.url}/mine`)
  const rotated = await request('POST', '/me/channels/webhook/rotate-secret')
  assert.notEqual(rotated.body.webhook.secret, before)
  assert.match(rotated.body.webhook.previousSecretValidUntil, /Z$/)
  assert.deepEqual((await request('POST', '/me/channels/webhook/test')).body, { delivered: true, error: null })
  const call = receiver.calls.at(-1) ?? assert.fail()
  for (const secret of [before, rotated.body.webhook.secret])
    assert.equal((new Webhook(secret).verify(call.body, call.headers) as { type: string }).type, 'test')
  receiver.answers.set('/mine', 500)
  assert.deepEqual((await request('POST', '/me/channels/webhook/test')).body, {
    delivered: false,
    error: 'The webhook returned status 500.',
  })
  receiver.answers.delete('/mine')
})

test("an e-mail address is used after confirmation, the account's own at once, until one click unsubscribes it", async () => {
  const requested = await request('PUT', '/me/channels/email', { address: 'ops@example.org' })
  assert.deepEqual([requested.body.email.address, requested.body.email.pendingAddress], [null, 'ops@example.org'])
  const mail = sink.mails.pop()
  assert.equal(mail?.to && 'text' in mail.to ? mail.to.text : '', 'ops@example.org')
  const path = /http:\/\/\S+?(\/alerts\/confirm\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? assert.fail()
  keepSecretOfTest(path.split('=')[1] ?? '')
  const page = await request('GET', path, undefined, {})
  assert.equal(page.status, 200)
  assert.match(page.text, /ops@example\.org/)
  assert.equal((await request('GET', '/me/channels')).body.email.address, null, 'GET changes nothing')
  assert.equal((await request('POST', path, undefined, {})).status, 200)
  assert.equal((await request('POST', path, undefined, {})).status, 410, 'once')
  assert.equal((await request('GET', '/me/channels')).body.email.address, 'ops@example.org')

  const own = await request('PUT', '/me/channels/email', { address: account.email })
  assert.deepEqual([own.body.email.address, own.body.email.pendingAddress], [account.email, null])
  assert.deepEqual((await request('POST', '/me/channels/email/test')).body, { delivered: true, error: null })
  const header = sink.mails.pop()?.headers.get('list') as unknown as { unsubscribe: { url: string } }
  keepSecretOfTest(header.unsubscribe.url.split('=')[1] ?? '')
  assert.match(
    (
      await request(
        'GET',
        new URL(header.unsubscribe.url).pathname + new URL(header.unsubscribe.url).search,
        undefined,
        {},
      )
    ).text,
    /will stop sending alerts/,
  )
  const oneClick = await fetch(header.unsubscribe.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal(oneClick.status, 200)
  assert.equal((await request('GET', '/me/channels')).body.email.address, null)
  const made = await request('POST', '/me/subscriptions', { chain: 'base', address: contract })
  assert.equal((await request('GET', '/me/channels')).body.email.address, null)
  await request('DELETE', `/me/subscriptions/${made.body.id}`)
  await request('POST', '/me/subscriptions', { chain: 'base', address: contract, channels: { email: true } })
  assert.equal((await request('GET', '/me/channels')).body.email.address, account.email)
  await request('DELETE', '/me/channels/email')
})

test('a Telegram code comes with links; a channel that is not set up has no test', async () => {
  const { status, body } = await request('POST', '/me/channels/telegram/link')
  assert.equal(status, 201)
  assert.deepEqual(
    [body.url, body.groupUrl, body.command],
    [
      `https://t.me/gatewatch_bot?start=${body.code}`,
      `https://t.me/gatewatch_bot?startgroup=${body.code}`,
      `/start ${body.code}`,
    ],
  )
  assert.equal((await request('POST', '/me/channels/telegram/test')).outcome, '404 channel_not_found')
  assert.equal((await request('DELETE', '/me/channels/email')).outcome, '404 channel_not_found')
  assert.equal((await request('DELETE', '/me/channels/fax')).outcome, '400 invalid_request')
})

test('deliveries are listed newest first by /me and /v1, the last 500 in /v1, and replayed', async () => {
  const { body: subscription } = await request('POST', '/me/subscriptions', { chain: 'ethereum', address: contract })
  for (let i = 0; i < 6; i++)
    await publish(
      database,
      Array.from({ length: 100 }, () => upgradeOf(contract)),
    )
  const { items } = (await request('GET', '/me/notifications?limit=2')).body
  const { createdAt, event } = items[0]
  assert.deepEqual(items[0], {
    id: items[0].id,
    subscriptionId: subscription.id,
    channel: 'webhook',
    status: 'pending',
    attempts: 0,
    lastError: null,
    createdAt,
    sentAt: null,
    confirmedAt: items[0].confirmedAt,
    retractedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    event,
  })
  assert.match(items[0].confirmedAt, /Z$/)
  assert.deepEqual([event.eventKey, event.contract.name, event.address], ['proxy.upgraded', 'Vault', contract])
  const seen: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { data: { id: number }[]; nextCursor: string | null } = (
      await read(`/v1/me/notifications?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
    ).body
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
  }
  assert.deepEqual([seen.length, new Set(seen).size, seen[0]], [500, 500, items[0].id])
  assert.equal(
    (await request('POST', `/me/notifications/${items[0].id}/replay`)).status,
    202,
    'what is under way is sent anyway',
  )
  const attemptsOf = `me/notifications/${items[0].id}/attempts`
  assert.deepEqual((await request('GET', `/${attemptsOf}`)).body, { items: [] })
  await database.query(
    sql`insert into alert_attempt select message_id, 1, '2026-11-15T12:00:00.000Z', 'failed', 120, 'refused' from delivery where id = $1`,
    [items[0].id],
  )
  const attempt = {
    number: 1,
    startedAt: '2026-11-15T12:00:00.000Z',
    status: 'failed',
    durationMs: 120,
    responseStatus: null,
    error: 'refused',
  }
  assert.deepEqual((await request('GET', `/${attemptsOf}`)).body, { items: [attempt] })
  assert.deepEqual((await read(`/v1/${attemptsOf}`)).body, { data: [attempt], nextCursor: null })
  const otherAccount = await makeTestAccount(database, { plan: 'team' })
  const otherSession = { cookie: await signIn(service, otherAccount), origin: url }
  const otherKey = { authorization: `Bearer ${(await makeTestKey(database, otherAccount, 'v1')).key}` }
  for (const [path, headers] of [
    [`/${attemptsOf}`, otherSession],
    [`/v1/${attemptsOf}`, otherKey],
  ] as const)
    assert.equal((await request('GET', path, undefined, headers)).outcome, '404 notification_not_found')
  await database.query(sql`update alert_message set status = 'sent', next_at = null, sent_at = now(), attempts = 1`)
  const content = await request('GET', `/me/notifications/${items[1].id}/payload`)
  assert.equal(content.status, 200)
  assert.match(content.body.id, /^alert_/)
  assert.equal(content.body.payload.type, 'control.changed')
  assert.equal(content.body.payload.data.events[0].event.id, items[1].event.id)
  assert.equal((await request('GET', '/me/notifications/999999999/payload')).outcome, '404 notification_not_found')
  const replayed = await request('POST', `/me/notifications/${items[1].id}/replay`)
  assert.deepEqual([replayed.status, replayed.body.status, replayed.body.attempts], [202, 'pending', 1])
  assert.equal((await request('POST', '/me/notifications/999999999/replay')).outcome, '404 notification_not_found')
  await database.query(sql`update alert_event set retracted_at = now() where id = $1`, [items[1].event.id])
  assert.equal((await request('POST', `/me/notifications/${items[1].id}/replay`)).outcome, '409 event_retracted')
  await request('DELETE', '/me/channels/webhook')
  assert.equal((await request('POST', `/me/notifications/${items[0].id}/replay`)).outcome, '409 channel_missing')
})
