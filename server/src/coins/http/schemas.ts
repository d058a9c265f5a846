/** Response schemas of `/api/v2`. They serialize every response and generate the OpenAPI document. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { RATE_SHARES } from '../serve/fee-service.ts'

export const grade = z.enum(['A', 'B', 'C', 'D', 'F'])

/** An amount in satoshi. Beyond 2^53 it is a bigint, serialized with all digits. */
export const satoshi = z
  .custom<number | bigint>((value) => typeof value === 'bigint' || Number.isSafeInteger(value))
  .meta({ documentedAs: { type: 'integer' } })
const formatted = z.string().describe('Decimal with 8 fractional places')

export const envelope = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data })

/** The body of every error. API_LIMIT_EXCEEDED adds its figures. */
export const v2Error = z
  .object({
    success: z.literal(false),
    error: z.string(),
    code: z.string(),
    limit: z.int().optional(),
    used: z.int().optional(),
    resetDate: instant.optional(),
    upgradeUrl: z.string().optional(),
  })
  .meta({ id: 'V2Error' })

export const status = z.object({
  chain: z.string(),
  chainName: z.string(),
  symbol: z.string(),
  blockHeight: z.int(),
  difficulty: z.number(),
  hashrate: z.string(),
  mempoolSize: z.int(),
  synced: z.boolean(),
  source: z.string(),
})

export const chains = z.object({
  chains: z.array(z.object({ id: z.enum(['btc', 'ltc']), name: z.string(), symbol: z.string(), enabled: z.boolean() })),
})

export const fees = z.object({
  low: z.number(),
  medium: z.number(),
  high: z.number(),
  urgent: z.number(),
  unit: z.literal('sat/vB'),
  source: z.string(),
  mempoolSize: z.int(),
  timestamp: instant,
})

/** The figures of an address that several endpoints return, with one meaning. */
export const addressFigures = {
  balance: satoshi.describe('Confirmed coins, also those that an unconfirmed transaction spends'),
  unconfirmedBalance: satoshi.describe('What the unconfirmed transactions add to the balance; can be negative'),
  utxoCount: z.int().describe('Number of the coins that balance sums up'),
  txCount: z.int().describe('Confirmed transactions'),
  unconfirmedTxCount: z.int().describe('Unconfirmed transactions; /txs lists them before the confirmed ones'),
}

export const addressSummary = z.object({
  address: z.string(),
  chain: z.string(),
  balance: addressFigures.balance,
  balanceFormatted: formatted,
  totalReceived: satoshi,
  totalSent: satoshi,
  txCount: addressFigures.txCount,
  unconfirmedBalance: addressFigures.unconfirmedBalance,
  unconfirmedTxCount: addressFigures.unconfirmedTxCount,
  calculating: z.boolean(),
})

const coin = z.object({
  txid: z.string(),
  vout: z.int(),
  value: satoshi,
  valueFormatted: formatted,
  confirmations: z.int(),
})
export const utxoList = z.object({
  address: z.string(),
  chain: z.string(),
  utxos: z.array(coin),
  count: z.int(),
  limited: z.boolean(),
})

const range = z.object({ from: z.number(), to: z.number() })

export const utxoGroups = z.object({
  address: z.string(),
  chain: z.string(),
  groups: z.array(z.object({ count: z.int(), value: range, confirmations: range })),
  limited: z.boolean().describe('Whether the address has more, which are not in the groups'),
})

/** The place of a script in a wallet. */
const walletPlace = {
  address: z.string().nullable(),
  branch: z.int().describe('0 for receive and 1 for change addresses, where the descriptor has both'),
  index: z.int(),
  path: z
    .string()
    .nullable()
    .describe(
      'From the master key if the descriptor names the origin (`m/84h/0h/0h/0/5`), otherwise below the extended key (`0/5`)',
    ),
}

export const walletSummary = z.object({
  descriptor: z.string().describe('The descriptor with its checksum'),
  chain: z.string(),
  balance: addressFigures.balance,
  balanceFormatted: formatted,
  totalReceived: satoshi.describe('Sum over all addresses; payments inside the wallet count'),
  totalSent: satoshi,
  txCount: addressFigures.txCount,
  utxoCount: addressFigures.utxoCount,
  unconfirmedBalance: addressFigures.unconfirmedBalance,
  unconfirmedTxCount: addressFigures.unconfirmedTxCount,
  branches: z.array(
    z.object({
      branch: z.int(),
      used: z.int().describe('Indexes that were paid'),
      next: z.object(walletPlace).nullable().describe('The first address after the last used one'),
    }),
  ),
})

const label = z
  .string()
  .nullable()
  .optional()
  .describe('The label (BIP 329), if the wallet is a kept one: that of the output, its address or its transaction')

