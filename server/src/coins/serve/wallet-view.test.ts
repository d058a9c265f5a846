/** Wallets of a chain in memory: gap limit, coins with their paths, history, unconfirmed payments and reorgs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTx } from '../../../../testing/coins/block-builder.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { createWallets, type WalletRequest } from './wallet-scan.ts'
import { getWallet, getWalletHistory, getWalletUtxos } from './wallet-view.ts'

/** The key of BIP 32's first test vector on test networks: m/0h. */
const TPUB =
  'tpubD8eQVK4Kdxg3gHrF62jGP7dKVCoYiEB8dFSpuTawkL5YxTus5j5pf83vaKnii4bc6v2NVEy81P2gYrJczYne3QNNwMTS53p5uzDyHvnw2jm'
const TEXT = `wpkh([3442193e/0h]${TPUB}/<0;1>/*)`

const [receive, change] = readDescriptor(bitcoinRegtest, TEXT).branches
const scriptAt = (branch: 0 | 1, index: number): Buffer =>
  (branch === 0 ? receive : change)?.scriptsAt(index)[0] ?? assert.fail()
const pays = (index: number, value: number) => ({ value, script: scriptAt(0, index) })

const request = (overrides: Partial<WalletRequest> = {}): WalletRequest => ({
  descriptor: TEXT,
  gapLimit: 20,
  accountId: '1',
  ...overrides,
})

