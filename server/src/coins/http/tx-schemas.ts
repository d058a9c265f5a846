/** Response schemas of the endpoints about raw transactions, proofs, spenders and block headers. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { block, satoshi } from './schemas.ts'

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
