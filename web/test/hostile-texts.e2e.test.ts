/** Contracts choose their names and event arguments. The pages show them as text only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { protocolSlug, saveContract } from '../../server/src/control/registry/contracts.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { publish, SAMPLES, seedControl } from '../../testing/support/sample-control.ts'
import { startService } from '../../testing/support/service.ts'

const MARKUP = `</title></a><script>document.title='bad'</script><img src=x onerror="document.title='bad'">"'`
const LINK = `[Safe](javascript:document.title='bad')`
const REVERSED = 'Alpha\u202eatleD'
const LINES = 'one\r\ntwo\u2028three'

/** Asserts that no text became an element, a link or a script. */
async function assertTextOnly(page: Page): Promise<void> {
  assert.notEqual(await page.title(), 'bad')
  assert.equal(await page.locator('script:not([src]), img[src="x"], [onerror], a[href^="javascript:"]').count(), 0)
}

test('names and event arguments with markup are shown as text', {
  skip: browserMissing,
}, async (t) => {
  const database = await createTestDatabase()
  await seedControl(database.database)
  const { vault, bridge, market } = SAMPLES
  for (const [address, name, protocol] of [
    [vault, MARKUP, LINK],
    [bridge, LINK, MARKUP],
    [market, REVERSED, LINES],
  ] as const)
    await saveContract(database.database, { chainId: 1, address }, { name, protocol })
  const event = { key: 'example.renamed', category: 'token_admin', severity: 'high', address: vault } as const
  await publish(database.database, [
    { ...event, minutesAgo: 1, args: { oldName: MARKUP, newName: LINK } },
    { ...event, minutesAgo: 2, args: { oldName: REVERSED, newName: 'Omega' } },
    { ...event, minutesAgo: 3, args: { [MARKUP]: LINES } },
  ])
  const { url } = await startService(database)
  const pages = pagesOf(await browserForTests(), url)

  await t.test('in the feed, where a direction override ends with its text', async () => {
    const page = await pages.open('/feed')
    await page.getByRole('link', { name: MARKUP }).first().waitFor()
    await page.getByText(LINK).first().waitFor()
    await assertTextOnly(page)
    const row = page.locator('[data-event]').filter({ hasText: 'Omega' })
    const reversed = await row.getByText(REVERSED, { exact: true }).boundingBox()
    const next = await row.getByText('Omega', { exact: true }).boundingBox()
    assert.ok(reversed !== null && next !== null && next.x >= reversed.x + reversed.width, 'the next text follows it')
    await pages.close(page)
  })

  await t.test('on contract, protocol and search pages', async () => {
    for (const [path, heading] of [
      [`/contracts/ethereum/${vault}`, MARKUP],
      [`/contracts/ethereum/${bridge}`, LINK],
      [`/protocols/${protocolSlug(LINK)}`, LINK],
      [`/search?q=${encodeURIComponent('Safe')}`, undefined],
    ] as const) {
      const page = await pages.open(path)
      if (heading === undefined) await page.getByRole('link', { name: LINK }).first().waitFor()
      else await page.getByRole('heading', { name: heading }).waitFor()
      await assertTextOnly(page)
      await pages.close(page)
    }
  })
})
