/**
 * Takes the screenshots of the README from a running demo: `npm start`, then `node demo/screenshots.ts [URL]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../testing/support/browser.ts'
import { BITCOIN } from './coins/recorded-chains.ts'

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const folder = join(import.meta.dirname, '..', 'docs', 'images')

type Feed = { readonly data: readonly { readonly chainSlug: string; readonly address: string }[] }
type Control = { readonly data: { readonly tree: unknown } }

const getJson = async <T>(path: string): Promise<T> => {
  const response = await fetch(`${url}${path}`)
  if (!response.ok) throw new Error(`${path} returned ${response.status}. Is the demo running at ${url}?`)
  return (await response.json()) as T
}

/** The contract with the largest control graph. */
async function richestContract(): Promise<string> {
  const { data } = await getJson<Feed>('/public/control/events?limit=200')
  const contracts = new Set(data.map(({ chainSlug, address }) => `${chainSlug}/${address}`))
  let best = { contract: '', nodes: -1 }
  for (const contract of contracts) {
    const response = await fetch(`${url}/public/control/contracts/${contract}/control`)
    if (!response.ok) continue
    const nodes = JSON.stringify(((await response.json()) as Control).data.tree ?? '').split('"address"').length
    if (nodes > best.nodes) best = { contract, nodes }
  }
  return `/contracts/${best.contract}`
}

type Block = { readonly data: { readonly height: number; readonly txids: readonly string[] } }
type Transaction = {
  readonly data: { readonly outputs: readonly { readonly address: string | null; readonly value: number }[] }
}

/** An address that the latest block paid. */
async function payee(): Promise<string> {
  const tip = (await getJson<{ data: { blockHeight: number } }>('/public/coins/btc/status')).data.blockHeight
  const block = await getJson<Block>(`/public/coins/btc/block/${tip}?txids=true`)
  for (const txid of block.data.txids) {
    const { outputs } = (await getJson<Transaction>(`/public/coins/btc/tx/${txid}`)).data
    const found = outputs.find(({ address }) => address !== null && address !== BITCOIN.showcase)
    if (found?.address != null) return found.address
  }
  throw new Error('the latest block pays no other address')
}

type Picture = {
  readonly name: string
  readonly path: string
  readonly height?: number
  /** The accessible name of an element that appears when the page is complete. */
  readonly shows: string
}

const THEMES = ['light', 'dark'] as const
/** Text stays sharp; a higher quality only adds size. */
const QUALITY = 0.8

async function take(browser: Browser, { name, path, shows, height = 860 }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height }, reducedMotion: 'reduce' })
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    await page.goto(`${url}${path}`)
    await page.getByLabel(shows).first().waitFor()
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
    await page.evaluate('document.fonts.ready')
    const webp = await asWebp(browser, await page.screenshot())
    writeFileSync(join(folder, `${name}-${theme}.webp`), webp)
    console.log(`${name}-${theme}.webp, ${Math.round(webp.length / 1_000)} kB, of ${path}`)
  }
  await page.close()
}

/** A third of the size of a PNG; a clone contains every version of an image. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const encoded = await page.evaluate<string>(`(${ENCODE})('${png.toString('base64')}')`)
  await page.close()
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64')
}

/** Runs in the browser, which can encode WebP. */
const ENCODE = `async (png) => {
  const image = new Image()
  image.src = 'data:image/png;base64,' + png
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', ${QUALITY})
}`

mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
try {
  await take(browser, { name: 'feed', path: '/feed', shows: 'In the same transaction' })
  await take(browser, { name: 'contract', path: await richestContract(), shows: 'Control paths' })
  const path = `/coins/btc/address/${BITCOIN.showcase}`
  await take(browser, { name: 'address', path, height: 1220, shows: 'Break-even of a consolidation now' })
  const payment = new URLSearchParams({ from: BITCOIN.showcase, to: await payee(), amount: '180', strategy: 'optimal' })
  await take(browser, {
    name: 'simulate',
    path: `/coins/btc/simulate?${payment.toString()}`,
    height: 1080,
    shows: 'Selected UTXOs and outputs',
  })
  await take(browser, { name: 'fees', path: '/coins/btc/fees', shows: 'Projected blocks' })
} finally {
  await browser.close()
}
