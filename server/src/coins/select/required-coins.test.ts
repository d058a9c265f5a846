/** Payments with several recipients, required and excluded coins, and payments of everything, over random terms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { coinSet, type Payment, STRATEGIES, simulate, simulateAll } from './simulate.ts'
import { type Coin, feeWith, needWith, outcomeOf, planSpend, sumOf } from './spend.ts'
import { findInputSize, virtualSize } from './weights.ts'

const TYPES = ['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'] as const

function randomPayment(random: Random): Payment {
  const recipients = random.pick([1, 1, 2, 5, 252, 253, 1_000])
  return {
    amount: recipients * (1_000 + random.below(random.pick([2_000, 300_000]))),
    feeRate: random.pick([1 + random.below(60), (100 + random.below(3_000)) / 1_000]),
    longTermRate: 1 + random.below(10),
    discardRate: 3 + random.below(8),
    input: findInputSize(random.pick(TYPES)) ?? assert.fail(),
    changeInput: findInputSize(random.pick(TYPES)) ?? assert.fail(),
    recipients,
    payBytes: recipients * random.pick([31, 34, 43]),
    changeBytes: random.pick([31, 32, 34, 43]),
    changeDust: random.pick([294, 546, 2_940]),
    hasDust: false,
    minRelayRate: 0.1,
  }
}

const randomCoins = (random: Random, count: number, most: number): Coin[] =>
  Array.from({ length: count }, (_, order) => ({ value: random.below(most), order, vout: random.below(4) }))

test('every required coin is spent, no other coin twice, and amounts add up, for random payments', () => {
  const random = seededRandom(71)
  let viable = 0
  let withoutOthers = 0
  for (let i = 0; i < 2_000; i++) {
    const payment = randomPayment(random)
    const coins = randomCoins(random, random.below(300), random.pick([20_000, 2_000_000]))
    const required = coins.splice(0, random.pick([0, 1, 3, 20]))
    for (const strategy of STRATEGIES) {
      const result = simulate(payment, coinSet(coins, payment, required), strategy, random.below)
      if (!result.viable) continue
      viable++
      const { outcome, size } = result
      const spent = new Set(result.coins.map(({ order }) => order))
      assert.equal(spent.size, result.coins.length)
      assert.ok(required.every(({ order }) => spent.has(order)))
      if (result.coins.length === required.length) withoutOthers++
      assert.deepEqual([outcome.inputs, outcome.total], [result.coins.length, sumOf(result.coins)])
      assert.equal(outcome.total, payment.amount + outcome.change + outcome.fee)
      assert.ok(outcome.fee >= (Math.round(payment.feeRate * 1_000) * size) / 1_000)
      assert.ok(outcome.change === 0 || outcome.change >= payment.changeDust)
      assert.ok(outcome.weight <= 400_000 && size === virtualSize(outcome.weight))
    }
  }
  assert.ok(viable > 2_000 && withoutOthers > 100, `${viable} viable, ${withoutOthers} of required coins alone`)
})

test('with required coins, no selection of the others has less waste', () => {
  const random = seededRandom(72)
  let compared = 0
  for (let i = 0; i < 1_500; i++) {
    const payment = { ...randomPayment(random), recipients: 2, payBytes: 74, amount: 10_000 + random.below(1_000_000) }
    const coins = randomCoins(random, 1 + random.below(8), payment.amount)
    const required = coins.splice(0, random.below(4))
    const set = coinSet(coins, payment, required)
    const economic = set.ordered('largest')
    const spend = planSpend(payment, { inputs: required.length, total: sumOf(required) })
    const result = simulate(payment, set, 'optimal', random.below)
    let best = Number.POSITIVE_INFINITY
    let fewest = Number.POSITIVE_INFINITY
    for (let chosen = 0; chosen < 2 ** economic.length; chosen++) {
      const picked = economic.filter((_, bit) => ((chosen >>> bit) & 1) === 1)
      if (sumOf(picked) >= needWith(spend, picked.length) && picked.length + required.length > 0)
        fewest = Math.min(fewest, picked.length)
    }
    for (let chosen = 0; chosen < 2 ** economic.length; chosen++) {
      const picked = economic.filter((_, bit) => ((chosen >>> bit) & 1) === 1)
      if (payment.feeRate <= payment.longTermRate && picked.length > fewest) continue
      best = Math.min(best, outcomeOf(spend, picked.length, sumOf(picked))?.waste ?? Number.POSITIVE_INFINITY)
    }
    assert.equal(result.viable ? result.outcome.waste : Number.POSITIVE_INFINITY, best)
    if (result.viable) compared++
  }
  assert.ok(compared > 500)
})

test('a payment of everything leaves no coin and no change, for random payments', () => {
  const random = seededRandom(73)
  const reasons = new Map<string, number>()
  for (let i = 0; i < 2_000; i++) {
    const payment = randomPayment(random)
    const coins = randomCoins(random, random.pick([0, 1, 10, 300, 1_500]), random.pick([500, 20_000, 2_000_000]))
    const required = coins.slice(0, random.below(3))
    const set = coinSet(coins.slice(required.length), payment, required)
    const result = simulateAll(payment, set, 294)
    const reason = result.viable ? 'viable' : result.reason
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    const total = sumOf(coins)
    const fee = feeWith(payment, coins.length, false)
    if (!result.viable) {
      if (coins.length > 0 && reason !== 'TX_TOO_LARGE') assert.ok(total - payment.amount - fee < 294)
      if (result.shortfall > 0) assert.equal(result.shortfall, payment.amount + fee - total)
      continue
    }
    assert.deepEqual([result.coins.length, result.outcome.total], [coins.length, total])
    assert.deepEqual([result.outcome.change, result.outcome.fee], [0, fee])
    assert.ok(total - fee - payment.amount >= 294 && result.outcome.weight <= 400_000)
  }
  for (const reason of ['viable', 'NO_UTXOS', 'INSUFFICIENT_FUNDS', 'FEES_EXCEED', 'TX_TOO_LARGE'])
    assert.ok((reasons.get(reason) ?? 0) > 0, reason)
})

test('more required coins than a transaction has room for are TX_TOO_LARGE', () => {
  const payment = { ...randomPayment(seededRandom(1)), input: findInputSize('p2pkh') ?? assert.fail() }
  const coins = randomCoins(seededRandom(2), 700, 2_000_000)
  for (const strategy of STRATEGIES) {
    const result = simulate(payment, coinSet([], payment, coins), strategy, seededRandom(3).below)
    assert.equal(result.viable ? '' : result.reason, 'TX_TOO_LARGE')
  }
  const crowded = { ...payment, recipients: 3_000, payBytes: 3_000 * 34, amount: 3_000_000 }
  const rich = coins.slice(0, 5).map((coin) => ({ ...coin, value: 100_000_000 }))
  const result = simulate(crowded, coinSet(rich, crowded), 'optimal', seededRandom(3).below)
  assert.equal(result.viable ? '' : result.reason, 'TX_TOO_LARGE')
})
