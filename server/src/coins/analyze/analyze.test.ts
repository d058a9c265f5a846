/** Every finding with cases that match and cases that just do not. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inputSize } from '../select/weights.ts'
import { type Clue, cluesOf, trailingZeros } from './change-clues.ts'
import { isCoinJoinLike } from './coinjoin.ts'
import { adviseConsolidation } from './consolidation.ts'
import { findDustSuspects } from './dust-attack.ts'
import type { AddressFacts, ExaminedOutput, ExaminedTx, HistoryFact, Utxo } from './facts.ts'
import { scoreHealth } from './health.ts'
import { scorePrivacy } from './privacy.ts'
import { DUST_ATTACK, GRADES, gradeOf, HEALTH, PRIVACY, type PrivacyCode } from './score-table.ts'

const facts = (given: Partial<AddressFacts> = {}): AddressFacts => ({
  scriptType: 'p2wpkh',
  utxos: [],
  history: [],
  txs: [],
  txCount: given.history?.length ?? 0,
  input: inputSize(0, 108),
  inputVsize: 68,
  outputBytes: 31,
  maxInputs: 1_469,
  dustThreshold: 294,
  dustSizedBelow: 1_000,
  tiers: { low: 1, medium: 5, high: 10, urgent: 20 },
  feeHistory: { p25: 4, p50: 8, p75: 16, p90: 40 },
  ...given,
})
const utxos = (...values: number[]): Utxo[] =>
  values.map((value, order) => ({ order, vout: 0, value, isSettled: true }))
const receipt = (order: number, received = 1_000 + order * 7_919): HistoryFact => ({
  order,
  isReceipt: true,
  isSpend: false,
  received,
})
const spending = (order: number, received = 0): HistoryFact => ({
  order,
  isReceipt: received > 0,
  isSpend: true,
  received,
})

const own = (value: number, type: ExaminedOutput['type'] = 'p2wpkh'): ExaminedOutput => ({
  script: 'own',
  type,
  value,
  isOwn: true,
})
const foreign = (script: string, value: number, type: ExaminedOutput['type'] = 'p2wpkh'): ExaminedOutput => ({
  script,
  type,
  value,
  isOwn: false,
})
let made = 0
const payment = (inputs: readonly ExaminedOutput[], outputs: readonly ExaminedOutput[]): ExaminedTx => {
  const order = ++made
  return { txid: `tx${order}`, order, isSpend: true, inputCount: inputs.length, inputs, outputs }
}
const paidBy = (inputCount: number, outputs: readonly ExaminedOutput[], order = ++made): ExaminedTx => ({
  txid: `tx${order}`,
  order,
  isSpend: false,
  inputCount,
  inputs: [],
  outputs,
})

const impactOf = (code: PrivacyCode, given: Partial<AddressFacts>): number => {
  const all = facts(given)
  return scorePrivacy(all, findDustSuspects(all)).factors.find((factor) => factor.code === code)?.impact ?? 0
}
const spends = (...txs: ExaminedTx[]): Partial<AddressFacts> => ({
  txs,
  history: txs.map(({ order }) => spending(order)),
})

test('address reuse counts funding transactions, in steps', () => {
  for (const [receipts, impact] of [
    [0, 0],
    [1, 0],
    [2, -10],
    [3, -18],
    [4, -18],
    [5, -26],
    [10, -34],
    [49, -34],
    [50, -45],
  ] as const) {
    const history = Array.from({ length: receipts }, (_, order) => receipt(order))
    assert.equal(impactOf('ADDRESS_REUSE', { history }), impact, `${receipts} receipts`)
  }
  assert.equal(
    impactOf('ADDRESS_REUSE', { history: [receipt(1), spending(2), spending(3)] }),
    0,
    'spending is not reuse',
  )
})

test('a receipt after the first spend', () => {
  assert.equal(impactOf('FUNDED_AFTER_SPEND', { history: [receipt(1), spending(2), receipt(3)] }), -5)
  assert.equal(impactOf('FUNDED_AFTER_SPEND', { history: [receipt(1), receipt(2), spending(3)] }), 0)
  assert.equal(impactOf('FUNDED_AFTER_SPEND', { history: [receipt(1), spending(2, 500)] }), 0, 'its own change')
})

test('common inputs count other addresses, except in a CoinJoin', () => {
  const other = (count: number): ExaminedOutput[] =>
    Array.from({ length: count }, (_, i) => foreign(`other${i}`, 5_000))
  const spentWith = (count: number) => spends(payment([own(5_000), ...other(count)], [foreign('to', 1_000 * count)]))
  for (const [count, impact] of [
    [0, 0],
    [1, -3],
    [3, -9],
    [4, -12],
    [10, -18],
    [20, -25],
  ] as const)
    assert.equal(impactOf('COMMON_INPUTS', spentWith(count)), impact, `${count} others`)
  assert.equal(
    impactOf('COMMON_INPUTS', spends(payment([own(5_000), own(6_000)], [foreign('to', 9_000)]))),
    0,
    'own coins',
  )
  assert.equal(impactOf('COMMON_INPUTS', spends(coinJoin())), 0)
})

const coinJoin = (): ExaminedTx =>
  payment(
    [own(110_000), foreign('b', 120_000), foreign('c', 130_000)],
    [
      foreign('1', 100_000),
      foreign('2', 100_000),
      foreign('3', 100_000),
      foreign('4', 9_000),
      foreign('5', 19_000),
      foreign('6', 29_000),
    ],
  )

test('a CoinJoin has equal outputs, as many input scripts, and at most one change output each', () => {
  assert.ok(isCoinJoinLike(coinJoin()))
  assert.equal(impactOf('COINJOIN_LIKE', spends(coinJoin())), 5)
  assert.equal(impactOf('COINJOIN_LIKE', spends(coinJoin(), coinJoin(), coinJoin(), coinJoin())), 15)
  const equal = [foreign('1', 5), foreign('2', 5), foreign('3', 5)]
  assert.ok(!isCoinJoinLike(payment([own(100)], equal)), 'a batch payment by one script')
  assert.ok(!isCoinJoinLike(payment([own(9), own(9), own(9)], equal)), 'one script with three coins')
  assert.ok(!isCoinJoinLike(payment([own(9), foreign('b', 9)], equal.slice(1))), 'two equal outputs')
  const crowd = Array.from({ length: 5 }, (_, i) => foreign(`x${i}`, 100 + i))
  assert.ok(!isCoinJoinLike(payment([own(9), foreign('b', 9), foreign('c', 9)], [...equal, ...crowd])), 'a large batch')
})

test('change to the address itself costs points up to a limit', () => {
  const returns = (): ExaminedTx => payment([own(9_000)], [foreign('to', 4_000), own(4_500)])
  assert.equal(impactOf('SELF_CHANGE', spends(returns())), -5)
  assert.equal(impactOf('SELF_CHANGE', spends(...Array.from({ length: 9 }, returns))), -15)
  assert.equal(
    impactOf('SELF_CHANGE', spends(payment([own(9_000), own(9_000)], [own(17_000)]))),
    0,
    'joining own coins',
  )
  assert.equal(impactOf('SELF_CHANGE', spends(payment([own(9_000)], [foreign('to', 8_000)]))), 0)
})

test('change clues in payments with two outputs', () => {
  const cases: readonly (readonly [Clue, ExaminedTx, ExaminedTx, string])[] = [
    [
      'CHANGE_BY_PRECISION',
      payment([own(2_000_000)], [foreign('a', 1_234_000), foreign('b', 765_123)]),
      payment([own(2_000_000)], [foreign('a', 1_234_100), foreign('b', 765_123)]),
      'two zeros more',
    ],
    [
      'ROUND_PAYMENT',
      payment([own(2_000_000)], [foreign('a', 1_200_000), foreign('b', 765_123)]),
      payment([own(2_000_000)], [foreign('a', 1_230_000), foreign('b', 765_123)]),
      'four zeros',
    ],
    [
      'CHANGE_BY_SCRIPT_TYPE',
      payment([own(9_999)], [foreign('a', 5_111), foreign('b', 4_111, 'p2pkh')]),
      payment([own(9_999)], [foreign('a', 5_111), foreign('b', 4_111)]),
      'both of the type of the inputs',
    ],
    [
      'CHANGE_BY_SIZE',
      payment([own(6_001), own(7_001)], [foreign('a', 12_001), foreign('b', 901)]),
      payment([own(6_001), own(7_001)], [foreign('a', 6_501), foreign('b', 6_401)]),
      'both larger than an input',
    ],
    [
      'UNNECESSARY_INPUT',
      payment([own(6_001), own(9_001)], [foreign('a', 8_001), foreign('b', 6_901)]),
      payment([own(6_001), own(9_001)], [foreign('a', 9_001), foreign('b', 5_901)]),
      'the fee needs both',
    ],
  ]
  for (const [clue, fires, near, why] of cases) {
    assert.ok(cluesOf(fires).includes(clue), clue)
    assert.ok(!cluesOf(near).includes(clue), `${clue}: ${why}`)
    assert.equal(impactOf(clue, spends(fires)), PRIVACY[clue].impact)
  }
  const [, precise] = cases[0] ?? assert.fail()
  assert.equal(
    impactOf('CHANGE_BY_PRECISION', spends(precise, (cases[0] ?? assert.fail())[2])),
    -2.5,
    'half the payments',
  )
  assert.deepEqual(cluesOf(payment([own(9)], [foreign('a', 1_000), own(7_777)])), [], 'own change needs no clue')
  assert.deepEqual(cluesOf(payment([own(9)], [foreign('a', 1_000), foreign('x', 0, 'nulldata')])), [], 'data')
  assert.deepEqual(cluesOf(coinJoin()), [])
  assert.deepEqual([trailingZeros(0), trailingZeros(1_200), trailingZeros(7)], [0, 2, 0])
})

test('change clues cost a limited sum, and unnecessary inputs nothing in addition to common inputs', () => {
  const all = payment([own(2_000_001), own(1_000_001)], [foreign('a', 1_900_000), foreign('b', 1_000_123, 'p2pkh')])
  const found = scorePrivacy(facts(spends(all)), []).factors
  const sum = found.reduce((total, { impact }) => total + impact, 0)
  assert.ok(sum >= -15)
  assert.ok(found.some(({ code }) => code === 'UNNECESSARY_INPUT'))
  const shared = payment([own(2_000_001), foreign('z', 1_000_001)], [foreign('a', 1_900_000), foreign('b', 1_000_123)])
  const codes = scorePrivacy(facts(spends(shared)), []).factors.map(({ code }) => code)
  assert.ok(codes.includes('COMMON_INPUTS') && !codes.includes('UNNECESSARY_INPUT'))
})

test('toxic change, dust spent with others, recurring amounts, activity, type, extension block', () => {
  assert.equal(impactOf('TOXIC_CHANGE', spends(payment([own(9_000)], [foreign('a', 7_000), own(1_359)]))), -4)
  assert.equal(impactOf('TOXIC_CHANGE', spends(payment([own(9_000)], [foreign('a', 7_000), own(1_360)]))), 0)
  assert.equal(impactOf('DUST_SPENT_WITH_OTHERS', spends(payment([own(999), own(9_000)], [foreign('a', 9_000)]))), -8)
  assert.equal(impactOf('DUST_SPENT_WITH_OTHERS', spends(payment([own(1_000), own(9_000)], [foreign('a', 9_000)]))), 0)
  assert.equal(impactOf('DUST_SPENT_WITH_OTHERS', spends(payment([own(999)], [foreign('a', 0, 'nulldata')]))), 0)
  assert.equal(impactOf('RECURRING_AMOUNT', { history: [receipt(1, 50), receipt(2, 50), receipt(3, 50)] }), -5)
  assert.equal(impactOf('RECURRING_AMOUNT', { history: [receipt(1, 50), receipt(2, 50), receipt(3, 51)] }), 0)
  assert.equal(impactOf('HIGH_ACTIVITY', { txCount: 101 }), -3)
  assert.equal(impactOf('HIGH_ACTIVITY', { txCount: 100 }), 0)
  for (const [scriptType, impact] of [
    ['p2pkh', -5],
    ['p2sh', -3],
    ['p2wsh', -2],
    ['p2wpkh', 0],
    ['p2tr', 0],
  ] as const)
    assert.equal(impactOf('SCRIPT_TYPE', { scriptType }), impact)
  const pegOut = paidBy(1, [foreign('hog', 9e9, 'mweb_hogaddr'), own(5_000)])
  assert.equal(impactOf('EXTENSION_BLOCK', { txs: [pegOut] }), 5)
  assert.equal(impactOf('EXTENSION_BLOCK', spends(payment([own(9_000)], [foreign('in', 8_000, 'mweb_pegin')]))), 5)
  const pegInByOther = paidBy(1, [foreign('in', 8_000, 'mweb_pegin'), own(5_000)])
  assert.equal(impactOf('EXTENSION_BLOCK', { txs: [pegInByOther] }), 0, 'another owner pegged in and paid the address')
})

const fan = (count: number, dusty: number): ExaminedOutput[] => [
  own(600),
  ...Array.from({ length: count - 1 }, (_, i) => foreign(`f${i}`, i < dusty - 1 ? 601 + i : 90_000 + i)),
]
const suspectsOf = (outputs: readonly ExaminedOutput[], given: Partial<AddressFacts> = {}, inputCount = 1) => {
  const tx = paidBy(inputCount, outputs, 9_999)
  return findDustSuspects(
    facts({
      txs: [tx],
      utxos: [{ order: tx.order, vout: 0, value: outputs[0]?.value ?? 0, isSettled: true }],
      history: [receipt(1), receipt(tx.order)],
      ...given,
    }),
  ).map(({ verdict, reasons }) => `${verdict} ${reasons.join()}`)
}

test('one signal makes a dust attack possible, two make it probable', () => {
  assert.deepEqual(suspectsOf(fan(10, 5)), ['possible DUST_FAN_OUT'])
  assert.deepEqual(suspectsOf(fan(10, 4)), [], 'fewer than half are dust')
  assert.deepEqual(suspectsOf(fan(9, 9)), [], 'nine outputs')
  assert.deepEqual(suspectsOf([own(600), foreign('change', 90_000)]), ['possible SINGLE_DUST_OUTPUT'])
  assert.deepEqual(suspectsOf([own(600), foreign('change', 90_000)], {}, 2), [], 'two inputs')
  assert.deepEqual(suspectsOf([own(600), foreign('a', 600), foreign('b', 600)], {}, 2), ['possible EQUAL_DUST_OUTPUTS'])
  assert.deepEqual(suspectsOf([own(600), foreign('a', 600), foreign('b', 700)], {}, 2), [])
  assert.deepEqual(suspectsOf([own(323), foreign('a', 5_000), foreign('b', 700)], {}, 2), ['possible NEAR_DUST_LIMIT'])
  assert.deepEqual(suspectsOf([own(324), foreign('a', 5_000), foreign('b', 700)], {}, 2), [])
  assert.deepEqual(suspectsOf([own(300), foreign('change', 90_000)]), ['probable SINGLE_DUST_OUTPUT,NEAR_DUST_LIMIT'])
})

test('no dust attack on a new address, from the address itself, or by a larger amount', () => {
  const attack = [own(300), foreign('change', 90_000)]
  assert.deepEqual(suspectsOf(attack, { history: [receipt(9_999)] }), [], 'the first use')
  assert.deepEqual(
    suspectsOf(attack, { txs: [{ ...paidBy(1, attack, 9_999), isSpend: true }] }),
    [],
    'sent by the address itself',
  )
  assert.deepEqual(suspectsOf([own(1_000), foreign('change', 90_000)]), [], 'not dust-sized')
  assert.deepEqual(suspectsOf(attack, { txs: [] }), [], 'the transaction was not examined')
  assert.equal(DUST_ATTACK.fanOut, 10)
  const many = Array.from({ length: 3 }, (_, i) => paidBy(1, attack, 5_000 + i))
  const given = {
    txs: many,
    history: [receipt(1), ...many.map(({ order }) => receipt(order))],
    utxos: many.map(({ order }) => ({ order, vout: 0, value: 300, isSettled: true })),
  }
  assert.equal(impactOf('DUST_SUSPECTS', given), -8)
  assert.equal(impactOf('DUST_SUSPECTS', { ...given, utxos: given.utxos.slice(0, 2) }), -5)
  assert.equal(impactOf('DUST_SUSPECTS', { ...given, utxos: [] }), 0)
})

test('evidence lists at most five transactions, and the score stays between 0 and 100', () => {
  const txs = Array.from({ length: 40 }, (_, i) =>
    payment(
      [own(9_000), ...Array.from({ length: 30 }, (_, k) => foreign(`o${i}.${k}`, 9))],
      [foreign('a', 7_000), own(900)],
    ),
  )
  const history = [
    ...Array.from({ length: 60 }, (_, i) => receipt(-i - 1, 50)),
    ...txs.map(({ order }) => spending(order, 900)),
  ]
  const worst = scorePrivacy(facts({ txs, history, scriptType: 'p2pkh', txCount: 500 }), [])
  assert.ok(worst.score >= 0 && worst.score < 25 && worst.grade === 'F')
  assert.ok(worst.factors.every(({ evidence }) => evidence.length <= 5))
  const best = scorePrivacy(facts({ txs: [coinJoin(), coinJoin()] }), [])
  assert.deepEqual([best.score, best.grade], [100, 'A'])
})

test('grades', () => {
  assert.deepEqual([100, 90, 89, 75, 74, 50, 49, 25, 24, 0].map(gradeOf), [
    'A',
    'A',
    'B',
    'B',
    'C',
    'C',
    'D',
    'D',
    'F',
    'F',
  ])
  assert.equal(GRADES.length, 5)
})

test('health: empty, single, fragmented, dusty, reused, concentrated, unsettled', () => {
  assert.deepEqual(scoreHealth(facts()), { score: 100, grade: 'A', issues: [] })
  assert.deepEqual(scoreHealth(facts({ utxos: utxos(1e9), history: [receipt(1)] })), {
    score: 95,
    grade: 'A',
    issues: [],
  })
  const codes = (given: Partial<AddressFacts>): string[] =>
    scoreHealth(facts(given)).issues.map((issue) => issue.split(':')[0] ?? '')
  const even = (count: number, value = 1e8): Utxo[] => utxos(...Array.from({ length: count }, () => value))
  assert.deepEqual(codes({ utxos: even(9) }), [])
  assert.deepEqual(codes({ utxos: even(10) }), ['FRAGMENTED'])
  assert.deepEqual(codes({ utxos: [...even(3), ...utxos(340)] }), ['DUST_UTXOS'])
  assert.deepEqual(codes({ utxos: [...even(3), ...utxos(341)] }), [])
  assert.deepEqual(codes({ utxos: even(3, 13_000) }), ['SWEEP_LOSS'])
  assert.deepEqual(codes({ utxos: even(3, 14_000) }), [])
  assert.deepEqual(codes({ utxos: even(3), history: [receipt(1), receipt(2)] }), ['ADDRESS_REUSE'])
  assert.deepEqual(codes({ utxos: utxos(9e8, 1e7) }), ['CONCENTRATED'])
  assert.deepEqual(codes({ utxos: utxos(6e8, 4e8) }), [])
  assert.deepEqual(codes({ utxos: [...even(3), { order: 9, vout: 0, value: 1e8, isSettled: false }] }), ['UNSETTLED'])
  const worst = scoreHealth(
    facts({
      utxos: utxos(...Array.from({ length: 2_000 }, () => 300)),
      history: Array.from({ length: 20 }, (_, i) => receipt(i)),
    }),
  )
  assert.deepEqual([worst.score, worst.grade], [15, 'F'])
  assert.equal(
    Object.values(HEALTH).reduce((sum, { weight }) => sum + weight, 0),
    1,
  )
})

test('health issues name their figures', () => {
  const { issues } = scoreHealth(facts({ utxos: utxos(1e8, 1e8, 100) }))
  assert.deepEqual(issues, ['DUST_UTXOS: 1 of 3 outputs cost more to spend than their value at 5 sat/vB.'])
})

test('consolidation advises when, at what cost, and from which rate it pays', () => {
  const ten = utxos(...Array.from({ length: 10 }, () => 100_000))
  const advice = (given: Partial<AddressFacts>) => adviseConsolidation(facts({ utxos: ten, ...given }))
  const at = (medium: number) => ({ tiers: { low: 1, medium, high: 10, urgent: 20 } })
  const now = advice(at(4))
  assert.deepEqual([now.recommendation, now.included, now.excluded, now.targetFeeRate], ['now', 10, 0, null])
  const size = Math.ceil(10.5 + 10 * 68 + 31)
  assert.deepEqual(now.cost, { low: size, medium: 4 * size, high: 10 * size })
  assert.equal(now.breakEvenFeeRate, Math.round(((4 * size) / (9 * 68)) * 1000) / 1000)
  assert.equal(now.savings.p75, Math.round(9 * 68 * 16 - 4 * size))
  assert.equal(advice(at(6)).recommendation, 'optional')
  assert.deepEqual([advice(at(9)).recommendation, advice(at(9)).targetFeeRate], ['wait', 4])
  assert.equal(advice({ utxos: ten.slice(0, 4) }).recommendation, 'none')
  assert.equal(advice({ utxos: ten.slice(0, 5), ...at(4) }).recommendation, 'now')
  assert.equal(advice({ utxos: [] }).breakEvenFeeRate, null)
})

test('consolidation that loses money at every percentile is not recommended', () => {
  const ten = utxos(...Array.from({ length: 10 }, () => 100_000))
  const flat = { p10: 5, p25: 5, p50: 5, p75: 5, p90: 5 }
  for (const medium of [5, 9]) {
    const tiers = { low: 1, medium, high: 10, urgent: 20 }
    const { recommendation, savings } = adviseConsolidation(facts({ utxos: ten, tiers, feeHistory: flat }))
    assert.ok(Object.values(savings).every((saved) => saved < 0))
    assert.equal(recommendation, 'none')
  }
})

test('consolidation excludes uneconomic and unsettled coins and makes even batches', () => {
  const tiers = { low: 1, medium: 4, high: 10, urgent: 20 }
  const mixed = [...utxos(...Array.from({ length: 6 }, () => 10_000), 272, 273)]
  assert.deepEqual([adviseConsolidation(facts({ utxos: mixed, tiers })).included], [7])
  const waiting = mixed.map((utxo, i) => ({ ...utxo, isSettled: i > 0 }))
  assert.deepEqual([adviseConsolidation(facts({ utxos: waiting, tiers })).included], [6])
  const many = utxos(...Array.from({ length: 401 }, (_, i) => 10_000 + i))
  const { batches, breakEvenFeeRate } = adviseConsolidation(facts({ utxos: many, tiers }))
  assert.deepEqual(
    batches.map(({ inputs }) => inputs),
    [200, 201],
  )
  assert.ok((breakEvenFeeRate ?? 0) > 4)
  assert.equal(
    batches.reduce((sum, { value }) => sum + value, 0),
    many.reduce((sum, { value }) => sum + value, 0),
  )
})

test('the size of a consolidation is the exact size of its transactions', () => {
  const tiers = { low: 1, medium: 1, high: 1, urgent: 1 }
  const taproot = { input: inputSize(0, 66), inputVsize: 58, outputBytes: 43, tiers }
  for (const [coins, countBytes] of [
    [252, 1],
    [253, 3],
    [300, 3],
  ] as const) {
    const coinsOf = utxos(...Array.from({ length: coins }, () => 100_000))
    const { batches, breakEvenFeeRate } = adviseConsolidation(facts({ utxos: coinsOf, ...taproot }))
    const size = Math.ceil((coins * 230 + 4 * (8 + countBytes + 1 + 43) + 2) / 4)
    assert.deepEqual(
      batches.map((batch) => batch.size),
      [size],
    )
    assert.equal(breakEvenFeeRate, Math.round((size / ((coins - 1) * 57.5)) * 1000) / 1000)
  }
})

test('no batch has a single coin, and pairs leave out the largest of an odd number', () => {
  const tiers = { low: 1, medium: 1, high: 1, urgent: 1 }
  const pairs = { input: inputSize(0, 120_000), inputVsize: 30_041, maxInputs: 2, tiers }
  const seven = utxos(...[7, 1, 2, 3, 4, 5, 6].map((value) => value * 1e8))
  const { batches, included, excluded, breakEvenFeeRate } = adviseConsolidation(facts({ utxos: seven, ...pairs }))
  assert.deepEqual(
    batches.map(({ inputs, value }) => [inputs, value]),
    [
      [2, 3e8],
      [2, 7e8],
      [2, 11e8],
    ],
  )
  assert.deepEqual([included, excluded], [6, 1])
  const size = batches.reduce((sum, batch) => sum + batch.size, 0)
  assert.equal(breakEvenFeeRate, Math.round((size / (3 * 30_041)) * 1000) / 1000)
  for (let most = 2; most <= 5; most++)
    for (let coins = 2; coins <= 30; coins++) {
      const many = utxos(...Array.from({ length: coins }, () => 1e8))
      const advice = adviseConsolidation(facts({ utxos: many, ...pairs, maxInputs: most }))
      assert.ok(
        advice.batches.every(({ inputs }) => inputs >= 2 && inputs <= most),
        `${coins} coins, ${most} at once`,
      )
      assert.equal(
        advice.batches.reduce((sum, { inputs }) => sum + inputs, 0),
        advice.included,
      )
    }
})

test('consolidation advises none for one coin, or if no two inputs fit into a transaction', () => {
  const tiers = { low: 1, medium: 1, high: 1, urgent: 1 }
  const ten = utxos(...Array.from({ length: 10 }, () => 1e9))
  for (const given of [
    { utxos: ten, inputVsize: 40_000, maxInputs: 1 },
    { utxos: ten, inputVsize: 60_000, maxInputs: 0 },
    { utxos: ten, inputVsize: 110_000, maxInputs: -1 },
    { utxos: utxos(1e9) },
  ]) {
    const { recommendation, breakEvenFeeRate, cost, savings, batches } = adviseConsolidation(facts({ ...given, tiers }))
    assert.deepEqual([recommendation, breakEvenFeeRate, batches], ['none', null, []])
    assert.deepEqual([cost.medium, savings], [0, { p50: 0, p75: 0, p90: 0 }])
  }
})

test('every code and weight is explained in docs/analysis.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/analysis.md'), 'utf8')
  for (const code of [...Object.keys(PRIVACY), ...Object.keys(HEALTH)])
    assert.match(page, new RegExp(`\`${code}\``), code)
})
