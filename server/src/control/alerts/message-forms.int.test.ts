/**
 * Compares whole messages of every channel with `testing/fixtures/alerts`. `GATEWATCH_KEEP_MESSAGES=1` writes new
 * fixtures. The webhook payload is documented in docs/alerts.md.
 */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem'
import {
  accountWithWebhook,
  addressOf,
  CHAIN,
  claimWebhooks,
  hashOf,
  newUpgrades,
  publish,
  subscribe,
} from '../../../../testing/support/alerts.ts'
import { storeProfile } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { inTransaction } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { UNPUBLISHED } from '../catalog/slot-events.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { insertDerived } from '../poll/derived-events.ts'
import { saveContract } from '../registry/contracts.ts'
import { type Alert, loadAlerts } from './alert.ts'
import { alertMail } from './mail-message.ts'
import { telegramParts } from './telegram-message.ts'
import { noticeOf } from './vendors/vendor.ts'
import { VENDOR_KINDS, VENDORS, type VendorKind } from './vendors/vendors.ts'
import { webhookId, webhookPayload } from './webhook-payload.ts'

const { database } = await createTestDatabase()
const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'testing', 'fixtures', 'alerts')
const upgradeOf = newUpgrades()
const publicUrl = 'https://gatewatch.example'
const [vault, timelock, alice, bob] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)]
await saveContract(database, { chainId: CHAIN, address: vault }, { name: 'Vault <b>&', protocol: 'Example' })
await saveContract(database, { chainId: CHAIN, address: timelock }, { name: 'Timelock', kind: 'timelock_oz' })
await storeProfile(database, { chainId: CHAIN, address: vault }, { label: 'multisig', reasons: [{ code: 'no_delay' }] })
await subscribe(database, await accountWithWebhook(database), vault)

/** Returns the alert that is due now. */
async function due(): Promise<Alert> {
  const messages = await claimWebhooks(database)
  assert.equal(messages.length, 1, 'one message')
  await database.query(
    sql`update alert_message set status = 'sent', next_at = null, claim = null where next_at is not null`,
  )
  const [alert] = await loadAlerts({ database, publicUrl }, messages)
  // The ids of recipients are random: the fixtures have the numbers of the messages instead.
  const [{ id, retracts }] = messages as [(typeof messages)[number]]
  return {
    ...(alert ?? assert.fail()),
    id: String(id),
    retracts: retracts === null ? null : String(retracts),
    createdAt: new Date('2026-01-02T00:00:00Z'),
  }
}

const TARGET = {
  url: 'https://vendor.example/hook',
  key: 'KEY',
  template: '{{headline}}\n\n{{text}}',
  contentType: 'text/plain',
} as const

