/** The plans page in a browser: for visitors, for accounts, and with the operator's contact. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { accountPages, pagesOf } from '../../testing/support/pages.ts'
import { makeTestAccount, makeTestKey, startService } from '../../testing/support/service.ts'

test('plans', { skip: browserMissing }, async (t) => {
  const store = await createTestDatabase()
  const service = await startService(store)
  const browser = await browserForTests()
  const visitor = pagesOf(browser, service.url)
  const account = await makeTestAccount(store.database, { plan: 'free', utxoPlan: 'pro' })
  const mine = await accountPages(browser, service, account)
  const planOf = (page: Page, id: string) => page.locator(`[data-plan=${id}]`)

  await t.test('a visitor reads what each plan includes, and how to change it', async () => {
    const page = await visitor.open('/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Plans' }).click()
    await page.getByRole('heading', { name: 'Plans' }).waitFor()
    for (const [id, text] of [
      ['free', 'Not included'],
      ['team', '100,000'],
      ['basic', '10,000'],
      ['pro', '250,000'],
      ['enterprise', 'Unlimited'],
    ] as const)
      await planOf(page, id).getByText(text, { exact: true }).first().waitFor()
    await page.getByText('Ask the operator to change yours').waitFor()
    assert.equal(await page.getByText('Your plan', { exact: true }).count(), 0)
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('**/sign-in?next=%2Fplans')
    await visitor.close(page)
    await visitor.inspect('/plans', 'plans-visitor', (shown) => planOf(shown, 'enterprise').waitFor())
  })

  await t.test('an account sees its plans and what it uses', async () => {
    const page = await mine.open('/account')
    await page.getByRole('link', { name: 'Free plan' }).click()
    for (const id of ['free', 'pro']) await planOf(page, id).getByText('Your plan', { exact: true }).waitFor()
    assert.equal(await page.getByText('Your plan', { exact: true }).count(), 2)
    const usage = page.getByRole('region', { name: 'Coins' }).getByText('requests this month')
    await usage.waitFor()
    assert.equal(await usage.innerText(), '0 requests this month', 'without a key there is no quota')
    await makeTestKey(store.database, account, 'v2')
    await page.reload()
    await page.getByRole('meter', { name: 'Requests used this month' }).waitFor()
    assert.equal(await usage.innerText(), '0 of 250,000 requests this month')
    assert.equal(await page.getByRole('meter').count(), 1, 'Free includes no API, so it has no usage')
    await mine.close(page)
    await mine.inspect('/plans', 'plans', (shown) => shown.getByRole('meter').waitFor())
  })
})

test('plans of a service with a contact', { skip: browserMissing }, async () => {
  const { url } = await startService(await createTestDatabase(), { env: { OPERATOR_CONTACT: 'ops@example.org' } })
  const pages = pagesOf(await browserForTests(), url)
  const page = await pages.open('/plans')
  const link = page.getByRole('link', { name: 'Contact the operator' })
  await link.waitFor()
  assert.equal(await link.getAttribute('href'), 'mailto:ops@example.org')
  assert.equal(await page.getByText('Ask the operator').count(), 0)
  await pages.close(page)
})
