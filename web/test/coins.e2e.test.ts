/** The coin pages over the recorded Bitcoin chain, and the projected blocks of a real Litecoin node. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Transaction } from '@scure/btc-signer'
import { recordedBlockFile, recordedOracle } from '../../testing/coins/fixtures.ts'
import { missingLitecoind, startLitecoind } from '../../testing/coins/litecoind.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { assertSteady, DESKTOP, PHONE, pagesOf } from '../../testing/support/pages.ts'
import { eventually } from '../../testing/support/receivers.ts'
import { startService } from '../../testing/support/service.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'
import { coinAmount, satoshiAmount } from '../src/text/amounts.ts'

const oracle = recordedOracle()
const byUtxoCount = oracle.addresses.toSorted((a, b) => b.utxos.length - a.utxos.length)
const [holder, payee] = [byUtxoCount[0] ?? assert.fail(), byUtxoCount[1] ?? assert.fail()]
/** Six inputs, twelve outputs. */
const MANY_TO_MANY = '9a033f4dc42f2220afc6ad9a5fe8a2aff722245c53cb3dde07d5e6e9150c2870'
const NEVER_USED = 'bcrt1qtfd95kj6tfd95kj6tfd95kj6tfd95kj6qz56sc'
/** An address with a wrong checksum. */
const WRONG = NEVER_USED.replace('qz56sc', 'qqqqqq')
const emptied = oracle.addresses.find(({ balance, txCount }) => balance === 0 && txCount > 0) ?? assert.fail()

async function untilSynced(url: string, chain: string, height: number): Promise<void> {
  await eventually(async () => {
    const response = await fetch(`${url}/public/coins/${chain}/status`)
    const { data } = (await response.json()) as { data?: { synced: boolean; blockHeight: number } }
    return (data?.synced === true && data.blockHeight === height) || undefined
  })
}

