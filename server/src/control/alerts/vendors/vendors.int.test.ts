/** Alerts to vendors: real messages from the database to peers that validate them, and what their refusals change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  addressOf,
  CHAIN,
  createAccount,
  deliveriesTo,
  publish,
  subscribe,
  upgradeOf,
} from '../../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../../../../testing/support/log.ts'
import { vendorPeers } from '../../../../../testing/support/vendor-peers.ts'
import { systemTiming } from '../../../lib/clock.ts'
import { inTransaction } from '../../../platform/database.ts'
import { deleteEventsAbove } from '../../feed/events.ts'
import { saveContract } from '../../registry/contracts.ts'
import { createAlertQueue } from '../alert-queue.ts'
import { ensureSecret, getChannels, saveChannel } from '../channels.ts'
import { sendTestMessage } from '../send.ts'
import { type HttpTarget, writeTarget } from './http-target.ts'
import { VENDOR_KINDS, type VendorKind } from './vendors.ts'

const { database } = await createTestDatabase()
const peers = await vendorPeers()
const deps = {
  database,
  publicUrl: 'https://gatewatch.example',
  clock: systemTiming,
  timing: systemTiming,
  log: testLog,
  random: () => 0.5,
  mailer: undefined,
  telegram: undefined,
  outbound: { allowPrivate: true },
}
/** Names that a contract chose to break the message of some vendor. */
const HOSTILE = '<!channel> @everyone **x** [a](https://evil.example) `code` "quotes" </at> {{payload}} \n\u202e_y_'
let contracts = 0

async function accountWith(kind: VendorKind, more: Partial<HttpTarget> = {}) {
  contracts += 1
  const address = addressOf(contracts)
  await saveContract(database, { chainId: CHAIN, address }, { name: HOSTILE, protocol: 'Example' })
  const account = await createAccount(database)
  const key = kind === 'pagerduty' ? 'a'.repeat(32) : kind === 'opsgenie' ? 'genie-key' : undefined
  const target = { url: peers.urlOf(kind), ...(key !== undefined && { key }), ...more }
  await saveChannel(database, account.id, kind, { target: writeTarget(target) })
  await subscribe(database, account, address)
  return { account, address }
}

/** Delivers what is due. A new queue has no pause from an earlier message. */
async function deliver(kind: VendorKind): Promise<void> {
  const queue = createAlertQueue(deps, kind)
  await queue.deliverDue()
  await queue.settled()
}

const callsOf = (kind: VendorKind) => peers.calls.filter(({ vendor }) => vendor === kind)
const bodyOf = (kind: VendorKind) => JSON.parse(callsOf(kind).at(-1)?.body ?? assert.fail('no request'))
const TEMPLATE = '{"text": "{{headline}}", "all": {{payload}}, "by": "{{severity}} {{ chain }}"}'
const TEMPLATES = { custom: { template: TEMPLATE } } as Partial<Record<VendorKind, Partial<HttpTarget>>>

for (const kind of VENDOR_KINDS)
  test(`${kind} accepts alerts, digests of any size, retractions and test messages`, async () => {
    const { account, address } = await accountWith(kind, TEMPLATES[kind])
    const first = upgradeOf(address)
    const many = Array.from({ length: 40 }, (_, logIndex) => ({
      ...first,
      logIndex,
      key: 'access.role_granted',
      args: { role: `0x${'0'.repeat(64)}`, account: address, sender: address, note: 'x'.repeat(5_000) },
    }))
    await publish(database, many)
    await deliver(kind)
    await publish(database, [upgradeOf(address)])
    await deliver(kind)
    await inTransaction(database, (client) =>
      deleteEventsAbove(client, CHAIN, { number: first.blockNumber - 1, time: first.blockTime - 1 }),
    )
    await deliver(kind)
    await deliver(kind)
    const [channel = assert.fail()] = await getChannels(database, account.id)
    const secrets = [keepSecretOfTest((await ensureSecret(database, account.id)).secret)]
    const tested = await sendTestMessage(deps, channel, { secrets, publicUrl: deps.publicUrl })
    assert.partialDeepStrictEqual(tested, { ok: true })
    const statuses = callsOf(kind).map(({ status }) => Math.floor(status / 100))
    assert.deepEqual(statuses, [2, 2, 2, 2, 2])
    assert.deepEqual(new Set((await deliveriesTo(database, account)).map(({ status }) => status)), new Set(['sent']))
  })

