/** Payments, health and analysis of wallets of a chain in memory: what happens inside the wallet is not a leak. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTx } from '../../../../testing/coins/block-builder.ts'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'

const { tpub } = hdKey('a wallet')
const DESCRIPTOR = `wpkh(${tpub}/<0;1>/*)`
const branches = readDescriptor(bitcoinRegtest, DESCRIPTOR).branches
const scriptAt = (branch: number, index: number): Buffer => branches[branch]?.scriptsAt(index)[0] ?? assert.fail()
const addressAt = (branch: number, index: number): string =>
  describeScript(bitcoinRegtest, scriptAt(branch, index)).address ?? assert.fail()
/** A script of another party. */
const foreign = Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(20, 9)])
const foreignAddress = describeScript(bitcoinRegtest, foreign).address ?? assert.fail()

const memory = await startMemoryChain()
const first = await memory.add(
  [],
  [
    { value: 100_000, script: scriptAt(0, 0) },
    { value: 50_000, script: scriptAt(0, 1) },
    { value: 30_000, script: scriptAt(0, 2) },
  ],
)
// Spends two addresses of the wallet together, with change to a new one.
const payment = buildTx(
  [0, 1].map((vout) => ({ txid: first.txid, vout })),
  [
    { value: 120_000, script: foreign },
    { value: 29_131, script: scriptAt(1, 0) },
  ],
)
await memory.add([payment])
for (let i = 0; i < 110; i++) await memory.add([])
const { app, key } = await startV2App({ plan: () => 'pro', btc: () => memory.served })

type Response = { readonly outcome: string; readonly error: string; readonly data: Record<string, unknown> }
async function send(path: string, body?: unknown): Promise<Response> {
  const { statusCode, body: text } = await app.inject({
    url: `/api/v2${path}`,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const {
    code = '',
    error = '',
    data = {},
  } = JSON.parse(text) as { code?: string; error?: string; data?: Response['data'] }
  return { outcome: `${statusCode} ${code}`.trim(), error, data }
}
const codesOf = ({ data }: Response): string[] =>
  (data['privacy'] as { factors: { code: string }[] }).factors.map(({ code }) => code)

test('links and change inside the wallet are no findings, and those of its addresses are', async () => {
  const wallet = await send('/wallets/analyze', { descriptor: DESCRIPTOR })
  assert.equal(wallet.outcome, '200', wallet.error)
  const codes = codesOf(wallet)
  for (const code of ['COMMON_INPUTS', 'SELF_CHANGE', 'ADDRESS_REUSE', 'FUNDED_AFTER_SPEND'])
    assert.ok(!codes.includes(code), code)
  assert.ok(codes.includes('ROUND_PAYMENT') || codes.includes('CHANGE_BY_PRECISION'), 'an observer can tell the change')
  assert.ok(codesOf(await send(`/analyze/${addressAt(0, 0)}`)).includes('COMMON_INPUTS'))
  assert.match((wallet.data['consolidation'] as { note: string }).note, /one owner/)
  assert.match(String(wallet.data['descriptor']), /#[a-z0-9]{8}$/)
})

test('addresses that are paid again, also after a spend, are findings of the wallet', async () => {
  const own = await startMemoryChain()
  const start = await own.add([], [{ value: 90_000, script: scriptAt(0, 0) }])
  const spend = buildTx(
    [{ txid: start.txid, vout: 0 }],
    [
      { value: 40_000, script: foreign },
      { value: 49_000, script: scriptAt(0, 0) },
    ],
  )
  await own.add([spend], [{ value: 600, script: scriptAt(0, 0) }])
  const other = await startV2App({ plan: () => 'pro', btc: () => own.served })
  const { body } = await other.app.inject({
    url: '/api/v2/wallets/analyze',
    method: 'POST',
    headers: { 'x-api-key': other.key, 'content-type': 'application/json' },
    payload: JSON.stringify({ descriptor: DESCRIPTOR }),
  })
  const { data } = JSON.parse(body) as { data: Response['data'] }
  const codes = codesOf({ outcome: '', error: '', data })
  for (const code of ['ADDRESS_REUSE', 'SELF_CHANGE']) assert.ok(codes.includes(code), `${code} in ${codes.join()}`)
  await other.app.close()
})

test('health counts the coins of all addresses', async () => {
  const { outcome, data } = await send('/wallets/health', { descriptor: DESCRIPTOR })
  assert.deepEqual([outcome, data['utxoCount'], data['balance']], ['200', 2, 59_131])
  assert.ok(!(data['issues'] as string[]).some((issue) => issue.startsWith('ADDRESS_REUSE')))
})

test('a payment takes coins of any address, and its change goes to the next change address', async () => {
  const { outcome, error, data } = await send('/wallets/simulate', {
    descriptor: DESCRIPTOR,
    toAddress: foreignAddress,
    amount: 40_000,
    feeRate: 1,
    psbt: true,
  })
  assert.equal(outcome, '200', error)
  assert.deepEqual([data['viable'], data['inputCount'], data['changeAddress']], [true, 2, addressAt(1, 1)])
  const psbt = Buffer.from(String(data['psbt']), 'base64')
  // The path of the change: 1/1 below the key of the descriptor.
  assert.ok(psbt.includes(Buffer.from('0100000001000000', 'hex')))
  const mustUse = [`${hashHex(first.txid)}:2`]
  const chosen = await send('/wallets/simulate', {
    descriptor: DESCRIPTOR,
    toAddress: foreignAddress,
    sendAll: true,
    mustNotUse: mustUse,
  })
  assert.deepEqual([chosen.data['inputCount'], chosen.data['totalInput']], [1, 29_131])
  const spent = await send('/wallets/simulate', {
    descriptor: DESCRIPTOR,
    toAddress: foreignAddress,
    amount: 1_000,
    mustUse: [`${hashHex(first.txid)}:0`],
  })
  assert.deepEqual(spent.outcome, '400 INVALID_PARAMETER')
  assert.equal(spent.error, 'mustUse.0: is not an unspent output of descriptor.')
  const self = await send('/wallets/simulate', { descriptor: DESCRIPTOR, toAddress: addressAt(0, 9), amount: 1_000 })
  assert.match(String(self.data['warnings']), /SELF_PAYMENT: The payment goes to the wallet/)
})

test('descriptors whose inputs have no single known size are refused', async () => {
  const { tpub: other } = hdKey('another wallet')
  for (const descriptor of [
    `combo(${tpub}/*)`,
    'raw(51)',
    `addr(${addressAt(0, 0)})`,
    `tr(${tpub}/*,pk(${other}/*))`,
    `pk(${tpub}/*)`,
    `multi(1,${tpub}/*)`,
  ]) {
    const { outcome, error } = await send('/wallets/simulate', { descriptor, toAddress: foreignAddress, amount: 1_000 })
    assert.equal(outcome, '400 INVALID_PARAMETER', descriptor)
    assert.match(error, /^descriptor: /)
    assert.equal((await send('/wallets/health', { descriptor })).outcome, '200', descriptor)
    assert.equal((await send('/wallets/analyze', { descriptor })).outcome, '200', descriptor)
  }
  const secret = await send('/wallets/simulate', {
    descriptor: `wpkh(${hdKey('a wallet').tprv}/*)`,
    toAddress: foreignAddress,
    amount: 1_000,
  })
  assert.equal(secret.outcome, '400 PRIVATE_KEY_REFUSED')
})
