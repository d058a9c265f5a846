/** Against the signatures that the service makes, and those of the reference library. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, webhookHeaders } from '../../server/src/platform/deliveries/webhook.ts'
import { verifyWebhook, WebhookError } from './verify-webhook.ts'

const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
const now = Date.parse('2026-10-01T12:00:00Z')
const body = '{"type":"control.changed","data":{"text":"ä✓"}}'
const headers = webhookHeaders({ id: 'msg_1', secret, body, at: now })

test('a message of the service is accepted, with headers of fetch and of Node', async () => {
  assert.deepEqual(await verifyWebhook(body, headers, { secret, now }), JSON.parse(body))
  assert.deepEqual(await verifyWebhook(body, new Headers(headers), { secret, now }), JSON.parse(body))
})

test('names of headers may have any case: some proxies and functions capitalize them', async () => {
  const capitalized = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), value]),
  )
  assert.ok(capitalized['Webhook-Id'] !== undefined)
  assert.deepEqual(await verifyWebhook(body, capitalized, { secret, now }), JSON.parse(body))
})

test('while a secret is being changed, either one is accepted on either side', async () => {
  const both = webhookHeaders({ id: 'msg_1', secret: [other, secret], body, at: now })
  assert.ok(await verifyWebhook(body, both, { secret, now }))
  assert.ok(await verifyWebhook(body, headers, { secret: [other, secret], now }))
})

test('the reference library and this one agree', async () => {
  const reference = new Webhook(secret)
  const signature = reference.sign('msg_2', new Date(now), body)
  const signed = {
    'webhook-id': 'msg_2',
    'webhook-timestamp': String(now / 1_000),
    'webhook-signature': `v2,x ${signature}`,
  }
  assert.ok(await verifyWebhook(body, signed, { secret, now }))
})

test('a changed, late, unsigned or foreign message is refused', async () => {
  const refused: readonly (readonly [string, Record<string, string>, number?, string?])[] = [
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': 'msg_2' }],
    [body, { ...headers, 'webhook-timestamp': String(now / 1_000 + 1) }],
    [body, headers, now + 301_000],
    [body, headers, now - 301_000],
    [body, headers, now, other],
    [body, {}],
    [body, { ...headers, 'webhook-signature': '' }],
    [body, { ...headers, 'webhook-signature': 'v1,!!' }],
    [body, { ...headers, 'webhook-timestamp': 'x' }],
  ]
  for (const [text, given, at = now, withSecret = secret] of refused)
    await assert.rejects(verifyWebhook(text, given, { secret: withSecret, now: at }), WebhookError)
})

test('an empty or unreadable secret is an error, not a signature that anyone can make', async () => {
  for (const unusable of ['', 'whsec_', 'whsec_!!'])
    await assert.rejects(verifyWebhook(body, headers, { secret: unusable, now }), TypeError)
})
