/** The projected blocks as the fee page shows them. */
import { type Chunk, type ProjectedBlock, rateOf } from '../fees/projected-blocks.ts'
import type { FeeService } from './fee-service.ts'
import type { ServedChain } from './served-chain.ts'

/** Shares of a block's virtual bytes, cheapest first, at which its fee rates are reported. */
export const RATE_SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

export async function getProjectedBlocks(feeService: FeeService, chain: ServedChain) {
  const { source, blocks } = await feeService.quote(chain)
  return { source, blocks: blocks.map(projectedBlockView) }
}

/** Rounds up, because sizes computed from weights have quarters of a virtual byte. */
const projectedBlockView = ({ vsize, fee, chunks }: ProjectedBlock) => ({
  vsize: Math.ceil(vsize),
  totalFee: fee,
  rates: ratesOf(chunks),
})

function ratesOf(chunks: readonly Chunk[]): number[] {
  const cheapest = chunks.toSorted((a, b) => rateOf(a) - rateOf(b))
  const total = chunks.reduce((sum, { vsize }) => sum + vsize, 0)
  return RATE_SHARES.map((share) => {
    let passed = 0
    const found = cheapest.find(({ vsize }) => (passed += vsize) >= share * total)
    return Math.round((found === undefined ? 0 : rateOf(found)) * 100) / 100
  })
}
