/** Fee rates of a block, weighted by weight, as Core's `getblockstats` takes percentiles. */

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9]

export function feeRatePercentiles(txs: { readonly fee: number; readonly weight: number }[]): number[] {
  if (txs.length === 0) return SHARES.map(() => 0)
  const sorted = txs.toSorted((a, b) => a.fee / a.weight - b.fee / b.weight)
  const total = sorted.reduce((sum, tx) => sum + tx.weight, 0)
  const rates: number[] = []
  let weight = 0
  for (const tx of sorted) {
    weight += tx.weight
    while (rates.length < SHARES.length && weight >= total * (SHARES[rates.length] as number)) {
      rates.push((tx.fee * 4) / tx.weight)
    }
  }
  return rates
}
