/** One-time codes, repeated passwords, the deletion of an account and the audit trail, in a browser. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { recordOperatorChange } from '../../server/src/accounts/operator-changes.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { keepSecretOfTest } from '../../testing/support/log.ts'
import { accountPages, pagesOf } from '../../testing/support/pages.ts'
import { makeTestAccount, signIn, startService } from '../../testing/support/service.ts'

/** The code of an authenticator app (RFC 6238). */
function codeOf(secret: string): string {
  const bits = secret
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

test('security', { skip: browserMissing }, async (t) => {
  const store = await createTestDatabase()
  const service = await startService(store)
  const browser = await browserForTests()
  const account = await makeTestAccount(store.database, { operator: true, plan: 'team' })
  const own = await accountPages(browser, service, account)

  await t.test('the pages are readable at both widths', async () => {
    const other = await signIn(service, account)
    await own.inspect('/account/security', 'security', (page) =>
      page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor(),
    )
    const page = await own.open('/account/security')
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' })
    await page.getByText('This browser').waitFor()
    await own.close(page)
    const ended = await fetch(`${service.url}/me/api-keys`, { headers: { cookie: other } })
    assert.equal(ended.status, 401)
    const change = { actor: 'operator@example.org', action: 'account.plan', subject: account.email } as const
    await recordOperatorChange(store.database, { ...change, before: { plan: 'free' }, after: { plan: 'team' } })
    await own.inspect('/operator/changes', 'changes', (page) => page.getByText('plan: team').waitFor())
  })

  await t.test('a key needs the password again after a quarter of an hour', async () => {
    await store.database.query(sql`update session set created_at = now() - interval '16 minutes'`)
    const page = await own.open('/account')
    const card = page.locator('section', { hasText: '/v1' }).first()
    await card.getByLabel('Name').fill('laptop')
    await card.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Your password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Repeat your change').waitFor()
    await card.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByText(/^gw_live_[\w-]{43}$/).textContent()
    keepSecretOfTest(key ?? '')
    await own.close(page)
  })

  await t.test('one-time codes are turned on, asked for at the next sign-in, and the account is deleted', async () => {
    const page = await own.open('/account/security')
    await page.getByLabel('Current password').first().fill(account.password)
    await page.getByRole('button', { name: 'Set up one-time codes' }).click()
    const secret = keepSecretOfTest((await page.getByText(/^[A-Z2-7]{30,}$/).textContent()) ?? '')
    await page.getByLabel('Code of the app').fill(codeOf(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Turn off one-time codes' }).waitFor()
    await own.close(page)

    const visitor = pagesOf(browser, service.url)
    const again = await visitor.open('/sign-in?next=/account/security')
    await again.getByLabel('E-mail').fill(account.email)
    await again.getByLabel('Password').fill(account.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.getByLabel('Code', { exact: true }).fill(codeOf(secret))
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitForURL('**/account/security')
    await again.getByLabel('Current password').last().fill(account.password)
    await again.getByRole('button', { name: 'Delete account' }).click()
    await again.getByRole('group', { name: 'Delete account' }).getByRole('button', { name: 'Delete account' }).click()
    await again.waitForURL(service.url + '/')
    const { rowCount } = await store.database.query(sql`select from user_account where id = $1`, [account.id])
    assert.equal(rowCount, 0)
    await visitor.close(again)
  })
})