test('the texts of a contract stay text', async () => {
  for (const kind of VENDOR_KINDS) {
    const { address } = await accountWith(kind, TEMPLATES[kind])
    await publish(database, [upgradeOf(address)])
    await deliver(kind)
  }
  const slack = bodyOf('slack')
  assert.match(slack.text, /^CRITICAL: .*&lt;!channel&gt;/)
  const links = JSON.stringify(slack.blocks).match(/"url":"[^"]*"/g) ?? []
  assert.ok(links.every((link) => /gatewatch\.example|etherscan\.io/.test(link)))
  const { description } = bodyOf('discord').embeds[0]
  assert.match(description, /\\@everyone \\\*\\\*x\\\*\\\* \\\[a\\\]\\\(https\\:\\\/\\\/evil/)
  assert.ok(!JSON.stringify(bodyOf('teams')).includes('"type":"TextBlock"'))
  assert.equal(bodyOf('pagerduty').payload.severity, 'critical')
  assert.equal(bodyOf('opsgenie').priority, 'P1')
  assert.match(bodyOf('custom').text, /"quotes" <\/at> \{\{payload\}\}/)
  assert.equal(bodyOf('custom').all.type, 'control.changed')
  for (const kind of VENDOR_KINDS) assert.ok(!/\u202e/.test(callsOf(kind).at(-1)?.body ?? '') || kind === 'custom')
})

test('a retraction resolves the alert at PagerDuty and closes it at Opsgenie', async () => {
  for (const kind of ['pagerduty', 'opsgenie'] as const) {
    const { address } = await accountWith(kind)
    const event = upgradeOf(address)
    await publish(database, [event])
    await deliver(kind)
    const opened = bodyOf(kind)
    await inTransaction(database, (client) =>
      deleteEventsAbove(client, CHAIN, { number: event.blockNumber - 1, time: event.blockTime - 1 }),
    )
    await deliver(kind)
    if (kind === 'pagerduty') {
      const { event_action: action, dedup_key: key } = bodyOf(kind)
      assert.deepEqual([action, key], ['resolve', opened.dedup_key])
    } else assert.equal(callsOf(kind).at(-1)?.path, `/opsgenie/${opened.alias}/close?identifierType=alias`)
  }
})

test('a custom webhook is signed, and has its authorization and content type', async () => {
  const more = { template: '{{headline}}\n{{text}}', contentType: 'text/plain', authorization: 'Bearer x' } as const
  const { account, address } = await accountWith('custom', more)
  await publish(database, [upgradeOf(address)])
  await deliver('custom')
  const { body, headers } = callsOf('custom').at(-1) ?? assert.fail()
  const { secret } = await ensureSecret(database, account.id)
  // The library parses the body, so the check of a body that is not JSON ends with that error.
  assert.throws(() => new Webhook(secret).verify(body, headers as Record<string, string>), SyntaxError)
  assert.deepEqual([headers.authorization, headers['content-type']], ['Bearer x', 'text/plain; charset=utf-8'])
  assert.match(body, /^CRITICAL: Implementation upgraded/)
})

const REFUSALS: readonly (readonly [
  VendorKind,
  number,
  (string | object) | undefined,
  'off' | 'failed' | 'retrying',
])[] = [
  ['slack', 404, 'no_service', 'off'],
  ['slack', 410, 'channel_is_archived', 'off'],
  ['slack', 400, 'invalid_payload', 'failed'],
  ['slack', 500, 'rollup_error', 'retrying'],
  ['discord', 404, { message: 'Unknown Webhook', code: 10_015 }, 'off'],
  ['discord', 400, { message: 'Invalid Form Body', code: 50_035 }, 'failed'],
  ['discord', 429, { message: 'You are being rate limited.', retry_after: 1 }, 'retrying'],
  ['teams', 410, undefined, 'off'],
  ['teams', 413, undefined, 'failed'],
  ['teams', 502, undefined, 'retrying'],
  ['pagerduty', 400, { status: 'invalid event' }, 'failed'],
  ['pagerduty', 429, undefined, 'retrying'],
  ['opsgenie', 403, undefined, 'off'],
  ['opsgenie', 422, undefined, 'failed'],
  ['opsgenie', 503, undefined, 'retrying'],
  ['custom', 410, undefined, 'off'],
  ['custom', 400, undefined, 'retrying'],
]

test('a refusal ends the message, switches the channel off, or is retried', async () => {
  for (const [kind, status, body, expected] of REFUSALS) {
    const { account, address } = await accountWith(kind, TEMPLATES[kind])
    peers.refusals.set(kind, [{ status, ...(body !== undefined && { body }) }])
    await publish(database, [upgradeOf(address)])
    await deliver(kind)
    const [delivery] = await deliveriesTo(database, account)
    const [channel] = await getChannels(database, account.id)
    assert.deepEqual(
      [delivery?.status, channel?.disabledAt !== null],
      [expected === 'off' ? 'failed' : expected, expected === 'off'],
      `${kind} ${status}`,
    )
  }
})

test('a private address is refused before a connection is made', async () => {
  const { account, address } = await accountWith('slack')
  const before = peers.calls.length
  await publish(database, [upgradeOf(address)])
  const queue = createAlertQueue({ ...deps, outbound: { allowPrivate: false } }, 'slack')
  await queue.deliverDue()
  await queue.settled()
  assert.equal((await deliveriesTo(database, account))[0]?.status, 'failed')
  assert.equal(peers.calls.length, before)
})