test('scripts are found up to the gap limit, and a larger limit finds more', async () => {
  const { served, add } = await startMemoryChain()
  await add([], [pays(0, 100), pays(19, 200), pays(39, 400), pays(60, 800)])
  const wallets = createWallets()
  const summary = await getWallet(wallets, served, request())
  assert.deepEqual(
    [summary.balance, summary.txCount, summary.utxoCount, summary.branches.map(({ used }) => used)],
    [700n, 1, 3, [3, 0]],
  )
  assert.deepEqual(summary.branches[0]?.next, {
    address: describeScript(bitcoinRegtest, scriptAt(0, 40)).address,
    branch: 0,
    index: 40,
    path: 'm/0h/0/40',
  })
  assert.match(summary.descriptor, /^wpkh\(\[3442193e\/0h\]tpub.*\/<0;1>\/\*\)#[a-z0-9]{8}$/)
  assert.equal((await getWallet(wallets, served, request({ gapLimit: 21 }))).balance, 1_500n)
})

test('coins have their paths, and history has one entry for each transaction', async () => {
  const { served, add } = await startMemoryChain()
  const first = await add([], [pays(0, 1_000), pays(1, 5_000)])
  // Pays 4,000 to another party and 1,900 back as change.
  const payment = buildTx(
    [
      { txid: first.txid, vout: 0 },
      { txid: first.txid, vout: 1 },
    ],
    [
      { value: 4_000, script: Buffer.from([0x51]) },
      { value: 1_900, script: scriptAt(1, 3) },
    ],
  )
  await add([payment])
  const moved = buildTx([{ txid: payment.txid, vout: 1 }], [{ value: 1_850, script: scriptAt(0, 7) }])
  await add([moved])
  const wallets = createWallets()
  const { utxos, count, limited } = await getWalletUtxos(wallets, served, request(), 10)
  assert.deepEqual([count, limited], [1, false])
  assert.deepEqual(utxos[0], {
    txid: hashHex(moved.txid),
    vout: 0,
    value: 1_850,
    valueFormatted: '0.00001850',
    confirmations: 1,
    address: describeScript(bitcoinRegtest, scriptAt(0, 7)).address,
    branch: 0,
    index: 7,
    path: 'm/0h/0/7',
  })
  const page = await getWalletHistory(wallets, served, request(), { page: 1, pageSize: 2 })
  const rest = await getWalletHistory(wallets, served, request(), { page: 2, pageSize: 2 })
  assert.deepEqual([page.totalItems, page.totalPages], [3, 2])
  assert.deepEqual(
    [...page.txs, ...rest.txs].map(({ txid, received, sent, direction }) => [txid, received, sent, direction]),
    [
      [hashHex(moved.txid), 1_850, 1_900, 'self'],
      [hashHex(payment.txid), 1_900, 6_000, 'out'],
      [hashHex(first.txid), 6_000, 0, 'in'],
    ],
  )
  const { balance, totalReceived, totalSent } = await getWallet(wallets, served, request())
  assert.deepEqual([balance, totalReceived, totalSent], [1_850n, 9_750n, 7_900n])
})

test('an unconfirmed payment counts at once, and moves the end of the gap', async () => {
  const { served, add, addUnconfirmed } = await startMemoryChain()
  await add([], [pays(0, 100), pays(35, 700)])
  const wallets = createWallets()
  assert.equal((await getWallet(wallets, served, request())).balance, 100n)
  const unconfirmed = buildTx([{ txid: Buffer.alloc(32, 7), vout: 0 }], [pays(18, 50)])
  addUnconfirmed(unconfirmed, scriptAt(0, 18), 50, 1_700_000_500)
  const summary = await getWallet(wallets, served, request())
  assert.deepEqual(
    [summary.balance, summary.unconfirmedBalance, summary.unconfirmedTxCount, summary.branches[0]?.used],
    [800n, 50n, 1, 3],
  )
  const { utxos } = await getWalletUtxos(wallets, served, request(), 2)
  assert.deepEqual(
    utxos.map(({ value, confirmations, index }) => [value, confirmations, index]),
    [
      [700, 1, 35],
      [100, 1, 0],
    ],
  )
})

test('a reorg is followed, and new blocks are', async () => {
  const { served, add, disconnectTo } = await startMemoryChain()
  await add([], [pays(0, 100)])
  const wallets = createWallets()
  await add([], [pays(1, 1_000)])
  assert.equal((await getWallet(wallets, served, request())).balance, 1_100n)
  await disconnectTo(1)
  assert.equal((await getWallet(wallets, served, request())).balance, 100n)
  await add([], [pays(2, 5_000)])
  assert.equal((await getWallet(wallets, served, request())).balance, 5_100n)
})

test('a combo reads all scripts of its key, and a descriptor without range one index', async () => {
  const { served, add } = await startMemoryChain()
  const combo = `combo(${TPUB}/0/*)`
  const [branch] = readDescriptor(bitcoinRegtest, combo).branches
  const scripts = branch?.scriptsAt(4) ?? []
  await add(
    [],
    scripts.map((script, i) => ({ value: 10 ** i, script })),
  )
  const wallets = createWallets()
  const { balance, branches } = await getWallet(wallets, served, request({ descriptor: combo }))
  assert.deepEqual([balance, branches.map(({ used }) => used)], [1_111n, [1]])
  const single = await getWallet(wallets, served, request({ descriptor: `wpkh(${TPUB}/0/4)` }))
  assert.deepEqual([single.balance, single.branches[0]?.next], [100n, null])
})

test('a script that two branches derive counts once', async () => {
  const { served, add, addUnconfirmed } = await startMemoryChain()
  // Sorted keys give both branches the same scripts.
  const descriptor = `wsh(sortedmulti(1,${TPUB}/<0;1>/*,${TPUB}/<1;0>/*))`
  const [first, second] = readDescriptor(bitcoinRegtest, descriptor).branches
  const shared = (index: number): Buffer => first?.scriptsAt(index)[0] ?? assert.fail()
  assert.deepEqual(second?.scriptsAt(3), first?.scriptsAt(3))
  await add([], [{ value: 1_000, script: shared(0) }])
  const unconfirmed = buildTx([{ txid: Buffer.alloc(32, 7), vout: 0 }], [{ value: 50, script: shared(1) }])
  addUnconfirmed(unconfirmed, shared(1), 50, 1_700_000_500)
  const wallets = createWallets()
  const { balance, totalReceived, unconfirmedBalance, txCount, utxoCount, branches } = await getWallet(
    wallets,
    served,
    request({ descriptor }),
  )
  assert.deepEqual(
    [
      balance,
      totalReceived,
      unconfirmedBalance,
      txCount,
      utxoCount,
      branches.map(({ used, next }) => [used, next?.index]),
    ],
    [
      1_000n,
      1_000n,
      50n,
      1,
      1,
      [
        [2, 2],
        [2, 2],
      ],
    ],
  )
  const { utxos } = await getWalletUtxos(wallets, served, request({ descriptor }), 10)
  assert.deepEqual(
    utxos.map(({ value, confirmations }) => [value, confirmations]),
    [
      [1_000, 1],
      [50, 0],
    ],
  )
  const history = await getWalletHistory(wallets, served, request({ descriptor }), { page: 1, pageSize: 10 })
  assert.deepEqual(
    history.txs.map(({ received }) => received),
    [50, 1_000],
  )
})

test('one scan at a time runs for an account', async () => {
  const { served } = await startMemoryChain()
  const wallets = createWallets()
  const first = getWallet(wallets, served, request())
  await assert.rejects(getWallet(wallets, served, request({ gapLimit: 30 })), { code: 'TOO_MANY_SCANS' })
  await getWallet(wallets, served, request({ gapLimit: 40, accountId: '2' }))
  await first
})

test('over HTTP: Pro and above, with the documented fields, errors and no private keys', async () => {
  const { served, add } = await startMemoryChain()
  await add([], [pays(0, 100)])
  let plan: 'basic' | 'pro' = 'pro'
  const { app, key } = await startV2App({ plan: () => plan, btc: () => served })
  const send = async (path: string, body: object) => {
    const response = await app.inject({
      method: 'POST',
      url: `/api/v2/wallets${path}`,
      headers: { 'x-api-key': key },
      payload: { chain: 'btc', ...body },
    })
    return { status: response.statusCode, text: response.body, ...response.json<{ code?: string }>() }
  }
  for (const path of ['', '/utxos', '/txs']) assert.equal((await send(path, { descriptor: TEXT })).status, 200, path)
  const refused = async (descriptor: string, extra: object = {}) => {
    const { status, code, text } = await send('', { descriptor, ...extra })
    for (const [word] of descriptor.matchAll(/[0-9A-Za-z]{12,}/g))
      assert.ok(!text.includes(word), 'repeats the request')
    return `${status} ${code}`
  }
  assert.equal(await refused(`wpkh(${TPUB}/0h/*)`), '400 INVALID_DESCRIPTOR')
  assert.equal(await refused(`${TEXT}#qqqqqqqq`), '400 INVALID_DESCRIPTOR')
  assert.equal(await refused(TPUB.replace('tpub', 'tprv')), '400 PRIVATE_KEY_REFUSED')
  assert.equal(await refused(TEXT, { gapLimit: 0 }), '400 INVALID_PARAMETER')
  assert.equal(await refused('x'.repeat(10_001)), '400 INVALID_PARAMETER')
  plan = 'basic'
  assert.equal(await refused(TEXT), '403 PLAN_REQUIRED')
})
