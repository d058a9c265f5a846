/** Creates analysis batches and finds them for the account that created them. */
import { randomUUID } from 'node:crypto'
import { type ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Database } from '../../platform/database.ts'
import { newWebhookSecret } from '../../platform/deliveries/webhook.ts'
import { decodeAddress } from '../parse/address.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { type AddressResult, type AnalyzeAddressesDeps, analyzeAddresses, NODE_SILENT } from './analyze-addresses.ts'
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
  /** Analyzes a batch without callback at once, and queues any other. The webhook secret is returned only here. */
  readonly create: (
    chain: ServedChain,
    request: BatchRequest,
  ) => Promise<ReturnType<typeof batchView> & { webhookSecret?: string }>
  /**
   * Analyzes a batch without callback and yields the JSON of the completed batch part by part, so that a long analysis
   * does not exceed the time limit of a proxy. Once the node does not answer, the addresses that are left fail.
   */
  readonly stream: (chain: ServedChain, request: Omit<BatchRequest, 'webhookUrl'>) => AsyncGenerator<string>
  readonly find: (accountId: string, id: string) => Promise<ReturnType<typeof batchView> | undefined>
}

/** Responses per account that are being streamed in this process. */
const MAX_STREAMS = 2
/** Unfinished batches per account. */
const MAX_OPEN_BATCHES = 20

export function createBatchService(deps: BatchServiceDeps): BatchService {
  const { database, clock } = deps
  const streams = new Map<string, number>()

  async function* stream(
    chain: ServedChain,
    { accountId, utxoLimit, ...request }: Omit<BatchRequest, 'webhookUrl'>,
  ): AsyncGenerator<string> {
    streams.set(accountId, (streams.get(accountId) ?? 0) + 1)
    try {
      const addresses = uniqueAddresses(chain, request.addresses)
      const batch = { ...newBatch(chain, { accountId, utxoLimit, addresses }), createdAt: new Date(clock.now()) }
      yield `{"batchId":"${batch.id}","results":[`
      const texts: string[] = []
      let isSilent = false
      for (const address of addresses) {
        const results: readonly AddressResult[] | null = isSilent
          ? [{ address, ok: false, error: NODE_SILENT }]
          : await analyzeAddresses(deps, chain, { addresses: [address], utxoLimit, recordTemporaryErrors: true })
        const result: AddressResult | undefined = results?.[0]
        isSilent ||= result?.error === NODE_SILENT
        const text = stringifyExactly(result)
        yield texts.length === 0 ? text : `,${text}`
        texts.push(text)
      }
      const completed = { ...batch, completedAt: new Date(clock.now()), results: `[${texts.join(',')}]` }
      // The caller has the results, so a failure here only prevents reading them again.
      await insertBatch(database, completed).catch(deps.onError)
      const { batchId: _id, results: _all, ...tail } = batchView(completed)
      yield `],${stringifyExactly(tail).slice(1)}`
    } finally {
      const left = (streams.get(accountId) ?? 1) - 1
      if (left === 0) streams.delete(accountId)
      else streams.set(accountId, left)
    }
  }

  return {
    stream: (chain, request) => {
      if ((streams.get(request.accountId) ?? 0) >= MAX_STREAMS) throw tooManyStreams()
      return stream(chain, request)
    },
    create: async (chain, { accountId, utxoLimit, webhookUrl, ...request }) => {
      const addresses = uniqueAddresses(chain, request.addresses)
      const isQueued = webhookUrl !== undefined
      if (isQueued && (await countOpenBatches(database, accountId)) >= MAX_OPEN_BATCHES) throw tooManyOpen()
      const createdAt = new Date(clock.now())
      const results = isQueued ? null : await analyzeAddresses(deps, chain, { addresses, utxoLimit })
      const webhookSecret = webhookUrl === undefined ? null : newWebhookSecret()
      const batch: StoredBatch = {
        ...newBatch(chain, { accountId, utxoLimit, addresses }),
        status: isQueued ? 'queued' : 'completed',
        results: results === null ? null : stringifyExactly(results),
        createdAt,
        completedAt: isQueued ? null : new Date(clock.now()),
        webhookUrl: webhookUrl ?? null,
        webhookSecret,
        webhookStatus: webhookSecret === null ? null : 'waiting',
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

/** A completed batch without callback. */
const newBatch = (
  { network }: ServedChain,
  request: Pick<StoredBatch, 'accountId' | 'utxoLimit' | 'addresses'>,
): Omit<StoredBatch, 'createdAt'> => ({
  ...request,
  id: randomUUID(),
  chain: network.chain,
  status: 'completed',
  results: null,
  completedAt: null,
  webhookUrl: null,
  webhookSecret: null,
  webhookStatus: null,
  webhookAttempts: 0,
  webhookError: null,
})

const tooManyStreams = (): ApiError =>
  tooManyRequests({
    code: 'RATE_LIMIT_EXCEEDED',
    message: `${MAX_STREAMS} batches of this account are being answered. Send the next one when one of them is complete, or use webhookUrl.`,
    retryAfterSeconds: 10,
  })

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
