/** Follows a new user of the demo in a real browser: sign in, create a key for each API, receive an alert. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { browserForTests } from '../support/browser.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { pagesOf } from '../support/pages.ts'

/** A contract on Ethereum that changes every minute. The demo account has no other subscription on that chain. */
const WATCHED = 'Harbor Pool'
/** Long enough for the next change on a slow machine. */
const NEXT_CHANGE = { timeout: 180_000 }

export async function followNewUserPath(printed: string): Promise<void> {
  const [, url = ''] = /Open\s+(\S+)/.exec(printed) ?? []
  const [, email = '', password = ''] = /Sign in\s+(\S+)\s+(\S+)/.exec(printed) ?? []
  const pages = pagesOf(await browserForTests(), url)
  const page = await pages.open('/')
  await page.locator('[data-event]').first().waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(keepSecretOfTest(password))
  await page.getByRole('button', { name: 'Sign in' }).click()

  for (const title of ['Contract control', 'Coins']) {
    const output = execFileSync('sh', ['-c', await createKey(page, title)], { encoding: 'utf8', stdio: 'pipe' })
    const { data, success } = JSON.parse(output) as { data?: unknown; success?: boolean }
    assert.ok(data !== undefined && success !== false, `${title}: ${output}`)
  }

  await page.getByRole('combobox', { name: 'Search' }).fill(WATCHED)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: new RegExp(`^${WATCHED}`) }).click()
  await page.getByRole('link', { name: 'Watch', exact: true }).click()
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await page.locator('[data-subscription]').getByText(WATCHED).waitFor()
  await page.getByRole('link', { name: 'Deliveries' }).click()
  const alert = page.locator('[data-delivery]').filter({ has: page.locator('[href^="/contracts/ethereum/"]') })
  await alert.getByText('Sent', { exact: true }).first().waitFor(NEXT_CHANGE)
  await pages.close(page)
}

/** Creates a key in the page. Returns the command that the page offers to try it. */
async function createKey(page: Page, title: string): Promise<string> {
  const card = page.getByRole('region', { name: title })
  await card.getByLabel('Name of the new key').fill('new user')
  await card.getByRole('button', { name: 'Create key' }).click()
  await card.getByRole('button', { name: 'Copy Try it' }).click()
  await card.getByRole('button', { name: 'Copied' }).waitFor()
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  keepSecretOfTest(/(?:gw|utxo)_live_[\w-]{43}/.exec(command)?.[0] ?? assert.fail(command))
  return command
}
