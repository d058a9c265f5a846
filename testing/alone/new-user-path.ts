/** What a stranger does with what the demo prints, in a real browser: in, a key for each interface, an alert. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { browserForTests } from '../support/browser.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { pagesOf } from '../support/pages.ts'

/** Of Ethereum, where nothing else is that the demo subscribed its login to; something happens to it every minute. */
const WATCHED = 'Harbor Pool'
/** For the demo to change it, however slow the machine. */
const NEXT_CHANGE = { timeout: 180_000 }

export async function walkStrangersPath(printed: string): Promise<void> {
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
    const answer = execFileSync('sh', ['-c', await makeKey(page, title)], { encoding: 'utf8', stdio: 'pipe' })
    const { data, success } = JSON.parse(answer) as { data?: unknown; success?: boolean }
    assert.ok(data !== undefined && success !== false, `${title}: ${answer}`)
  }

  await page.getByRole('searchbox').fill(WATCHED)
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

/** Makes a key as a person does, and gives the line that the page offers to try it with. */
async function makeKey(page: Page, title: string): Promise<string> {
  const card = page.getByRole('region', { name: title })
  await card.getByLabel('Name of the new key').fill('stranger')
  await card.getByRole('button', { name: 'Create key' }).click()
  await card.getByRole('button', { name: 'Copy Try it' }).click()
  await card.getByRole('button', { name: 'Copied' }).waitFor()
  const line = await page.evaluate<string>('navigator.clipboard.readText()')
  keepSecretOfTest(/(?:gw|utxo)_live_[\w-]{43}/.exec(line)?.[0] ?? assert.fail(line))
  return line
}
