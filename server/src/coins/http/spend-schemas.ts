/** Response schemas of /simulate and of the projected blocks on the fee page. */
import { z } from 'zod'
import { RATE_SHARES } from '../serve/projected-blocks-view.ts'
import { satoshi } from './schemas.ts'

const figures = {
  viable: z.boolean(),
  reason: z
    .enum(['NO_UTXOS', 'INSUFFICIENT_FUNDS', 'FEES_EXCEED', 'AMOUNT_BELOW_DUST', 'TX_TOO_LARGE', 'FEE_BELOW_MIN_RELAY'])
    .nullable()
    .describe('Why the payment cannot be made; null if it can'),
  shortfall: satoshi.describe('What is missing for amount and fee'),
  algorithm: z.string().nullable().describe('The algorithm that selected the coins'),
  estimatedFee: satoshi,
  estimatedSize: z.int().describe('Virtual bytes'),
  weight: z.int(),
  selectedUtxos: z.array(z.object({ txid: z.string(), vout: z.int(), value: satoshi })),
  inputCount: z.int(),
  outputCount: z.int(),
  totalInput: satoshi,
  totalOutput: satoshi,
  change: satoshi,
  effectiveFeeRate: z.int(),
  waste: z.number().nullable().describe('The waste metric that optimal minimizes; null if the payment cannot be made'),
}

export const simulation = z.object({
  ...figures,
  chain: z.string(),
  amount: satoshi,
  feeRate: z.int(),
  dustThreshold: z.int().describe('The least amount that toAddress can receive'),
  changeDustThreshold: z.int(),
  utxoSelection: z.string(),
  scriptType: z.string(),
  changeAddress: z.string().nullable(),
  longTermFeeRate: z.number(),
  assumptions: z.array(z.string()),
  warnings: z.array(z.string()),
  excluded: z.object({ immature: z.int(), unconfirmed: z.int() }).describe('Coins that cannot be selected'),
  tip: z.object({ height: z.int(), hash: z.string() }),
  strategies: z
    .array(z.object({ strategy: z.string(), ...figures }))
    .optional()
    .describe('The result of every strategy, with compareStrategies'),
  psbt: z.string().nullable().optional().describe('Unsigned PSBT (BIP 174) in base64, with psbt'),
})

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
            `sat/vB by share of the bytes, cheapest first: ${RATE_SHARES.map((share) => `${share * 100} %`).join(', ')}`,
          ),
      }),
    ),
  })
  .meta({ id: 'ProjectedBlocks' })
