/** The account and operator pages in a browser. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Page } from 'playwright-core'
import { sql } from '../../server/src/platform/sql.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { keepSecretOfTest } from '../../testing/support/log.ts'
import { accountPages, assertSteady, cookiesOf, DESKTOP, PHONE, pagesOf } from '../../testing/support/pages.ts'
import { botServer, eventually, hookReceiver, mailSink } from '../../testing/support/receivers.ts'
import { publish, SAMPLES, seedControl } from '../../testing/support/sample-control.ts'
import { makeTestAccount, makeTestKey, startService, type TestAccount } from '../../testing/support/service.ts'

const UPGRADE = {
  key: 'proxy.upgraded',
  category: 'upgrade',
  severity: 'critical',
  args: { implementation: `0x${'12'.repeat(20)}` },
} as const

/** The page fetches the deliveries every ten seconds. */
const REFETCHED = { timeout: 60_000 }

const newPassword = () => keepSecretOfTest(randomBytes(12).toString('base64url'))

async function enter(page: Page, { email, password }: Pick<TestAccount, 'email' | 'password'>, button: string) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

test('accounts', { skip: browserMissing }, async (t) => {
  const store = await createTestDatabase()
  await seedControl(store.database)
  const hooks = await hookReceiver()
  const service = await startService(store, {
    env: { ALERT_ALLOW_PRIVATE: 'true', ETHEREUM_RPC_URL: 'http://127.0.0.1:9' },
  })
  const { url } = service
  const browser = await browserForTests()
  const visitor = pagesOf(browser, url)
  const operator = await makeTestAccount(store.database, { operator: true, plan: 'team' })
  const person = { id: '', email: 'ada@example.org', password: newPassword() }
  const status = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(url + path, { headers })).status

  await t.test('a visitor is sent to the sign-in page, signs up, out, and in again', async () => {
    const page = await visitor.open('/account/alerts?protocol=meadow')
    await page.waitForURL('**/sign-in?next=*')
    await enter(page, { ...person, password: 'wrong password' }, 'Sign in')
    await page.getByRole('alert').getByText('Invalid email or password').waitFor()
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByText('This service does not send e-mail, so the address is not verified.').waitFor()
    await enter(page, person, 'Sign up')
    await page.waitForURL('**/account/alerts?protocol=meadow')
    assert.equal(await page.getByLabel('Protocol').inputValue(), 'meadow')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await enter(page, person, 'Sign in')
    await page.waitForURL('**/account')
    await page.getByText('Keys for this API need the Team plan').waitFor()
    await page.goto(`${url}/operator`)
    await page.getByText('Operators only').waitFor()
    await visitor.close(page)
  })

  await t.test('the reset page explains that the service does not send e-mail', async () => {
    await visitor.inspect('/reset-password', 'reset-password', (page) =>
      page.getByText('This service does not send e-mail').waitFor(),
    )
    await visitor.inspect('/verify-email', 'verify-email', (page) =>
      page.getByText('This link is not complete').waitFor(),
    )
    await visitor.inspect('/sign-in', 'sign-in', (page) => page.getByRole('button', { name: 'Sign in' }).waitFor())
    await visitor.inspect('/sign-up', 'sign-up', (page) => page.getByRole('button', { name: 'Sign up' }).waitFor())
  })

  await t.test('an operator changes a plan, edits the registry, and reads the state of a chain', async () => {
    const pages = await accountPages(browser, service, operator)
    const page = await pages.open('/operator')
    await page.getByLabel('Search by e-mail').fill('ada@')
    await page.getByLabel(`Contract control plan of ${person.email}`).selectOption('team')
    await eventually(async () => {
      const { rows } = await store.database.query<{ plan: string }>(
        sql`select plan from user_account where email = $1`,
        [person.email],
      )
      return rows[0]?.plan === 'team' || undefined
    })
    await page.getByRole('link', { name: 'Registry' }).click()
    const form = page.getByRole('form', { name: 'Contract' })
    await form.getByLabel('Address').fill('0x12')
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('alert').waitFor()
    await form.getByLabel('Address').fill(`0x${'9a'.repeat(20)}`)
    await form.getByLabel('Name').fill('Orchard Gate')
    await form.getByLabel('Protocol').fill('Orchard')
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Added', { exact: true }).waitFor()
    await page.getByLabel('Search by name').fill('orchard')
    await page.getByRole('button', { name: 'Edit Orchard Gate' }).click()
    await form.getByLabel('Name').fill('Orchard Door')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'Orchard Door' }).waitFor()
    await pages.close(page)
    await pages.inspect('/operator', 'operator-accounts', (shown) => shown.getByText(person.email).waitFor())
    await pages.inspect('/operator/chains', 'operator-chains', (shown) =>
      shown.getByRole('heading', { name: 'Ethereum' }).waitFor(),
    )
    await pages.inspect('/operator/registry', 'operator-registry', (shown) =>
      shown.getByText('Orchard Door', { exact: true }).waitFor(),
    )
  })

  const mine = await accountPages(browser, service, person)

  await t.test('a key for each API is created, used, and revoked', async () => {
    const page = await mine.open('/account')
    await page.getByLabel('Name of the new key').nth(1).waitFor() // both cards have loaded, so that the index is right
    const createKey = async (index: number, shown = index): Promise<string> => {
      await page.getByLabel('Name of the new key').nth(index).fill('laptop')
      await page.getByRole('button', { name: 'Create key' }).nth(index).click()
      await page.getByText('Copy the key now').nth(shown).waitFor()
      await page.getByRole('button', { name: 'Copy Key laptop' }).nth(shown).click()
      return keepSecretOfTest(await page.evaluate<string>('navigator.clipboard.readText()'))
    }
    const [control, coins] = [await createKey(0), await createKey(1)]
    assert.equal(await status('/v1/events', { authorization: `Bearer ${control}` }), 200)
    assert.equal(await status('/api/v2/usage', { 'x-api-key': coins }), 200)
    assert.equal(await status('/api/v2/fees?chain=doge', { 'x-api-key': coins }), 400)
    await page.reload()
    await page.getByText('1 of 10,000 requests this month').waitFor() // the request for the usage does not count
    assert.equal(await page.getByText(coins).count(), 0)
    await page.getByRole('button', { name: 'Revoke key laptop' }).nth(1).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Revoke key laptop' }).nth(1).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('No keys yet').waitFor()
    while ((await status('/api/v2/usage', { 'x-api-key': coins })) !== 401); // until the notification has arrived
    await page.getByLabel('Expires').nth(1).selectOption('In 90 days')
    const limited = await createKey(1, 0)
    assert.equal(await status('/api/v2/usage', { 'x-api-key': limited }), 200)
    const { rows } = await store.database.query<{ days: number }>(
      sql`select round(extract(epoch from expires_at - created_at) / 86400)::int as days from api_key where expires_at is not null`,
    )
    assert.deepEqual(rows, [{ days: 90 }])
    await store.database.query(
      sql`update api_key set expires_at = now() - interval '1 second' where expires_at is not null`,
    )
    while ((await status('/api/v2/usage', { 'x-api-key': limited })) !== 401);
    await page.reload()
    await page.getByText('Expired', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revoke key laptop' }).nth(1).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('No keys yet').waitFor()
    await mine.close(page)
    await mine.inspect('/account', 'keys', (shown) => shown.getByText('laptop').waitFor())
  })

  await t.test('the traffic page shows the requests of the keys', async () => {
    await mine.inspect('/account/traffic', 'traffic', async (page) => {
      await page.getByRole('img', { name: 'Requests by hour' }).waitFor()
      await page.getByRole('rowheader', { name: 'INVALID_CHAIN' }).waitFor()
      await page.getByText('Latest requests').waitFor()
    })
    const page = await mine.open('/account/traffic')
    await page.getByLabel('Range').selectOption('720')
    await page.waitForURL('**hours=720*')
    await page.getByRole('img', { name: 'Requests by day' }).waitFor()
    await page.getByLabel('Responses').selectOption('5xx')
    await page.getByText('No request in this time range had such a response.').waitFor()
    await page.goBack()
    await page.getByRole('region', { name: /^Latest of/ }).waitFor()
    await page.goBack()
    await page.getByRole('img', { name: 'Requests by hour' }).waitFor()
    await mine.close(page)
  })

  await t.test('a channel is set up and tested, a contract watched, and its alert logged', async () => {
    const page = await mine.open('/account/channels')
    await page.getByLabel('URL', { exact: true }).fill('ftp://example.org')
    await page.getByRole('button', { name: 'Set URL' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('URL', { exact: true }).fill(`${hooks.url}/alerts`)
    await page.getByRole('button', { name: 'Set URL' }).click()
    await page.getByRole('button', { name: 'Send test message' }).first().click()
    await page.getByText('Test message delivered').waitFor()
    assert.equal(hooks.calls[0]?.path, '/alerts')
    await page.getByRole('button', { name: 'Show signing secret' }).click()
    keepSecretOfTest((await page.getByText(/^whsec_/).textContent()) ?? '')

    const slack = page.locator('section', { hasText: 'Create a Slack app' })
    await slack.getByText('Set up', { exact: true }).click()
    await slack.getByLabel('Webhook URL').fill(`${hooks.url}/slack/T0000/B0000/secret`)
    await slack.getByRole('button', { name: 'Save', exact: true }).click()
    await slack.getByText('…cret').waitFor()
    await slack.getByText('/alerts/slack/').waitFor()
    await slack.getByText('Digest and quiet hours').click()
    await slack.getByLabel('Digest', { exact: true }).selectOption('60')
    await slack.getByLabel('Events in the digest').selectOption('critical')
    await slack.getByRole('button', { name: 'Save schedule' }).click()
    await eventually(async () => {
      const { rows } = await store.database.query(sql`select from alert_channel where digest_minutes = 60`)
      return rows.length === 1 || undefined
    })

    await page.goto(`${url}/account/alerts?chain=ethereum&address=${SAMPLES.vault}`)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    const row = page.locator('[data-subscription]')
    await row.getByText('Meadow Vault').waitFor()
    await row.getByLabel('Severity').selectOption('high')
    // Not `uncheck`, which fails if the page shows the change only after the next frame.
    await row.getByLabel('Slack').click()
    await row.getByRole('checkbox', { name: 'Slack', checked: false }).waitFor()
    assert.equal(await row.getByText('Telegram').count(), 0, 'this service has no bot')
    await row.getByRole('button', { name: 'Pause Meadow Vault' }).click()
    await row.getByText('Paused', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Resume Meadow Vault' }).click()
    await row.getByText('Paused', { exact: true }).waitFor({ state: 'detached' })
    await row.getByText('Powers that always alert').click()
    for (const [effect, list] of [
      ['Mint', 'mint'],
      ['Pause', 'mint, pause'],
      ['Mint', 'pause'],
    ] as const) {
      await row.getByRole('checkbox', { name: effect, exact: true }).click()
      await row.getByText(`Powers that always alert: ${list}`, { exact: true }).waitFor()
    }
    await row.getByText('Only some events').click()
    await row.getByRole('checkbox', { name: 'Upgrade', exact: true }).click()
    await row.getByText('Only some events: Upgrade', { exact: true }).waitFor()
    await row.getByLabel('Events by key').fill('Upgraded')
    await row.getByText('“Upgraded” is not an event key.').waitFor()
    await row.getByLabel('Events by key').fill('safe.changed_threshold')
    await row.getByRole('button', { name: 'Save keys' }).click()
    await row.getByText('Only some events: Upgrade, safe.changed_threshold', { exact: true }).waitFor()
    await row.getByRole('checkbox', { name: 'Queued changes' }).click()
    await row.getByRole('checkbox', { name: 'Queued changes', checked: true }).waitFor()
    await page.getByText('Watch many contracts at once').click()
    await page
      .getByLabel('Contracts, one chain and address per line')
      .fill(`chain,address\nmars,${SAMPLES.vault}\nethereum,${SAMPLES.vault}`)
    await page.getByRole('button', { name: 'Watch 2 contracts' }).click()
    const imported = page.getByRole('region', { name: 'Result of the import' })
    await imported.getByText('“mars” is not a chain.').waitFor()
    await imported.getByText('You are already subscribed to this.').waitFor()
    const watched = await mine.open(`/contracts/ethereum/${SAMPLES.vault}`)
    await watched.getByRole('link', { name: 'Watching' }).waitFor()
    await mine.close(watched)
    await page.getByLabel('Contract address').fill(SAMPLES.vault)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'You are already subscribed to this.' }).waitFor()

    const before = hooks.calls.length
    await publish(store.database, [{ ...UPGRADE, address: SAMPLES.vault, minutesAgo: 0 }])
    await page.getByRole('link', { name: 'Deliveries' }).click()
    const delivery = page.locator('[data-delivery]').filter({ hasText: 'Webhook' })
    await delivery.getByText('0x1212…1212').waitFor()
    await delivery.getByText('Sent', { exact: true }).waitFor()
    assert.equal(hooks.calls.length, before + 1)
    hooks.answers.set('/alerts', 500)
    await delivery.getByRole('button', { name: /^Acknowledge/ }).click()
    await delivery.getByText(`Acknowledged by ${person.email}`).waitFor(REFETCHED)
    await delivery.getByRole('button', { name: /^Send again/ }).click()
    await eventually(() => hooks.calls[before + 1])
    await delivery.getByText('2 attempts').click(REFETCHED)
    const attempts = delivery.getByRole('region', { name: 'Attempts, newest first' })
    await attempts.getByRole('row', { name: /^2 .*Failed \d+ ms 500 / }).waitFor()
    await attempts.getByRole('row', { name: /^1 .*Sent \d+ ms 20\d Accepted/ }).waitFor()
    await delivery.getByText('Content', { exact: true }).click()
    await delivery.getByText('control.changed').waitFor()
    hooks.answers.delete('/alerts')
    await mine.close(page)
    await mine.inspect('/account/alerts', 'alerts', async (shown) => {
      await shown.getByText('Meadow Vault').waitFor()
      await shown.getByText('Powers that always alert: pause', { exact: true }).waitFor()
    })
    await mine.inspect('/account/channels', 'channels', (shown) =>
      shown.getByRole('button', { name: 'Change URL' }).waitFor(),
    )
    await mine.inspect('/account/deliveries', 'deliveries', async (shown) => {
      await shown.getByText(/^\d attempts$/).click()
      await shown.getByRole('row', { name: /Failed/ }).waitFor()
    })
  })

  await t.test('nothing moves while the pages of an account load', async () => {
    for (const path of ['', '/alerts', '/coins', '/channels', '/deliveries', '/traffic', '/security'])
      for (const view of [PHONE, DESKTOP]) await assertSteady(mine, `/account${path}`, view)
    for (const view of [PHONE, DESKTOP]) await assertSteady(mine, '/plans', view)
    const pages = await accountPages(browser, service, operator)
    for (const path of ['', '/chains', '/registry', '/changes'])
      for (const view of [PHONE, DESKTOP]) await assertSteady(pages, `/operator${path}`, view)
  })

  await t.test('a session that ends leads to the sign-in page and back', async () => {
    const late = await makeTestAccount(store.database)
    const pages = await accountPages(browser, service, late)
    const page = await pages.open('/account')
    await page.getByLabel('Name of the new key').fill('laptop')
    await store.database.query(sql`delete from session where account_id = $1`, [late.id])
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.waitForURL('**/sign-in?next=%2Faccount')
    await page.getByText('Sign in to continue.').waitFor()
    await enter(page, late, 'Sign in')
    await page.waitForURL('**/account')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await pages.close(page)
  })

  await t.test(
    'a deleted account is signed out, and the next account in the browser sees none of its data',
    async () => {
      const [first, second] = [
        await makeTestAccount(store.database, { plan: 'team' }),
        await makeTestAccount(store.database),
      ]
      await makeTestKey(store.database, first, 'v1')
      const pages = await accountPages(browser, service, first)
      const page = await pages.open('/account')
      await page.getByRole('rowheader', { name: 'test' }).waitFor()
      // In another tab of the same browser.
      await page.context().addCookies(await cookiesOf(service, second))
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
      await page.getByText(second.email).waitFor()
      await page.getByRole('rowheader', { name: 'test' }).waitFor({ state: 'detached' })
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
      await store.database.query(sql`delete from user_account where id = $1`, [second.id])
      await page.getByRole('link', { name: 'Alerts', exact: true }).click()
      await page.waitForURL('**/sign-in?next=%2Faccount%2Falerts')
      await pages.close(page)
    },
  )

  await t.test('a wallet signs in without a password', async () => {
    const secret = secp256k1.utils.randomSecretKey()
    const address = Buffer.from(keccak_256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12)).toString(
      'hex',
    )
    const page = await visitor.open('/')
    await page.exposeFunction('signInTest', (hex: string) => {
      const message = Buffer.from(hex.slice(2), 'hex')
      const framed = Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message])
      const bytes = secp256k1.sign(keccak_256(framed), secret, { prehash: false, format: 'recovered' })
      return `0x${Buffer.from(bytes.subarray(1)).toString('hex')}${(27 + (bytes[0] ?? 0)).toString(16)}`
    })
    await page.addInitScript(
      `window.ethereum = { request: async ({ method, params }) => method === 'eth_requestAccounts' ? ['0x${address}'] : signInTest(params[0]) }`,
    )
    await page.goto(`${url}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with Ethereum' }).click()
    await page.waitForURL('**/account')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await visitor.close(page)
  })
})

test('a service with mail and a bot', { skip: browserMissing }, async (t) => {
  const store = await createTestDatabase()
  await seedControl(store.database)
  const [mail, bot] = [await mailSink(), await botServer()]
  const env = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Gatewatch <gw@example.org>',
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_API_URL: bot.url,
    ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
  }
  const { url } = await startService(store, { env })
  const pages = pagesOf(await browserForTests(), url)
  const person = { email: 'bo@example.org', password: newPassword() }
  let read = 0
  const nextMail = async () => {
    const sent = await eventually(() => mail.mails[read])
    read += 1
    return sent
  }
  const nextLink = async () => /https?:\S+/.exec((await nextMail()).text ?? '')?.[0] ?? assert.fail()
  const page = await pages.open('/sign-up')

  await t.test('confirms the address of a new account', async () => {
    await enter(page, person, 'Sign up')
    await page.getByText('Check your e-mail').waitFor()
    const link = await nextLink()
    await page.goto(link.replace(/token=[^&]+/, 'token=x'))
    await page.getByText('This link no longer works').waitFor()
    await page.goto(link)
    await page.getByText('E-mail address confirmed').waitFor()
    await page.getByRole('link', { name: 'Go to account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  })

  await t.test('sends a link to reset a password', async () => {
    await page.goto(`${url}/reset-password`)
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your e-mail').waitFor()
    await page.goto(await nextLink())
    const changed = { ...person, password: newPassword() }
    await page.getByLabel('New password', { exact: true }).fill(changed.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await enter(page, person, 'Sign in')
    await page.getByRole('alert').waitFor()
    await enter(page, changed, 'Sign in')
    await page.waitForURL('**/account')
  })

  await t.test('shows a chat and an address as soon as they are confirmed', async () => {
    await page.goto(`${url}/account/channels`)
    const telegram = page.getByRole('region', { name: 'Telegram' })
    await telegram.getByRole('button', { name: 'Link a chat' }).click()
    const command = (await telegram.getByText(/^\/start /).textContent()) ?? ''
    bot.write({ id: 42, type: 'private', first_name: 'Bo' }, command)
    await telegram.getByText('Linked to Bo').waitFor()
    await telegram.getByText(command).waitFor({ state: 'detached' })
    await telegram.getByRole('button', { name: 'Send test message' }).click()
    await telegram.getByText('Test message delivered').waitFor()

    const address = page.getByRole('region', { name: 'E-mail' })
    await address.getByLabel('Address').fill('watch@example.org')
    await address.getByRole('button', { name: 'Use this address' }).click()
    await address.getByText('Open the link in the e-mail to watch@example.org').waitFor()
    const link = (await nextLink()).slice(url.length)
    await pages.inspect(link, 'mail-confirm', (shown) => shown.getByText('watch@example.org').waitFor())
    const other = await pages.open(link, PHONE)
    await other.getByRole('button', { name: 'Confirm' }).click()
    await other.getByText('Gatewatch will send alerts to this address').waitFor()
    await pages.close(other)
    await pages.inspect(link, 'mail-spent', (shown) => shown.getByText('This link is no longer valid').waitFor())
    await address.getByRole('button', { name: 'Send test message' }).click()
    await address.getByText('Test message delivered').waitFor()
    assert.match(JSON.stringify((await nextMail()).to), /watch@example\.org/)
  })

  await t.test('delivers an alert to both', async () => {
    await page.goto(`${url}/account/alerts?chain=ethereum&address=${SAMPLES.vault}`)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.locator('[data-subscription]').getByText('Meadow Vault').waitFor()
    await publish(store.database, [{ ...UPGRADE, address: SAMPLES.vault, minutesAgo: 0 }])
    await page.getByRole('link', { name: 'Deliveries' }).click()
    for (const channel of ['Telegram', 'E-mail'])
      await page.locator('[data-delivery]').filter({ hasText: channel }).getByText('Sent', { exact: true }).waitFor()
    assert.match(bot.sent.at(-1)?.text ?? '', /Meadow Vault/)
    const sent = (await nextMail()).text ?? ''
    assert.match(sent, /Meadow Vault/)
    const [link = ''] = /\/alerts\/unsubscribe\?token=[\w-]+/.exec(sent) ?? []
    await pages.inspect(link, 'mail-unsubscribe', (shown) =>
      shown.getByText('Gatewatch will stop sending alerts to').waitFor(),
    )
    const other = await pages.open(link, PHONE)
    await other.getByRole('button', { name: 'Unsubscribe' }).click()
    await other.getByRole('heading', { name: 'Unsubscribed' }).waitFor()
    await pages.close(other)
  })
  await pages.close(page)
})
