/** The API docs in a browser: guides, reference, search, and a request that is sent from the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGuides, readReference } from '../../scripts/docs-modules.mjs'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { makeTestAccount, makeTestKey, startService } from '../../testing/support/service.ts'

test('API docs', { skip: browserMissing }, async (t) => {
  const store = await createTestDatabase()
  const { url } = await startService(store)
  const pages = pagesOf(await browserForTests(), url)

  await t.test('a visitor goes from the first page to a guide and to the reference', async () => {
    const page = await pages.open('/')
    await page.getByRole('main').getByRole('link', { name: 'API docs' }).click()
    await page.getByRole('heading', { name: 'Contract control in one minute' }).waitFor()
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Python' }).click()
    await page.getByText('hmac.compare_digest').waitFor()
    await page.getByRole('navigation', { name: 'Reference' }).getByRole('link', { name: 'Coin data' }).click()
    await page.getByRole('heading', { name: 'Coin data', level: 1 }).waitFor()
    await pages.close(page)
  })

  await t.test('the search finds sections and operations', async () => {
    const page = await pages.open('/docs')
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('verify')
    await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'Verify', exact: true }).click()
    await page.waitForURL('**/docs/webhooks#verify')
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('address utxos')
    await page.getByRole('link', { name: 'GET /api/v2/address/{address}/utxos' }).click()
    await page.waitForURL('**/docs/reference/coin-data#get-api-v2-address-address-utxos')
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('zebra')
    await page.getByText('Nothing found.').waitFor()
    await pages.close(page)
  })

  await t.test('a request is sent with the key of the reader', async () => {
    const account = await makeTestAccount(store.database, { utxoPlan: 'pro' })
    const { key } = await makeTestKey(store.database, account, 'v2')
    const page = await pages.open('/docs/reference/coin-data')
    const usage = page.locator('#get-api-v2-usage')
    await usage.getByText('Run it here').click()
    await usage.getByLabel('API key').fill('wrong')
    await usage.getByRole('button', { name: 'Send GET' }).click()
    await usage.getByText('INVALID_API_KEY').waitFor()
    await usage.getByLabel('API key').fill(key)
    await usage.getByRole('button', { name: 'Send GET' }).click()
    await usage.getByText('"plan": "pro"').waitFor()
    await usage.getByText(`-H 'X-API-Key: ${key}'`).waitFor()
    await pages.close(page)
  })

  await t.test('pages of the docs have no violation in any theme or width', async () => {
    for (const { slug } of readGuides().slice(0, 2))
      await pages.inspect(slug === 'start' ? '/docs' : `/docs/${slug}`, `docs-${slug}`, (shown) =>
        shown.getByRole('article').waitFor(),
      )
    await pages.inspect('/docs/reference/contract-control', 'docs-reference', (shown) =>
      shown.locator('#get-v1-events').waitFor(),
    )
  })
})

test('every link between pages of the docs leads somewhere', () => {
  const groups = readReference()
  const guides = readGuides()
  const known = new Set([
    '/docs',
    ...guides.map(({ slug }) => `/docs/${slug}`),
    ...groups.map(({ slug }) => `/docs/reference/${slug}`),
  ])
  const links = [...JSON.stringify(guides).matchAll(/"href":"(\/docs[^"#]*)/g)].map(([, href = '']) => href)
  assert.notEqual(links.length, 0)
  assert.deepEqual(
    links.filter((href) => !known.has(href)),
    [],
  )
})

test('the reference leaves out routes of the web app and of operators', () => {
  const paths = readReference().flatMap(({ operations }) => operations.map(({ path }) => path))
  assert.ok(paths.includes('/v1/events') && paths.includes('/api/v2/simulate'))
  assert.deepEqual(
    paths.filter((path) => path.startsWith('/public') || path.startsWith('/me/operator')),
    [],
  )
})
