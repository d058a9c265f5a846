import { test } from 'node:test'
import { savePoll } from '../../server/src/control/poll/profile-store.ts'
import { toned, unprofiled } from '../../server/src/control/profile/profile.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { browserForTests, browserMissing } from '../../testing/support/browser.ts'
import { hexOf } from '../../testing/support/control-records.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { pagesOf } from '../../testing/support/pages.ts'
import { startService } from '../../testing/support/service.ts'
import type { Power } from '../../vocabulary/powers.ts'

test('the page of a contract shows its powers, and that of an account what it can do', {
  skip: browserMissing,
}, async () => {
  const { database, ...rest } = await createTestDatabase()
  const [token, key] = [hexOf(0xa1, 20), hexOf(0xb2, 20)]
  const holder = { chainId: 1, address: key, kind: 'eoa', role: 'Owner', label: 'single_key', delaySeconds: 0 } as const
  const power = (effect: Power['effect'], of: Power['class'], signature: string): Power => ({
    effect,
    class: of,
    functions: [{ selector: '0x40c10f19', signature, evidence: 'code' }],
    holders: [holder],
    label: 'single_key',
    delaySeconds: 0,
  })
  const powers = [
    power('mint', 'critical', 'mint(address,uint256)'),
    power('pause', 'high', 'pause()'),
    {
      ...power('set_price', 'critical', 'setPrice(uint256)'),
      holders: [],
      label: 'unknown',
      unknown: 'table',
    } as const,
    power('other', 'info', 'renounceOwnership()'),
  ]
  const ref = { chainId: 1, address: token }
  await saveContract(database, ref, { name: 'Meadow Token' })
  await savePoll(database, {
    ...ref,
    block: { number: 10, hash: hexOf(10, 32), time: Date.now() },
    fields: { owner: key },
    since: undefined,
    events: [],
    profile: toned({ ...unprofiled(ref), label: 'immutable', reasons: [{ code: 'not_a_proxy' }], powers }),
    cause: [],
    controllers: [],
  })
  const { url } = await startService({ database, ...rest })
  const pages = pagesOf(await browserForTests(), url)
  await pages.inspect(`/contracts/ethereum/${token}`, 'powers', async (page) => {
    await page.getByRole('heading', { name: 'Meadow Token' }).waitFor()
    await page.getByRole('heading', { name: 'What they can do' }).waitFor()
    await page.getByText('can mint.').waitFor()
    await page.getByText('mint(address,uint256)').waitFor()
  })
  await pages.inspect(`/contracts/ethereum/${key}`, 'powers-of-account', async (page) => {
    await page.getByRole('heading', { name: 'What this address can do' }).waitFor()
    await page.getByRole('link', { name: 'Meadow Token' }).first().waitFor()
  })
})
