/**
 * `npm run bench -- select`: measures coin selection on heavy addresses, and its waste relative to `coinselect` and
 * `@scure/btc-signer`.
 */
import { coinSet, STRATEGIES, simulate } from '../server/src/coins/select/simulate.ts'
import { type Coin, outcomeOf, planSpend } from '../server/src/coins/select/spend.ts'
import { findInputSize, type InputSize } from '../server/src/coins/select/weights.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'
import { seededRandom } from '../testing/support/random.ts'
import { PEERS, type Peer } from './select-peers.ts'

const LIMITS = [
  { coins: 5_000, ms: 20 },
  { coins: 100_000, ms: 500 },
]
const input = findInputSize('p2wpkh') as InputSize

function measure(count: number, strategy: (typeof STRATEGIES)[number], run: number): number {
  const random = seededRandom(count + run)
  const coins: Coin[] = Array.from({ length: count }, (_, order) => ({
    value: 700 + random.below(run % 2 === 0 ? 20_000_000 : 40_000),
    order: random.below(1_000_000_000) + order,
    vout: random.below(3),
  }))
  const payment = {
    amount: 1_000_000 + random.below(20_000_000),
    feeRate: 10,
    longTermRate: 5,
    discardRate: 5,
    input,
    changeInput: input,
    recipients: 1,
    payBytes: 31,
    changeBytes: 31,
    changeDust: 294,
    hasDust: false,
    minRelayRate: 1,
  }
  const started = performance.now()
  simulate(payment, coinSet(coins, payment), strategy, random.below)
  return performance.now() - started
}

// Warm-up, as in a running service.
for (const strategy of STRATEGIES) for (let run = 0; run < 5; run++) measure(5_000, strategy, run)

for (const { coins, ms } of LIMITS) {
  for (const strategy of STRATEGIES) {
    const times = Array.from({ length: 12 }, (_, run) => measure(coins, strategy, run)).sort((a, b) => a - b)
    const [median, worst] = [times[6] ?? 0, times.at(-1) ?? 0]
    const verdict = worst <= ms ? 'within' : 'OVER'
    report({ name: `selection from ${coins} coins, ${strategy}, worst of 12`, value: worst, unit: 'ms', atMost: ms })
    console.log(
      `${String(coins).padStart(7)} coins  ${strategy.padEnd(9)} median ${median.toFixed(1).padStart(6)} ms  worst ${worst.toFixed(1).padStart(6)} ms  ${verdict} ${ms} ms`,
    )
  }
}

const PAYMENTS = 300
const p2pkh = findInputSize('p2pkh') as InputSize

const terms = {
  longTermRate: 10,
  discardRate: 5,
  input: p2pkh,
  changeInput: p2pkh,
  recipients: 1,
  payBytes: 34,
  changeBytes: 34,
  changeDust: 546,
  hasDust: false,
  minRelayRate: 1,
}

/**
 * Payments from P2PKH coins, whose size `coinselect` assumes: the same coins, amount and rate for each, compared by waste.
 * Payments that only one of the two finds are counted separately.
 */
function comparePeer(name: string, peer: Peer): void {
  const total = { own: 0, theirs: 0, ownMs: 0, theirMs: 0, ownFound: 0, theirFound: 0, compared: 0 }
  for (let n = 0; n < PAYMENTS; n++) {
    const random = seededRandom(n)
    const coins = Array.from({ length: 50 + random.below(300) }, (_, order) => ({
      value: 5_000 + random.below(2_000_000),
      order,
      vout: 0,
    }))
    const payment = { ...terms, amount: 100_000 + random.below(5_000_000), feeRate: 2 + random.below(40) }
    const choose = peer(coins, payment.amount, payment.feeRate)
    const startedAt = performance.now()
    const ours = simulate(payment, coinSet(coins, payment), 'optimal', random.below)
    const betweenAt = performance.now()
    const choice = choose()
    const endedAt = performance.now()
    const theirs = choice && outcomeOf(planSpend(payment), choice.count, choice.value)
    total.ownMs += betweenAt - startedAt
    total.theirMs += endedAt - betweenAt
    if (ours.viable) total.ownFound += 1
    if (choice !== undefined) total.theirFound += 1
    if (!ours.viable || theirs === undefined) continue
    total.compared += 1
    total.own += ours.outcome.waste
    total.theirs += theirs.waste
  }
  const each = (ms: number): string => `${(ms / PAYMENTS).toFixed(2)} ms`
  report({
    name: `payments found of ${PAYMENTS}, relative to ${name}`,
    value: total.ownFound,
    unit: 'payments',
    atLeast: total.theirFound,
    peer: `${name}, ${total.theirFound}`,
  })
  report({
    name: `waste of payments, optimal, relative to ${name}`,
    value: total.own / total.theirs,
    unit: `of ${name}`,
    atMost: 1,
    peer: `${name}, ${total.compared} payments that both found; each took ${each(total.theirMs)}, here ${each(total.ownMs)}`,
  })
}

reportVersions(packageVersions(Object.keys(PEERS)))
for (const [name, peer] of Object.entries(PEERS)) comparePeer(name, peer)
