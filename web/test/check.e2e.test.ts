/** A visitor checks a contract that is not watched: page, service and chain. */
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../testing/evm/anvil.ts'
import { controlContracts, FREE, signers } from '../../testing/evm/control.ts'
import { setName } from '../../testing/evm/ens-names.ts'
import { evmOf } from '../../testing/evm/evm.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { accountPages, pagesOf } from '../../testing/support/pages.ts'
import { makeTestAccount, startService } from '../../testing/support/service.ts'

test('an address that is not watched is checked on request', { skip: browserMissing || anvilMissing }, async () => {
  const node = await anvilForTests(1, FREE)
  const made = controlContracts(node, await evmOf(node))
  const [owner = '0x'] = signers(1)
  const { address } = await made.transparent5(owner)
  await setName(node, 'meadow.eth', { address: owner })
  const store = await createTestDatabase()
  const service = await startService(store, {
    env: { ROLES: 'serve,poll', ETHEREUM_RPC_URL: node.url, ETHEREUM_CONFIRMATIONS: '0' },
  })
  const { url } = service
  const browser = await browserForTests()
  const pages = pagesOf(browser, url)
  await pages.inspect(`/contracts/ethereum/${owner}`, 'unwatched', async (page) => {
    await page.getByRole('heading', { name: 'This address is not watched' }).waitFor()
  })
  const page = await pages.open('/')
  // Search leads to an address that is not known, and to that of a name.
  const search = page.getByRole('combobox', { name: 'Search' })
  await search.fill('meadow.eth')
  await page.getByRole('option', { name: /^meadow\.eth/ }).click()
  await page.waitForURL(`**/contracts/ethereum/${owner}`)
  await page.goto(url)
  await search.fill(`https://etherscan.io/address/${owner}#code`)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/contracts/ethereum/${owner}`)
  await page.getByRole('button', { name: 'Check it now' }).click()
  await page.getByRole('heading', { name: 'There is no contract at this address' }).waitFor({ timeout: 60_000 })
  await page.goto(`${url}/contracts/ethereum/${address}`)
  await page.getByRole('button', { name: 'Check it now' }).click()
  await page.getByText('Single key').first().waitFor({ timeout: 60_000 })
  await page.getByRole('heading', { name: 'Who controls this contract' }).waitFor()
  await pages.close(page)
  await pages.inspect(`/contracts/ethereum/${address}`, 'checked', async (checked) => {
    await checked.getByRole('link', { name: 'Watch' }).waitFor()
  })
  const mine = await accountPages(browser, service, await makeTestAccount(store.database))
  const form = await mine.open(`/account/alerts?chain=ethereum&address=${owner}`)
  await form.getByRole('button', { name: 'Watch', exact: true }).click()
  await form.getByRole('alert').getByText('There is no contract at this address on Ethereum.').waitFor()
  await form.getByLabel('Contract address').fill(address)
  await form.getByRole('button', { name: 'Watch', exact: true }).click()
  await form.getByRole('button', { name: /^Delete/ }).waitFor()
  await mine.close(form)
})
