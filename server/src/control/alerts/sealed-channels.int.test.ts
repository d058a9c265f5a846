/** A copy of the database reveals neither webhook secrets nor recipients, and their keys can be rotated. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { testVault } from '../../../../testing/support/auth-secret.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../../../testing/support/log.ts'
import { makeTestKeys } from '../../../../testing/support/service.ts'
import { insertBatch } from '../../coins/batches/batch-store.ts'
import { openDatabase } from '../../platform/database.ts'
import { sealWithCurrentKey } from '../../platform/sealed-columns.ts'
import { sql } from '../../platform/sql.ts'
import { createVault } from '../../platform/vault.ts'
import {
  ensureSecret,
  findPendingAddress,
  getChannels,
  getSecrets,
  rotateSecret,
  saveChannel,
  saveConfirmation,
} from './channels.ts'

const { database, url } = await createTestDatabase()
await makeTestKeys(database, 'v2', 1)
const { rows: accounts } = await database.query<{ id: string }>(sql`select id from user_account`)
const accountId = accounts[0]?.id ?? ''
const targets = { webhook: 'https://hooks.example.org/secret-path', email: 'ann@example.org', telegram: '-100123456' }

const storedTexts = async (): Promise<string> => {
  const { rows } = await database.query<{ text: string }>(
    sql`select alert_channel::text as text from alert_channel
       union all select webhook_secret::text from webhook_secret
       union all select channel_confirmation::text from channel_confirmation
       union all select analysis_batch::text from analysis_batch`,
  )
  return rows.map(({ text }) => text).join('\n')
}

test('webhook secrets and recipients are stored sealed, and are read as they were', async () => {
  for (const kind of ['webhook', 'email', 'telegram'] as const)
    await saveChannel(database, accountId, kind, { target: targets[kind] })
  const { secret: first } = await ensureSecret(database, accountId)
  const { secret, previous } = await rotateSecret(database, accountId)
  assert.equal(previous, first)
  for (const each of [first, secret]) keepSecretOfTest(each)
  await saveConfirmation(database, accountId, 'email', { code: 'x', target: 'ben@example.org', validMs: 60_000 })
  await insertBatch(database, {
    id: '00000000-0000-4000-8000-000000000001',
    accountId,
    chain: 'btc',
    addresses: [],
    utxoLimit: null,
    status: 'completed',
    results: null,
    createdAt: new Date(),
    completedAt: new Date(),
    webhookUrl: 'https://batches.example.org/secret-path',
    webhookSecret: secret,
    webhookStatus: 'waiting',
    webhookAttempts: 0,
    webhookError: null,
  })
  const stored = await storedTexts()
  assert.doesNotMatch(stored, /example\.org|secret-path|100123456|whsec/)
  const found = await getChannels(database, accountId)
  assert.deepEqual(Object.fromEntries(found.map(({ kind, target }) => [kind, target])), targets)
  assert.deepEqual((await getSecrets(database, [accountId])).get(accountId), [secret, first])
  assert.equal(await findPendingAddress(database, accountId), 'ben@example.org')
})

test('a rotation seals everything with the new key, also texts that were never sealed', async () => {
  await database.query(sql`update alert_channel set target = $1, webhook_host = null where kind = 'webhook'`, [
    targets.webhook,
  ])
  const before = await getSecrets(database, [accountId])
  const key = { id: 'next', key: randomBytes(32) }
  const old = { seal: testVault.seal, open: testVault.open }
  const next = createVault([key])
  // Opens with the old keys and seals with the new one, as a keyring with both does.
  const vault = {
    ...next,
    open: (text: string, context: string) => (text.startsWith('sealed:next:') ? next : old).open(text, context),
  }
  const later = openDatabase({ url, log: testLog, vault })
  after(() => later.end())
  assert.deepEqual(await sealWithCurrentKey(later), { sealed: 8, unreadable: 0 })
  assert.deepEqual(await sealWithCurrentKey(later), { sealed: 0, unreadable: 0 })
  assert.doesNotMatch(await storedTexts(), /sealed:auth-|example\.org/)
  assert.deepEqual(await getSecrets(later, [accountId]), before)
  const found = await getChannels(later, accountId)
  assert.deepEqual(Object.fromEntries(found.map(({ kind, target }) => [kind, target])), targets)

  // Without the key: nothing is revealed, nothing fails, and a new secret can be made.
  assert.deepEqual(
    (await getChannels(database, accountId)).map(({ target }) => target),
    ['', '', ''],
  )
  assert.deepEqual((await getSecrets(database, [accountId])).get(accountId), [])
  assert.equal((await sealWithCurrentKey(database)).unreadable, 8)
  assert.match(keepSecretOfTest((await ensureSecret(database, accountId)).secret), /^whsec_/)
})