export const walletUtxos = z.object({
  chain: z.string(),
  utxos: z.array(coin.extend({ ...walletPlace, label })),
  count: z.int(),
  limited: z.boolean(),
})

const coinbaseInput = z.object({ isCoinbase: z.literal(true) })
const spendingInput = z.object({
  isCoinbase: z.literal(false),
  txid: z.string(),
  vout: z.int(),
  sequence: z.int(),
  address: z.string().nullable(),
  value: satoshi,
  valueFormatted: formatted,
  scriptType: z.string(),
  witness: z.array(z.string()).optional(),
})
const input = z.union([coinbaseInput, spendingInput])
const output = z.object({
  n: z.int(),
  value: satoshi,
  valueFormatted: formatted,
  address: z.string().nullable(),
  scriptType: z.string(),
  opReturn: z
    .array(z.string())
    .nullable()
    .describe('What the output carries after OP_RETURN, each push in hexadecimal; null for other scripts'),
})

export const transaction = z.object({
  txid: z.string(),
  hash: z.string().describe('The wtxid'),
  version: z.int(),
  size: z.int(),
  vsize: z.int(),
  weight: z.int(),
  locktime: z.int(),
  blockHash: z.string().nullable(),
  blockHeight: z.int().nullable(),
  confirmations: z.int(),
  fee: satoshi,
  inputs: z.array(input),
  outputs: z.array(output),
})

const historyEntry = z.object({
  txid: z.string(),
  blockHash: z.string().nullable(),
  blockHeight: z.int().nullable(),
  confirmations: z.int(),
  timestamp: instant,
  fee: satoshi,
  vsize: z.int(),
  received: satoshi,
  sent: satoshi,
  net: satoshi,
  direction: z.enum(['in', 'out', 'self']),
  inputs: z.array(input),
  outputs: z.array(output),
})
export const history = z.object({
  address: z.string(),
  chain: z.string(),
  page: z.int(),
  pageSize: z.int(),
  totalPages: z.int(),
  totalItems: z.int().describe('Unconfirmed and confirmed transactions'),
  txs: z.array(historyEntry),
  nextCursor: z.string().nullable(),
})

export const walletHistory = history
  .omit({ address: true, nextCursor: true, txs: true })
  .extend({ txs: z.array(z.object(historyEntry.shape).extend({ label })) })
  .describe('`self` moves coins inside the wallet; `out` includes payments with change')

export const addressMempool = z.object({
  address: z.string(),
  chain: z.string(),
  unconfirmedBalance: addressFigures.unconfirmedBalance,
  unconfirmedTxCount: addressFigures.unconfirmedTxCount,
  txs: z.array(historyEntry).describe('Newest first, at most 100'),
})

const balancePoints = {
  chain: z.string(),
  by: z.enum(['block', 'day']),
  points: z
    .array(
      z.object({
        date: z.string().describe('The day in UTC, or the day of the block'),
        height: z.int().describe('The block after which the balance holds'),
        balance: satoshi,
        received: satoshi.describe('Within this block or day'),
        sent: satoshi,
        txCount: z.int(),
      }),
    )
    .describe('Oldest first; only blocks or days with a transaction'),
  next: z.string().nullable().describe('`from` of the next request; null at the end'),
}
export const balanceHistory = z.object({ address: z.string(), ...balancePoints })
export const walletBalanceHistory = z.object(balancePoints)

export const block = z.object({
  hash: z.string(),
  height: z.int(),
  confirmations: z.int(),
  version: z.int(),
  merkleRoot: z.string(),
  timestamp: instant,
  medianTime: instant,
  nonce: z.int(),
  bits: z.string(),
  difficulty: z.number(),
  size: z.int(),
  weight: z.int(),
  strippedSize: z.int(),
  txCount: z.int(),
  previousBlockHash: z.string().nullable(),
  nextBlockHash: z.string().nullable(),
  reward: satoshi.describe('What the coinbase transaction pays; a miner may claim less than subsidy and fees'),
  subsidy: satoshi.describe('New coins that the block may create'),
  totalFees: satoshi,
  feeRates: z.object({ p10: z.number(), p25: z.number(), p50: z.number(), p75: z.number(), p90: z.number() }),
  mweb: z.object({ hogexTxid: z.string(), amount: satoshi }).optional(),
  txids: z.array(z.string()).optional(),
})

export const health = z.object({
  address: z.string(),
  chain: z.string(),
  score: z.int(),
  grade,
  utxoCount: addressFigures.utxoCount,
  balance: addressFigures.balance,
  unconfirmedBalance: addressFigures.unconfirmedBalance,
  issues: z.array(z.string()),
})

