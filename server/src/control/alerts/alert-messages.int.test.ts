/** Which due messages a claim takes, and of which recipients. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountWithWebhook, addressOf, publish, subscribe, upgradeOf } from '../../../../testing/support/alerts.ts'
import { testVault } from '../../../../testing/support/auth-secret.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { sql } from '../../platform/sql.ts'
import { claimMessages, type MessageClaim } from './alert-messages.ts'
import { getChannels } from './channels.ts'

const { database } = await createTestDatabase()
let next = 1

/** Creates a recipient at `url` with `count` due messages. Returns its channel id. */
async function recipientWith(count: number, url: string): Promise<number> {
  const contract = addressOf(next++)
  const account = await accountWithWebhook(database, url)
  await subscribe(database, account, contract)
  await publish(
    database,
    Array.from({ length: count }, () => upgradeOf(contract)),
  )
  return (await getChannels(database, account.id))[0]?.id ?? assert.fail()
}

const claim = async (more: Partial<MessageClaim> = {}) => {
  const now = Date.now()
  const { messages, last } = await claimMessages(database, {
    channel: 'webhook',
    now,
    until: now + 60_000,
    limit: 200,
    after: 0,
    recipients: { listed: new Map(), others: 2 },
    hosts: { listed: new Map(), others: 64 },
    ...more,
  })
  return { recipients: messages.map(({ recipient }) => recipient), last, messages }
}
const discard = () => database.query(sql`update alert_message set next_at = null, claim = null`)

test('a claim takes as many messages of each recipient as its limit allows', async () => {
  const stuck = await recipientWith(300, 'https://stuck.example/')
  const other = await recipientWith(3, 'https://other.example/')
  const good = await recipientWith(9, 'https://good.example/')
  const limits = {
    listed: new Map([
      [stuck, 0],
      [good, 5],
    ]),
    others: 2,
  }
  const { recipients, last } = await claim({ recipients: limits })
  assert.deepEqual(
    [good, other].map((id) => recipients.filter((each) => each === id).length),
    [5, 2],
  )
  assert.deepEqual([recipients.length, last], [7, undefined])
  const { recipients: second } = await claim({ recipients: limits })
  assert.deepEqual(new Set(second), new Set([other, good]), 'the next claim takes the rest')
  await discard()
})

test('recipients on one host share its limit', async () => {
  const ids = [1, 2, 3].map((n) => recipientWith(5, `https://Shared.example:8443/${n}?token=a/b`))
  const [first] = await Promise.all(ids)
  const elsewhere = await recipientWith(1, 'https://shared.example/')
  const { messages } = await claim({ hosts: { listed: new Map(), others: 4 } })
  const [shared, plain] = [testVault.digest('shared.example:8443'), testVault.digest('shared.example')]
  const atHost = messages.filter(({ host }) => host === shared)
  assert.deepEqual([atHost.length, messages.length], [4, 5])
  assert.equal(messages.find(({ recipient }) => recipient === elsewhere)?.host, plain)
  assert.deepEqual((await claim({ hosts: { listed: new Map([[shared, 0]]), others: 64 } })).recipients, [])
  assert.equal((await claim({ recipients: { listed: new Map([[first ?? 0, 1]]), others: 0 } })).recipients.length, 1)
  await discard()
})

test('a claim that reaches its limit stops, and the next one continues after it', async () => {
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push(await recipientWith(4, `https://scan-${n}.example/`))
  const seen: number[] = []
  let after = 0
  for (let round = 0; round < 3; round++) {
    const { recipients, last } = await claim({ limit: 4, after })
    seen.push(...recipients)
    after = last ?? 0
  }
  assert.deepEqual(
    seen,
    ids.flatMap((id) => [id, id]),
    'each recipient gets a turn before any gets a second one',
  )
  assert.equal(after, 0)
  await discard()
})

test('a claim leaves messages that are not due, claimed, or of another channel', async () => {
  const id = await recipientWith(2, 'https://later.example/')
  assert.deepEqual((await claim({ channel: 'email' })).recipients, [])
  assert.deepEqual((await claim({ now: Date.now() - 60_000 })).recipients, [])
  assert.deepEqual((await claim()).recipients, [id, id])
  assert.deepEqual((await claim()).recipients, [])
  const { messages } = await claim({ now: Date.now() + 61_000 })
  assert.deepEqual(
    messages.map(({ attempts, claim: number }) => [attempts, number]),
    [
      [2, 2],
      [2, 2],
    ],
    'an expired claim is claimed again',
  )
})
