/** Fee rate percentiles of a block by weight, as in Core's `getblockstats`. */
import { Float64Column } from './columns.ts'

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9]
/** Greater than any block's weight, and small enough to leave 31 bits for the rate. */
const WEIGHT_RANGE = 2 ** 22
/** Rates are rounded to thousandths. */
const PRECISION = 1000

/** Collects the transactions of a block. Rate and weight are packed into one number, so that a typed array sorts them. */
export class FeeRates {
  readonly #keys = new Float64Column()
  #total = 0

  add(fee: number, weight: number): void {
    const rate = Math.min(2 ** 31 - 1, Math.max(0, Math.round((fee * 4 * PRECISION) / weight)))
    this.#keys.push(rate * WEIGHT_RANGE + Math.min(weight, WEIGHT_RANGE - 1))
    this.#total += weight
  }

  percentiles(): number[] {
    const sorted = this.#keys.data.subarray(0, this.#keys.length).sort()
    const rates: number[] = []
    let weight = 0
    for (const key of sorted) {
      weight += key % WEIGHT_RANGE
      while (rates.length < SHARES.length && weight >= this.#total * (SHARES[rates.length] as number)) {
        rates.push(Math.floor(key / WEIGHT_RANGE) / PRECISION)
      }
    }
    return SHARES.map((_, i) => rates[i] ?? rates.at(-1) ?? 0)
  }
}
