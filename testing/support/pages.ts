/**
 * Opens pages in a browser against a running service, at both widths and in both themes.
 *
 * `GATEWATCH_SCREENSHOTS=FOLDER` keeps the screenshots.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { type Service, signIn, type TestAccount } from './service.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCREENSHOTS = process.env.GATEWATCH_SCREENSHOTS
if (SCREENSHOTS !== undefined) mkdirSync(SCREENSHOTS, { recursive: true })

export const VIEWS = [
  { width: 390, height: 844, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
  { width: 1280, height: 900, theme: 'light' },
  { width: 1280, height: 900, theme: 'dark' },
] as const
export type View = (typeof VIEWS)[number]
export const DESKTOP: View = VIEWS[2]
export const PHONE: View = VIEWS[0]
/** Each width and each theme once: colors do not depend on the width. */
const CHECKED: readonly View[] = [VIEWS[1], VIEWS[2]]

/** Runs in the page before its own scripts: collects what moves without an input of the visitor. */
const OBSERVE_SHIFTS = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        window.shifts.push(value.toFixed(4) + ' ' + sources.map(({ node, previousRect, currentRect }) =>
          (node?.outerHTML ?? node?.textContent ?? 'gone').slice(0, 120) + ' from ' + [previousRect.x, previousRect.y] + ' to ' + [currentRect.x, currentRect.y]).join(' | '))
  }).observe({ type: 'layout-shift', buffered: true })`

export type Pages = {
  readonly open: (path: string, view?: View, options?: { readonly withMotion?: boolean }) => Promise<Page>
  /** Closes the page and asserts that no error occurred on it. */
  readonly close: (page: Page) => Promise<void>
  /** Opens `path` at both widths and in both themes, waits for `ready`, and checks the page. */
  readonly inspect: (path: string, name: string, ready: (page: Page) => Promise<unknown>) => Promise<void>
}

export function pagesOf(
  browser: Browser,
  url: string,
  cookies: Parameters<Awaited<ReturnType<Browser['newContext']>>['addCookies']>[0] = [],
): Pages {
  const faultsOf = new WeakMap<Page, string[]>()
  const open = async (path: string, { width, height, theme }: View = DESKTOP, { withMotion = false } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: withMotion ? 'no-preference' : 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    if (cookies.length > 0) await context.addCookies(cookies)
    const page = await context.newPage()
    await page.addInitScript(OBSERVE_SHIFTS)
    const faults: string[] = []
    faultsOf.set(page, faults)
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      // The page handles refused requests; every other console error is a failure, including violations of the policy.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text())
    })
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== url && !request.url().startsWith('data:'))
        faults.push(`request to another origin: ${request.url()}`)
    })
    await page.goto(`${url}${path}`)
    return page
  }
  const close = async (page: Page) => {
    const where = new URL(page.url()).pathname
    await page.context().close()
    assert.deepEqual(faultsOf.get(page), [], `${where} works without a fault`)
  }
  return {
    open,
    close,
    inspect: async (path, name, ready) => {
      const page = await open(path, PHONE)
      await ready(page)
      await page.evaluate(AXE)
      for (const view of SCREENSHOTS === undefined ? CHECKED : VIEWS) {
        const { width, height, theme } = view
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme: theme })
        if (SCREENSHOTS !== undefined)
          await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${theme}.png`), fullPage: true })
        if (CHECKED.includes(view)) await findNothingWrong(page, `${name} at ${width} px, ${theme}`)
      }
      await close(page)
    },
  }
}

/** The session of an account as cookies of the browser. */
export const cookiesOf = async (service: Service, account: TestAccount) =>
  (await signIn(service, account)).split('; ').map((cookie) => {
    const at = cookie.indexOf('=')
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: service.url }
  })

/** The pages of a signed-in account. */
export const accountPages = async (browser: Browser, service: Service, account: TestAccount): Promise<Pages> =>
  pagesOf(browser, service.url, await cookiesOf(service, account))

/** Asserts that nothing has moved since the page was opened, except after an input of the visitor. */
export async function findNoShift(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  // The observer gets its entries after the frame that they belong to.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.deepEqual(await page.evaluate('window.shifts'), [], `${name}: nothing moves by itself`)
}

/** Opens a page, waits until it has loaded, and asserts that nothing has moved. */
export async function assertSteady(pages: Pages, path: string, view: View): Promise<void> {
  const page = await pages.open(path, view)
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
  await findNoShift(page, `${path} at ${view.width} px`)
  await pages.close(page)
}

/** Asserts accessibility and no horizontal scrolling. */
async function findNothingWrong(page: Page, label: string): Promise<void> {
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as AxeResults
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    grave.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    ),
    [],
    `${label}: accessible`,
  )
  const overflow = await page.evaluate('Math.max(0, document.body.scrollWidth - document.body.clientWidth)')
  assert.equal(overflow, 0, `${label}: does not scroll sideways`)
}
