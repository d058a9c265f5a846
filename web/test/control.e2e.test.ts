import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { at } from '../../testing/evm/sample-world.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { loseTheKeys, publish, SAMPLES, seedControl } from '../../testing/support/sample-control.ts'
import { startService } from '../../testing/support/service.ts'
import { shortHex } from '../src/text/names.ts'

test('the contract control pages', { skip: browserMissing }, async (t) => {
  const database = await createTestDatabase()
  await seedControl(database.database)
  const { url } = await startService(database)
  const pages = pagesOf(await browserForTests(), url)

  await t.test('a contract: its control paths with delays, thresholds, signers and the weakest path', async () => {
    await pages.inspect(`/contracts/ethereum/${SAMPLES.vault}`, 'contract', async (page) => {
      await page.getByRole('heading', { name: 'Meadow Vault' }).waitFor()
      const drawing = page.getByLabel('Control paths')
      await drawing.getByText('ProxyAdmin', { exact: true }).waitFor()
      await drawing.getByText('3 of 5').waitFor()
      await drawing.getByText('2 d', { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Label history' }).waitFor()
    })
    await pages.inspect(`/contracts/ethereum/${SAMPLES.bridge}`, 'contract-single-key', async (page) => {
      await page.getByLabel('Control paths').getByText('Single key').waitFor()
    })
    await pages.inspect(`/contracts/ethereum/${SAMPLES.council}`, 'contract-safe', async (page) => {
      await page.getByRole('heading', { name: 'Signers: 3 of 5 must sign' }).waitFor()
      assert.equal(await page.getByRole('region', { name: 'Signers', exact: true }).locator('tbody tr').count(), 5)
    })
  })

  await t.test('a contract page follows live events', async () => {
    const page = await pages.open(`/contracts/ethereum/${SAMPLES.market}`)
    await page.getByText('Multisig, no delay').first().waitFor()
    assert.equal(await page.getByText('Updating…').count(), 0)
    const args = { previousAdmin: SAMPLES.council, newAdmin: SAMPLES.vault }
    await publish(database.database, [
      {
        key: 'proxy.admin_changed',
        category: 'upgrade',
        severity: 'critical',
        address: SAMPLES.market,
        minutesAgo: 0,
        args,
      },
    ])
    await page.getByText('Proxy admin changed from').waitFor()
    await page.getByRole('region', { name: 'State', exact: true }).getByText('Updating…').waitFor()
    await page.getByRole('region', { name: 'Who controls this contract' }).getByText('Updating…').waitFor()
    await loseTheKeys(database.database)
    await page.getByText('caused by: proxy admin').waitFor()
    await page.getByLabel('Control paths').getByText('Single key').waitFor()
    await page.getByText('Updating…').first().waitFor({ state: 'detached' })
    await pages.close(page)
  })

  await t.test('each label change has its time, block, transaction and a link to the explorer', async () => {
    const page = await pages.open(`/contracts/ethereum/${SAMPLES.market}`)
    const history = page.getByRole('region', { name: 'Label history' }).getByRole('listitem')
    const [change, first] = [history.filter({ hasText: 'caused by' }), history.filter({ hasText: 'first label' })]
    for (const entry of [change, first]) {
      await entry.getByRole('time').waitFor()
      await entry.getByRole('link', { name: /^block [\d,]+$/ }).waitFor()
    }
    const hrefOf = (entry: typeof change) => entry.getByRole('link', { name: /^(Explorer|View)/ }).getAttribute('href')
    assert.match((await hrefOf(change)) ?? '', /^https:\/\/etherscan\.io\/tx\/0x[0-9a-f]{64}$/)
    assert.match((await hrefOf(first)) ?? '', /^https:\/\/etherscan\.io\/block\/\d+$/)
    await change.getByRole('link', { name: /^transaction 0x/ }).click()
    await page.waitForURL('**/transactions/ethereum/0x*')
    await page.getByText('Proxy admin changed from').waitFor()
    assert.match((await hrefOf(page.getByRole('main'))) ?? '', /\/tx\/0x[0-9a-f]{64}$/)
    await pages.close(page)
  })

  await t.test('a contract page moves through time, and an address shows it as of a block or a time', async () => {
    const path = `/contracts/ethereum/${SAMPLES.market}`
    const page = await pages.open(path)
    const header = page.getByRole('heading', { name: 'Market Proxy' }).locator('xpath=ancestor::header')
    await header.getByText('Upgradeable by a single key').waitFor()
    await page.getByRole('slider', { name: 'Moment in the history of this contract' }).press('ArrowLeft')
    await page.getByText('This is the past.').waitFor()
    await header.getByText('Multisig, no delay').waitFor()
    await page.getByLabel('Control paths').getByText('Safe', { exact: true }).waitFor()
    await page
      .getByRole('region', { name: 'State at that time' })
      .getByText(shortHex(at('old admin')))
      .waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Events' }).count(), 0)
    const { search } = new URL(page.url())
    await page.getByRole('button', { name: 'Copy link to this moment' }).click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${url}${path}${search}`)
    await page.goBack()
    await header.getByText('Upgradeable by a single key').waitFor()

    await page
      .getByRole('region', { name: 'State history' })
      .getByRole('link', { name: /^block/ })
      .first()
      .click()
    await page.getByText('Nothing has changed since.').waitFor()
    const changed = page.getByRole('region', { name: /^Changed at block/ })
    await changed.getByText('Multisig, no delay').waitFor()
    await changed.getByText('Upgradeable by a single key').waitFor()
    await changed.getByText(shortHex(at('old admin'))).waitFor()
    await changed
      .getByText(shortHex(at('market admin')))
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Show the present' }).click()
    await page.getByRole('heading', { name: 'Events' }).waitFor()

    await page.goto(`${url}${path}?at=2100-01-01T00:00:00Z`)
    await page.getByText('Nothing has changed since.').waitFor()
    await page.goto(`${url}${path}?at=1`)
    await page.getByText('Nothing was recorded at that time').waitFor()
    await page.goto(`${url}${path}?at=yesterday`)
    await page.getByText('This is not a block number or a time').waitFor()
    await pages.close(page)
    await pages.inspect(`${path}${search}`, 'contract-past', (shown) => shown.getByText('This is the past.').waitFor())
  })

  await t.test('older events of a contract are loaded to the first', async () => {
    const address = `0x${'7c'.repeat(20)}` as const
    await saveContract(database.database, { chainId: 1, address }, { name: 'Busy Vault' })
    await publish(
      database.database,
      Array.from({ length: 120 }, (_, index) => ({
        key: 'pause.paused',
        category: 'pause' as const,
        severity: 'high' as const,
        address,
        minutesAgo: 10 * index + 5,
        args: { account: address },
      })),
    )
    const page = await pages.open(`/contracts/ethereum/${address}`)
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('120 events').waitFor()
    for (const shown of [50, 100]) {
      assert.equal(await events.locator('[data-event]').count(), shown)
      await events.getByRole('button', { name: 'Load older events' }).click()
      await events.locator('[data-event]').nth(shown).waitFor()
    }
    assert.equal(await events.locator('[data-event]').count(), 120)
    assert.equal(await events.getByRole('button', { name: 'Load older events' }).count(), 0)
    await pages.close(page)
  })

  await t.test('the drawing is reached and read with the keyboard', async () => {
    const page = await pages.open(`/contracts/ethereum/${SAMPLES.vault}`)
    const drawing = page.getByLabel('Control paths')
    const focused = (name: RegExp) => drawing.getByRole('button', { name }).and(page.locator(':focus'))
    await drawing.getByRole('button', { name: /^This contract/ }).waitFor()
    assert.equal(await drawing.locator('[tabindex="0"]').count(), 1)
    await drawing.locator('[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    await focused(/^ProxyAdmin/).waitFor()
    await page.keyboard.press('ArrowRight')
    await focused(/^Timelock 2 d Meadow Timelock/).waitFor()
    assert.equal(await page.locator(':focus').getAttribute('aria-description'), 'Owner')
    await page.keyboard.press('Enter')
    const details = page.getByRole('region', { name: 'Account Meadow Timelock' })
    await details.getByText(SAMPLES.timelock).waitFor()
    await page.keyboard.press('ArrowLeft')
    await focused(/^ProxyAdmin/).waitFor()
    await page.keyboard.press('ArrowLeft')
    await focused(/^This contract/).waitFor()
    await page.keyboard.press('ArrowLeft')
    await focused(/^This contract/).waitFor()
    await details.getByRole('link', { name: 'Open the page of this account' }).click()
    await page.getByRole('heading', { name: 'Meadow Timelock' }).waitFor()
    await pages.close(page)
  })

  await t.test('a lasting disagreement of two endpoints is shown with both values', async () => {
    const until = Date.now()
    const values = [SAMPLES.council, SAMPLES.vault].map((value, index) => ({ endpoint: `${index}.example`, value }))
    await database.database.query(
      sql`update control_snapshot set disagreements = $2 where address = decode(substr($1, 3), 'hex')`,
      [SAMPLES.bridge, JSON.stringify({ owner: { values, since: until - 900_000, until } })],
    )
    await pages.inspect(`/contracts/ethereum/${SAMPLES.bridge}`, 'contract-disagreement', async (page) => {
      const notice = page.getByRole('status').filter({ hasText: 'Two RPC endpoints disagree' })
      await notice.getByText('Owner: Meadow Council or Meadow Vault, first seen 15 min ago').waitFor()
    })
  })

  await t.test('unknown contracts, pages and protocols are explained', async () => {
    await pages.inspect(`/contracts/base/0x${'99'.repeat(20)}`, 'contract-unknown', async (page) => {
      await page.getByText('This address is not watched').waitFor()
    })
    await pages.inspect('/nowhere/at/all', 'not-found', async (page) => {
      await page.getByText('This page does not exist').waitFor()
    })
    const page = await pages.open(`/contracts/atlantis/0x${'99'.repeat(20)}`)
    await page.getByText('Unknown chain').waitFor()
    await page.goto(`${url}/contracts/ethereum/0x99`)
    await page.getByText('A contract address has 0x and 40 hexadecimal characters.').waitFor()
    await page.goto(`${url}/transactions/ethereum/0x${'99'.repeat(32)}`)
    await page.getByText('No control change in this transaction').waitFor()
    const explorer = await page.getByRole('link', { name: 'View transaction' }).getAttribute('href')
    assert.equal(explorer, `https://etherscan.io/tx/0x${'99'.repeat(32)}`)
    await page.goto(`${url}/search?q=atlantis`)
    await page.getByText('No results').waitFor()
    await page.goto(`${url}/protocols/atlantis`)
    await page.getByText('No protocol named “atlantis”').waitFor()
    await pages.close(page)
  })

  await t.test('protocols: the list and one of them', async () => {
    await pages.inspect('/protocols', 'protocols', async (page) => {
      await page.getByRole('link', { name: 'Meadow' }).waitFor()
    })
    await pages.inspect('/protocols/meadow', 'protocol', async (page) => {
      await page.getByRole('heading', { name: 'Control', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Meadow Bridge' }).first().waitFor()
    })
    const page = await pages.open('/protocols')
    const rows = page.getByRole('region', { name: 'Protocols', exact: true }).locator('tbody tr')
    await page.getByLabel('Sort by').selectOption('name')
    await page.waitForURL('**/protocols?sort=name')
    await page.getByLabel('Sort by').selectOption('recent')
    await rows.first().getByText('Meadow').waitFor()
    await page.goBack()
    await page.waitForURL('**/protocols?sort=name')
    assert.equal(await page.getByLabel('Sort by').inputValue(), 'name')
    await page.goForward()
    await rows.first().getByText('Meadow').waitFor()
    await rows.first().click({ position: { x: 300, y: 5 } })
    await page.waitForURL('**/protocols/meadow')
    await pages.close(page)
  })

  await t.test('older events of a protocol are loaded to the first', async () => {
    const addresses = [`0x${'8c'.repeat(20)}`, `0x${'8d'.repeat(20)}`] as const
    for (const address of addresses)
      await saveContract(database.database, { chainId: 1, address }, { name: 'Busy Pool', protocol: 'Busy Lending' })
    await publish(
      database.database,
      Array.from({ length: 222 }, (_, index) => ({
        key: 'pause.paused',
        category: 'pause' as const,
        severity: 'high' as const,
        address: addresses[index % 2] ?? addresses[0],
        minutesAgo: 10 * index + 5,
        args: {},
      })),
    )
    const page = await pages.open('/protocols/busy-lending')
    const events = page.getByRole('region', { name: 'Events' })
    for (const [shown, more] of [
      [50, 100],
      [100, 200],
      [200, 222],
    ] as const) {
      await events
        .locator('[data-event]')
        .nth(shown - 1)
        .waitFor()
      assert.equal(await events.locator('[data-event]').count(), shown)
      await events.getByRole('button', { name: 'Load older events' }).click()
      await events
        .locator('[data-event]')
        .nth(more - 1)
        .waitFor()
    }
    assert.equal(await events.locator('[data-event]').count(), 222)
    assert.equal(await events.getByRole('button', { name: 'Load older events' }).count(), 0)
    await pages.close(page)
  })

  await t.test('names of any length and script stay within their box', async () => {
    const names = ['W'.repeat(128), '🐻‍❄️'.repeat(20), 'שלום עולם (Vault) 1', '<b>Bold & "quoted"</b>']
    for (const [index, name] of names.entries()) {
      const address = `0x${(index + 1).toString(16).padStart(40, '9')}` as const
      await saveContract(
        database.database,
        { chainId: 1, address },
        { name, protocol: `100% of ${name}`.slice(0, 128) },
      )
      await publish(database.database, [
        {
          key: 'pause.paused',
          category: 'pause',
          severity: 'high',
          address,
          minutesAgo: 1,
          args: { account: address },
        },
      ])
      await pages.inspect(`/contracts/ethereum/${address}`, `name-${index}`, async (page) => {
        await page.getByRole('heading', { name }).waitFor()
        await page.getByText('Paused by').waitFor()
      })
    }
    await pages.inspect('/feed', 'names', (page) => page.getByText('Paused by').nth(3).waitFor())
    await pages.inspect('/protocols', 'names-protocols', (page) => page.getByText('100% of W').waitFor())
    const page = await pages.open('/feed')
    await page
      .getByRole('link', { name: names[2] ?? '' })
      .first()
      .click()
    await page.getByRole('link', { name: `100% of ${names[2]}` }).click()
    await page.getByRole('heading', { name: `100% of ${names[2]}` }).waitFor()
    await pages.close(page)
  })

  await t.test('search finds by name, protocol, address and transaction, from the keyboard', async () => {
    const page = await pages.open('/status')
    await page.getByRole('heading', { name: 'Status' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('mead')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^Meadow Vault/ }).waitFor()
    await page.getByRole('link', { name: /^Meadow3 contracts|^Meadow 3 contracts/ }).waitFor()
    await page.getByRole('combobox', { name: 'Search' }).fill(SAMPLES.token)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contracts/ethereum/${SAMPLES.token}`)
    const { rows } = await database.database.query<{ hash: string }>(
      sql`select encode(tx_hash, 'hex') as hash from control_event e join event_kind k on k.id = e.kind_id where k.key = 'safe.removed_owner'`,
    )
    await page.getByRole('combobox', { name: 'Search' }).fill(`0x${rows[0]?.hash}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/transactions/ethereum/0x${rows[0]?.hash}`)
    await page.getByText('1 control event').waitFor()
    await page.getByText('safe.removed_owner').waitFor()
    await pages.close(page)
    await pages.inspect(`/transactions/ethereum/0x${rows[0]?.hash}`, 'transaction', async (shown) => {
      await shown.getByText('safe.removed_owner').waitFor()
    })
    await pages.inspect('/search?q=mead', 'search', async (shown) => {
      await shown.getByRole('link', { name: /^Meadow Vault/ }).waitFor()
    })
  })

  await t.test('badges: both themes, and the code that embeds them', async () => {
    await pages.inspect(`/badges?chain=ethereum&address=${SAMPLES.vault}`, 'badges', async (page) => {
      const image = page.getByRole('img', { name: 'Badge, dark theme' })
      await image.waitFor()
      const width = await image.evaluate(async (element) => {
        const shown = element as unknown as { decode: () => Promise<void>; naturalWidth: number }
        await shown.decode()
        return shown.naturalWidth
      })
      assert.equal(width, 250)
    })
    const page = await pages.open(`/badges?protocol=meadow`)
    await page.getByRole('button', { name: 'Copy Markdown' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, `[![Control status by Gatewatch](${url}/badge/protocol/meadow.svg)](${url}/protocols/meadow)`)
    await pages.close(page)
  })

  await t.test('copy buttons work without the clipboard API', async () => {
    const page = await pages.open('/status')
    await page.addInitScript(`
      Object.defineProperty(window, 'isSecureContext', { value: false })
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    `)
    await page.goto(`${url}/contracts/ethereum/${SAMPLES.vault}`)
    await page.getByRole('button', { name: 'Copy address' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('combobox', { name: 'Search' }).focus()
    await page.keyboard.press('Control+V')
    assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), SAMPLES.vault)
    await pages.close(page)
  })

  await t.test('status', async () => {
    await pages.inspect('/status', 'status', (page) => page.getByText('No contracts are watched').waitFor())
  })

  await t.test('a chosen theme is kept', async () => {
    const page = await pages.open('/status')
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const light = await background()
    await page.getByRole('button', { name: 'Use dark theme' }).click()
    await page.getByRole('button', { name: 'Use light theme' }).waitFor()
    const dark = await background()
    assert.notEqual(dark, light)
    await page.reload()
    await page.getByRole('button', { name: 'Use light theme' }).waitFor()
    assert.equal(await background(), dark)
    await pages.close(page)
  })
})
