/** Parameters and bodies of the coin routes. */
import { z } from 'zod'
import { COIN_CHAINS, type CoinChain } from '../../config/config.ts'
import { plainText, refuse, wholeNumber } from '../../lib/http/params.ts'
import { INPUT_TYPES } from '../select/input-hint.ts'
import { REPLACEABLE } from '../select/psbt.ts'
import { DEFAULT_FEE_RATE } from '../serve/payment-terms.ts'

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

/** Blocks of `GET /blocks`: a day of Bitcoin at most. */
export const blockRange = {
  to: wholeNumber(0, 1_000_000_000).optional(),
  count: wholeNumber(1, 144).default(24),
}

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

/** The largest transaction that nodes relay, in hexadecimal. */
const MAX_TX_HEX = 800_000
const MAX_PACKAGE = 25

/** The first transaction of Bitcoin, which is in a block already. */
const EXAMPLE_TX =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'

export const broadcastBody = z
  .strictObject({
    chain,
    transactions: z
      .array(z.string().max(MAX_TX_HEX))
      .min(1)
      .max(MAX_PACKAGE)
      .refine((texts) => texts.every((text) => /^([0-9a-f]{2})+$/i.test(text)), 'must be in hexadecimal')
      .describe('Signed transactions in hexadecimal, parents before their children'),
    maxFeeRate: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(10_000)
      .describe('sat/vB; a transaction that pays more is refused. 0 for no limit'),
    testOnly: z.boolean().default(false).describe('Asks the node without sending anything'),
  })
  .meta({ example: { chain: 'btc', transactions: [EXAMPLE_TX], testOnly: true } })

/** Whether a date of the form 2024-04-20 exists. `Date.parse` takes February 30 for March 1. */
const isDate = (text: string): boolean => {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A time in ISO 8601, or in seconds since 1970. */
export const blockTime = z
  .string()
  .transform((text, context): number => {
    const seconds = /^\d{1,10}$/.test(text)
      ? Number(text)
      : /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) && isDate(text.slice(0, 10))
        ? Math.floor(Date.parse(text) / 1_000)
        : Number.NaN
    return Number.isSafeInteger(seconds)
      ? seconds
      : refuse(context, 'INVALID_PARAMETER', 'must be a time in ISO 8601 (UTC), or in seconds since 1970')
  })
  .meta({ documentedAs: { type: 'string', examples: ['2024-04-20T00:00:00Z'] } })

const INTERVALS = ['block', 'day'] as const
const MAX_POINTS = 5_000

/** A height for blocks, a date for days. */
const balanceStart = z
  .string()
  .regex(/^(\d{1,9}|\d{4}-\d\d-\d\d)$/, 'must be a height or a date such as 2024-04-20')
  .refine((text) => !text.includes('-') || isDate(text), 'must be a date that exists')
  .optional()
  .describe('The first height, or the first day in UTC; by default the first that has a change')

export const balanceQuery = {
  by: z.enum(INTERVALS).default('day'),
  from: balanceStart,
  limit: wholeNumber(1, MAX_POINTS).default(1_000),
}

/** The supply of Litecoin, the larger of the two, and still exact as a number. */
const MAX_SATOSHI = 8_400_000_000_000_000

/** As many as a request body has room for. */
const MAX_RECIPIENTS = 2_500
const MAX_OUTPOINTS = 2_000
const satoshi = z.int().min(1).max(MAX_SATOSHI)

const outpoint = z
  .string()
  .regex(/^[0-9a-f]{64}:\d{1,10}$/i, 'must be an outpoint such as txid:0')
  .transform((text) => text.toLowerCase().replace(/:0+(?=\d)/, ':'))

const outpoints = z.array(outpoint).max(MAX_OUTPOINTS).default([])

const MAX_INSPECTED = 100
const MAX_DEPTH = 10

export const inspectBody = z
  .strictObject({
    chain,
    outpoints: z.array(outpoint).min(1).max(MAX_INSPECTED).describe('As txid:vout'),
    depth: z
      .int()
      .min(0)
      .max(MAX_DEPTH)
      .default(0)
      .describe('How many transactions back the satoshi are followed, first in, first out'),
  })
  .meta({
    example: {
      chain: 'btc',
      outpoints: ['4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b:0'],
      depth: 2,
    },
  })

/** A rate with up to three decimal places, as in a URL. */
const rateText = z
  .string()
  .transform((text, context): number =>
    /^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) >= 0.001 && Number(text) <= 10_000
      ? Number(text)
      : refuse(context, 'INVALID_PARAMETER', 'must be a rate from 0.001 to 10000 sat/vB with at most 3 decimal places'),
  )
  .meta({ documentedAs: { type: 'number', minimum: 0.001, maximum: 10_000 } })

export const bumpQuery = z.strictObject({
  chain,
  feeRate: rateText.optional().describe('The wanted rate in sat/vB'),
  confTarget: wholeNumber(1, 1_008)
    .optional()
    .describe('Instead of feeRate: the rate for confirmation within so many blocks; 2 by default'),
})

