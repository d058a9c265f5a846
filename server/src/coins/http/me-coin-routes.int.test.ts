/** Coin subscriptions of a signed-in account: bound to it, within its plan, with the codes of `/me`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { reportCoinEvent, retractCoinEvent } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount } from '../../../../testing/support/service.ts'
import { UTXO_ALLOWANCES, type UtxoPlan } from '../../accounts/plans.ts'
import { saveChannel } from '../../control/alerts/channels.ts'
import { acknowledgeCoinDelivery, replayCoinDelivery } from '../../control/alerts/coin-alerts.ts'
import { getAttempts, getCoinDeliveries } from '../../control/alerts/delivery-records.ts'
import { createErrorHandler } from '../../http/error-responses.ts'
import { serializerCompiler } from '../../http/serialize.ts'
import { systemClock } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { createKeptWallets } from '../wallets/kept-wallets.ts'
import { meCoinRoutes } from './me-coin-routes.ts'

const { database } = await createTestDatabase()
const memory = await startMemoryChain()
const [ann, ben] = [await makeTestAccount(database), await makeTestAccount(database)]
const keptWallets = createKeptWallets({ database, clock: systemClock })
let served: ServedChain | undefined = memory.served
let plan: UtxoPlan = 'pro'
let caller = ann

const app = Fastify()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
app.setErrorHandler(createErrorHandler({}))
app.addHook('onRequest', async (request) => {
  const { id, email } = caller
  request.account = { id, email, plan: 'free', utxoPlan: plan, operator: false, twoFactor: false }
})
await app.register(
  meCoinRoutes({
    database,
    keptWallets,
    enabledChains: ['btc'],
    coins: { find: () => served },
    coinDeliveries: {
      list: (accountId, page) => getCoinDeliveries(database, accountId, page),
      attempts: (accountId, id) => getAttempts(database, accountId, id),
      acknowledge: (accountId, id, by) => acknowledgeCoinDelivery(database, accountId, id, by),
      replay: (accountId, id) => replayCoinDelivery(database, accountId, id),
    },
  }),
)
after(() => app.close())

type Body = {
  readonly id?: number
  readonly used?: number
  readonly limit?: number
  readonly items?: readonly {
    readonly id: number
    readonly targetKind: string
    readonly target: string
    readonly acknowledgedBy: string | null
  }[]
  readonly acknowledgedBy?: string | null
  readonly wallets?: readonly { readonly walletId: string; readonly name: string }[]
  readonly nextCursor?: string | null
  readonly status?: string
  readonly error?: { readonly code: string }
}

async function send(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const response = await app.inject({ method, url: `/me/coins${path}`, ...(payload !== undefined && { payload }) })
  const body = response.json<Body>()
  return { outcome: `${response.statusCode} ${body.error?.code ?? ''}`.trim(), body }
}
const subscribe = (body: object) => send('POST', '/subscriptions', { chain: 'btc', ...body })

const DESCRIPTOR = `wpkh(${hdKey('of a page').tpub}/0/*)`
const addressAt = (index: number): string => {
  const [script = assert.fail()] = readDescriptor(bitcoinRegtest, DESCRIPTOR).branches[0]?.scriptsAt(index) ?? []
  return describeScript(bitcoinRegtest, script).address ?? assert.fail()
}
const keep = async (accountId: string): Promise<string> => {
  const wallet = { accountId, chain: 'btc', name: 'savings', descriptor: DESCRIPTOR, gapLimit: 5 } as const
  return (await keptWallets.keep(wallet, 5))?.id ?? assert.fail()
}

test('an address, a transaction and a kept wallet are watched, listed and deleted', async () => {
  const walletId = await keep(ann.id)
  for (const body of [{ address: addressAt(0) }, { txid: 'AB'.repeat(32) }, { walletId }, { walletId }])
    assert.equal((await subscribe(body)).outcome, '201', JSON.stringify(body))
  const { body } = await send('GET', '/subscriptions')
  assert.deepEqual(
    body.items?.map(({ targetKind, target }) => [targetKind, target]),
    [
      ['wallet', walletId],
      ['transaction', 'ab'.repeat(32)],
      ['address', addressAt(0)],
    ],
  )
  assert.deepEqual([body.used, body.limit], [3, UTXO_ALLOWANCES.pro.subscriptionLimit])
  assert.deepEqual(body.wallets, [{ walletId, chain: 'btc', name: 'savings' }])
  const targetsOf = async (target: string) =>
    (await send('GET', `/subscriptions?target=${target}`)).body.items?.map((each) => each.target)
  assert.deepEqual(await targetsOf(addressAt(0)), [addressAt(0)])
  assert.deepEqual(await targetsOf(addressAt(1)), [])
  const id = body.items?.[0]?.id ?? assert.fail()
  caller = ben
  assert.deepEqual(await targetsOf(addressAt(0)), [])
  assert.equal((await send('DELETE', `/subscriptions/${id}`)).outcome, '404 subscription_not_found')
  assert.deepEqual((await send('GET', '/subscriptions')).body.items, [])
  assert.equal((await subscribe({ walletId })).outcome, '404 wallet_not_found')
  caller = ann
  assert.deepEqual((await send('DELETE', `/subscriptions/${id}`)).body, { id })
  assert.equal((await send('DELETE', `/subscriptions/${id}`)).outcome, '404 subscription_not_found')
})

test('the plan limits the number, and a wallet needs Pro also if the account still keeps it', async () => {
  caller = ben
  plan = 'basic'
  const walletId = await keep(ben.id)
  assert.equal((await subscribe({ walletId })).outcome, '403 plan_required')
  for (let i = 0; i < UTXO_ALLOWANCES.basic.subscriptionLimit; i++)
    assert.equal((await subscribe({ address: addressAt(i) })).outcome, '201')
  assert.equal((await subscribe({ address: addressAt(99) })).outcome, '409 limit_reached')
  assert.equal((await subscribe({ address: addressAt(0), events: ['spent'] })).outcome, '201', 'it is changed')
  caller = ann
  plan = 'pro'
})

test('every subscription is on one page, also if some are added and deleted between pages', async () => {
  plan = 'enterprise'
  const many = 1_203
  await database.query(
    sql`insert into coin_subscription (account_id, chain, kind, target, events, confirmations, channels, from_height)
     select $1, 'btc', 'transaction', lpad(n::text, 64, 'e'), array['seen'], 1, '{}', 0 from generate_series(1, $2::int) n`,
    [ann.id, many],
  )
  const { used } = (await send('GET', '/subscriptions?limit=1')).body
  const listed: number[] = []
  let added = 0
  for (let path = '/subscriptions?limit=200'; ; ) {
    const { outcome, body } = await send('GET', path)
    assert.equal(outcome, '200')
    listed.push(...(body.items ?? []).map(({ id }) => id))
    if (body.nextCursor === null) break
    path = `/subscriptions?limit=200&cursor=${body.nextCursor}`
    // The last row of the page that the cursor refers to is deleted, and a newer one is added.
    await send('DELETE', `/subscriptions/${listed.at(-1)}`)
    added += Number((await subscribe({ txid: String(listed.length).padStart(64, '0') })).outcome === '201')
  }
  assert.deepEqual([listed.length, new Set(listed).size, added], [used, used, 6])
  assert.deepEqual(
    listed,
    listed.toSorted((a, b) => b - a),
  )
  for (const query of ['cursor=x', 'limit=0', 'limit=201', 'limit=1.5', 'page=2'])
    assert.match((await send('GET', `/subscriptions?${query}`)).outcome, /^400 /, query)
  plan = 'pro'
})

test('a delivery is sent again by its own account, unless its event was retracted or its channel is gone', async () => {
  await saveChannel(database, ann.id, 'webhook', { target: 'https://hooks.example/in' })
  const made = await subscribe({ address: addressAt(0) })
  const report = () =>
    reportCoinEvent(database, {
      accountId: ann.id,
      subscriptionId: made.body.id ?? 0,
      kind: 'seen',
      chain: 'btc',
      target: addressAt(0),
    })
  await report()
  const second = await report()
  const { items = [] } = (await send('GET', '/notifications')).body
  const [later, earlier] = items.map(({ id }) => `/notifications/${id}/replay`)
  await database.query(sql`update alert_message set status = 'sent', next_at = null, sent_at = now(), attempts = 1`)
  const again = await send('POST', earlier ?? '')
  assert.deepEqual([again.outcome, again.body.status], ['202', 'pending'])
  assert.equal((await send('POST', earlier ?? '')).outcome, '202', 'a message in progress is sent anyway')
  await retractCoinEvent(database, second)
  assert.equal((await send('POST', later ?? '')).outcome, '409 event_retracted')
  caller = ben
  for (const path of [earlier, later])
    assert.equal((await send('POST', path ?? '')).outcome, '404 notification_not_found')
  caller = ann
  assert.equal((await send('POST', '/notifications/999999999/replay')).outcome, '404 notification_not_found')
  for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30), '%00', "1'--"])
    assert.equal((await send('POST', `/notifications/${id}/replay`)).outcome, '400 invalid_request', id)
  await database.query(sql`update alert_message set status = 'sent', next_at = null`)
  await database.query(sql`update alert_channel set disabled_at = now(), disabled_reason = 'gone'`)
  assert.equal((await send('POST', earlier ?? '')).outcome, '409 channel_missing')
})

test('a message is acknowledged by its own account, for all its channels', async () => {
  await saveChannel(database, ann.id, 'webhook', { target: 'https://hooks.example/in' })
  await saveChannel(database, ann.id, 'discord', { target: 'https://discord.example/in' })
  const made = await subscribe({ address: addressAt(0) })
  await reportCoinEvent(database, {
    accountId: ann.id,
    subscriptionId: made.body.id ?? 0,
    kind: 'seen',
    chain: 'btc',
    target: addressAt(0),
  })
  const [delivery = assert.fail()] = (await send('GET', '/notifications?limit=1')).body.items ?? []
  const path = `/notifications/${delivery.id}/acknowledge`
  caller = ben
  assert.equal((await send('POST', path)).outcome, '404 notification_not_found')
  caller = ann
  const done = await send('POST', path)
  assert.deepEqual([done.outcome, done.body.acknowledgedBy], ['200', ann.email])
  const { items = [] } = (await send('GET', '/notifications?limit=2')).body
  assert.deepEqual(
    items.map(({ acknowledgedBy }) => acknowledgedBy),
    [ann.email, ann.email],
  )
  assert.equal((await send('POST', '/notifications/999999999/acknowledge')).outcome, '404 notification_not_found')
})

test('bad values are refused with codes of /me, also while the chain cannot be served', async () => {
  for (const [body, outcome] of [
    [{}, '400 invalid_request'],
    [{ address: addressAt(1), txid: 'ab'.repeat(32) }, '400 invalid_request'],
    [{ address: 'nonsense' }, '400 invalid_address'],
    [{ txid: 'short' }, '400 invalid_request'],
    [{ walletId: "' or 1=1" }, '404 wallet_not_found'],
    [{ address: addressAt(1), confirmations: 0 }, '400 invalid_request'],
    [{ address: addressAt(1), events: [] }, '400 invalid_request'],
    [{ address: addressAt(1), chain: 'ltc' }, '400 unknown_chain'],
  ] as const)
    assert.equal((await subscribe(body)).outcome, outcome, JSON.stringify(body))
  assert.equal((await send('GET', '/notifications?cursor=x')).outcome, '400 invalid_cursor')
  served = undefined
  assert.equal((await subscribe({ address: addressAt(1) })).outcome, '503 unavailable')
  served = memory.served
})
