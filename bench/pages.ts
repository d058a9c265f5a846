/**
 * Opens pages in Chromium with an empty cache and measures what they load and how soon they show it.
 *
 *     npm run bench -- pages [--rounds 5]
 *
 * The service runs in a process of its own, on the embedded PostgreSQL, with sample contracts and the recorded Bitcoin
 * chain. Browser, service and database share the cores of the machine, and the network costs nothing. Each page is opened
 * in a new browser context; a figure is the median of the rounds, the layout shift the largest.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { recordedBlockFile, recordedOracle } from '../testing/coins/fixtures.ts'
import { MISSED_LIMIT, report, reportVersions } from '../testing/report/result.ts'
import { postgresVersion } from '../testing/report/versions.ts'
import { launchBrowser } from '../testing/support/browser.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { eventually } from '../testing/support/receivers.ts'
import { SAMPLES, seedControl } from '../testing/support/sample-control.ts'
import { AUTH_SECRET, spawnService } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { medianOf } from './median.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)
const VIEWPORT = { width: 1280, height: 900 }

type Opened = {
  /** Kilobytes as transferred, headers included. */
  readonly kilobytes: number
  readonly requests: number
  /** Largest contentful paint, in milliseconds. */
  readonly paintedAt: number
  readonly layoutShift: number
}

/** Runs in the page before its own scripts. */
const OBSERVE = `
  window.measured = { paintedAt: 0, layoutShift: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.paintedAt = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.measured.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

async function open(browser: Browser, url: string, shows: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.addInitScript(OBSERVE)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let [bytes, requests] = [0, 0]
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await page.goto(url)
  await page.getByText(shows).first().waitFor()
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready')
  // The observers get their entries after the frame that they belong to.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const measured = await page.evaluate<Pick<Opened, 'paintedAt' | 'layoutShift'>>('window.measured')
  await context.close()
  return { kilobytes: bytes / 1_000, requests, ...measured }
}

await test('pages', async () => {
  const store = await createTestDatabase()
  await seedControl(store.database)
  const blocks = temporaryFolder()
  writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
  const service = await spawnService({
    DATABASE_URL: store.url,
    AUTH_SECRET,
    DATA_DIR: temporaryFolder(),
    BTC_BLOCKS_DIR: blocks,
    LOG_LEVEL: 'error',
  })
  const { url } = service
  await eventually(async () => {
    const response = await fetch(`${url}/public/coins/btc/status`)
    const { data } = (await response.json()) as { data?: { synced: boolean } }
    return data?.synced === true || undefined
  })
  const browser = await launchBrowser()
  reportVersions({ PostgreSQL: await postgresVersion(store.database), Chromium: browser.version() })
  const [holder] = recordedOracle().addresses.toSorted((a, b) => b.utxos.length - a.utxos.length)
  const pages = [
    { name: 'home', path: '/', shows: 'Latest control changes', kilobytes: 200 },
    { name: 'feed', path: '/feed', shows: 'Meadow' },
    { name: 'contract', path: `/contracts/ethereum/${SAMPLES.vault}`, shows: 'Why this label' },
    { name: 'coin address', path: `/coins/btc/address/${holder?.address}`, shows: 'UTXOs by value and age' },
  ]
  try {
    for (const { name, path, shows, kilobytes } of pages) {
      // The first opening is not counted: the service reads what it keeps in memory.
      await open(browser, `${url}${path}`, shows)
      const opened: Opened[] = []
      for (let round = 0; round < rounds; round += 1) opened.push(await open(browser, `${url}${path}`, shows))
      const middle = (of: (one: Opened) => number): number => Number(medianOf(opened.map(of)).toFixed(1))
      const held = [
        report({
          name: `${name}: transferred with an empty cache`,
          value: middle((one) => one.kilobytes),
          unit: 'kB',
          ...(kilobytes !== undefined && { atMost: kilobytes }),
          peer: `${middle((one) => one.requests)} requests`,
        }),
        report({
          name: `${name}: largest contentful paint`,
          value: middle((one) => one.paintedAt),
          unit: 'ms',
          atMost: 1_000,
        }),
        report({
          name: `${name}: layout shift`,
          value: Number(Math.max(...opened.map(({ layoutShift }) => layoutShift)).toFixed(4)),
          unit: 'score',
          atMost: 0,
        }),
      ]
      if (held.includes(false)) process.exitCode = MISSED_LIMIT
    }
  } finally {
    await browser.close()
    await service.stop()
  }
})
