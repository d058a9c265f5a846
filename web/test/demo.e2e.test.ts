/** The demo without anvil and litecoind: it starts, names what is missing, and shows recorded coin chains. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { BITCOIN, LITECOIN } from '../../demo/coins/recorded-chains.ts'
import { startDemo } from '../../demo/demo.ts'
import { parseConfig } from '../../server/src/config/config.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../testing/support/log.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { freePort } from '../../testing/support/port.ts'
import { eventually } from '../../testing/support/receivers.ts'
import { AUTH_SECRET } from '../../testing/support/service.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'

const ANVIL = 'anvil is not installed (npm has it)'
/** The page fetches every 30 seconds. */
const REFETCHED = { timeout: 90_000 }

test('the demo without anvil and without litecoind', { skip: browserMissing }, async (t) => {
  const { url: databaseUrl } = await createTestDatabase()
  const env = { PORT: String(await freePort()), DATABASE_URL: databaseUrl, AUTH_SECRET, DATA_DIR: temporaryFolder() }
  const printed: string[] = []
  const demo = await startDemo({
    config: { ...parseConfig(env, '/'), demo: true },
    log: testLog,
    print: (text) => printed.push(text),
    missing: [{ what: 'contracts', reason: ANVIL }],
    hasLitecoind: false,
  })
  after(demo.stop)
  const text = await eventually(() => printed[0])
  const [, email = '', password = ''] = /Sign in\s+(\S+)\s+(\S+)/.exec(text) ?? []
  for (const secret of [password, ...(text.match(/(?:gw|utxo)_live_[\w-]{43}/g) ?? [])]) keepSecretOfTest(secret)
  const pages = pagesOf(await browserForTests(), demo.url)

  await t.test('prints what is missing and how to get it', () => {
    assert.ok(text.includes(`Contracts are not available: ${ANVIL}.`))
    assert.ok(!text.includes('Litecoin is not available'))
    assert.ok(!text.includes('/v1/'))
  })

  const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor()
  await t.test('explains the missing contracts', async () => {
    for (const path of ['/feed', '/protocols', '/status'])
      await pages.inspect(path, `without-${path.slice(1)}`, shows(ANVIL))
    await pages.inspect('/', 'without-home', shows('Bitcoin'))
  })

  await t.test('shows Bitcoin and Litecoin from recorded chains', async () => {
    await pages.inspect('/coins', 'recorded-coins', async (page) => {
      await page.getByText('Up to date').nth(1).waitFor()
    })
    for (const { network, showcase } of [BITCOIN, LITECOIN]) {
      const inspect = (path: string, text: string) =>
        pages.inspect(`/coins/${network.chain}${path}`, `recorded-${network.chain}${path.slice(0, 5)}`, shows(text))
      await inspect('', 'Next blocks')
      await inspect('/fees', 'sat/vB')
      await inspect(`/address/${showcase}`, 'UTXOs by value and age')
    }
  })

  await t.test('accepts its login', async () => {
    const page = await pages.open('/sign-in?next=%2Foperator%2Fchains')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await shows(ANVIL)(page)
    await pages.close(page)
  })

  await t.test('shows its own traffic', async () => {
    const page = await pages.open('/sign-in?next=%2Faccount%2Ftraffic')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('img', { name: 'Requests by hour' }).waitFor(REFETCHED)
    await page.getByRole('rowheader', { name: 'INVALID_CHAIN' }).waitFor(REFETCHED)
    await pages.close(page)
  })
})
