/** `npm run bench:select`: how long choosing coins takes on heavy addresses, against the limits promised. */

import { coinSet, STRATEGIES, simulate } from '../server/src/coins/select/simulate.ts'
import type { Coin } from '../server/src/coins/select/spend.ts'
import { findInputSize, type InputSize } from '../server/src/coins/select/weights.ts'
import { seeded } from '../server/test/coins/random.ts'

const LIMITS = [
  { coins: 5_000, ms: 20 },
  { coins: 100_000, ms: 500 },
]
const input = findInputSize('p2wpkh') as InputSize

function measure(count: number, strategy: (typeof STRATEGIES)[number], run: number): number {
  const random = seeded(count + run)
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
    payBytes: 31,
    changeBytes: 31,
    changeDust: 294,
    payDust: 294,
    minRelayRate: 1,
  }
  const started = performance.now()
  simulate(payment, coinSet(coins, payment.feeRate, input.weight), strategy, random.below)
  return performance.now() - started
}

// A service that has answered before: the compiler has seen the code.
for (const strategy of STRATEGIES) for (let run = 0; run < 5; run++) measure(5_000, strategy, run)

for (const { coins, ms } of LIMITS) {
  for (const strategy of STRATEGIES) {
    const times = Array.from({ length: 12 }, (_, run) => measure(coins, strategy, run)).sort((a, b) => a - b)
    const [median, worst] = [times[6] ?? 0, times.at(-1) ?? 0]
    const verdict = worst <= ms ? 'within' : 'OVER'
    console.log(
      `${String(coins).padStart(7)} coins  ${strategy.padEnd(9)} median ${median.toFixed(1).padStart(6)} ms  worst ${worst.toFixed(1).padStart(6)} ms  ${verdict} ${ms} ms`,
    )
  }
}
