import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { encodeFunctionData, parseAbi } from 'viem'
import { collectSteps } from '../../server/src/control/pending/collect.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { hexOf, storeEvent } from '../../testing/support/control-records.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { DESKTOP, findNoShift, type Pages, PHONE, pagesOf } from '../../testing/support/pages.ts'
import { startService } from '../../testing/support/service.ts'

const ABI = parseAbi([
  'function upgradeTo(address)',
  'function transferOwnership(address)',
  'function grantRole(bytes32,address)',
])

/** Shows a tab again, which connects to the stream and reads its contract again. */
async function showAgain(page: Page) {
  for (const state of ['hidden', 'visible'])
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
}

/** Holds the next request back; returns how to let it go on. */
async function holdNext(page: Page, what: string) {
  const { promise, resolve } = Promise.withResolvers<Route>()
  let isNext = true
  await page.route(what, async (route) => {
    if (!isNext) return await route.fallback()
    isNext = false
    resolve(route)
  })
  return { asked: promise, release: async () => await (await promise).continue() }
}

/** Opens a contract that was not checked before, and reads its control again before the page shows it, and after. */
async function keepsWhatItShows(path: string, pages: Pages) {
  const page = await pages.open('/', PHONE)
  const powers = await holdNext(page, '**/public/control/addresses/**')
  const firstRead = page.waitForResponse('**/control')
  await page.goto(`${new URL(page.url()).origin}${path}`)
  await (await firstRead).finished()
  for (const isShown of [false, true]) {
    const control = await holdNext(page, '**/control')
    await showAgain(page)
    await control.asked
    if (!isShown) await powers.release()
    await page.getByText('Not checked yet').waitFor()
    await control.release()
    await findNoShift(page, 'a contract that is read again')
  }
  await pages.close(page)
}

test('the page of queued changes shows what they do and when', { skip: browserMissing }, async () => {
  const { database, ...rest } = await createTestDatabase()
  const [timelock, vault, token] = [hexOf(0x71, 20), hexOf(0x72, 20), hexOf(0x73, 20)]
  await saveContract(database, { chainId: 1, address: timelock }, { name: 'Meadow Timelock', protocol: 'Meadow' })
  await saveContract(database, { chainId: 1, address: vault }, { name: 'Meadow Vault', protocol: 'Meadow' })
  const schedule = async (id: number, target: `0x${string}`, data: `0x${string}`, delay: number, index = 0) =>
    await storeEvent(
      database,
      { chainId: 1, address: timelock },
      {
        key: 'timelock.scheduled',
        category: 'timelock',
        args: { id: hexOf(id, 32), index: String(index), target, value: '0', data, delay: String(delay) },
      },
    )
  const upgrade = encodeFunctionData({ abi: ABI, functionName: 'upgradeTo', args: [hexOf(0x99, 20)] })
  const transfer = encodeFunctionData({ abi: ABI, functionName: 'transferOwnership', args: [hexOf(0x98, 20)] })
  const grant = encodeFunctionData({ abi: ABI, functionName: 'grantRole', args: [hexOf(0, 32), hexOf(0x97, 20)] })
  await schedule(1, vault, upgrade, 7_200)
  await schedule(2, token, transfer, 60)
  for (const [index, data] of [grant, transfer, '0x12345678' as const].entries())
    await schedule(3, vault, data, 3 * 86_400, index)
  await schedule(4, vault, transfer, 60)
  const executed = { id: hexOf(4, 32), index: '0', target: vault, value: '0', data: transfer }
  await storeEvent(
    database,
    { chainId: 1, address: timelock },
    { key: 'timelock.executed', category: 'timelock', args: executed },
  )
  const governor = hexOf(0x74, 20)
  await saveContract(database, { chainId: 1, address: governor }, { name: 'Meadow Governor' })
  const proposal = { proposalId: '9', targets: [vault], values: ['0'], calldatas: [upgrade], description: 'Upgrade' }
  await storeEvent(
    database,
    { chainId: 1, address: governor },
    { key: 'governor.proposal_created', category: 'governance', args: proposal },
  )
  while (await collectSteps(database)) {}
  // The end of the vote is read from the governor.
  await database.query(
    sql`update pending_operation set earliest_at = now() + interval '5 days 1 minute' where family = 'governor'`,
  )

  const { url } = await startService({ database, ...rest })
  const pages = pagesOf(await browserForTests(), url)
  await pages.inspect('/pending', 'pending', async (page) => {
    await page.getByRole('heading', { name: 'Queued changes' }).waitFor()
    await page.getByText('Can be executed now').waitFor()
    await page.getByText(/^in (59 min|1 h)/).waitFor()
    await page.getByText('If the vote passes, in 5 d').waitFor()
    await page.getByText('and 2 more calls').waitFor()
    await page.getByText('3 calls', { exact: true }).click()
    await page.getByText('Call function 0x12345678 of').waitFor()
  })
  for (const view of [DESKTOP, PHONE])
    for (const path of ['/pending', '/', '/protocols/meadow', `/contracts/ethereum/${vault}`]) {
      const page = await pages.open(path, view)
      await page
        .getByText('Can be executed now')
        .or(page.getByText(/^in \d+ (h|min)/))
        .first()
        .waitFor()
      await findNoShift(page, `${path} at ${view.width} px`)
      await pages.close(page)
    }
  const page = await pages.open('/pending')
  await page.getByLabel('State').selectOption('closed')
  await page.waitForURL('**/pending?state=closed')
  await page.getByText('Executed', { exact: true }).waitFor()
  await page.goBack()
  await page.getByText('Can be executed now').waitFor()
  await pages.close(page)
  await pages.inspect('/pending?state=closed', 'pending-closed', async (page) => {
    await page.getByText('Executed', { exact: true }).waitFor()
  })
  await pages.inspect(`/contracts/ethereum/${vault}`, 'pending-contract', async (page) => {
    await page.getByRole('heading', { name: 'Queued changes' }).waitFor()
  })
  await keepsWhatItShows(`/contracts/ethereum/${vault}`, pages)
  await pages.inspect('/protocols/meadow', 'pending-protocol', async (page) => {
    await page.getByRole('heading', { name: 'Queued changes' }).waitFor()
  })
  await pages.inspect('/', 'pending-home', async (page) => {
    await page.getByRole('link', { name: 'All queued changes' }).waitFor()
  })
})
