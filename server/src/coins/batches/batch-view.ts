/** A stored batch as the API returns it. */
import { parseExactly } from '../../lib/json.ts'
import type { AddressResult } from './analyze-addresses.ts'
import type { StoredBatch } from './batch-store.ts'

export function batchView(batch: StoredBatch) {
  const results = batch.results === null ? [] : (parseExactly(batch.results) as AddressResult[])
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
