/** `gatewatch apply`: subscriptions equal the file, and a second run changes nothing. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { AUTH_SECRET, makeTestAccount, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { applySubscriptions, subscriptionFile } from '../../control/alerts/subscription-file.ts'
import { getSubscriptions } from '../../control/alerts/subscriptions.ts'
import { saveContract } from '../../control/registry/contracts.ts'

const { url, database } = await createTestDatabase()
const cwd = temporaryFolder()
const account = await makeTestAccount(database)
const address = (digit: string) => `0x${digit.repeat(40)}` as const
await saveContract(database, { chainId: 1, address: address('9') }, { protocol: 'Acme' })

async function run(...args: readonly string[]) {
  const { exit, output } = spawnGatewatch(args, { cwd, env: { DATABASE_URL: url, AUTH_SECRET } })
  return { code: (await exit).code, output: output() }
}
const apply = async (subscriptions: readonly object[], isTrial = false) =>
  applySubscriptions(
    database,
    account.id,
    subscriptionFile.parse({ version: 1, account: account.email, subscriptions }).subscriptions,
    { isTrial },
  )
const one = { chain: 'ethereum', address: address('1'), minSeverity: 'high', channels: ['slack', 'email'] }

test('subscriptions are added, changed and deleted until they equal the file', async () => {
  const added = [one, { protocol: 'acme', powers: ['mint'], paused: true }]
  assert.deepEqual(
    (await apply(added, true)).map(({ action }) => action),
    ['add', 'add'],
  )
  assert.deepEqual(await getSubscriptions(database, account.id), [])
  await apply(added)
  const [protocol, contract] = await getSubscriptions(database, account.id)
  assert.deepEqual(
    [contract?.minSeverity, contract?.channels.slack, contract?.channels.telegram],
    ['high', true, false],
  )
  assert.deepEqual(
    [protocol?.protocol?.slug, protocol?.powerEffects, protocol?.pausedAt !== null],
    ['acme', ['mint'], true],
  )
  assert.deepEqual(await apply(added), [])
  const changed = await apply([{ ...one, channels: ['telegram'], includeControllers: false }])
  assert.deepEqual(changed, [
    { action: 'delete', target: 'acme', fields: [] },
    { action: 'change', target: `ethereum ${address('1')}`, fields: ['channels', 'includeControllers'] },
  ])
  const [left, ...others] = await getSubscriptions(database, account.id)
  assert.deepEqual([left?.channels.telegram, left?.channels.slack, others.length], [true, false, 0])
})

test('a file that cannot be applied changes nothing', async () => {
  await assert.rejects(apply([one, one]), /is there twice/)
  await assert.rejects(apply([{ protocol: 'nothing' }]), /No protocol has the label or slug "nothing"/)
  assert.equal((await getSubscriptions(database, account.id)).length, 1)
})

test('the command reports faults with their lines, and applies what monitor import wrote', async () => {
  writeFileSync(
    join(cwd, 'bad.yaml'),
    `version: 1\naccount: ${account.email}\nsubscriptions:\n  - chain: mars\n    address: "${address('1')}"\n`,
  )
  for (const folder of ['monitors', 'networks', 'triggers'])
    mkdirSync(join(cwd, 'monitor', folder), { recursive: true })
  const events = [{ signature: 'Paused(address)', expression: null }]
  const file = (folder: string, value: object) =>
    writeFileSync(join(cwd, 'monitor', folder, 'a.json'), JSON.stringify(value))
  file('monitors', {
    name: 'M',
    networks: ['eth'],
    addresses: [{ address: address('2') }],
    match_conditions: { events },
    triggers: ['t'],
  })
  file('networks', { network_type: 'EVM', slug: 'eth', chain_id: 1 })
  file('triggers', { t: { trigger_type: 'telegram' } })
  const [bad, imported] = await Promise.all([
    run('apply', 'bad.yaml'),
    run('monitor', 'import', 'monitor', '--account', account.email, '--output', 'out.yaml'),
  ])
  assert.deepEqual([bad.code, imported.code], [1, 0], imported.output)
  assert.match(bad.output, /line 4: subscriptions\.0\.chain: is not the slug or id of a chain/)
  const applied = await run('apply', 'out.yaml')
  assert.match(applied.output, new RegExp(`\\+ ethereum ${address('2')}\n2 of the subscriptions`), applied.output)
})
