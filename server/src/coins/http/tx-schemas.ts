/** Response schemas of the endpoints about raw transactions, proofs, spenders and block headers. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { block, carriedAsset, satoshi } from './schemas.ts'

export const broadcastResult = z.object({
  chain: z.string(),
  accepted: z.boolean().describe('Whether no transaction was refused'),
  transactions: z.array(
    z.object({
      txid: z.string(),
      wtxid: z.string(),
      vsize: z.int(),
      fee: satoshi.nullable().describe('As the node computed it; null if it did not'),
      state: z
        .enum(['sent', 'accepted', 'known', 'confirmed', 'refused'])
        .describe(
          '`sent` now; `accepted` but not sent, because of testOnly or of a refused one; `known`: already in the mempool; `confirmed`: already in a block',
        ),
      reason: z.string().nullable().describe('The reason of the node, for a refused one'),
      explanation: z.string().nullable().describe('The same in words'),
    }),
  ),
})

export const rawTransaction = z.object({
  txid: z.string(),
  chain: z.string(),
  blockHeight: z.int().nullable(),
  hex: z.string(),
})

export const merkleProof = z.object({
  txid: z.string(),
  chain: z.string(),
  blockHash: z.string(),
  blockHeight: z.int(),
  position: z.int().describe('Of the transaction in its block, from 0'),
  merkle: z.array(z.string()).describe('The hashes to combine with the txid, lowest level first'),
  merkleRoot: z.string(),
  header: z.string().describe('80 bytes in hexadecimal'),
  proof: z.string().describe('The same proof as a merkleblock message (BIP 37), for `verifytxoutproof`'),
})

export const outspends = z.object({
  txid: z.string(),
  chain: z.string(),
  outputs: z.array(
    z.object({
      vout: z.int(),
      value: satoshi,
      state: z.enum(['unspent', 'spent', 'unspendable']),
      spender: z
        .object({
          txid: z.string(),
          vin: z.int(),
          blockHeight: z.int().nullable(),
          confirmations: z.int(),
        })
        .nullable()
        .describe('Null unless spent; also null if the address has too many transactions to search'),
    }),
  ),
})

export const blockTxs = z.object({
  chain: z.string(),
  height: z.int(),
  txCount: z.int(),
  page: z.int(),
  pageSize: z.int(),
  txs: z.array(
    z.object({
      txid: z.string(),
      vsize: z.int(),
      fee: satoshi,
      inputs: z.int(),
      outputs: z.int(),
      value: satoshi.describe('Of all outputs'),
      isCoinbase: z.boolean(),
    }),
  ),
})

export const headers = z.object({
  chain: z.string(),
  from: z.int().describe('Height of the first header'),
  count: z.int(),
  headers: z.array(z.string()).describe('80 bytes each, in hexadecimal'),
})

export const blocks = z.object({
  chain: z.string(),
  tip: z.int().describe('Height of the newest block of the chain'),
  blocks: z
    .array(
      block.pick({
        hash: true,
        height: true,
        timestamp: true,
        size: true,
        weight: true,
        txCount: true,
        totalFees: true,
        feeRates: true,
      }),
    )
    .describe('Newest first'),
})

export const blockAtTime = z.object({
  chain: z.string(),
  hash: z.string(),
  height: z.int(),
  confirmations: z.int(),
  timestamp: instant,
  medianTime: instant,
})

const relatives = z.object({ count: z.int(), vsize: z.int(), fees: satoshi })

const bumpAdvice = z.object({
  version: z.int(),
  vsize: z.int(),
  fee: satoshi,
  feeRate: z.number().describe('sat/vB'),
  targetFeeRate: z.number().describe('The wanted rate'),
  confTarget: z.int().nullable().describe('The target that gives the wanted rate; null if feeRate was sent'),
  isEnough: z.boolean().describe('Whether it is mined at the wanted rate already, also with what its descendants pay'),
  ancestors: relatives.describe('Unconfirmed transactions that it needs'),
  descendants: relatives.describe('Unconfirmed transactions that need it'),
  rbf: z
    .object({
      possible: z.boolean(),
      reason: z.enum(['NOT_SIGNALED', 'TOO_MANY_REPLACED']).nullable(),
      rule: z.enum(['bip125', 'full-rbf', 'truc']).nullable().describe('Why the node replaces it; null if it does not'),
      replacedCount: z.int().describe('The transaction and its descendants'),
      replacedFees: satoshi,
      minFee: satoshi.describe('The lowest fee that the node accepts'),
      fee: satoshi.describe('The fee for the wanted rate, at least minFee'),
      cost: satoshi.describe('What it costs in addition to the fee paid now'),
      feeRate: z.number(),
    })
    .describe('Replacing it by a transaction with the same inputs and outputs that pays more'),
  cpfp: z
    .object({
      possible: z.boolean(),
      children: z.array(
        z.object({
          vout: z.int(),
          address: z.string(),
          value: satoshi,
          vsize: z.int().describe('Of the child'),
          fee: satoshi.describe('Of the child'),
          packageCount: z.int().describe('Transactions that the child pays for'),
          packageVsize: z.int(),
          packageFees: satoshi,
          feeRate: z.number().describe('Of the package with the child'),
          reason: z
            .enum([
              'TOO_MANY_ANCESTORS',
              'TOO_MANY_DESCENDANTS',
              'TRUC_HAS_CHILD',
              'TRUC_CHILD_TOO_LARGE',
              'OUTPUT_TOO_SMALL',
            ])
            .nullable()
            .describe('Why there can be no such child; null if there can'),
          isSizeAssumed: z.boolean().describe('The address has not spent yet, and its script is assumed'),
        }),
      ),
    })
    .describe('Spending one of its outputs with a higher fee. Possible and cheap ones first, at most 25'),
})

export const bump = z.object({
  txid: z.string(),
  chain: z.string(),
  state: z.enum(['unconfirmed', 'confirmed']),
  recommendation: z.enum(['none', 'rbf', 'cpfp', 'wait']).describe('The cheapest possible; none if the rate is enough'),
  advice: bumpAdvice.nullable().describe('Null for a confirmed transaction'),
})

export const carriedAssets = z.object({
  chain: z.string(),
  isComplete: z.boolean().describe('Whether all transactions that depth asks for could be read'),
  outputs: z.array(z.object({ txid: z.string(), vout: z.int(), assets: z.array(carriedAsset) })),
})
