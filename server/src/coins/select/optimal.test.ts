/** `optimal` compared with every possible selection, and with the test cases of Bitcoin Core. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { branchAndBound } from './branch-and-bound.ts'
import { chooseOptimal, randomFromSeed } from './optimal.ts'
import { type Coin, feeWith, inputWaste, needWith, ORDERS, outcomeOf, planSpend, type Spend, sumOf } from './spend.ts'
import { findInputSize, type InputSize } from './weights.ts'

const sizeOf = (type: Parameters<typeof findInputSize>[0]): InputSize => {
  const size = findInputSize(type)
  assert.ok(size !== undefined)
  return size
}

const coinsOf = (values: readonly number[]): Coin[] => values.map((value, order) => ({ value, order, vout: 0 }))

/** The least waste of all selections. */
function leastWaste(spend: Spend, coins: readonly Coin[]): number | undefined {
  const mostInputs = spend.feeRate > spend.longTermRate ? spend.maxInputs : fewestInputs(spend, coins)
  const needs = coins.map((_, i) => needWith(spend, i + 1))
  let best = Number.POSITIVE_INFINITY
  let total = 0
  let inputs = 0
  // Gray code: each selection differs from the previous one by one coin.
  for (let step = 1; step < 2 ** coins.length; step++) {
    const bit = 31 - Math.clz32(step & -step)
    const { value } = coins[bit] as Coin
    const isTaken = (((step ^ (step >>> 1)) >>> bit) & 1) === 1
    total += isTaken ? value : -value
    inputs += isTaken ? 1 : -1
    if (inputs === 0 || inputs > mostInputs || total < (needs[inputs - 1] as number)) continue
    const outcome = outcomeOf(spend, inputs, total)
    if (outcome !== undefined && outcome.waste < best) best = outcome.waste
  }
  return Number.isFinite(best) ? best : undefined
}

function fewestInputs(spend: Spend, coins: readonly Coin[]): number {
  const sorted = coins.toSorted(ORDERS.largest)
  const at = sorted.findIndex((_, i) => sumOf(sorted.slice(0, i + 1)) >= needWith(spend, i + 1))
  return at + 1
}

function randomSpend(random: Random): Spend {
  const input = sizeOf(random.pick(['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr']))
  const longTermRate = 1 + random.below(10)
  return planSpend({
    amount: 1_000 + random.below(random.pick([10_000, 1_000_000, 100_000_000])),
    feeRate:
      (1_000 + random.below(random.pick([5, 20, 100])) * random.pick([1_000, 137])) / random.pick([1_000, 10_000]),
    longTermRate,
    discardRate: random.pick([Math.max(3, longTermRate), 30]),
    input,
    changeInput: input,
    recipients: 1,
    payBytes: random.pick([31, 32, 34, 43]),
    changeBytes: random.pick([31, 32, 34, 43]),
    changeDust: random.pick([294, 546, 2940, 5460]),
  })
}

/** Sets that often have a selection without change: fractions of the target, equal coins, small differences. */
function randomCoins(random: Random, spend: Spend, count: number): Coin[] {
  const target = spend.amount
  const kind = random.below(4)
  const values = Array.from({ length: count }, () => {
    const value = [
      () => random.below(2 * target),
      () => Math.floor(target / (1 + random.below(6))) + random.below(3_000),
      () => random.pick([10_000, 20_000, 50_000, 100_000]),
      () => Math.ceil(spend.uneconomicValue) + random.below(Math.ceil(target / 3)),
    ][kind]
    return Math.ceil(spend.uneconomicValue) + 1 + (value?.() ?? 0)
  })
  return coinsOf(values).sort(ORDERS.largest)
}

function compareWithAll(random: Random, count: number): boolean {
  const spend = randomSpend(random)
  const coins = randomCoins(random, spend, count)
  const best = leastWaste(spend, coins)
  const choice = chooseOptimal(spend, coins, random.below)
  assert.equal(choice?.outcome.waste, best)
  if (choice === undefined) return false
  const { outcome } = choice
  assert.equal(outcome.total, sumOf(choice.coins))
  assert.equal(outcome.total, spend.amount + outcome.change + outcome.fee)
  assert.ok(outcome.fee >= feeWith(spend, outcome.inputs, outcome.change > 0))
  assert.equal(new Set(choice.coins.map(({ order }) => order)).size, outcome.inputs)
  return choice.algorithm === 'branch_and_bound'
}

test('no selection has less waste: 20,000 random sets of up to 12 coins', () => {
  const random = seededRandom(6)
  let exact = 0
  for (let i = 0; i < 20_000; i++) if (compareWithAll(random, 1 + random.below(12))) exact++
  assert.ok(exact > 1_000, `only ${exact} were paid without change`)
})

test('no selection has less waste: sets of 16 coins', () => {
  const random = seededRandom(16)
  for (let i = 0; i < 300; i++) compareWithAll(random, 16)
})

const CENT = 1_000_000
/** Core's parameters of these cases: 68 vB inputs, 31 vB change, 5 sat/vB, discard rate 3. */
const coreSpend = (target: number, feeRate: number, longTermRate: number): Spend => {
  const spend = planSpend({
    amount: 0,
    feeRate,
    longTermRate,
    discardRate: 3,
    input: sizeOf('p2wpkh'),
    changeInput: sizeOf('p2wpkh'),
    recipients: 1,
    payBytes: 31,
    changeBytes: 31,
    changeDust: 0,
  })
  // Core's cases use effective values, without the fee of the inputs and of the empty transaction.
  return { ...spend, amount: target - feeWith(spend, 0, false) }
}
const effective = (values: readonly number[], feeRate: number): Coin[] =>
  coinsOf(values.map((value) => value + 68 * feeRate)).sort(ORDERS.largest)
