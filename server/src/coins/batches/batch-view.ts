/** A stored batch in the shape of the interface. */

import type { getAnalysis } from '../serve/analysis-view.ts'
import type { StoredBatch } from './batch-store.ts'

export type BatchResult = {
  readonly address: string
  readonly ok: boolean
  readonly data?: Awaited<ReturnType<typeof getAnalysis>>
  readonly error?: { readonly code: string; readonly message: string }
}

export function batchView(batch: StoredBatch) {
  const results = batch.results === null ? [] : readResults(batch.results)
  const ok = results.filter((result) => result.ok).length
  return {
    batchId: batch.id,
    chain: batch.chain,
    status: batch.status,
    total: batch.addresses.length,
    createdAt: batch.createdAt.toISOString(),
    completedAt: batch.completedAt?.toISOString() ?? null,
    results,
    summary: batch.status === 'completed' ? { ok, failed: results.length - ok } : null,
    webhook:
      batch.webhookUrl === null
        ? null
        : {
            url: batch.webhookUrl,
            status: batch.webhookStatus ?? ('waiting' as const),
            attempts: batch.webhookAttempts,
            lastError: batch.webhookError,
          },
  }
}

/** What we wrote ourselves; integers too large for a number come back as bigints. */
function readResults(text: string): BatchResult[] {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    context?.source !== undefined
      ? BigInt(context.source)
      : value
  return JSON.parse(text, exact) as BatchResult[]
}
