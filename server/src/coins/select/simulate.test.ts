import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { coinSet, type Payment, STRATEGIES, simulate } from './simulate.ts'
import type { Coin } from './spend.ts'
import { findInputSize, virtualSize } from './weights.ts'

const p2wpkh = findInputSize('p2wpkh') ?? assert.fail()
const base: Payment = {
  amount: 100_000,
  feeRate: 10,
  longTermRate: 5,
  discardRate: 5,
  input: p2wpkh,
  changeInput: p2wpkh,
  recipients: 1,
  payBytes: 31,
  changeBytes: 31,
  changeDust: 294,
  hasDust: false,
  minRelayRate: 1,
}
const coinsOf = (...values: number[]): Coin[] => values.map((value, order) => ({ value, order, vout: order % 3 }))
const run = (
  coins: readonly Coin[],
  payment: Partial<Payment> = {},
  strategy: (typeof STRATEGIES)[number] = 'optimal',
) => {
  const terms = { ...base, ...payment }
  return simulate(terms, coinSet(coins, terms), strategy, seededRandom(1).below)
}
const valuesOf = (result: ReturnType<typeof run>): number[] | string =>
  result.viable ? result.coins.map(({ value }) => value) : result.reason

const mixed = coinsOf(60_000, 5_000, 200_000, 30_000, 90_000, 20_000)

test('each strategy takes coins in its order until they pay', () => {
  assert.deepEqual(valuesOf(run(mixed, {}, 'largest')), [200_000])
  assert.deepEqual(valuesOf(run(mixed, {}, 'smallest')), [5_000, 20_000, 30_000, 60_000])
  assert.deepEqual(valuesOf(run(mixed, {}, 'oldest')), [60_000, 5_000, 200_000])
})

test('equal coins are ordered by age, then by output index', () => {
  const equal: Coin[] = [
    { value: 150_000, order: 7, vout: 0 },
    { value: 150_000, order: 3, vout: 2 },
    { value: 150_000, order: 3, vout: 1 },
  ]
  for (const strategy of ['largest', 'smallest', 'oldest'] as const) {
    const result = run(equal, {}, strategy)
    assert.deepEqual(result.viable && result.coins, [{ value: 150_000, order: 3, vout: 1 }])
  }
})

test('uneconomic coins are never selected', () => {
  const cost = 10 * virtualSize(p2wpkh.weight)
  assert.equal(cost, 680)
  assert.deepEqual(valuesOf(run(coinsOf(680, 680, 200_000), {}, 'smallest')), [200_000])
  assert.deepEqual(valuesOf(run(coinsOf(681, 200_000), {}, 'smallest')), [681, 200_000])
  assert.equal(valuesOf(run(coinsOf(680, 680), { amount: 1_000 })), 'FEES_EXCEED')
})

test('an impossible payment returns its reason and the shortfall', () => {
  assert.equal(valuesOf(run([])), 'NO_UTXOS')
  assert.equal(valuesOf(run(coinsOf(99_999))), 'INSUFFICIENT_FUNDS')
  assert.equal(valuesOf(run(coinsOf(100_000))), 'FEES_EXCEED')
  const fee = 10 * virtualSize(42 + 31 * 4 + 272)
  assert.equal(fee, 1100)
  assert.deepEqual(run(coinsOf(101_099)), { viable: false, reason: 'FEES_EXCEED', shortfall: 1, feeOfAll: fee })
  assert.equal(run(coinsOf(101_100)).viable, true)
  assert.equal(valuesOf(run(mixed, { hasDust: true })), 'AMOUNT_BELOW_DUST')
  assert.equal(valuesOf(run(mixed, { minRelayRate: 10.5 })), 'FEE_BELOW_MIN_RELAY')
  const many = Array.from({ length: 2_000 }, (_, order) => ({ value: 1_000, order, vout: 0 }))
  assert.equal(valuesOf(run(many, { feeRate: 1, amount: 1_800_000 })), 'TX_TOO_LARGE')
  for (const strategy of STRATEGIES) {
    // 1,469 inputs of 272 weight units and two outputs are just relayed.
    const result = run(many, { feeRate: 1, amount: 1_300_000 }, strategy)
    assert.ok(result.viable && result.outcome.weight <= 400_000)
  }
})

test('change below the minimum is added to the fee', () => {
  const least = 5 * 68 + 1
  const noChange = 100_000 + 1100
  const withChange = noChange + 310
  const at = (value: number) => {
    const result = run(coinsOf(value))
    assert.ok(result.viable)
    return [result.outcome.change, result.outcome.fee, result.size]
  }
  assert.deepEqual(at(noChange), [0, 1100, 110])
  assert.deepEqual(at(withChange + least - 1), [0, 1410 + least - 1, 110])
  assert.deepEqual(at(withChange + least), [least, 1410, 141])
  // The dust threshold applies if it is higher.
  const ltc = run(coinsOf(withChange + 2_939), { changeDust: 2_940 })
  assert.equal(ltc.viable && ltc.outcome.change, 0)
})

test('amounts add up and the fee covers the rate, for random payments', () => {
  const random = seededRandom(44)
  let viable = 0
  for (let i = 0; i < 3_000; i++) {
    const input = findInputSize(random.pick(['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'])) ?? assert.fail()
    const payment: Payment = {
      ...base,
      input,
      changeInput: input,
      amount: 1 + random.below(2_000_000),
      feeRate: random.pick([1 + random.below(60), (100 + random.below(3_000)) / 1_000]),
      longTermRate: 1 + random.below(10),
      payBytes: random.pick([31, 32, 34, 43]),
      changeBytes: random.pick([31, 32, 34, 43]),
    }
    const coins = Array.from({ length: random.below(400) }, (_, order) => ({
      value: random.below(20_000),
      order,
      vout: random.below(4),
    }))
    for (const strategy of STRATEGIES) {
      const result = simulate(payment, coinSet(coins, payment), strategy, random.below)
      if (!result.viable) continue
      viable++
      const { outcome, size } = result
      assert.equal(
        outcome.total,
        result.coins.reduce((sum, { value }) => sum + value, 0),
      )
      assert.equal(outcome.total, payment.amount + outcome.change + outcome.fee)
      assert.equal(size, Math.ceil(outcome.weight / 4))
      assert.ok(outcome.fee >= (Math.round(payment.feeRate * 1_000) * size) / 1_000 && Number.isInteger(outcome.fee))
      assert.ok(outcome.change === 0 || outcome.change >= payment.changeDust)
      assert.ok(outcome.weight <= 400_000)
    }
  }
  assert.ok(viable > 3_000)
})

test('optimal never has more waste than another strategy', () => {
  const random = seededRandom(45)
  for (let i = 0; i < 300; i++) {
    const coins = Array.from({ length: 40 + random.below(200) }, (_, order) => ({
      value: 2_000 + random.below(80_000),
      order,
      vout: 0,
    }))
    const payment = { feeRate: 6 + random.below(40), amount: 20_000 + random.below(500_000) }
    const best = run(coins, payment)
    for (const strategy of ['largest', 'smallest', 'oldest'] as const) {
      const other = run(coins, payment, strategy)
      if (other.viable) assert.ok(best.viable && best.outcome.waste <= other.outcome.waste)
    }
  }
})
