/** Creates analysis batches and finds them for the account that created them. */
import { randomUUID } from 'node:crypto'
import { type ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Database } from '../../platform/database.ts'
import { newWebhookSecret } from '../../platform/deliveries/webhook.ts'
import { decodeAddress } from '../parse/address.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { type AnalyzeAddressesDeps, analyzeAddresses } from './analyze-addresses.ts'
import { countOpenBatches, findBatch, insertBatch, type StoredBatch } from './batch-store.ts'
import { batchView } from './batch-view.ts'

export type BatchServiceDeps = AnalyzeAddressesDeps & {
  readonly database: Database
  /** Called after a batch was queued, to wake the batch worker of this process. */
  readonly onQueued?: () => void
}

export type BatchRequest = {
  readonly accountId: string
  readonly utxoLimit: number | null
  readonly addresses: readonly string[]
  readonly webhookUrl: string | undefined
}

export type BatchService = {
  /** Analyzes a small batch without callback at once; queues any other. The webhook secret is returned only here. */
  readonly create: (
    chain: ServedChain,
    request: BatchRequest,
  ) => Promise<ReturnType<typeof batchView> & { webhookSecret?: string }>
  readonly find: (accountId: string, id: string) => Promise<ReturnType<typeof batchView> | undefined>
}

/** Larger batches are queued. */
const MAX_IMMEDIATE = 50
/** Unfinished batches per account. */
const MAX_OPEN_BATCHES = 20

export function createBatchService(deps: BatchServiceDeps): BatchService {
  const { database, clock } = deps
  return {
    create: async (chain, { accountId, utxoLimit, webhookUrl, ...request }) => {
      const addresses = uniqueAddresses(chain, request.addresses)
      const isQueued = webhookUrl !== undefined || addresses.length > MAX_IMMEDIATE
      if (isQueued && (await countOpenBatches(database, accountId)) >= MAX_OPEN_BATCHES) throw tooManyOpen()
      const createdAt = new Date(clock.now())
      const results = isQueued ? null : await analyzeAddresses(deps, chain, { addresses, utxoLimit })
      const webhookSecret = webhookUrl === undefined ? null : newWebhookSecret()
      const batch: StoredBatch = {
        id: randomUUID(),
        accountId,
        chain: chain.network.chain,
        addresses,
        utxoLimit,
        status: isQueued ? 'queued' : 'completed',
        results: results === null ? null : stringifyExactly(results),
        createdAt,
        completedAt: isQueued ? null : new Date(clock.now()),
        webhookUrl: webhookUrl ?? null,
        webhookSecret,
        webhookStatus: webhookSecret === null ? null : 'waiting',
        webhookAttempts: 0,
        webhookError: null,
      }
      await insertBatch(database, batch)
      if (isQueued) deps.onQueued?.()
      return { ...batchView(batch), ...(webhookSecret === null ? {} : { webhookSecret }) }
    },
    find: async (accountId, id) => {
      const batch = await findBatch(database, accountId, id)
      return batch === undefined ? undefined : batchView(batch)
    },
  }
}

const tooManyOpen = (): ApiError =>
  tooManyRequests({
    code: 'RATE_LIMIT_EXCEEDED',
    message: `${MAX_OPEN_BATCHES} batches of this account are not completed yet. Send the next one when one of them is.`,
    retryAfterSeconds: 60,
  })

/** PostgreSQL stores neither NUL nor a lone surrogate. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Removes duplicates, also of addresses written in two forms. A text that is not an address stays as it was sent. */
function uniqueAddresses({ network }: ServedChain, addresses: readonly string[]): string[] {
  const canonical = addresses.map((text) => {
    try {
      return decodeAddress(network, text).text
    } catch {
      return storable(text)
    }
  })
  return [...new Set(canonical)]
}
