/** /fees, /simulate, /health and /analyze over HTTP, on the recorded chain, field by field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import type { ServedChain } from '../serve/served-chain.ts'

const recorded = recordedOracle()
const chain = await recordedChain()
let served: ServedChain | undefined = chain
let utxoPlan: UtxoPlan = 'pro'
const { app, key } = await startV2App({ plan: () => utxoPlan, btc: () => served })

type Data = Record<string, unknown>
type ApiResponse = { readonly outcome: string; readonly error: string; readonly data: Data }

async function send(path: string, body?: unknown): Promise<ApiResponse> {
  const { statusCode, body: text } = await app.inject({
    url: `/api/v2${path}`,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const { code = '', error = '', data = {} } = JSON.parse(text) as { code?: string; error?: string; data?: Data }
  return { outcome: `${statusCode} ${code}`.trim(), error, data }
}

const rich = recorded.addresses.filter(({ utxos }) => utxos.length > 3).toSorted((a, b) => b.balance - a.balance)
const fromAddress = rich[0]?.address ?? ''
const toAddress = rich[1]?.address ?? ''
const NEVER_USED = 'bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9'
const numbers = (data: Data, ...fields: string[]): number[] => fields.map((field) => Number(data[field]))

test('fees: four ascending rates, unit, source, mempool size and time', async () => {
  const { outcome, data } = await send('/fees')
  assert.equal(outcome, '200')
  assert.deepEqual(Object.keys(data).sort(), [
    'high',
    'low',
    'medium',
    'mempoolSize',
    'source',
    'timestamp',
    'unit',
    'urgent',
  ])
  const rates = numbers(data, 'low', 'medium', 'high', 'urgent')
  assert.deepEqual(
    rates,
    rates.toSorted((a, b) => a - b),
  )
  assert.deepEqual([data['unit'], data['source'], data['mempoolSize']], ['sat/vB', 'mempool', chain.mempool.size])
  assert.match(String(data['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('fees name their source when the mempool is unknown', async () => {
  const basis = chain.mempool.blockHash
  chain.mempool.blockHash = undefined
  const node = (estimate: number | undefined): NonNullable<ServedChain['node']> => ({
    getMempoolInfo: () =>
      Promise.resolve({ loaded: true, size: 0, bytes: 0, mempoolminfee: 2_000, minrelaytxfee: 1_000 }),
    findFeeDiagram: () => Promise.resolve(undefined),
    findFeeEstimate: () => Promise.resolve(estimate),
  })
  served = { ...chain }
  assert.equal((await send('/fees')).data['source'], 'recent-blocks')
  // The recorded chain is old, so the node's estimates are ignored.
  served = { ...chain, node: node(7) }
  assert.deepEqual([(await send('/fees')).data['source'], (await send('/fees')).data['low']], ['recent-blocks', 2])
  const diagram = [
    { weight: 0, fee: 0 },
    { weight: 3_990_000, fee: 9_975_000 },
    { weight: 7_980_000, fee: 13_965_000 },
  ]
  served = { ...chain, node: { ...node(7), findFeeDiagram: () => Promise.resolve(diagram) } }
  const { data } = await send('/fees')
  assert.deepEqual([data['source'], data['high'], data['low']], ['mempool-diagram', 10, 2])
  chain.mempool.blockHash = basis
  served = chain
})

test('simulate returns every documented field, and amounts add up for each strategy', async () => {
  for (const utxoSelection of ['optimal', 'largest', 'smallest', 'oldest']) {
    for (const [amount, feeRate] of [
      [100_000, 1],
      [5_000_000, 10],
      [123_456_789, 50],
    ] as const) {
      const { outcome, data } = await send('/simulate', { fromAddress, toAddress, amount, feeRate, utxoSelection })
      assert.equal(outcome, '200')
      const [fee = 0, size = 0, input = 0, output = 0, change = 0, rate = 0] = numbers(
        data,
        'estimatedFee',
        'estimatedSize',
        'totalInput',
        'totalOutput',
        'change',
        'effectiveFeeRate',
      )
      const chosen = data['selectedUtxos'] as { txid: string; vout: number; value: number }[]
      assert.deepEqual(
        [data['viable'], data['chain'], data['amount'], data['feeRate']],
        [true, 'btc', amount, feeRate],
        String(data['reason']),
      )
      assert.equal(
        input,
        chosen.reduce((sum, { value }) => sum + value, 0),
      )
      assert.deepEqual([input, output], [output + fee, amount + change])
      assert.deepEqual(numbers(data, 'inputCount', 'outputCount'), [chosen.length, change > 0 ? 2 : 1])
      assert.equal(rate, Math.floor(fee / size))
      assert.ok(rate >= feeRate && Number(data['dustThreshold']) > 0)
      assert.deepEqual(Object.keys(chosen[0] ?? {}).sort(), ['txid', 'value', 'vout'])
    }
  }
})

test('simulate: the same request returns the same result; defaults are 10 sat/vB and optimal', async () => {
  const request = { fromAddress, toAddress, amount: 1_000_000 }
  const first = (await send('/simulate', request)).data
  assert.deepEqual((await send('/simulate', request)).data, first)
  assert.deepEqual(
    [first['feeRate'], first['utxoSelection'], first['strategies'], first['psbt']],
    [10, 'optimal', undefined, undefined],
  )
})

test('simulate: all strategies, and a PSBT', async () => {
  const { data } = await send('/simulate', {
    fromAddress,
    toAddress,
    amount: 1_000_000,
    compareStrategies: true,
    psbt: true,
  })
  const strategies = data['strategies'] as { strategy: string; waste: number; estimatedFee: number }[]
  assert.deepEqual(
    strategies.map(({ strategy }) => strategy),
    ['optimal', 'largest', 'smallest', 'oldest'],
  )
  const [optimal, ...others] = strategies
  assert.equal(optimal?.waste, data['waste'])
  assert.ok(others.every(({ waste }) => waste >= (optimal?.waste ?? 0)))
  assert.match(Buffer.from(String(data['psbt']), 'base64').toString('latin1'), /^psbt/)
})

test('simulate: an impossible payment is a result with a reason, not an error', async () => {
  const reasonOf = async (request: Data) => {
    const { outcome, data } = await send('/simulate', { fromAddress, toAddress, amount: 1_000_000, ...request })
    assert.equal(outcome, '200')
    assert.deepEqual([data['viable'], data['selectedUtxos']], [false, []])
    assert.deepEqual(numbers(data, 'inputCount', 'outputCount', 'totalInput', 'totalOutput', 'change'), [0, 0, 0, 0, 0])
    return data['reason']
  }
  assert.equal(await reasonOf({ fromAddress: NEVER_USED }), 'NO_UTXOS')
  assert.equal(await reasonOf({ amount: 2_000_000_000_000_000 }), 'INSUFFICIENT_FUNDS')
  assert.equal(await reasonOf({ amount: 200 }), 'AMOUNT_BELOW_DUST')
})

test('simulate: FEES_EXCEED and FEE_BELOW_MIN_RELAY', async () => {
  let isTried = false
  for (const { address } of recorded.addresses) {
    const utxos = (await send(`/address/${address}/utxos`)).data['utxos'] as { value: number; confirmations: number }[]
    const amount = utxos.reduce((sum, { value }) => sum + value, 0)
    if (amount < 100_000 || utxos.some(({ confirmations }) => confirmations < 100)) continue
    const { data } = await send('/simulate', { fromAddress: address, toAddress, amount })
    assert.deepEqual([data['reason'], data['estimatedFee']], ['FEES_EXCEED', data['shortfall']], address)
    isTried = true
    break
  }
  assert.ok(isTried)
  const info = { loaded: true, size: 0, bytes: 0, mempoolminfee: 2_000, minrelaytxfee: 1_000 }
  served = {
    ...chain,
    node: {
      getMempoolInfo: () => Promise.resolve(info),
      findFeeDiagram: () => Promise.reject(new Error('gone')),
      findFeeEstimate: () => Promise.reject(new Error('gone')),
    },
  }
  const request = { fromAddress, toAddress, amount: 1_000_000 }
  assert.equal((await send('/simulate', { ...request, feeRate: 1 })).data['reason'], 'FEE_BELOW_MIN_RELAY')
  assert.equal((await send('/simulate', { ...request, feeRate: 2 })).data['viable'], true)
  const low = { ...info, mempoolminfee: 100, minrelaytxfee: 100 }
  served = { ...chain, node: { ...served.node, getMempoolInfo: () => Promise.resolve(low) } as ServedChain['node'] }
  const { data } = await send('/simulate', { ...request, feeRate: 0.1 })
  const [fee = 0, size = 0, effective = 0] = numbers(data, 'estimatedFee', 'estimatedSize', 'effectiveFeeRate')
  assert.deepEqual([data['viable'], data['feeRate'], fee >= size / 10, fee <= size / 10 + 2], [true, 0.1, true, true])
  assert.ok(effective >= 0.1 && effective < 0.2)
  assert.equal((await send('/simulate', { ...request, feeRate: 0.099 })).data['reason'], 'FEE_BELOW_MIN_RELAY')
  served = chain
})

test('simulate rejects malformed requests', async () => {
  const good = { fromAddress, toAddress, amount: 1_000_000 }
  for (const [body, outcome] of [
    [{ ...good, fromAddress: '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo' }, '400 INVALID_ADDRESS'],
    [{ ...good, toAddress: `${toAddress}x` }, '400 INVALID_ADDRESS'],
    [{ ...good, amount: 2_100_000_000_000_001 }, '400 INVALID_PARAMETER'],
    [{ ...good, psbt: 'yes' }, '400 INVALID_PARAMETER'],
    [{ ...good, feeRate: 0 }, '400 INVALID_PARAMETER'],
    [{ ...good, feeRate: 1.0001 }, '400 INVALID_PARAMETER'],
    [{ ...good, inputType: 'p2sh-9of3' }, '400 INVALID_PARAMETER'],
    [{ ...good, redeemScript: '51' }, '400 INVALID_PARAMETER'],
    [{ ...good, chain: 'ltc' }, '503 NODE_NOT_SYNCED'],
  ] as const)
    assert.equal((await send('/simulate', body)).outcome, outcome)
})

test('simulate refuses a private key in the descriptor that states the size of the inputs', async () => {
  const xprv =
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'
  for (const path of ['/api/v2/simulate', '/public/coins/btc/simulate']) {
    const { statusCode, body } = await app.inject({
      url: path,
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      payload: JSON.stringify({ fromAddress, toAddress, amount: 10_000, descriptor: `wpkh(${xprv}/0/*)` }),
    })
    assert.equal(`${statusCode} ${JSON.parse(body).code}`, '400 PRIVATE_KEY_REFUSED')
    assert.ok(!body.includes('xprv'))
  }
})

test('health returns every field; an unused address has score 100', async () => {
  const { outcome, data } = await send(`/health/${fromAddress}`)
  assert.equal(outcome, '200')
  assert.deepEqual(Object.keys(data).sort(), [
    'address',
    'balance',
    'chain',
    'grade',
    'issues',
    'score',
    'unconfirmedBalance',
    'utxoCount',
  ])
  assert.ok(Number(data['score']) >= 0 && Number(data['score']) <= 100)
  assert.deepEqual((await send(`/health/${NEVER_USED}`)).data, {
    address: NEVER_USED,
    chain: 'btc',
    score: 100,
    grade: 'A',
    utxoCount: 0,
    balance: 0,
    unconfirmedBalance: 0,
    issues: [],
  })
  assert.equal((await send('/health/nonsense')).outcome, '400 INVALID_ADDRESS')
  assert.equal((await send(`/health/${fromAddress}?chain=ltc`)).outcome, '503 NODE_NOT_SYNCED')
})

type Analysis = {
  summary: { balance: number; txCount: number }
  privacy: { score: number; factors: { code: string; evidence: string[] }[] }
  dust: { suspects: unknown[] }
  consolidation: { recommendation: string }
  coverage: { txsExamined: number; txsTotal: number; truncated: boolean }
  limited: boolean
}

test('analyze returns every address of the recorded chain, with existing transactions as evidence', async () => {
  const codes = new Set<string>()
  for (const { address, balance, txCount } of recorded.addresses.slice(0, 60)) {
    const { outcome, data } = await send(`/analyze/${address}`)
    assert.equal(outcome, '200', address)
    const { summary, privacy, coverage } = data as unknown as Analysis
    assert.deepEqual([summary.balance, summary.txCount, coverage.txsTotal], [balance, txCount, txCount])
    assert.equal(coverage.truncated, coverage.txsExamined < txCount)
    for (const { code, evidence } of privacy.factors) {
      codes.add(code)
      for (const txid of evidence.slice(0, 1)) assert.equal((await send(`/tx/${txid}`)).outcome, '200')
    }
  }
  assert.ok(codes.has('ADDRESS_REUSE') && codes.has('COMMON_INPUTS'), [...codes].join())
})

test('analyze reports its coverage of a long history', async () => {
  const [busy] = recorded.addresses.toSorted((a, b) => b.txCount - a.txCount)
  const { data } = await send(`/analyze/${busy?.address}`)
  const { coverage } = data as unknown as Analysis
  assert.equal(coverage.txsTotal, busy?.txCount)
  assert.equal(coverage.truncated, (busy?.txCount ?? 0) > coverage.txsExamined)
  utxoPlan = 'basic'
  assert.equal((await send(`/analyze/${busy?.address}`)).outcome, '200', 'for every plan')
  utxoPlan = 'pro'
})

test('balance, coins and transactions of an address mean the same in every response', async () => {
  let unconfirmed = 0
  for (const { address, balance, utxos } of recorded.addresses) {
    const [summary, health, analysis, txs] = await Promise.all(
      [`/address/${address}`, `/health/${address}`, `/analyze/${address}`, `/address/${address}/txs`].map(
        async (path) => (await send(path)).data,
      ),
    )
    const figures = analysis?.['summary'] as Data
    assert.deepEqual(
      [summary, health, figures].map((data) => [data?.['balance'], data?.['unconfirmedBalance']]),
      Array.from({ length: 3 }, () => [balance, summary?.['unconfirmedBalance']]),
      address,
    )
    assert.deepEqual([health?.['utxoCount'], figures['utxoCount']], [utxos.length, utxos.length], address)
    for (const data of [summary ?? {}, figures]) {
      const [confirmed = 0, pending = 0] = numbers(data, 'txCount', 'unconfirmedTxCount')
      assert.equal(confirmed + pending, txs?.['totalItems'], address)
      unconfirmed += pending
    }
  }
  assert.ok(unconfirmed > 0, 'the recorded mempool has transactions of these addresses')
})
