import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePoll } from '../../server/src/control/poll/profile-store.ts'
import type { PowerPath, RunningCode } from '../../server/src/control/profile/contract-powers.ts'
import type { ControlNode } from '../../server/src/control/profile/control-node.ts'
import { toned, unprofiled } from '../../server/src/control/profile/profile.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
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
    {
      ...power('other', 'info', 'renounceOwnership()'),
      functions: [{ selector: '0x00000000', signature: null, evidence: 'code' }],
    } as const,
  ]
  const ref = { chainId: 1, address: token }
  const node = (address: Hex, fields: Partial<ControlNode>): ControlNode => ({
    ...unprofiled({ chainId: 1, address }).tree,
    role: { code: 'controller', name: 'owner', of: { kind: 'contract', address: token } },
    label: 'timelocked',
    notes: [],
    ...fields,
  })
  const safe = node(hexOf(0xc3, 20), {
    role: { code: 'role_member', role: 'PROPOSER_ROLE' },
    account: { kind: 'safe', threshold: 2, owners: 5, version: '1.4.1' },
    delaySeconds: 172_800,
    notes: [{ code: 'below_half', threshold: 2, owners: 5 }],
    signers: [1, 2, 3, 4, 5].map((n) => ({ address: hexOf(0xd0 + n, 20), account: { kind: 'eoa' } })),
  })
  const timelock = node(hexOf(0xc4, 20), {
    role: { code: 'role_member', role: 'DEFAULT_ADMIN_ROLE' },
    account: { kind: 'timelock_oz', delaySeconds: 172_800 },
    delaySeconds: 172_800,
    paths: [safe],
  })
  const powerPaths: readonly PowerPath[] = [
    { node: node(key, { label: 'single_key', account: { kind: 'eoa' } }), effects: ['mint', 'pause'] },
    { node: timelock, effects: ['grant'] },
  ]
  await saveContract(database, ref, { name: 'Meadow Token' })
  const poll = (number: number, since: number | undefined, functions: RunningCode['functions']) =>
    savePoll(database, {
      ...ref,
      block: { number, hash: hexOf(number, 32), time: Date.now() },
      fields: { owner: key, implementation: hexOf(0xe5, 20) },
      since,
      events: [],
      profile: {
        ...toned({ ...unprofiled(ref), label: 'immutable', reasons: [{ code: 'not_a_proxy' }], powers, powerPaths }),
        running: { codes: [hexOf(number, 32)], functions },
      },
      cause: [],
      controllers: [],
    })
  await poll(10, undefined, { '0x8456cb59': 'the account in slot 0' })
  await poll(11, 10, { '0x8456cb59': 'every caller', '0x40c10f19': 'the account in slot 0' })
  const { url } = await startService({ database, ...rest })
  const pages = pagesOf(await browserForTests(), url)
  await pages.inspect(`/contracts/ethereum/${token}`, 'powers', async (page) => {
    await page.getByRole('heading', { name: 'Meadow Token' }).waitFor()
    await page.getByRole('heading', { name: 'What they can do' }).waitFor()
    await page.getByText('can mint.').waitFor()
    await page.getByText('mint(address,uint256)').first().waitFor()
    await page.getByRole('heading', { name: 'Upgrades' }).waitFor()
    await page.getByText('Guards changed: pause()').first().waitFor()
    const drawing = page.getByRole('group', { name: /^Accounts and how they control each other/ })
    await drawing.getByText('mint + 1').waitFor()
    assert.equal(await drawing.getByText('2 d').count(), 1, 'the delay of a path is drawn once')
    await page.getByText('Powers that no account holds, and minor ones').click()
    await page.getByText('fallback function').waitFor()
    await page.getByText('Show as list').focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 of 5 signers suffice, less than half.').waitFor()
    await page.keyboard.press('Enter')
  })
  await pages.inspect(`/contracts/ethereum/${key}`, 'powers-of-account', async (page) => {
    await page.getByRole('heading', { name: 'Account with control' }).waitFor()
    const powersOfKey = page.getByRole('region', { name: 'What this address can do' })
    await powersOfKey.getByRole('link', { name: 'Meadow Token' }).waitFor()
    await powersOfKey.getByText('Can mint, pause').waitFor()
    await powersOfKey.getByText('Alone').waitFor()
    await powersOfKey.getByText('At once').waitFor()
  })
  await pages.inspect(`/contracts/ethereum/${hexOf(0xe5, 20)}`, 'implementation', async (page) => {
    await page.getByRole('heading', { name: 'Implementation of Meadow Token' }).waitFor()
    const users = page.getByRole('region', { name: 'Contracts that run this code' }).first()
    await users.getByRole('link', { name: 'Meadow Token' }).waitFor()
  })
})

test('the page of a Safe starts with its signers, and its history names who joined', {
  skip: browserMissing,
}, async () => {
  const { database, ...rest } = await createTestDatabase()
  const [safe, other, added] = [hexOf(0x51, 20), hexOf(0x52, 20), hexOf(0x61, 20)]
  const [first, second, module] = [hexOf(0x62, 20), hexOf(0x63, 20), hexOf(0x71, 20)]
  const poll = async (number: number, since: number | undefined, address: Hex, owners: readonly Hex[]) => {
    const ref = { chainId: 1, address }
    const { tree, ...profile } = unprofiled(ref)
    await savePoll(database, {
      ...ref,
      block: { number, hash: hexOf(number, 32), time: Date.now() },
      fields: { owners: owners.join(','), modules: module, guard: null },
      since,
      events: [],
      profile: toned({
        ...profile,
        kind: 'safe',
        label: 'multisig',
        powers: [],
        tree: {
          ...tree,
          account: { kind: 'safe', threshold: 2, owners: owners.length, version: '1.4.1' },
          signers: owners.map((owner) => ({ address: owner, account: { kind: 'eoa' }, isUnused: owner === added })),
        },
      }),
      cause: [],
      controllers: [],
    })
  }
  await saveContract(database, { chainId: 1, address: safe }, { name: 'Meadow Council' })
  await saveContract(database, { chainId: 1, address: other }, { name: 'Meadow Treasury' })
  await poll(10, undefined, other, [first, second])
  await poll(11, undefined, safe, [first, second])
  await poll(12, 11, safe, [first, added])
  const { url } = await startService({ database, ...rest })
  await pagesOf(await browserForTests(), url).inspect(`/contracts/ethereum/${safe}`, 'safe', async (page) => {
    await page.getByRole('heading', { name: 'Signers: 2 of 2 must sign' }).waitFor()
    const signers = page.getByRole('region', { name: 'Signers', exact: true })
    const [known, unused] = await signers.locator('tbody tr').allInnerTexts()
    assert.match(known ?? '', /\tMeadow Treasury$/)
    assert.match(unused ?? '', /No transaction yet on this chain\s*No other multisig$/)
    await page.getByText('Module guard').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('removed').count(), 1)
    assert.equal(await page.getByLabel('added').count(), 1)
  })
})
