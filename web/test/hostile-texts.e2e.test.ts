/** Contracts choose their names and what their events say: the pages show all of it as the words it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { protocolSlug } from '../../server/src/control/registry/protocol.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { publish, SAMPLES, seedControl } from '../../testing/support/sample-control.ts'
import { startService } from '../../testing/support/service.ts'

const MARKS = `</title></a><script>document.title='bad'</script><img src=x onerror="document.title='bad'">"'`
const LINK = `[Safe](javascript:document.title='bad')`
const TURNED = 'Alpha\u202eatleD'
const LINES = 'one\r\ntwo\u2028three'

/** Nothing of what was written became an element, a link or a script. */
async function findOnlyWords(page: Page): Promise<void> {
  assert.notEqual(await page.title(), 'bad')
  assert.equal(await page.locator('script:not([src]), img[src="x"], [onerror], a[href^="javascript:"]').count(), 0)
}

test('whatever a contract calls itself and its events say, the pages show words', {
  skip: browserMissing,
}, async (t) => {
  const database = await createTestDatabase()
  await seedControl(database.database)
  const { vault, bridge, market } = SAMPLES
  for (const [address, name, protocol] of [
    [vault, MARKS, LINK],
    [bridge, LINK, MARKS],
    [market, TURNED, LINES],
  ] as const)
    await saveContract(database.database, { chainId: 1, address }, { name, protocol })
  const event = { key: 'example.renamed', category: 'token_admin', severity: 'high', address: vault } as const
  await publish(database.database, [
    { ...event, minutesAgo: 1, args: { oldName: MARKS, newName: LINK } },
    { ...event, minutesAgo: 2, args: { oldName: TURNED, newName: 'Omega' } },
    { ...event, minutesAgo: 3, args: { [MARKS]: LINES } },
  ])
  const { url } = await startService(database)
  const pages = pagesOf(await browserForTests(), url)

  await t.test('in the feed, where an overridden direction ends with the text that has it', async () => {
    const page = await pages.open('/')
    await page.getByRole('link', { name: MARKS }).first().waitFor()
    await page.getByText(LINK).first().waitFor()
    await findOnlyWords(page)
    const row = page.locator('[data-event]').filter({ hasText: 'Omega' })
    const turned = await row.getByText(TURNED, { exact: true }).boundingBox()
    const next = await row.getByText('Omega', { exact: true }).boundingBox()
    assert.ok(turned !== null && next !== null && next.x >= turned.x + turned.width, 'what comes after stands after')
    await pages.close(page)
  })

  await t.test('on the page of a contract, of its protocol, and among what is found', async () => {
    for (const [path, heading] of [
      [`/contracts/ethereum/${vault}`, MARKS],
      [`/contracts/ethereum/${bridge}`, LINK],
      [`/protocols/${protocolSlug(LINK)}`, LINK],
      [`/search?q=${encodeURIComponent('Safe')}`, undefined],
    ] as const) {
      const page = await pages.open(path)
      if (heading === undefined) await page.getByRole('link', { name: LINK }).first().waitFor()
      else await page.getByRole('heading', { name: heading }).waitFor()
      await findOnlyWords(page)
      await pages.close(page)
    }
  })
})