test('the Bitcoin pages', { skip: browserMissing }, async (t) => {
  const blocks = temporaryFolder()
  writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
  const { url } = await startService(await createTestDatabase(), { env: { BTC_BLOCKS_DIR: blocks } })
  await untilSynced(url, 'btc', oracle.tip)
  const pages = pagesOf(await browserForTests(), url)

  await t.test('open an address, a block or a transaction from the lookup form', async () => {
    const page = await pages.open('/coins', PHONE)
    const field = page.getByLabel('Address, transaction or block')
    await field.fill('what?')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('Enter an address, a transaction id, or a block hash or height.').waitFor()
    await field.fill(String(oracle.tip))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/coins/btc/block/${oracle.tip}`)
    await page.getByRole('heading', { name: `Block ${oracle.tip}` }).waitFor()
    await page.getByRole('link', { name: 'Previous block' }).click()
    await page.getByRole('heading', { name: `Block ${oracle.tip - 1}` }).waitFor()
    await pages.close(page)
    await pages.inspect('/coins', 'coins', (shown) => shown.getByText('Up to date').waitFor())
  })

  await t.test('show an address as the node reports it', async () => {
    await pages.inspect(`/coins/btc/address/${holder.address}`, 'address', async (page) => {
      await page.getByText(coinAmount(holder.balance)).first().waitFor()
      const chart = page.getByRole('img', { name: 'UTXOs by value and age' })
      await chart.waitFor()
      await page.getByRole('img', { name: 'Break-even of a consolidation now' }).waitFor()
      const circles = await chart.locator('g > title').allTextContents()
      const countOf = (text: string) => Number(/^(\d+) UTXOs of/.exec(text)?.[1] ?? 1)
      assert.equal(
        circles.reduce((sum, text) => sum + countOf(text), 0),
        holder.utxos.length,
      )
      const table = page.getByRole('region', { name: 'UTXOs by value and age' })
      assert.equal(await table.getByRole('row').count(), 1 + Math.min(5, holder.utxos.length))
      await page.getByText(`${holder.txCount} transactions`, { exact: true }).waitFor()
      await page.locator('[data-tx]').first().waitFor()
      await page.getByRole('button', { name: 'sat', exact: true }).click()
      await page.getByText(satoshiAmount(holder.balance)).first().waitFor()
      await page.getByRole('button', { name: 'BTC', exact: true }).click()
      await page.getByText(coinAmount(holder.balance)).first().waitFor()
    })
  })

  await t.test('read a UTXO of the chart with the arrow keys and the pointer', async () => {
    const page = await pages.open(`/coins/btc/address/${holder.address}`)
    const values = page.getByRole('slider', { name: 'Values: UTXOs by value and age' })
    await values.focus()
    await page.keyboard.press('End')
    const text = (await values.getAttribute('aria-valuetext')) ?? ''
    assert.match(text, /BTC, .*confirmation/)
    await values.getByText(text, { exact: true }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await values.getByText(text, { exact: true }).waitFor({ state: 'detached' })
    const circle = page.getByRole('img', { name: 'UTXOs by value and age' }).locator('circle').first()
    const { x, y, width, height } = (await circle.boundingBox()) ?? assert.fail()
    await page.mouse.move(x + width / 2, y + height / 2)
    await values.getByText(/BTC, .*confirmation/).waitFor()
    await pages.close(page)
  })

  await t.test('nothing moves while the pages load', async () => {
    for (const path of [
      '',
      '/btc',
      '/btc/fees',
      '/btc/simulate',
      `/btc/address/${holder.address}`,
      `/btc/address/${NEVER_USED}`,
      `/btc/tx/${MANY_TO_MANY}`,
      `/btc/block/${oracle.tipHash}`,
      `/btc/simulate?from=${holder.address}&to=${payee.address}&amount=900.5`,
      `/btc/simulate?from=${WRONG}&to=${payee.address}&amount=1`,
      `/btc/simulate?from=${holder.address}&to=${WRONG}&amount=1`,
    ])
      for (const view of [PHONE, DESKTOP]) await assertSteady(pages, `/coins${path}`, view)
  })

  await t.test('list the latest blocks on a phone without scrolling sideways', async () => {
    const page = await pages.open('/coins/btc', PHONE)
    const table = page.getByLabel('Latest blocks of Bitcoin')
    await table.getByRole('link').first().waitFor()
    assert.equal(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0)
    await pages.close(page)
  })

  await t.test('show an address as a QR code', async () => {
    const page = await pages.open(`/coins/btc/address/${holder.address}`)
    await page.getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('img', { name: 'QR code of the address' }).waitFor()
    await page.getByText(`bitcoin:${holder.address}`).waitFor()
    await pages.close(page)
  })

  await t.test('page through a history, each page with its own address', async () => {
    const page = await pages.open(`/coins/btc/address/${holder.address}`)
    await page.locator('[data-tx]').first().waitFor()
    const newest = await page.locator('[data-tx]').first().getAttribute('data-tx')
    await page.getByRole('link', { name: 'Older' }).click()
    await page.waitForURL('**?page=2')
    await page.locator(`[data-tx="${newest}"]`).waitFor({ state: 'detached' })
    await page.goBack()
    await page.locator(`[data-tx="${newest}"]`).waitFor()
    await pages.close(page)
  })

  await t.test('explain an empty address, an unknown hash and an invalid address', async () => {
    const page = await pages.open(`/coins/btc/address/${emptied.address}`)
    await page.getByText('No UTXOs').waitFor()
    await page.goto(`${url}/coins/btc/address/${NEVER_USED}`)
    await page.getByText('Never used').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Health' }).count(), 0)
    await page.goto(`${url}/coins/btc/address/nonsense`)
    await page.getByText('Address not recognized').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Simulate a payment' }).count(), 0)
    await page.goto(`${url}/coins/btc/address/bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4`)
    await page.getByText('This is an address of Bitcoin mainnet, and this service reads Bitcoin regtest.').waitFor()
    await page.goto(`${url}/coins/btc/tx/${'ab'.repeat(32)}`)
    await page.getByRole('heading', { name: 'Transaction not found' }).waitFor()
    await page.goto(`${url}/coins/btc/block/99999`)
    await page.getByRole('heading', { name: 'Block not found' }).waitFor()
    await page.goto(`${url}/coins/ltc`)
    await page.getByText('Litecoin is not available').waitFor()
    await page.goto(`${url}/coins/doge/fees`)
    await page.getByText('Page not found').waitFor()
    await pages.close(page)
  })

  await t.test('show a transaction and a block', async () => {
    await pages.inspect(`/coins/btc/tx/${MANY_TO_MANY}`, 'transaction', (page) =>
      page.getByRole('img', { name: 'Flow of the transaction' }).waitFor(),
    )
    await pages.inspect(`/coins/btc/block/${oracle.tipHash}`, 'block', (page) =>
      page.getByRole('heading', { name: 'Transactions', exact: true }).waitFor(),
    )
  })

  await t.test('list what a block contains, and follow an output to the transaction that spends it', async () => {
    const blocksTo = async (to: number): Promise<{ readonly height: number; readonly txCount: number }[]> => {
      const response = await fetch(`${url}/public/coins/btc/blocks?count=144&to=${to}`)
      return ((await response.json()) as { data: { blocks: [] } }).data.blocks
    }
    const blocks = await Promise.all([0, 144, 288, 432].map((depth) => blocksTo(oracle.tip - depth)))
    const [fullest = assert.fail()] = blocks.flat().toSorted((a, b) => b.txCount - a.txCount)
    const page = await pages.open(`/coins/btc/block/${fullest.height}`)
    const table = page.getByRole('region', { name: 'Transactions of the block' })
    await table.getByRole('row', { name: /Coinbase/ }).waitFor()
    assert.equal(await table.getByRole('row').count(), 1 + Math.min(25, fullest.txCount))
    if (fullest.txCount > 25) await page.getByRole('button', { name: 'Show more' }).click()
    await table.getByRole('row').nth(Math.min(50, fullest.txCount)).waitFor()
    await page.goto(`${url}/coins/btc/tx/${MANY_TO_MANY}`)
    await page.getByText('Mined', { exact: true }).waitFor()
    const spent = page.getByText(/^Spent in /).getByRole('link')
    await spent.first().click()
    await page.waitForURL((to) => !to.pathname.endsWith(MANY_TO_MANY))
    await page
      .getByRole('link', { name: new RegExp(`^${MANY_TO_MANY.slice(0, 8)}`) })
      .first()
      .waitFor()
    await pages.close(page)
  })

  await t.test('name the source of fees without a mempool', async () => {
    await pages.inspect('/coins/btc/fees', 'fees-without-mempool', async (page) => {
      await page.getByText('From recent blocks, updated').waitFor()
      await page.getByText('The mempool is not known').waitFor()
      await page.getByRole('img', { name: 'Fee rates of the last blocks' }).waitFor()
    })
  })

  await t.test('simulate a payment with every strategy', async () => {
    const page = await pages.open(`/coins/btc/address/${holder.address}`)
    await page.getByRole('link', { name: 'Simulate a payment' }).click()
    await page.getByText('Enter a payment').waitFor()
    assert.equal(await page.getByLabel('From address').inputValue(), holder.address)
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('Enter the address that is paid.').waitFor()
    await page.getByLabel('To address').fill(payee.address)
    await page.getByLabel('Amount, BTC').fill('900')
    await page.getByLabel('Strategy').selectOption('smallest')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('Payment possible').waitFor()
    await page.getByText(/^The change returns to the paying address/).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('strategy'), 'smallest')
    const table = page.getByRole('region', { name: 'Comparison of strategies' })
    assert.equal(await table.getByRole('row').count(), 5)
    await table.getByRole('button', { name: 'Show strategy largest' }).click()
    await page.waitForURL('**strategy=largest*')
    await table.getByRole('row', { name: /^Largest first .*Selected/ }).waitFor()
    await page.getByLabel('Amount, BTC').fill('99999')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('Payment not possible').waitFor()
    await page.getByText('The balance is too low.').waitFor()
    await page.getByLabel('Amount, BTC').fill('0.000001')
    await page.getByText('The payment has changed').waitFor()
    assert.equal(await page.getByText('Payment not possible').count(), 0, 'no verdict about another payment')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText(/^Nodes do not relay less than \d+ sat to this address\.$/).waitFor()
    assert.equal(await page.getByLabel('Amount, BTC').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('To address').fill('nonsense')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('Correct the marked field').waitFor()
    assert.equal(await page.getByLabel('To address').getAttribute('aria-invalid'), 'true')
    await page.goBack()
    await page.getByText(/^Nodes do not relay less than/).waitFor()
    await pages.close(page)
    const payment = new URLSearchParams({ from: holder.address, to: payee.address, amount: '900.5' })
    await pages.inspect(`/coins/btc/simulate?${payment.toString()}`, 'simulate', (shown) =>
      shown.getByRole('img', { name: 'Selected UTXOs and outputs' }).waitFor(),
    )
  })

  await t.test('refuse hostile input at its field', async () => {
    const page = await pages.open(`/coins/btc/simulate?from=${holder.address}&to=${payee.address}&amount=1`)
    const simulate = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    }
    const mainnet = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    const addresses = ['<script>alert(1)</script>', "' or 1=1 --", 'x'.repeat(3_000), '\u202e', ' ', mainnet]
    const cases = [
      ['Amount, BTC', '1', ['-1', '1e9', '0x10', '9'.repeat(40), '\u0663', '99999999', '0.000000001', '']],
      ['To address', payee.address, addresses],
      ['From address', holder.address, addresses],
    ] as const
    for (const [label, valid, texts] of cases) {
      for (const text of texts) {
        await simulate(label, text)
        await page.locator('[aria-invalid="true"]').waitFor()
        const field = page.getByLabel(label, { exact: true })
        assert.equal(await field.getAttribute('aria-invalid'), 'true', `${label}: ${text}`)
        assert.equal(await page.getByText(/^Payment (not )?possible$/).count(), 0, 'no verdict')
        await simulate(label, valid)
        await page.getByText('Payment possible').waitFor()
      }
    }
    await pages.close(page)
  })

  await t.test('pay several recipients with chosen UTXOs, and download the PSBT', async () => {
    const page = await pages.open(`/coins/btc/simulate?from=${holder.address}`, PHONE)
    await page.getByLabel('To address').fill(payee.address)
    await page.getByLabel('Amount, BTC').fill('0.5')
    await page.getByRole('button', { name: 'Add a recipient' }).click()
    await page.getByLabel('To address 2').fill(payee.address)
    await page.getByText('This address is a recipient already.').waitFor()
    await page.getByLabel('To address 2').fill(emptied.address)
    await page.getByLabel('Amount 2, BTC').fill('0.25')
    await page.getByText('Choose UTXOs').click()
    await page
      .getByRole('group', { name: /^UTXO / })
      .nth(1)
      .getByRole('button', { name: 'Do not spend' })
      .click()
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('Payment possible').waitFor()
    await page.getByText('1 UTXO excluded by you.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download PSBT' }).click(),
    ])
    const psbt = Transaction.fromPSBT(readFileSync(await download.path()))
    assert.ok(psbt.outputsLength >= 2)
    const amounts = Array.from({ length: psbt.outputsLength }, (_, at) => psbt.getOutput(at).amount)
    assert.ok(amounts.includes(50_000_000n) && amounts.includes(25_000_000n))
    await page.getByRole('button', { name: 'Remove recipient 2' }).click()
    await page.getByLabel('Send everything').check()
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.waitForURL('**sendAll=true*')
    await page.getByText('Payment possible').waitFor()
    await pages.close(page)
  })
})

test('the projected blocks of a real node', { skip: browserMissing || missingLitecoind() }, async () => {
  const daemon = await startLitecoind()
  after(daemon.remove)
  await daemon.call('createwallet', 'a')
  const wallet = daemon.wallet('a')
  const miner = await wallet<string>('getnewaddress')
  await daemon.call('generatetoaddress', 130, miner)
  const sent: string[] = []
  for (const rate of [12, 15, 20, 30, 50, 80, 130])
    sent.push(await wallet<string>('sendtoaddress', miner, 1, '', '', false, true, null, 'unset', false, rate))
  const { url } = await startService(await createTestDatabase(), { env: { LTC_RPC_URL: daemon.url } })
  await untilSynced(url, 'ltc', 130)
  const pages = pagesOf(await browserForTests(), url)
  await pages.inspect('/coins/ltc/fees', 'fees', async (page) => {
    await page.getByText('7 unconfirmed transactions').waitFor()
    await page.getByText('Next block', { exact: true }).waitFor()
    await page.getByRole('img', { name: 'Mempool by fee rate' }).waitFor()
    assert.equal(await page.getByRole('region', { name: 'Mined blocks' }).getByRole('link').count(), 8)
  })
  const page = await pages.open(`/coins/ltc/tx/${sent[0]}`)
  await page.getByText('In the next block', { exact: true }).waitFor()
  await page.getByText('Unspent', { exact: true }).first().waitFor()
  await pages.close(page)
})
