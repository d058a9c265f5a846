/** Kept wallets over HTTP: stored sealed, bound to their account, limited by the plan, used instead of a descriptor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2Caller, type V2Caller } from '../../../../testing/coins/v2-app.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount } from '../../../../testing/support/service.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import { sealWithCurrentKey } from '../../platform/sealed-columns.ts'
import { sql } from '../../platform/sql.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'

const { database } = await createTestDatabase()
const memory = await startMemoryChain()
const { tpub, tprv } = hdKey('a kept wallet')
const DESCRIPTOR = `wpkh(${tpub}/<0;1>/*)`
const script = readDescriptor(bitcoinRegtest, DESCRIPTOR).branches[0]?.scriptsAt(0)[0] ?? assert.fail()
await memory.add([], [{ value: 12_345, script }])
const address = describeScript(bitcoinRegtest, Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(20, 9)])).address
let plan: UtxoPlan = 'pro'

const callerOf = (accountId: string): Promise<V2Caller> =>
  startV2Caller({ plan: () => plan, btc: () => memory.served, accountId, database })
const [ann, ben] = [await makeTestAccount(database), await makeTestAccount(database)]
const [send, sendAsBen] = [await callerOf(ann.id), await callerOf(ben.id)]
const keep = (descriptor: string, more: object = {}) =>
  send('POST', '/wallets/keep', { descriptor, name: 'Savings', ...more })
const listed = async (): Promise<Record<string, unknown>[]> =>
  (await send('GET', '/wallets')).data['wallets'] as Record<string, unknown>[]

test('a wallet is kept sealed, listed, read, used and deleted', async () => {
  const { outcome, data, error } = await keep(DESCRIPTOR, { gapLimit: 30 })
  assert.equal(outcome, '200', error)
  const { walletId } = data as { walletId: string }
  assert.deepEqual([data['name'], data['chain'], data['gapLimit']], ['Savings', 'btc', 30])
  assert.deepEqual(await listed(), [data])
  assert.deepEqual((await send('GET', `/wallets/${walletId}`)).data, data)
  const { rows } = await database.query<{ text: string }>(sql`select kept_wallet::text as text from kept_wallet`)
  assert.equal(rows.length, 1)
  assert.ok(!/tpub|Savings|wpkh/.test(rows[0]?.text ?? ''), 'nothing of it is readable')
  assert.deepEqual(await sealWithCurrentKey(database), { sealed: 0, unreadable: 0 })

  const [byId, byDescriptor] = [
    await send('POST', '/wallets', { walletId }),
    await send('POST', '/wallets', { descriptor: DESCRIPTOR }),
  ]
  assert.deepEqual([byId.data['balance'], byId.data], [12_345, byDescriptor.data])
  for (const path of ['/utxos', '/txs', '/balance-history', '/health', '/analyze'])
    assert.equal((await send('POST', `/wallets${path}`, { walletId })).outcome, '200', path)

  assert.equal((await send('DELETE', `/wallets/${walletId}`)).outcome, '200')
  assert.equal((await send('DELETE', `/wallets/${walletId}`)).outcome, '404 WALLET_NOT_FOUND')
  assert.equal((await send('POST', '/wallets', { walletId })).outcome, '404 WALLET_NOT_FOUND')
  assert.deepEqual(await listed(), [])
})

test('the same wallet is kept once, and updated', async () => {
  const first = (await keep(DESCRIPTOR)).data
  const again = (await keep(` ${DESCRIPTOR} `, { name: 'Spending', gapLimit: 50 })).data
  assert.deepEqual([again['walletId'], again['createdAt']], [first['walletId'], first['createdAt']])
  assert.deepEqual([again['name'], again['gapLimit']], ['Spending', 50])
  assert.deepEqual(await listed(), [again])
})

test('another account cannot read, use, list or delete it', async () => {
  const [own] = await listed()
  const path = `/wallets/${String(own?.['walletId'])}`
  assert.equal((await sendAsBen('GET', path)).outcome, '404 WALLET_NOT_FOUND')
  assert.equal((await sendAsBen('DELETE', path)).outcome, '404 WALLET_NOT_FOUND')
  assert.equal((await sendAsBen('POST', '/wallets', { walletId: own?.['walletId'] })).outcome, '404 WALLET_NOT_FOUND')
  assert.deepEqual((await sendAsBen('GET', '/wallets')).data['wallets'], [])
  assert.deepEqual(await listed(), [own])
})

test('the plan limits how many wallets are kept, also for requests at once', async () => {
  const descriptors = Array.from({ length: 25 }, (_, i) => `wpkh(${tpub}/${i}/*)`)
  const outcomes = (await Promise.all(descriptors.map((each) => keep(each)))).map(({ outcome }) => outcome)
  assert.equal(outcomes.filter((outcome) => outcome === '200').length, 19)
  assert.equal(outcomes.filter((outcome) => outcome === '403 WALLET_LIMIT_REACHED').length, 6)
  assert.deepEqual([(await listed()).length, (await send('GET', '/wallets')).data['limit']], [20, 20])
  assert.equal((await keep(DESCRIPTOR, { name: 'Renamed' })).outcome, '200', 'a kept one can still be updated')
  plan = 'basic'
  assert.equal((await keep(DESCRIPTOR)).outcome, '403 PLAN_REQUIRED')
  plan = 'pro'
})

test('private keys, broken descriptors and bad values are refused, and nothing is stored', async () => {
  const before = await listed()
  for (const [body, outcome] of [
    [{ descriptor: `wpkh(${tprv}/*)`, name: 'a' }, '400 PRIVATE_KEY_REFUSED'],
    [{ descriptor: 'wpkh(nonsense)', name: 'a' }, '400 INVALID_DESCRIPTOR'],
    [{ descriptor: DESCRIPTOR }, '400 INVALID_PARAMETER'],
    [{ descriptor: DESCRIPTOR, name: '' }, '400 INVALID_PARAMETER'],
    [{ descriptor: DESCRIPTOR, name: 'a'.repeat(101) }, '400 INVALID_PARAMETER'],
    [{ descriptor: DESCRIPTOR, name: 'a\u0000b' }, '400 INVALID_PARAMETER'],
    [{ descriptor: DESCRIPTOR, name: 5 }, '400 INVALID_PARAMETER'],
    [{ descriptor: DESCRIPTOR, name: 'a', gapLimit: 0 }, '400 INVALID_PARAMETER'],
    [{ descriptor: DESCRIPTOR, name: 'a', chain: 'doge' }, '400 INVALID_CHAIN'],
    [{ walletId: 'x', name: 'a' }, '400 INVALID_PARAMETER'],
  ] as const)
    assert.equal((await send('POST', '/wallets/keep', body)).outcome, outcome, JSON.stringify(body))
  assert.deepEqual(await listed(), before)
  const both = await send('POST', '/wallets', { descriptor: DESCRIPTOR, walletId: before[0]?.['walletId'] })
  assert.match(both.error, /^walletId: /)
  assert.match((await send('POST', '/wallets', {})).error, /^descriptor: /)
  for (const walletId of ['', 'x', '3c1d7a52-61e4-4c0b-9a3f-0d6a2b7f5e11', "' or 1=1"])
    assert.equal((await send('POST', '/wallets/utxos', { walletId })).outcome, '404 WALLET_NOT_FOUND')
})

test('labels are imported sealed, shown, exported and removed, and frozen outputs are not spent', async () => {
  const [own] = await listed()
  const walletId = String(own?.['walletId'])
  const path = `/wallets/${walletId}/labels`
  const [coin] = (await send('POST', '/wallets/utxos', { walletId })).data['utxos'] as { txid: string; vout: number }[]
  const outpoint = `${coin?.txid}:${coin?.vout}`
  const lines = [
    { type: 'output', ref: outpoint, label: 'Treasure', spendable: false },
    { type: 'tx', ref: coin?.txid, label: 'Salary' },
  ]
  const bip329 = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnonsense`
  const imported = await send('POST', path, { bip329 })
  assert.deepEqual(imported.data, {
    walletId,
    imported: 2,
    count: 2,
    ignoredCount: 1,
    ignored: [{ line: 3, reason: 'is not JSON' }],
  })
  const { rows } = await database.query<{ text: string }>(
    sql`select string_agg(kept_wallet::text, ' ') as text from kept_wallet`,
  )
  assert.ok(!/Treasure|Salary/.test(rows[0]?.text ?? ''))
  assert.deepEqual(await sealWithCurrentKey(database), { sealed: 0, unreadable: 0 })

  const labelsIn = async (endpoint: string, list: string) =>
    ((await send('POST', `/wallets${endpoint}`, { walletId })).data[list] as { label?: string }[])[0]?.label
  assert.deepEqual([await labelsIn('/utxos', 'utxos'), await labelsIn('/txs', 'txs')], ['Treasure', 'Salary'])
  for (let i = 0; i < 100; i++) await memory.add([])
  const payment = { walletId, toAddress: address, sendAll: true, feeRate: 1 }
  const frozen = (await send('POST', '/wallets/simulate', payment)).data
  assert.deepEqual(
    [frozen['reason'], frozen['excluded']],
    ['NO_UTXOS', { immature: 0, unconfirmed: 0, mustNotUse: 1, protected: 0 }],
  )
  assert.equal((await send('POST', '/wallets/simulate', { ...payment, mustUse: [outpoint] })).data['viable'], true)

  const { data } = await send('GET', path)
  assert.equal(data['bip329'], `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  assert.equal((await sendAsBen('GET', path)).outcome, '404 WALLET_NOT_FOUND')
  assert.equal((await sendAsBen('POST', path, { bip329 })).outcome, '404 WALLET_NOT_FOUND')
  assert.equal((await send('POST', path, { bip329: '', replace: true })).data['count'], 0)
  const many = Array.from({ length: 10_001 }, (_, i) => `{"type":"addr","ref":"${i}","label":"a"}`)
  assert.equal((await send('POST', path, { bip329: many.join('\n') })).outcome, '400 TOO_MANY_LABELS')
  assert.equal((await send('POST', path, { bip329: many.slice(1).join('\n') })).data['count'], 10_000)
  assert.equal((await send('POST', path, { bip329: 5 })).outcome, '400 INVALID_PARAMETER')
  assert.equal((await send('POST', '/wallets/x/labels', { bip329 })).outcome, '404 WALLET_NOT_FOUND')
})

test('a deleted account takes its wallets with it', async () => {
  await database.query(sql`delete from user_account where id = $1`, [ann.id])
  const { rows } = await database.query(sql`select 1 from kept_wallet`)
  assert.deepEqual(rows, [])
})
