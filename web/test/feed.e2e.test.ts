import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../server/src/platform/sql.ts'
import { at } from '../../testing/evm/sample-world.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { DESKTOP, findNoShift, type Pages, PHONE, pagesOf } from '../../testing/support/pages.ts'
import { publish, SAMPLES, seedControl } from '../../testing/support/sample-control.ts'
import { startService } from '../../testing/support/service.ts'

test('the feed', { skip: browserMissing }, async (t) => {
  const database = await createTestDatabase()
  await seedControl(database.database)
  const { url } = await startService(database)
  const pages: Pages = pagesOf(await browserForTests(), url)

  await t.test('the home page has search with suggestions, the latest changes and ranked protocols', async () => {
    await pages.inspect('/', 'home', async (page) => {
      await page.getByText('Ownership transferred from').waitFor()
      await page.getByRole('heading', { name: 'Weakest control' }).waitFor()
      await page.getByRole('link', { name: /^Meadow.*One key can act at once/ }).waitFor()
    })
    const page = await pages.open('/')
    await page.getByRole('heading', { name: 'Weakest control' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('mead')
    await page.getByRole('option', { name: /^Meadow Vault/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Meadow Vault' }).waitFor()
    await page.getByRole('combobox', { name: 'Search' }).fill('Meadow B')
    await page.getByRole('option', { name: /^Meadow Bridge/ }).click()
    await page.getByRole('heading', { name: 'Meadow Bridge' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Meadow Vault' }).waitFor()
    await page.getByRole('combobox', { name: 'Search' }).fill('medaow')
    await page.getByRole('option', { name: /^Meadow.*contracts/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await pages.close(page)
  })

  await t.test('an amount has the decimals of its token', async () => {
    await database.database.query(
      sql`update contract set metadata = '{"symbol": "CLV", "decimals": 6}' where address = decode(substr($1, 3), 'hex')`,
      [SAMPLES.token],
    )
    const page = await pages.open('/feed?key=fiat.minter_configured')
    await page.getByText('5,000,000 CLV', { exact: true }).waitFor()
    await pages.close(page)
  })

  await t.test('a row of the feed leads to the page of its transaction', async () => {
    const page = await pages.open('/feed?key=safe.removed_owner')
    const row = page.locator('[data-event]').first()
    await row.click({ position: { x: 5, y: 5 } })
    await page.waitForURL('**/transactions/ethereum/0x*')
    await page.getByText('1 control event').waitFor()
    await page.goBack()
    await page.waitForURL('**/feed?key=safe.removed_owner')
    await pages.close(page)
  })

  await t.test('shows events as sentences, at every width and in both themes', async () => {
    await pages.inspect('/feed?includeInit=true', 'feed', async (page) => {
      await page.getByText('Ownership transferred from').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      assert.equal(await page.locator('[data-event]').count(), 11)
    })
  })

  await t.test('nothing moves while a page loads', async () => {
    const { rows } = await database.database.query<{ hash: string }>(
      sql`select encode(tx_hash, 'hex') as hash from control_event order by id limit 1`,
    )
    const paths = [
      ['/', 'All control changes'],
      ['/feed', 'Follow in a feed reader'],
      ['/protocols', 'All protocols'],
      ['/protocols/meadow', 'Follow in a feed reader'],
      [`/transactions/ethereum/0x${rows[0]?.hash}`, 'View transaction'],
      [`/contracts/ethereum/${SAMPLES.vault}`, 'Label history'],
      [`/contracts/ethereum/${SAMPLES.council}`, 'Label history'],
      [`/contracts/ethereum/${SAMPLES.vault}?at=2100-01-01T00:00:00Z`, 'This is the past.'],
      [`/contracts/ethereum/${at('mallory')}`, 'This address is not watched'],
      [`/contracts/base/0x${'99'.repeat(20)}`, 'This address is not watched'],
      ['/search?q=mead', 'Meadow Vault'],
      [`/badges?chain=ethereum&address=${SAMPLES.vault}`, 'Markdown'],
      ['/docs', 'Contract control in one minute'],
      ['/docs/reference/contract-control', '/v1/events'],
      ['/status', 'No coin chain is indexed'],
      ['/nowhere', 'This page does not exist'],
    ] as const
    for (const view of [DESKTOP, PHONE])
      for (const [path, text] of paths) {
        const page = await pages.open(path, view)
        await page.getByText(text).first().waitFor()
        await findNoShift(page, `${path} at ${view.width} px`)
        await pages.close(page)
      }
  })

  await t.test('keeps its filters in the address bar', async () => {
    const page = await pages.open('/feed')
    await page.getByLabel('Category').selectOption('pause')
    await page.waitForURL('**/feed?category=pause')
    await page.getByText('Ownership transferred from').waitFor({ state: 'detached' })
    await page.getByText('Paused by').first().waitFor()
    assert.equal(await page.locator('[data-event]').count(), 2)
    await page.getByRole('radio', { name: 'High and critical' }).check({ force: true })
    await page.waitForURL('**/feed?category=pause&severity=high')
    await page.getByText('Unpaused by').waitFor({ state: 'detached' })
    await page.goBack()
    await page.waitForURL('**/feed?category=pause')
    await page.getByText('Unpaused by').waitFor()
    await page.goForward()
    await page.getByText('Unpaused by').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Paused by').waitFor()
    assert.equal(await page.locator('[data-event]').count(), 1)
    await page.getByLabel('Event key').fill('no.such_key')
    await page.keyboard.press('Enter')
    await page.getByText('No events match these filters').waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'key', 'the field keeps the focus')
    await page.getByLabel('Contract').fill('0x12')
    await page.keyboard.press('Tab')
    assert.notEqual(
      await page.evaluate('document.activeElement.name'),
      'address',
      'an incomplete address does not keep the focus',
    )
    await page.getByLabel('Contract').fill('')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Ownership transferred from').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await pages.close(page)
  })

  await t.test('shows live events, and removes retracted ones', async () => {
    const page = await pages.open('/feed?severity=critical', PHONE)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Ownership transferred from').waitFor()
    const upgrade = { key: 'proxy.upgraded', category: 'upgrade', severity: 'critical' } as const
    const args = { implementation: `0x${'12'.repeat(20)}` }
    await publish(database.database, [{ ...upgrade, address: SAMPLES.bridge, minutesAgo: 0, args }])
    await page.getByText('0x1212…1212').waitFor()
    await publish(database.database, [
      {
        ...upgrade,
        severity: 'info',
        address: SAMPLES.bridge,
        minutesAgo: 0,
        args: { implementation: `0x${'34'.repeat(20)}` },
      },
    ])
    await database.database.query(sql`delete from control_event where args::text like '%1212%'`)
    await database.database.query(sql`select pg_notify('control_event', '1')`)
    await page.getByText('0x1212…1212').waitFor({ state: 'detached' })
    assert.equal(
      await page.getByText('0x3434…3434').count(),
      0,
      'a live event that does not match the filter is not shown',
    )
    await pages.close(page)
  })

  await t.test('rows slide to make room for a live event, which is no layout shift', async () => {
    const page = await pages.open('/feed', undefined, { withMotion: true })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Ownership transferred from').waitFor()
    const rows = await page.locator('[data-event]').count()
    const args = { implementation: `0x${'78'.repeat(20)}` }
    await publish(database.database, [
      { key: 'proxy.upgraded', category: 'upgrade', severity: 'critical', address: SAMPLES.vault, minutesAgo: 0, args },
    ])
    await page.locator('[data-event]').first().getByText('0x7878…7878').waitFor()
    assert.equal(await page.locator('[data-event]').count(), rows + 1)
    await page.evaluate(
      'Promise.all(document.getAnimations().filter((each) => !(each instanceof CSSAnimation)).map((each) => each.finished))',
    )
    await findNoShift(page, 'feed')
    await pages.close(page)
  })

  await t.test('holds new events back while the visitor has scrolled down', async () => {
    const page = await pages.open('/feed', PHONE)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Ownership transferred from').waitFor()
    await page.evaluate(
      'new Promise((done) => { addEventListener("scroll", () => requestAnimationFrame(done), { once: true }); scrollTo(0, 1e4) })',
    )
    await publish(database.database, [
      { key: 'pause.paused', category: 'pause', severity: 'high', address: SAMPLES.vault, minutesAgo: 0, args: {} },
    ])
    await page.getByRole('button', { name: '1 new event' }).click()
    await page.locator('[data-event]').first().getByText('Paused', { exact: true }).waitFor()
    await pages.close(page)
  })

  await t.test('streams only while the tab is visible, and catches up afterwards', async () => {
    const page = await pages.open('/feed', PHONE)
    await page.getByText('Live', { exact: true }).waitFor()
    const setVisibility = (state: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      `)
    const streamClosed = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/public/control/stream'),
    )
    await setVisibility('hidden')
    await streamClosed
    const args = { implementation: `0x${'56'.repeat(20)}` }
    await publish(database.database, [
      { key: 'proxy.upgraded', category: 'upgrade', severity: 'critical', address: SAMPLES.vault, minutesAgo: 0, args },
    ])
    await setVisibility('visible')
    await page.getByText('0x5656…5656').waitFor()
    await page.context().close() // not with `pages.close`, which may report the closed stream as an error
  })

  await t.test('keeps its scroll position on back and forward', async () => {
    const page = await pages.open('/feed', PHONE)
    await page.getByText('Ownership transferred from').waitFor()
    await page.evaluate('scrollTo(0, 600)')
    await page.getByRole('link', { name: 'Meadow Vault' }).last().click()
    await page.getByRole('heading', { name: 'Meadow Vault' }).waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
    await page.goBack()
    await page.getByText('Ownership transferred from').waitFor()
    await page.waitForFunction('scrollY > 500')
    await page.goForward()
    await page.getByRole('heading', { name: 'Meadow Vault' }).waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Feed', exact: true }).click()
    await page.getByText('Ownership transferred from').waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
    await pages.close(page)
  })

  await t.test('shows an error while offline, and recovers on its own', async () => {
    const page = await pages.open('/feed')
    await page.getByRole('link', { name: 'Meadow Vault' }).first().click()
    await page.getByRole('heading', { name: 'Meadow Vault' }).waitFor()
    await page.goBack()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Meadow Bridge' }).first().click()
    await page.getByText('The service cannot be reached').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Meadow Bridge' }).waitFor()
    await page.context().close() // not with `pages.close`, because the error was intended
  })

  await t.test('shows an error when a page cannot load, and opens it on retry', async () => {
    const page = await pages.open('/feed')
    await page.getByText('Ownership transferred from').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Protocols' }).click()
    await page.getByText('This page could not be opened').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Meadow' }).waitFor()
    await page.context().close() // not with `pages.close`, because the error was intended
  })
})
