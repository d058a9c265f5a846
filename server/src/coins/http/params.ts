/** Parameters and bodies of the coin routes. */
import { z } from 'zod'
import { COIN_CHAINS, type CoinChain } from '../../config/config.ts'
import { refuse, wholeNumber } from '../../lib/http/params.ts'
import { INPUT_TYPES } from '../select/input-hint.ts'

const isChain = (text: string): text is CoinChain => COIN_CHAINS.some((chain) => chain === text)

export const chain = z
  .string()
  .default('btc')
  .transform(
    (text, context): CoinChain => (isChain(text) ? text : refuse(context, 'INVALID_CHAIN', 'must be btc or ltc')),
  )
  .meta({ documentedAs: { type: 'string', enum: [...COIN_CHAINS], default: 'btc', examples: ['btc'] } })

export const txid = z
  .string()
  .transform((text, context): string =>
    /^[0-9a-f]{64}$/i.test(text)
      ? text.toLowerCase()
      : refuse(context, 'INVALID_TXID', 'must be 64 hexadecimal characters'),
  )
  .meta({ example: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b' })

export const hashOrHeight = z
  .string()
  .transform((text, context): string =>
    /^([0-9a-f]{64}|\d{1,9})$/i.test(text)
      ? text.toLowerCase()
      : refuse(context, 'INVALID_BLOCK', 'must be a height or a hash of 64 hexadecimal characters'),
  )
  .meta({ example: '0' })

/** Addresses of the first two coinbases, in examples. */
const [EXAMPLE_ADDRESS, OTHER_ADDRESS] = ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX']

/** Checks only the characters; `readAddress` decodes the address of a chain. */
export const address = z
  .string()
  .transform((text, context): string =>
    /^[0-9A-Za-z]{1,150}$/.test(text)
      ? text
      : refuse(context, 'INVALID_ADDRESS', 'must have 1 to 150 letters and digits'),
  )
  .meta({ example: EXAMPLE_ADDRESS })

export const historyPage = {
  page: wholeNumber(1, 1_000_000_000).default(1),
  pageSize: wholeNumber(1, 100).default(25),
  cursor: z.string().max(512).optional(),
}

/** The supply of Litecoin, the larger of the two, and still exact as a number. */
const MAX_SATOSHI = 8_400_000_000_000_000

const payment = z.strictObject({
  fromAddress: address.describe('Source address'),
  toAddress: address.describe('Destination address'),
  amount: z.int().min(1).max(MAX_SATOSHI).describe('Satoshi'),
  feeRate: z
    .number()
    .min(0.001)
    .max(10_000)
    .refine((rate) => Math.abs(rate * 1_000 - Math.round(rate * 1_000)) < 1e-6, 'must have at most 3 decimal places')
    .default(10)
    .describe('sat/vB, with up to 3 decimal places'),
  utxoSelection: z.enum(['optimal', 'largest', 'smallest', 'oldest']).default('optimal'),
  compareStrategies: z.boolean().default(false).describe('Adds the result of every strategy'),
  psbt: z.boolean().default(false).describe('Adds the unsigned transaction for a wallet to sign'),
  inputType: z
    .string()
    .max(40)
    .optional()
    .describe(`How fromAddress is spent, for an address that has not spent yet: ${INPUT_TYPES}`),
  redeemScript: z.string().max(1_040).optional().describe('The script of a P2SH fromAddress, in hexadecimal'),
  witnessScript: z.string().max(7_200).optional().describe('The witness script of fromAddress, in hexadecimal'),
  descriptor: z
    .string()
    .max(8_000)
    .optional()
    .describe('The output descriptor of fromAddress; its keys are only counted'),
  includeUnconfirmed: z.boolean().default(false).describe('Also selects unconfirmed coins'),
})
const EXAMPLE_PAYMENT = { fromAddress: EXAMPLE_ADDRESS, toAddress: OTHER_ADDRESS, amount: 100_000, feeRate: 12 }

/** A payment on the chain that the path names. */
export const paymentBody = payment.meta({ example: EXAMPLE_PAYMENT })
export const simulateBody = payment.extend({ chain }).meta({ example: { chain: 'btc', ...EXAMPLE_PAYMENT } })

/** Account 0 of the test vectors of BIP 84. */
const EXAMPLE_WALLET =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

const wallet = z.strictObject({
  descriptor: z
    .string()
    .min(1)
    .max(10_000)
    .describe('An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key'),
  chain,
  gapLimit: z.int().min(1).max(200).default(20).describe('A branch ends after so many unused addresses'),
})
const EXAMPLE_WALLET_BODY = { chain: 'btc', descriptor: EXAMPLE_WALLET }

export const walletBody = wallet.meta({ example: EXAMPLE_WALLET_BODY })
export const walletUtxosBody = wallet
  .extend({ limit: z.int().min(1).max(1_000_000).optional() })
  .meta({ example: { ...EXAMPLE_WALLET_BODY, limit: 100 } })
export const walletHistoryBody = wallet
  .extend({
    page: z.int().min(1).max(1_000_000_000).default(1),
    pageSize: z.int().min(1).max(100).default(25),
  })
  .meta({ example: { ...EXAMPLE_WALLET_BODY, page: 1, pageSize: 25 } })

export const batchBody = z
  .strictObject({
    addresses: z.array(z.string().max(150)).min(1),
    chain,
    webhookUrl: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .refine((text) => !/\p{Cc}|\p{Cs}/u.test(text), 'must not contain control characters')
      .optional(),
  })
  .meta({ example: { chain: 'btc', addresses: [EXAMPLE_ADDRESS, OTHER_ADDRESS] } })