/** What a payment from an address and one from a wallet have in common. */
const spending = z.strictObject({
  toAddress: address.optional().describe('Destination address; required without recipients'),
  amount: satoshi.optional().describe('Satoshi that toAddress receives; required with toAddress and without sendAll'),
  recipients: z
    .array(z.strictObject({ address, amount: satoshi }))
    .max(MAX_RECIPIENTS)
    .default([])
    .describe('Recipients in addition to toAddress. Each address can receive one amount'),
  sendAll: z
    .boolean()
    .default(false)
    .describe('Spends every coin: toAddress receives what the fee and the recipients leave'),
  mustUse: outpoints.describe('Coins that the payment spends in any case, as txid:vout'),
  mustNotUse: outpoints.describe('Coins that the payment does not spend, as txid:vout'),
  changeAddress: address.optional().describe('Receives the change'),
  locktime: z.int().min(0).max(0xffff_ffff).default(0).describe('A height, or a time in seconds since 1970'),
  sequence: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(REPLACEABLE)
    .describe('The sequence of every input; the default signals replacement (BIP 125)'),
  feeRate: z
    .number()
    .min(0.001)
    .max(10_000)
    .refine((rate) => Math.abs(rate * 1_000 - Math.round(rate * 1_000)) < 1e-6, 'must have at most 3 decimal places')
    .optional()
    .describe('sat/vB, with up to 3 decimal places')
    .meta({ default: DEFAULT_FEE_RATE }),
  confTarget: z
    .int()
    .min(1)
    .max(1_008)
    .optional()
    .describe('Instead of feeRate: the rate for confirmation within so many blocks'),
  utxoSelection: z.enum(['optimal', 'largest', 'smallest', 'oldest']).default('optimal'),
  compareStrategies: z.boolean().default(false).describe('Adds the result of every strategy'),
  psbt: z.boolean().default(false).describe('Adds the unsigned transaction for a wallet to sign'),
  includeUnconfirmed: z.boolean().default(false).describe('Also selects unconfirmed coins'),
  protect: z
    .enum(['small', 'all', 'none'])
    .default('small')
    .describe(
      'Does not spend coins with inscriptions or runes and outputs of dust attacks: small inspects coins up to 20,000 satoshi (ltc 200,000)',
    ),
})

const payment = spending.extend({
  fromAddress: address.describe('Source address'),
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
})
const EXAMPLE_PAYMENT = { fromAddress: EXAMPLE_ADDRESS, toAddress: OTHER_ADDRESS, amount: 100_000, feeRate: 12 }

/** A payment on the chain that the path names. */
export const paymentBody = payment.meta({ example: EXAMPLE_PAYMENT })
export const simulateBody = payment.extend({ chain }).meta({ example: { chain: 'btc', ...EXAMPLE_PAYMENT } })

/** Account 0 of the test vectors of BIP 84. */
const EXAMPLE_WALLET =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

const descriptor = z
  .string()
  .min(1)
  .max(10_000)
  .describe('An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key')
export const DEFAULT_GAP_LIMIT = 20
const gapLimit = z
  .int()
  .min(1)
  .max(200)
  .optional()
  .describe('A branch ends after so many unused addresses; by default that of the kept wallet')
  .meta({ default: DEFAULT_GAP_LIMIT })

const wallet = z.strictObject({
  descriptor: descriptor.optional(),
  walletId: z.string().max(64).optional().describe('A kept wallet instead of a descriptor; its chain is used'),
  chain,
  gapLimit,
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

export const walletPaymentBody = spending
  .extend(wallet.shape)
  .meta({ example: { ...EXAMPLE_WALLET_BODY, toAddress: OTHER_ADDRESS, amount: 100_000, feeRate: 12 } })

export const keptWalletBody = z
  .strictObject({ descriptor, chain, gapLimit, name: plainText(100) })
  .meta({ example: { ...EXAMPLE_WALLET_BODY, name: 'Cold storage' } })
export const labelsBody = z
  .strictObject({
    bip329: z.string().max(4_000_000).describe('A file of labels: one JSON object per line'),
    replace: z.boolean().default(false).describe('Replaces all labels; otherwise labels are added'),
  })
  .meta({
    example: {
      bip329: '{"type":"tx","ref":"4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b","label":"Rent"}',
    },
  })
export const walletId = z.string().meta({ example: '3c1d7a52-61e4-4c0b-9a3f-0d6a2b7f5e11' })

export const walletBalanceBody = wallet
  .extend({
    by: z.enum(INTERVALS).default('day'),
    from: balanceStart,
    limit: z.int().min(1).max(MAX_POINTS).default(1_000),
  })
  .meta({ example: { ...EXAMPLE_WALLET_BODY, by: 'day', from: '2024-04-20', limit: 100 } })

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
