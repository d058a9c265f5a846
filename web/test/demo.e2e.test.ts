/** The demo on a machine that has neither anvil nor litecoind: it starts, says so, and shows what is true without them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDemo } from '../../demo/demo.ts'
import { parseConfig } from '../../server/src/config/config.ts'
import { until } from '../../testing/coins/until.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../testing/support/log.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { freePort } from '../../testing/support/port.ts'
import { AUTH_SECRET } from '../../testing/support/service.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'

const ANVIL = 'anvil is not installed (npm has it)'
/** The page asks anew every half minute. */
const REFETCHED = { timeout: 90_000 }
const LITECOIND = 'litecoind is not installed (Debian: apt-get install litecoind)'

test('the demo without anvil and without litecoind', { skip: browserMissing }, async (t) => {
  const { url: databaseUrl } = await createTestDatabase()
  const env = { PORT: String(await freePort()), DATABASE_URL: databaseUrl, AUTH_SECRET, DATA_DIR: temporaryFolder() }
  const printed: string[] = []
  const demo = await startDemo({
    config: { ...parseConfig(env, '/'), demo: true },
    log: testLog,
    print: (text) => printed.push(text),
    missing: [
      { what: 'contracts', reason: ANVIL },
      { what: 'litecoin', reason: LITECOIND },
    ],
  })
  after(demo.stop)
  const text = await until(() => printed[0])
  const [, email = '', password = ''] = /Sign in\s+(\S+)\s+(\S+)/.exec(text) ?? []
  for (const secret of [password, ...(text.match(/(?:gw|utxo)_live_[\w-]{43}/g) ?? [])]) keepSecretOfTest(secret)
  const pages = pagesOf(await browserForTests(), demo.url)

  await t.test('prints what is missing and how to get it', () => {
    assert.ok(text.includes(`No contracts are shown: ${ANVIL}.`))
    assert.ok(text.includes(`No Litecoin is shown: ${LITECOIND}.`))
    assert.ok(!text.includes('/v1/'))
  })

  const says = (words: string) => (page: Page) => page.getByText(words).first().waitFor()
  await t.test('says so where contracts would be', async () => {
    for (const path of ['/', '/protocols', '/status'])
      await pages.inspect(path, `without-${path.slice(1) || 'feed'}`, says(ANVIL))
  })

  await t.test('shows Bitcoin, and says so where Litecoin would be', async () => {
    await pages.inspect('/coins', 'without-coins', async (page) => {
      await page.getByText('Up to date').waitFor()
      await says(LITECOIND)(page)
    })
    for (const page of ['ltc', 'ltc/fees', 'ltc/simulate', 'ltc/block/1'])
      await pages.inspect(`/coins/${page}`, `without-${page.replaceAll('/', '-')}`, says(LITECOIND))
  })

  await t.test('lets its login in', async () => {
    const page = await pages.open('/sign-in?next=%2Foperator%2Fchains')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await says(ANVIL)(page)
    await pages.close(page)
  })

  await t.test('has traffic of its own to show', async () => {
    const page = await pages.open('/sign-in?next=%2Faccount%2Ftraffic')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('img', { name: 'Requests by hour' }).waitFor(REFETCHED)
    await page.getByRole('rowheader', { name: 'INVALID_CHAIN' }).waitFor(REFETCHED)
    await pages.close(page)
  })
})