/** The request to a vendor, with one line for each line of its text. */
function postOf(kind: VendorKind, alert: Alert): string {
  const { url, headers, body } = VENDORS[kind].post(noticeOf(alert, publicUrl), TARGET, { secrets: [], now: 0 })
  const head = Object.entries({ POST: url, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const text = kind === 'custom' ? body : JSON.stringify(JSON.parse(body), undefined, 2).replaceAll('\\n', '\n')
  return [...head, '', text].join('\n')
}

function compare(name: string, alert: Alert): void {
  const mail = alertMail(alert, { address: 'ann@example.org', token: 'TOKEN', publicUrl })
  const { text, html = '', headers = {}, ...rest } = mail
  const messages = {
    'webhook.json': JSON.stringify({ 'webhook-id': webhookId(alert), body: webhookPayload(alert) }, undefined, 2),
    'mail.txt': [...Object.entries({ ...rest, ...headers }).map(([key, value]) => `${key}: ${value}`), '', text].join(
      '\n',
    ),
    'mail.html': html,
    'telegram.html': telegramParts(alert).join('\n--- next message ---\n'),
    ...Object.fromEntries(VENDOR_KINDS.map((kind) => [`${kind}.txt`, postOf(kind, alert)])),
  }
  mkdirSync(FOLDER, { recursive: true })
  for (const [form, message] of Object.entries(messages)) {
    const path = join(FOLDER, `${name}.${form}`)
    if (process.env.GATEWATCH_KEEP_MESSAGES === '1') writeFileSync(path, `${message}\n`)
    assert.equal(`${message}\n`, readFileSync(path, 'utf8'), path)
  }
}

const upgradeTo = encodeFunctionData({
  abi: parseAbi(['function upgradeToAndCall(address, bytes)']),
  functionName: 'upgradeToAndCall',
  args: [bob, '0x'],
})
const ofTimelock = (key: string, args: EventRecord['args'], more: Partial<EventRecord> = {}) =>
  upgradeOf(timelock, { key, category: 'timelock', args: { id: hashOf(9), ...args }, ...more })

test('a transaction with several events names each change, the control and the links', async () => {
  await publish(database, [upgradeOf(vault, { args: { implementation: alice } })], false)
  const upgrade = upgradeOf(vault, { args: { implementation: bob } })
  await publish(database, [
    {
      ...upgrade,
      logIndex: 1,
      key: 'access.role_granted',
      category: 'access',
      severity: 'info',
      args: { role: hashOf(0), account: bob, sender: alice },
    },
    { ...upgrade, logIndex: 2 },
    {
      ...upgrade,
      logIndex: 3,
      key: 'ownable.transferred',
      category: 'ownership',
      args: { previousOwner: alice, newOwner: bob },
    },
  ])
  compare('burst', await due())
})

test('a queued call names its arguments and the earliest execution', async () => {
  await database.query(sql`update control_profile set block_number = 30000000`)
  await publish(database, [
    ofTimelock('timelock.scheduled', {
      index: '0',
      target: vault,
      value: '0',
      data: upgradeTo,
      predecessor: hashOf(0),
      delay: '86400',
    }),
  ])
  compare('queued', await due())
})

test('an executed call is reported; a stale label is marked as such', async () => {
  await database.query(sql`update control_profile set stale = true`)
  await publish(database, [
    ofTimelock('timelock.executed', { index: '0', target: vault, value: '0', data: upgradeTo }, { severity: 'info' }),
  ])
  const executed = await due()
  assert.deepEqual(executed.items[0]?.contracts[0]?.control?.isCurrent, false)
  compare('executed', executed)
})

test('an event of a removed block is retracted', async () => {
  const event = upgradeOf(vault, { args: { implementation: alice } })
  await publish(database, [event])
  await due()
  await inTransaction(database, (client) =>
    deleteEventsAbove(client, CHAIN, { number: event.blockNumber - 1, time: event.blockTime - 1 }),
  )
  compare('retracted', await due())
})

test('new code without published source is reported', async () => {
  const reason = 'Sourcify has no source of the new code'
  const args = { field: 'implementation', previous: alice, current: bob, reason }
  await inTransaction(database, (client) =>
    insertDerived(client, {
      chainId: CHAIN,
      address: vault,
      block: { number: 20_000_009, time: Date.UTC(2026, 0, 1) },
      events: [{ ...UNPUBLISHED, txHash: hashOf(77), logIndex: 0, args }],
    }),
  )
  compare('unpublished', await due())
})

test('a queued transfer names its recipient and no function', async () => {
  await publish(database, [
    ofTimelock('timelock.scheduled', {
      index: '0',
      target: vault,
      value: '5',
      data: '0x',
      predecessor: hashOf(0),
      delay: '86400',
    }),
  ])
  const { text } = alertMail(await due(), { address: 'ann@example.org', token: 'TOKEN', publicUrl })
  assert.match(text, new RegExp(`^Transfer to ${vault}, without a function call$`, 'm'))
})

test('amounts of a token have its decimals and its symbol', async () => {
  const token = addressOf(5)
  await saveContract(database, { chainId: CHAIN, address: token }, { name: 'Dollar' })
  await database.query(sql`update contract set metadata = '{"symbol": "USD", "decimals": 6}' where name = 'Dollar'`)
  await subscribe(database, await accountWithWebhook(database), token)
  const mint = encodeFunctionData({
    abi: parseAbi(['function mint(address, uint256)']),
    functionName: 'mint',
    args: [alice, 2_500_000n],
  })
  await publish(database, [
    ofTimelock('timelock.scheduled', {
      id: hashOf(10),
      index: '0',
      target: token,
      value: '0',
      data: mint,
      predecessor: hashOf(0),
      delay: '86400',
    }),
  ])
  const queued = alertMail(await due(), { address: 'ann@example.org', token: 'TOKEN', publicUrl })
  assert.match(queued.text, new RegExp(`mint\\(address,uint256\\) on ${token} with ${alice}, 2\\.5 USD$`, 'm'))

  await publish(database, [
    upgradeOf(token, {
      key: 'fiat.minter_configured',
      category: 'token_admin',
      args: { minter: alice, minterAllowedAmount: '5000000000000' },
    }),
  ])
  const configured = alertMail(await due(), { address: 'ann@example.org', token: 'TOKEN', publicUrl })
  assert.match(configured.subject, /can mint up to 5,000,000 USD · Dollar on /)
})
