/** Subscriptions over HTTP: bound to their account, limited by the plan, with events in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2Caller, type V2Caller } from '../../../../testing/coins/v2-app.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount } from '../../../../testing/support/service.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import { systemClock } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import { createChainFollower } from '../subscriptions/chain-follower.ts'
import { createKeptWallets } from '../wallets/kept-wallets.ts'

const { database } = await createTestDatabase()
const memory = await startMemoryChain()
const { tpub } = hdKey('a subscribed wallet')
const DESCRIPTOR = `wpkh(${tpub}/<0;1>/*)`
const scriptAt = (index: number): Buffer =>
  readDescriptor(bitcoinRegtest, DESCRIPTOR).branches[0]?.scriptsAt(index)[0] ?? assert.fail()
const addressAt = (index: number): string =>
  describeScript(bitcoinRegtest, scriptAt(index)).address ?? assert.fail('no address')
let plan: UtxoPlan = 'pro'

const callerOf = (accountId: string): Promise<V2Caller> =>
  startV2Caller({ plan: () => plan, btc: () => memory.served, accountId, database })
const [ann, ben] = [await makeTestAccount(database), await makeTestAccount(database)]
const [send, sendAsBen] = [await callerOf(ann.id), await callerOf(ben.id)]
const none = { queue: async () => undefined, retract: async () => undefined }
const follower = createChainFollower({ database, alerts: none }, 'btc')
const listed = async (query = ''): Promise<Record<string, unknown>[]> =>
  (await send('GET', `/subscriptions${query}`)).data['subscriptions'] as Record<string, unknown>[]
const TXID = 'a'.repeat(64)
const wallets = createKeptWallets({ database, clock: systemClock })

test('a subscription is made, changed, listed in pages, read and deleted', async () => {
  const made = await send('POST', '/subscriptions', { address: addressAt(0), confirmations: 3, events: ['confirmed'] })
  assert.equal(made.outcome, '200', made.error)
  const { id } = made.data
  assert.deepEqual(
    [made.data['targetKind'], made.data['target'], made.data['events'], made.data['confirmations']],
    ['address', addressAt(0), ['confirmed'], 3],
  )
  const changed = await send('POST', '/subscriptions', { address: addressAt(0), channels: ['webhook', 'webhook'] })
  assert.deepEqual(
    [changed.data['id'], changed.data['events'], changed.data['channels']],
    [id, ['seen', 'confirmed', 'replaced', 'spent'], ['webhook']],
  )
  const other = await send('POST', '/subscriptions', { txid: TXID.toUpperCase() })
  assert.deepEqual([other.data['targetKind'], other.data['target']], ['transaction', TXID])
  assert.deepEqual(await listed(), [other.data, changed.data])
  const first = await send('GET', '/subscriptions?limit=1')
  assert.deepEqual(first.data['subscriptions'], [other.data])
  const second = await send('GET', `/subscriptions?limit=1&cursor=${String(first.data['nextCursor'])}`)
  assert.deepEqual([second.data['subscriptions'], second.data['nextCursor']], [[changed.data], null])
  assert.deepEqual((await send('GET', `/subscriptions/${String(id)}`)).data, changed.data)
  assert.deepEqual((await send('DELETE', `/subscriptions/${String(other.data['id'])}`)).data, { id: other.data['id'] })
  assert.equal(
    (await send('DELETE', `/subscriptions/${String(other.data['id'])}`)).outcome,
    '404 SUBSCRIPTION_NOT_FOUND',
  )
  assert.deepEqual(await listed(), [changed.data])
})

test('another account cannot read, list or delete it, or subscribe to its wallet', async () => {
  const [own] = await listed()
  const path = `/subscriptions/${String(own?.['id'])}`
  const { data: wallet } = await send('POST', '/wallets/keep', { descriptor: DESCRIPTOR, name: 'a' })
  assert.equal((await sendAsBen('GET', path)).outcome, '404 SUBSCRIPTION_NOT_FOUND')
  assert.equal((await sendAsBen('DELETE', path)).outcome, '404 SUBSCRIPTION_NOT_FOUND')
  assert.deepEqual((await sendAsBen('GET', '/subscriptions')).data['subscriptions'], [])
  const { walletId } = wallet
  assert.equal((await sendAsBen('POST', '/subscriptions', { walletId })).outcome, '404 WALLET_NOT_FOUND')
  assert.deepEqual(await listed(), [own])
})

test('a wallet is watched beyond its gap limit as it is used', async () => {
  const { data: wallet } = await send('POST', '/wallets/keep', { descriptor: DESCRIPTOR, name: 'a', gapLimit: 5 })
  const { data } = await send('POST', '/subscriptions', { walletId: wallet['walletId'], events: ['confirmed'] })
  await follower.pass(memory.served)
  for (const index of [4, 8, 12]) {
    await memory.add([], [{ value: 1_000 + index, script: scriptAt(index) }])
    await follower.pass(memory.served)
  }
  const { data: page } = await send('GET', '/events')
  const amounts = (page['events'] as Record<string, unknown>[]).map(({ received, subscriptionId, kind, type }) => [
    received,
    subscriptionId === data['id'],
    kind,
    type,
  ])
  assert.deepEqual(
    amounts,
    [4, 8, 12].map((index) => [1_000 + index, true, 'confirmed', 'reported']),
  )
  const { data: end } = await send('GET', `/events?after=${String(page['nextCursor'])}`)
  assert.deepEqual([end['events'], end['nextCursor']], [[], page['nextCursor']])
  assert.deepEqual((await sendAsBen('GET', '/events')).data['events'], [])

  // The last block is replaced by one without the payment.
  await memory.disconnectTo(2)
  await memory.add([])
  await follower.pass(memory.served)
  const { data: after } = await send('GET', `/events?after=${String(page['nextCursor'])}`)
  const [retraction] = after['events'] as Record<string, unknown>[]
  assert.deepEqual(
    [retraction?.['type'], retraction?.['received'], retraction?.['retractedBecause']],
    ['retracted', 1_012, 'reorganized'],
  )
})

test('a script that two branches of a wallet derive is reported once, with its own amount', async () => {
  const descriptor = `wsh(sortedmulti(1,${tpub}/<2;3>/*,${tpub}/<3;2>/*))`
  const [branch] = readDescriptor(bitcoinRegtest, descriptor).branches
  const shared = (index: number): Buffer => branch?.scriptsAt(index)[0] ?? assert.fail()
  const { data: wallet } = await send('POST', '/wallets/keep', { descriptor, name: 'shared', gapLimit: 2 })
  const { data } = await send('POST', '/subscriptions', { walletId: wallet['walletId'], events: ['confirmed'] })
  // The first is paid before the follower knows the subscription, the last ones move the end of the gap.
  await memory.add([], [{ value: 7_000, script: shared(0) }])
  await follower.pass(memory.served)
  await memory.add([], [{ value: 7_001, script: shared(1) }])
  await memory.add(
    [],
    [
      { value: 7_002, script: shared(2) },
      { value: 10, script: shared(3) },
    ],
  )
  await follower.pass(memory.served)
  const { data: page } = await send('GET', '/events?limit=1000')
  assert.deepEqual(
    (page['events'] as Record<string, unknown>[])
      .filter(({ subscriptionId }) => subscriptionId === data['id'])
      .map(({ received }) => received),
    [7_000, 7_001, 7_012],
  )
  await send('DELETE', `/subscriptions/${String(data['id'])}`)
  await send('DELETE', `/wallets/${String(wallet['walletId'])}`)
})

test('the plan limits how many there are, also for requests at once', async () => {
  plan = 'basic'
  const before = (await listed()).length
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, i) => send('POST', '/subscriptions', { txid: String(i).padStart(64, '0') })),
  )
  const refused = outcomes.filter(({ outcome }) => outcome === '403 SUBSCRIPTION_LIMIT_REACHED')
  assert.equal(refused.length, 2 + before)
  assert.equal((await send('GET', '/subscriptions')).data['subscriptionLimit'], 10)
  assert.equal((await send('POST', '/subscriptions', { address: addressAt(0) })).outcome, '200', 'it is changed')
  const [wallet] = await wallets.list(ann.id)
  assert.equal((await send('POST', '/subscriptions', { walletId: wallet?.id })).outcome, '403 PLAN_REQUIRED')
  plan = 'pro'
})

test('bad values are refused, and nothing is stored', async () => {
  const before = await listed()
  for (const [body, outcome] of [
    [{}, '400 INVALID_PARAMETER'],
    [{ address: addressAt(1), txid: TXID }, '400 INVALID_PARAMETER'],
    [{ address: 'nonsense' }, '400 INVALID_ADDRESS'],
    [{ txid: 'short' }, '400 INVALID_TXID'],
    [{ walletId: "' or 1=1" }, '404 WALLET_NOT_FOUND'],
    [{ address: addressAt(1), confirmations: 0 }, '400 INVALID_PARAMETER'],
    [{ address: addressAt(1), confirmations: 101 }, '400 INVALID_PARAMETER'],
    [{ address: addressAt(1), events: [] }, '400 INVALID_PARAMETER'],
    [{ address: addressAt(1), events: ['lost'] }, '400 INVALID_PARAMETER'],
    [{ address: addressAt(1), channels: ['pigeon'] }, '400 INVALID_PARAMETER'],
    [{ address: addressAt(1), chain: 'doge' }, '400 INVALID_CHAIN'],
  ] as const)
    assert.equal((await send('POST', '/subscriptions', body)).outcome, outcome, JSON.stringify(body))
  assert.deepEqual(await listed(), before)
  for (const path of [
    '/subscriptions?cursor=x',
    '/events?after=zzz',
    '/events?limit=0',
    '/stream?after=zzz',
    '/subscriptions/x',
    '/notifications?cursor=x',
  ])
    assert.equal((await send('GET', path)).outcome, '400 INVALID_PARAMETER', path)
})

test('a deleted wallet takes its subscription with it, and a deleted account everything', async () => {
  const [wallet] = (await send('GET', '/wallets')).data['wallets'] as { walletId: string }[]
  await send('DELETE', `/wallets/${wallet?.walletId}`)
  assert.ok((await listed()).every(({ targetKind }) => targetKind !== 'wallet'))
  await database.query(sql`delete from user_account where id = $1`, [ann.id])
  const { rows } = await database.query(
    sql`select 1 from coin_subscription union all select 1 from coin_event union all select 1 from coin_activity`,
  )
  assert.deepEqual(rows, [])
})
