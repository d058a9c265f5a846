/** Parameters and bodies of the coin routes. */
import { z } from 'zod'
import { COIN_CHAINS, type CoinChain } from '../../config/config.ts'
import { refuse, wholeNumber } from '../../lib/http/params.ts'

const isChain = (text: string): text is CoinChain => COIN_CHAINS.some((chain) => chain === text)

export const chain = z
  .string()
  .default('btc')
  .transform(
    (text, context): CoinChain => (isChain(text) ? text : refuse(context, 'INVALID_CHAIN', 'must be btc or ltc')),
  )
  .meta({ documentedAs: { type: 'string', enum: [...COIN_CHAINS], default: 'btc' } })

export const txid = z
  .string()
  .transform((text, context): string =>
    /^[0-9a-f]{64}$/i.test(text)
      ? text.toLowerCase()
      : refuse(context, 'INVALID_TXID', 'must be 64 hexadecimal characters'),
  )

export const hashOrHeight = z
  .string()
  .transform((text, context): string =>
    /^([0-9a-f]{64}|\d{1,9})$/i.test(text)
      ? text.toLowerCase()
      : refuse(context, 'INVALID_BLOCK', 'must be a height or a hash of 64 hexadecimal characters'),
  )

/** Checks only the characters; `readAddress` decodes the address of a chain. */
export const address = z
  .string()
  .transform((text, context): string =>
    /^[0-9A-Za-z]{1,150}$/.test(text)
      ? text
      : refuse(context, 'INVALID_ADDRESS', 'must have 1 to 150 letters and digits'),
  )

export const historyPage = {
  page: wholeNumber(1, 1_000_000_000).default(1),
  pageSize: wholeNumber(1, 100).default(25),
  cursor: z.string().max(512).optional(),
}

/** The supply of Litecoin, the larger of the two, and still exact as a number. */
const MAX_SATOSHI = 8_400_000_000_000_000

export const simulateBody = z.strictObject({
  chain,
  fromAddress: address.describe('Source address'),
  toAddress: address.describe('Destination address'),
  amount: z.int().min(1).max(MAX_SATOSHI).describe('Satoshi'),
  feeRate: z.int().min(1).max(10_000).default(10).describe('sat/vB'),
  utxoSelection: z.enum(['optimal', 'largest', 'smallest', 'oldest']).default('optimal'),
  compareStrategies: z.boolean().default(false).describe('Adds the result of every strategy'),
  psbt: z.boolean().default(false).describe('Adds the unsigned transaction for a wallet to sign'),
  includeUnconfirmed: z.boolean().default(false).describe('Also selects unconfirmed coins'),
})

export const batchBody = z.strictObject({
  addresses: z.array(z.string().max(150)).min(1),
  chain,
  webhookUrl: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .refine((text) => !/\p{Cc}|\p{Cs}/u.test(text), 'must not contain control characters')
    .optional(),
})