const chosenOf = (spend: Spend, values: readonly number[]): number[] | undefined => {
  const coins = effective(values, spend.feeRate)
  const found = branchAndBound(spend, coins, { mostInputs: 1_000, wasteBelow: Number.POSITIVE_INFINITY })
  return found?.map((i) => ((coins[i]?.value ?? 0) - 68 * spend.feeRate) / CENT).sort((a, b) => a - b)
}

test("Core's test cases of exact matches", () => {
  const pool = [1 * CENT, 3 * CENT, 5 * CENT]
  const cases: readonly (readonly [number, readonly number[]])[] = [
    [1 * CENT, [1]],
    [3 * CENT, [3]],
    [5 * CENT, [5]],
    [4 * CENT, [1, 3]],
    [9 * CENT, [1, 3, 5]],
    // Overshooting by up to the cost of change.
    [4 * CENT - (155 + 204), [1, 3]],
  ]
  for (const [target, expected] of cases) assert.deepEqual(chosenOf(coreSpend(target, 5, 5), pool), expected)
  assert.equal(chosenOf(coreSpend(4 * CENT - 3 * (155 + 204), 5, 5), pool), undefined)
  assert.equal(chosenOf(coreSpend(10 * CENT, 5, 5), pool), undefined)
  assert.equal(chosenOf(coreSpend(7 * CENT, 5, 5), pool), undefined)
})

test("Core's test case of a high fee rate: one input instead of three", () => {
  assert.deepEqual(chosenOf(coreSpend(10 * CENT, 25, 10), [2 * CENT, 3 * CENT, 5 * CENT, 10 * CENT]), [10])
})

test('below the usual fee rate a payment takes the fewest coins, unlike in Core', () => {
  const spend = coreSpend(10 * CENT, 5, 10)
  const coins = effective([2 * CENT, 3 * CENT, 5 * CENT, 10 * CENT], 5)
  const choice = chooseOptimal(spend, coins, seededRandom(1).below)
  assert.deepEqual([choice?.coins.length, choice?.outcome.change], [1, 0])
  assert.equal(inputWaste(spend, 3), 0)
})

test('a search that takes too many steps ends, and another candidate is selected', () => {
  // The worst case of Core's tests: powers of two, each with a slightly larger value.
  const values: number[] = []
  for (let i = 0; i < 25; i++) values.push(2 ** (17 + i), 2 ** (17 + i) + 2 ** (24 - i))
  const spend = coreSpend(2 ** 40 + 12_345, 20, 10)
  const choice = chooseOptimal(spend, effective(values, 20), seededRandom(2).below)
  assert.ok((choice?.outcome.inputs ?? 0) > 0)
})

const COIN = 100_000_000
/** Core's test cases of CoinGrinder and of the random draw with inputs of one weight; limits in weight units. */
const limited = (target: number, mostWeight: number): Spend => ({
  ...coreSpend(target, 5, 2),
  maxInputs: Math.floor(mostWeight / 272),
})
const values = (...groups: readonly (readonly [number, number])[]): number[] =>
  groups.flatMap(([count, value]) => Array.from({ length: count }, () => value * COIN))
const chosenFrom = (spend: Spend, pool: readonly number[]) =>
  chooseOptimal(spend, effective(pool, spend.feeRate), seededRandom(3).below)

test("Core's test cases without a selection: insufficient funds and too much weight", () => {
  const pool = values([10, 1], [10, 2])
  assert.equal(chosenFrom(limited(49.5 * COIN, 10_000), pool), undefined)
  assert.equal(chosenFrom(limited(29.5 * COIN, 3_000), pool), undefined)
  assert.notEqual(chosenFrom(limited(29.5 * COIN, 20 * 272), pool), undefined)
})

test("Core's test case of CoinGrinder: ten large and seventeen small coins out of seventy", () => {
  const spend = limited(25.33 * COIN, 10_000)
  const choice = chosenFrom(spend, values([60, 0.33], [10, 2]))
  const chosen = choice?.coins.map(({ value }) => (value - 68 * spend.feeRate) / COIN) ?? []
  assert.deepEqual(
    [chosen.filter((value) => value === 2).length, chosen.filter((value) => value === 0.33).length],
    [10, 17],
  )
})

test("Core's test case of a random draw: weight limit and minimum change hold for every draw", () => {
  const random = seededRandom(8)
  const spend = limited(25.33 * COIN, 10_000)
  const pool = effective(values([60, 0.33], [10, 2]), spend.feeRate)
  for (let i = 0; i < 200; i++) {
    const { outcome } = chooseOptimal(spend, pool, random.below) ?? assert.fail()
    assert.ok(outcome.inputs <= spend.maxInputs)
    assert.ok(outcome.change === 0 || outcome.change >= spend.minChange)
  }
})

test('a seed repeats its numbers, and they are evenly distributed', () => {
  const draw = (seed: Buffer): number[] => {
    const below = randomFromSeed(seed)
    return Array.from({ length: 10_000 }, () => below(10))
  }
  const drawn = draw(Buffer.alloc(32, 7))
  assert.deepEqual(draw(Buffer.alloc(32, 7)), drawn)
  assert.notDeepEqual(draw(Buffer.alloc(32, 8)), drawn)
  for (let digit = 0; digit < 10; digit++) {
    const count = drawn.filter((value) => value === digit).length
    assert.ok(count > 850 && count < 1150, `${digit}: ${count}`)
  }
  assert.equal(draw(Buffer.alloc(32)).length, 10_000)
})
