/** Response schemas of /analyze and /analyze/batch. */

import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { addressFigures, grade, satoshi } from './schemas.ts'

const scored = { score: z.int().min(0).max(100), grade }

const factor = z.object({
  code: z.string(),
  impact: z.number().describe('Points that the factor adds to the score; negative if it lowers it'),
  confidence: z.enum(['deterministic', 'high', 'medium', 'low']),
  evidence: z.array(z.string()).describe('Txids of up to five transactions that show it'),
  text: z.string(),
})

const dustSuspect = z.object({
  txid: z.string(),
  vout: z.int(),
  value: satoshi,
  verdict: z.enum(['possible', 'probable']),
  reasons: z.array(z.string()),
})

const consolidation = z.object({
  recommendation: z
    .enum(['now', 'wait', 'optional', 'none'])
    .describe('none if there is little to consolidate, or if it saves nothing at any percentile of the last 30 days'),
  included: z.int(),
  excluded: z.int(),
  feeRate: z.number(),
  targetFeeRate: z.number().nullable(),
  breakEvenFeeRate: z.number().nullable(),
  cost: z.object({ low: satoshi, medium: satoshi, high: satoshi }),
  savings: z.object({ p50: satoshi, p75: satoshi, p90: satoshi }),
  batches: z.array(z.object({ inputs: z.int(), value: satoshi, fee: satoshi, size: z.int() })),
  note: z.string(),
})

export const analysis = z
  .object({
    address: z.string(),
    chain: z.string(),
    scriptType: z.string(),
    analyzedAt: instant,
    tip: z.object({ height: z.int(), hash: z.string() }),
    summary: z.object({
      ...addressFigures,
      totalReceived: satoshi,
      totalSent: satoshi,
    }),
    privacy: z.object({ ...scored, factors: z.array(factor) }),
    dust: z.object({
      count: z.int(),
      value: satoshi,
      uneconomic: z.object({ low: z.int(), medium: z.int(), high: z.int() }),
      suspects: z.array(dustSuspect),
    }),
    consolidation,
    health: z.object({ ...scored, issues: z.array(z.string()) }),
    coverage: z.object({
      txsExamined: z.int(),
      historyEntriesExamined: z.int(),
      txsTotal: z.int(),
      truncated: z.boolean(),
    }),
    limited: z
      .boolean()
      .describe(
        'dust.suspects is cut to the UTXO limit of the plan (100 on Basic, 5,000 on Pro, none on Enterprise); all other figures cover every coin',
      ),
  })
  .meta({ id: 'Analysis' })

export const walletAnalysis = z
  .object(analysis.shape)
  .omit({ address: true })
  .extend({ descriptor: z.string() })
  .meta({ id: 'WalletAnalysis' })

export const batchResult = z.object({
  address: z.string(),
  ok: z.boolean(),
  data: analysis.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export const batch = z
  .object({
    batchId: z.string(),
    chain: z.string(),
    status: z.enum(['queued', 'running', 'completed']),
    total: z.int().describe('Number of different addresses'),
    createdAt: instant,
    completedAt: instant.nullable(),
    results: z.array(batchResult),
    summary: z.object({ ok: z.int(), failed: z.int() }).nullable(),
    webhook: z
      .object({
        url: z.string(),
        status: z.enum(['waiting', 'delivered', 'retrying', 'failed']),
        attempts: z.int(),
        lastError: z.string().nullable(),
      })
      .nullable(),
    webhookSecret: z.string().optional().describe('Signs the callback of this batch; returned only once'),
  })
  .meta({ id: 'AnalysisBatch' })
