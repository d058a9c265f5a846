/** The page of coin subscriptions in a browser, with payments of a real node and a webhook that gets the messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../server/src/platform/sql.ts'
import { missingLitecoind, startLitecoind } from '../../testing/coins/litecoind.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { accountPages, PHONE } from '../../testing/support/pages.ts'
import { eventually, hookReceiver } from '../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, signIn, startService } from '../../testing/support/service.ts'

/** The page fetches the messages every ten seconds. */
const REFETCHED = { timeout: 60_000 }

test('coin alerts', { skip: browserMissing || missingLitecoind() }, async (t) => {
  const store = await createTestDatabase()
  const [daemon, receiver] = [await startLitecoind(), await hookReceiver()]
  t.after(() => daemon.remove())
  await daemon.call('createwallet', 'a')
  const wallet = daemon.wallet('a')
  const newAddress = (): Promise<string> => wallet<string>('getnewaddress', '', 'bech32')
  const miner = await newAddress()
  await daemon.call('generatetoaddress', 110, miner)
  const service = await startService(store, {
    env: { ROLES: 'serve,index,deliver', LTC_RPC_URL: daemon.url, ALERT_ALLOW_PRIVATE: 'true' },
  })
  const account = await makeTestAccount(store.database, { utxoPlan: 'pro' })
  const { key } = await makeTestKey(store.database, account, 'v2')
  const browser = await browserForTests()
  const mine = await accountPages(browser, service, account)
  await eventually(async () => {
    const response = await fetch(`${service.url}/public/coins/ltc/status`)
    const { data } = (await response.json()) as { data?: { synced: boolean } }
    return data?.synced === true || undefined
  })

  await t.test('an account without a channel sees a notice', async () => {
    await mine.inspect('/account/coins', 'coin-alerts-empty', async (page) => {
      await page.getByText('Alerts cannot be delivered yet.').waitFor()
      await page.getByText('No coin alerts yet').waitFor()
      await page.getByText('0 of 1,000').waitFor()
    })
  })

  await fetch(`${service.url}/me/channels/webhook`, {
    method: 'PUT',
    headers: {
      cookie: await signIn(service, account),
      origin: service.url,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: `${receiver.url}/hook` }),
  })
  const [address, other] = [await newAddress(), await newAddress()]
  const form = 'New coin alert'

  await t.test('an address is watched, and refusals are shown', async () => {
    const page = await mine.open('/account/coins', PHONE)
    const fields = page.getByRole('form', { name: form })
    await fields.getByRole('button', { name: 'Watch' }).click()
    await page.getByText('Enter an address, or the id of a transaction.').waitFor()
    await fields.getByLabel('Address or transaction').fill('nonsense')
    await fields.getByRole('button', { name: 'Watch' }).click()
    await page.getByRole('alert').first().waitFor()
    await fields.getByLabel('Address or transaction').fill(address)
    await fields.getByLabel('Confirmations').selectOption('2')
    await fields.getByLabel('Replaced').uncheck()
    await fields.getByRole('button', { name: 'Watch' }).click()
    await page.getByText('Unconfirmed, Confirmed (2 blocks), Coins spent').waitFor()
    await page.getByText('1 of 1,000').waitFor()
    await mine.close(page)
  })

  await t.test('a payment is delivered, and the page shows its messages and attempts', async () => {
    const page = await mine.open('/account/coins')
    await wallet('sendtoaddress', address, 1.25)
    await eventually(() => receiver.calls[0])
    await page.getByRole('link', { name: 'Payment of 1.25 LTC received, unconfirmed' }).waitFor(REFETCHED)
    await page.getByText('Sent', { exact: true }).first().waitFor(REFETCHED)
    await page.getByText('1 attempt').first().click()
    await page.getByRole('cell', { name: 'Accepted' }).waitFor()
    await daemon.call('generatetoaddress', 2, miner)
    await page.getByRole('link', { name: 'Payment of 1.25 LTC received, 2 confirmations' }).waitFor(REFETCHED)
    const before = receiver.calls.length
    await page.getByRole('button', { name: 'Send again' }).last().click()
    const again = await eventually(() => receiver.calls[before])
    assert.equal(again.headers['webhook-id'], receiver.calls[0]?.headers['webhook-id'], 'the same message')
    await page.getByText('2 attempts').waitFor(REFETCHED)
    const newest = page.locator('[data-delivery]').first()
    await newest.getByRole('button', { name: /^Acknowledge/ }).click()
    await newest.getByText(`Acknowledged by ${account.email}`).waitFor(REFETCHED)
    assert.equal(await newest.getByRole('button', { name: /^Acknowledge/ }).count(), 0)
    await mine.close(page)
    await mine.inspect('/account/coins', 'coin-alerts', (shown) => shown.getByText('2 confirmations').waitFor())
  })

  await t.test('another account sees nothing of it', async () => {
    const stranger = await accountPages(browser, service, await makeTestAccount(store.database))
    const page = await stranger.open('/account/coins')
    await page.getByText('No coin alerts yet').waitFor()
    await page.getByText('No messages yet').waitFor()
    await stranger.close(page)
  })

  await t.test('the page of an address leads to the form, and a subscription ends', async () => {
    const page = await mine.open(`/coins/ltc/address/${other}`)
    await page.getByRole('link', { name: 'Watch', exact: true }).click()
    const fields = page.getByRole('form', { name: form })
    assert.equal(await fields.getByLabel('Address or transaction').inputValue(), other)
    await fields.getByRole('button', { name: 'Watch' }).click()
    await page.getByText('2 of 1,000').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Watching' }).click()
    const label = `Delete coin alert for ${other}`
    await page.getByRole('button', { name: label }).click()
    await page.getByRole('group', { name: label }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 of 1,000').waitFor()
    await mine.close(page)
    const response = await fetch(`${service.url}/api/v2/subscriptions`, { headers: { 'x-api-key': key } })
    const { data } = (await response.json()) as { data: { subscriptions: { target: string }[] } }
    assert.deepEqual(
      data.subscriptions.map(({ target }) => target),
      [address],
    )
  })

  await t.test('older subscriptions are on further pages', async () => {
    await store.database.query(
      sql`insert into coin_subscription (account_id, chain, kind, target, events, confirmations, channels, from_height)
       select $1, 'ltc', 'transaction', lpad(n::text, 64, '0'), array['seen'], 1, '{}', 0 from generate_series(1, 70) n`,
      [account.id],
    )
    const page = await mine.open('/account/coins')
    await page.getByText('71 of 1,000').waitFor()
    const rows = page.locator('[data-coin-subscription]')
    assert.equal(await rows.count(), 50)
    await page.getByRole('button', { name: 'Load older coin alerts' }).click()
    await page.getByRole('button', { name: `Delete coin alert for ${address}` }).waitFor()
    assert.equal(await rows.count(), 71)
    assert.equal(await page.getByRole('button', { name: 'Load older coin alerts' }).count(), 0)
    await page.goto(`${service.url}/coins/ltc/address/${address}`)
    await page.getByRole('link', { name: 'Watching' }).waitFor()
    await page.goto(`${service.url}/coins/ltc/address/${other}`)
    await page.getByRole('link', { name: 'Watch', exact: true }).waitFor()
    await mine.close(page)
  })
})
