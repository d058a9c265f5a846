/**
 * The pictures of the README, taken from a running demo: `npm start`, then `npm run screenshots [-- URL]`.
 *
 * What to show is asked of the service itself: the contract with the most to tell, an address that holds coins.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../server/test/support/browser.ts'

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const folder = join(import.meta.dirname, '..', 'docs', 'images')

type Feed = { readonly data: readonly { readonly chainSlug: string; readonly address: string }[] }
type Control = { readonly data: { readonly tree: unknown } }

const ask = async <T>(path: string): Promise<T> => {
  const answer = await fetch(`${url}${path}`)
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: is the demo running at ${url}?`)
  return (await answer.json()) as T
}

/** The contract whose chain of control is drawn with the most boxes. */
async function richestContract(): Promise<string> {
  const { data } = await ask<Feed>('/public/control/events?limit=200')
  const places = new Set(data.map(({ chainSlug, address }) => `${chainSlug}/${address}`))
  let best = { place: '', boxes: -1 }
  for (const place of places) {
    const answer = await fetch(`${url}/public/control/contracts/${place}/control`)
    if (!answer.ok) continue
    const boxes = JSON.stringify(((await answer.json()) as Control).data.tree ?? '').split('"address"').length
    if (boxes > best.boxes) best = { place, boxes }
  }
  return `/contracts/${best.place}`
}

type Block = { readonly data: { readonly height: number; readonly txids: readonly string[] } }
type Transaction = {
  readonly data: { readonly outputs: readonly { readonly address: string | null; readonly value: number }[] }
}

const BLOCKS_SEARCHED = 40

/** Who is paid most often of late, and who else: the first has coins of many values, the second is there to be paid. */
async function busiestAddresses(): Promise<readonly [string, string]> {
  const tip = (await ask<{ data: { blockHeight: number } }>('/public/coins/btc/status')).data.blockHeight
  const payments = new Map<string, number>()
  for (let height = tip; height > tip - BLOCKS_SEARCHED; height -= 1) {
    const block = await ask<Block>(`/public/coins/btc/block/${height}?txids=true`)
    for (const txid of block.data.txids.slice(1)) {
      const { outputs } = (await ask<Transaction>(`/public/coins/btc/tx/${txid}`)).data
      for (const { address } of outputs) if (address !== null) payments.set(address, (payments.get(address) ?? 0) + 1)
    }
  }
  const [first, second] = [...payments].toSorted(([, a], [, b]) => b - a).map(([address]) => address)
  if (first === undefined || second === undefined) throw new Error('nobody was paid in the latest blocks')
  return [first, second]
}

type Picture = {
  readonly name: string
  readonly path: string
  readonly theme: 'light' | 'dark'
  /** What is there when the page has all it shows, by the name a screen reader gives it. */
  readonly shows: string
}

async function take(browser: Browser, { name, path, theme, shows }: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${url}${path}`)
  await page.getByLabel(shows).first().waitFor()
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
  console.log(`${name}.png of ${path}`)
}

mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
try {
  const contract = await richestContract()
  await take(browser, { name: 'feed', path: '/', theme: 'light', shows: 'In the same transaction' })
  await take(browser, { name: 'contract-dark', path: contract, theme: 'dark', shows: 'Chain of control, drawn' })
  const [address, payee] = await busiestAddresses()
  const path = `/coins/btc/address/${address}`
  await take(browser, { name: 'address', path, theme: 'light', shows: 'Break-even of joining the coins now' })
  const payment = new URLSearchParams({ from: address, to: payee, amount: '30', strategy: 'optimal' })
  await take(browser, {
    name: 'simulate-dark',
    path: `/coins/btc/simulate?${payment.toString()}`,
    theme: 'dark',
    shows: 'Coins chosen and what becomes of them',
  })
} finally {
  await browser.close()
}