export const keptWallet = z
  .object({
    walletId: z.string(),
    chain: z.string(),
    name: z.string(),
    descriptor: z.string().describe('With its checksum'),
    gapLimit: z.int(),
    createdAt: instant,
  })
  .meta({ id: 'KeptWallet' })

export const keptWalletList = z.object({ wallets: z.array(keptWallet), limit: z.int().describe('Of the plan') })
export const deletedWallet = z.object({ walletId: z.string() })

export const walletLabels = z.object({
  walletId: z.string(),
  count: z.int(),
  bip329: z.string().describe('A file of labels: one JSON object per line'),
})

export const importedLabels = z.object({
  walletId: z.string(),
  imported: z.int().describe('Labels of the request'),
  count: z.int().describe('Labels that the wallet has now'),
  ignoredCount: z.int().describe('Lines that are no label'),
  ignored: z.array(z.object({ line: z.int(), reason: z.string() })).describe('The first 20 of them'),
})

export const walletHealth = health.omit({ address: true }).extend({ descriptor: z.string() })

export const usage = z.object({
  plan: z.string(),
  period: z.object({ start: instant, end: instant }),
  usage: z.object({ apiCalls: z.int(), limit: z.int(), remaining: z.int(), percentUsed: z.number() }),
  limits: z.object({
    utxoLimit: z.int(),
    batchLimit: z.int(),
    syncCalculation: z.boolean(),
    walletLimit: z.int(),
    subscriptionLimit: z.int(),
  }),
})

const simulationFigures = {
  viable: z.boolean(),
  reason: z
    .enum([
      'NO_UTXOS',
      'INSUFFICIENT_FUNDS',
      'FEES_EXCEED',
      'AMOUNT_BELOW_DUST',
      'TX_TOO_LARGE',
      'FEE_BELOW_MIN_RELAY',
      'INPUT_SIZE_ASSUMED',
    ])
    .nullable()
    .describe(
      'Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is',
    ),
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
  effectiveFeeRate: z
    .number()
    .describe('Rounded down to a whole number, or to 3 decimal places if feeRate has decimals'),
  waste: z.number().nullable().describe('The waste metric that optimal minimizes; null if the payment cannot be made'),
}

const paidRecipient = z
  .object({ address: z.string(), amount: satoshi, dustThreshold: z.int() })
  .meta({ id: 'PaidRecipient' })

export const carriedAsset = z.object({
  kind: z.enum(['inscription', 'rune']),
  certainty: z.enum(['certain', 'possible']).describe('Whether an edict or a mint of runes succeeded is not known'),
  txid: z.string().describe('The transaction that shows it'),
  input: z.int().nullable().describe('The input that revealed an inscription'),
  contentType: z.string().nullable(),
})

const protectedUtxo = z.object({
  txid: z.string(),
  vout: z.int(),
  value: satoshi,
  assets: z.array(carriedAsset),
  dustAttack: z
    .object({ verdict: z.enum(['possible', 'probable']), reasons: z.array(z.string()) })
    .nullable()
    .describe('Why it looks like an output of a dust attack'),
})

export const simulation = z.object({
  ...simulationFigures,
  chain: z.string(),
  amount: satoshi.describe('The sum of all recipients'),
  recipients: z.array(paidRecipient),
  feeRate: z.number(),
  confTarget: z.int().nullable().describe('The requested target; feeRate is the rate for it'),
  feeRange: z
    .object({ min: satoshi, max: satoshi })
    .nullable()
    .describe('The fee of the same coins with the smallest and the largest usual script; null if the script is known'),
  dustThreshold: z.int().describe('The least amount that the first recipient can receive'),
  changeDustThreshold: z.int(),
  utxoSelection: z.string(),
  scriptType: z.string(),
  changeAddress: z.string().nullable(),
  locktime: z.int(),
  sequence: z.int(),
  longTermFeeRate: z.number(),
  assumptions: z.array(z.string()),
  warnings: z.array(z.string()),
  higherFeeReason: z
    .string()
    .nullable()
    .describe('Why optimal pays a higher fee than another strategy; null if it does not'),
  excluded: z
    .object({ immature: z.int(), unconfirmed: z.int(), mustNotUse: z.int(), protected: z.int() })
    .describe('Coins that cannot be selected'),
  protectedUtxos: z.array(protectedUtxo).describe('Coins that were not selected because of protect'),
  tip: z.object({ height: z.int(), hash: z.string() }),
  strategies: z
    .array(z.object({ strategy: z.string(), ...simulationFigures }))
    .optional()
    .describe('The result of every strategy, with compareStrategies'),
  psbt: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Unsigned PSBT (BIP 174) in base64, with psbt; null if the payment cannot be made or the input size is assumed',
    ),
  psbtV2: z.string().nullable().optional().describe('The same transaction as PSBT version 2 (BIP 370)'),
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
