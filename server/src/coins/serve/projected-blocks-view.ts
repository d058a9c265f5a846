/** The blocks to come, as the fee page draws them. */
import { z } from 'zod'
import { type Chunk, type ProjectedBlock, rateOf } from '../fees/projected-blocks.ts'
import { satoshi } from '../http/schemas.ts'
import type { FeeService } from './fee-service.ts'
import type { ServedChain } from './served-chain.ts'

/** Shares of a block's bytes, cheapest first, at which its rates are told. */
const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

export const projectedBlocks = z
  .object({
    source: z.string(),
    blocks: z.array(
      z.object({
        vsize: z.int(),
        totalFee: satoshi,
        rates: z
          .array(z.number())
          .describe(
            `sat/vB by share of the bytes, cheapest first: ${SHARES.map((share) => `${share * 100} %`).join(', ')}`,
          ),
      }),
    ),
  })
  .meta({ id: 'ProjectedBlocks' })

export async function getProjectedBlocks(
  feeService: FeeService,
  chain: ServedChain,
): Promise<z.infer<typeof projectedBlocks>> {
  const { source, blocks } = await feeService.quote(chain)
  return { source, blocks: blocks.map(shownBlock) }
}

/** Sizes from weights come in quarters of a virtual byte. */
const shownBlock = ({ vsize, fee, chunks }: ProjectedBlock) => ({
  vsize: Math.ceil(vsize),
  totalFee: fee,
  rates: ratesOf(chunks),
})

function ratesOf(chunks: readonly Chunk[]): number[] {
  const cheapest = chunks.toSorted((a, b) => rateOf(a) - rateOf(b))
  const total = chunks.reduce((sum, { vsize }) => sum + vsize, 0)
  return SHARES.map((share) => {
    let passed = 0
    const found = cheapest.find(({ vsize }) => (passed += vsize) >= share * total)
    return Math.round((found === undefined ? 0 : rateOf(found)) * 100) / 100
  })
}
