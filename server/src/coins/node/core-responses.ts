/** Schemas of the responses of Core's RPC methods: the fields we use. Fields of newer versions only are optional. */
import { z } from 'zod'

export const hash = z.string().regex(/^[0-9a-f]{64}$/)
export const hex = z
  .string()
  .regex(/^([0-9a-f]{2})*$/)
  .transform((text) => Buffer.from(text, 'hex'))

/** A decimal amount of coins, converted exactly to the smallest unit. */
export const amount = z.union([z.string(), z.number()]).transform((value, context): number => {
  const units = parseAmount(String(value))
  if (units === undefined) context.addIssue({ code: 'custom', message: 'is not an amount' })
  return units ?? 0
})

/** Converts a decimal amount of coins to the smallest unit; undefined for text that is not a number. */
export function parseAmount(text: string): number | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = 8 - fraction.length + Number(exponent)
  if (Math.abs(shift) > 40) return digits === 0n ? 0 : undefined
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return Number(sign === '-' ? -units : units)
}

/** A rate or difficulty. The JSON reviver returns decimals as text. */
const decimal = z.union([z.number(), z.string()]).transform(Number).pipe(z.number())

export const chainInfo = z.object({
  chain: z.string(),
  blocks: z.int().nonnegative(),
  headers: z.int(),
  bestblockhash: hash,
  difficulty: decimal,
  initialblockdownload: z.boolean(),
  pruned: z.boolean().optional(),
  pruneheight: z.int().optional(),
})

export const networkInfo = z.object({ version: z.int(), subversion: z.string(), incrementalfee: amount.optional() })

export const mempoolInfo = z.object({
  loaded: z.boolean(),
  size: z.int(),
  bytes: z.int(),
  mempoolminfee: amount,
  minrelaytxfee: amount,
  /** Since Bitcoin Core 24. */
  fullrbf: z.boolean().optional(),
})

export const rawMempool = z.object({ txids: z.array(hash), mempool_sequence: z.int() })

/** Fee and size are not read: nodes include the fees paid inside extension blocks. */
export const mempoolEntry = z.object({ time: z.int() })

/** Cumulative weight and fee of the mempool in mining order. */
export const feeDiagram = z.array(z.object({ weight: z.int(), fee: amount }))

/** One result for each transaction. Without `allowed`, it was not examined because of another one. */
export const mempoolAccept = z.array(
  z.object({
    txid: hash,
    allowed: z.boolean().optional(),
    vsize: z.int().optional(),
    fees: z.object({ base: amount }).optional(),
    'reject-reason': z.string().optional(),
    'package-error': z.string().optional(),
  }),
)

/** Results by wtxid. */
export const submittedPackage = z.object({
  package_msg: z.string().optional(),
  'tx-results': z.record(
    z.string(),
    z.object({
      txid: hash,
      vsize: z.int().optional(),
      fees: z.object({ base: amount }).optional(),
      error: z.string().optional(),
    }),
  ),
})

/** Per 1,000 virtual bytes; missing while the node has too little data. */
export const smartFee = z.object({ feerate: amount.optional() })

export const txOutSetInfo = z.object({ height: z.int(), bestblock: hash, txouts: z.int(), total_amount: amount })

export const scanResponse = z.object({
  height: z.int(),
  bestblock: hash,
  total_amount: amount,
  unspents: z.array(z.object({ txid: hash, vout: z.int(), scriptPubKey: z.string(), amount, height: z.int() })),
})
