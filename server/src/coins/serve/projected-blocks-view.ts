/** The projected blocks as the fee page shows them. */
import { type ProjectedBlock, ratePercentiles } from '../fees/projected-blocks.ts'
import type { FeeService } from './fee-service.ts'
import type { ServedChain } from './served-chain.ts'

/** Shares of a block's virtual bytes, cheapest first, at which its fee rates are reported. */
export const RATE_SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

export async function getProjectedBlocks(feeService: FeeService, chain: ServedChain) {
  const { source, blocks } = await feeService.quote(chain)
  return { source, blocks: blocks.map(projectedBlockView) }
}

const projectedBlockView = ({ vsize, fee, chunks }: ProjectedBlock) => ({
  // Sizes computed from weights have quarters of a virtual byte.
  vsize: Math.ceil(vsize),
  totalFee: fee,
  rates: ratePercentiles(chunks, RATE_SHARES).map((rate) => Math.round(rate * 100) / 100),
})
