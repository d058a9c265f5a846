/** `/me/api-keys` (v1) and `/me/utxo-keys` (v2): the API keys of an account. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Clock, monthOf } from '../../lib/clock.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { instant } from '../../lib/http/params.ts'
import type { CounterStore, Usage } from '../../platform/counters/counters.ts'
import type { Database } from '../../platform/database.ts'
import { getKeys, insertKey, isExpired, type KeyRecord, keyName, makeKey, revokeKey } from '../api-keys.ts'
import { type Api, KEYS_PER_ACCOUNT, type KeyLimits, PLANS_PAGE, UTXO_ALLOWANCES, V1_LIMITS } from '../plans.ts'
import type { SessionAccount } from '../sessions.ts'
import { requireFreshSession } from '../sessions.ts'
import { meResponses } from './responses.ts'

/** The differences between the keys of the two APIs. */
export type KeyFamily = {
  readonly api: Api
  readonly path: string
  /** The id of a key in the examples of OpenAPI. */
  readonly exampleId: string
  readonly planOf: (account: SessionAccount) => string
  readonly limitsOf: (account: SessionAccount) => KeyLimits
  readonly mayCreate: (account: SessionAccount) => boolean
}

export const V1_KEYS: KeyFamily = {
  api: 'v1',
  path: '/me/api-keys',
  exampleId: '1b2f8a94-6c1d-4e0b-9a57-0d3c5e7f9a21',
  planOf: ({ plan }) => plan,
  limitsOf: () => V1_LIMITS,
  mayCreate: ({ plan }) => plan === 'team',
}

export const V2_KEYS: KeyFamily = {
  api: 'v2',
  path: '/me/utxo-keys',
  exampleId: '7d4e0c53-2a9f-4b86-8e1d-6f5b3a1c9e42',
  planOf: ({ utxoPlan }) => utxoPlan,
  limitsOf: ({ utxoPlan }) => UTXO_ALLOWANCES[utxoPlan],
  mayCreate: () => true,
}

const DAY_MS = 86_400_000
/** The longest time after which a key expires. */
const MAX_DAYS = 3_650

/** The value of an unlimited quota in an integer field. */
const UNLIMITED = -1

const noParams = z.strictObject({})

const keyRecord = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('First characters of the key, to identify it'),
  createdAt: instant,
  expiresAt: instant.optional().describe('From then on the key is refused. Absent if it does not expire'),
  lastUsedAt: instant.nullable(),
  usageThisMonth: z.int().describe('Requests in the current UTC month'),
})
const keyList = z.object({
  plan: z.string(),
  items: z.array(keyRecord),
  usage: z.object({
    month: z.string().describe('UTC month, YYYY-MM'),
    requests: z.int().describe('Requests of the listed keys'),
    limit: z.int().describe('The month quotas of the active keys together; -1 is unlimited'),
    resetAt: instant,
  }),
  limits: z.object({
    apiKeys: z.int(),
    apiRequestsPerMinute: z.int(),
    apiRequestsPerMonth: z.int().describe('Per key; -1 is unlimited'),
  }),
})
const { id, name, prefix, ...laterFields } = keyRecord.shape
const createdKey = z.object({
  id,
  name,
  prefix,
  key: z.string().describe('The full key. No other response contains it.'),
  ...laterFields,
})

export type KeyRouteDeps = { readonly database: Database; readonly counters: CounterStore; readonly clock: Clock }

export function keyRoutes({ database, counters, clock }: KeyRouteDeps, family: KeyFamily) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const tags = ['Key management']

    app.get(
      family.path,
      {
        schema: {
          tags,
          summary: `List the keys for the ${family.api} API`,
          querystring: noParams,
          response: meResponses(200, keyList),
        },
      },
      async ({ account }) => {
        const now = clock.now()
        const month = monthOf(now)
        const keys = await getKeys(database, account.id, family.api)
        const ids = keys.map(({ id }) => id)
        const used = await counters.usageOf(ids, month)
        const { perMinute, perMonth } = family.limitsOf(account)
        return {
          plan: family.planOf(account),
          items: keys.map((key) => keyView(key, used.get(key.id))),
          usage: {
            month: month.name,
            requests: used.values().reduce((sum, { monthUsed }) => sum + monthUsed, 0),
            limit: perMonth === null ? UNLIMITED : perMonth * keys.filter((key) => !isExpired(key, now)).length,
            resetAt: new Date(month.end).toISOString(),
          },
          limits: {
            apiKeys: KEYS_PER_ACCOUNT,
            apiRequestsPerMinute: perMinute,
            apiRequestsPerMonth: perMonth ?? UNLIMITED,
          },
        }
      },
    )

    app.post(
      family.path,
      {
        schema: {
          tags,
          summary: `Create a key for the ${family.api} API`,
          body: z
            .strictObject({
              name: keyName,
              expiresInDays: z.int().min(1).max(MAX_DAYS).optional().describe('Without it the key does not expire'),
            })
            .meta({ example: { name: 'laptop' } }),
          querystring: noParams,
          response: meResponses(201, createdKey, 409),
        },
        preValidation: async ({ account }) => {
          if (!family.mayCreate(account))
            throw new ApiError({
              status: 403,
              code: 'plan_required',
              message: `API keys require the Team plan. See ${PLANS_PAGE}.`,
              details: { upgradeUrl: PLANS_PAGE },
            })
        },
        preHandler: requireFreshSession,
      },
      async ({ account, body }, reply) => {
        const made = makeKey(family.api)
        const now = clock.now()
        const expiresAt = body.expiresInDays === undefined ? undefined : new Date(now + body.expiresInDays * DAY_MS)
        const key = await insertKey(database, account.id, family.api, body.name, made, { expiresAt, now })
        if (key === undefined) {
          throw new ApiError({
            status: 409,
            code: 'limit_reached',
            message: `An account has at most ${KEYS_PER_ACCOUNT} keys. Revoke one first.`,
          })
        }
        reply.status(201)
        const { id, name, prefix, ...rest } = keyView(key, undefined)
        return { id, name, prefix, key: made.key, ...rest }
      },
    )

    app.delete(
      `${family.path}/:id`,
      {
        schema: {
          tags,
          summary: 'Revoke a key with immediate effect',
          params: z.object({ id: z.string().meta({ example: family.exampleId }) }),
          querystring: noParams,
          response: meResponses(200, z.object({ revoked: z.literal(true), id: z.string() }), 404),
        },
      },
      async ({ account, params: { id } }) => {
        if (!(await revokeKey(database, id, { accountId: account.id, api: family.api }))) {
          throw new ApiError({ status: 404, code: 'key_not_found', message: 'You have no active key with this id.' })
        }
        return { revoked: true as const, id }
      },
    )
  }
}

const keyView = ({ id, name, prefix, createdAt, expiresAt }: KeyRecord, usage: Usage | undefined) => ({
  id,
  name,
  prefix,
  createdAt: createdAt.toISOString(),
  ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  lastUsedAt: usage?.lastAt === undefined ? null : new Date(usage.lastAt).toISOString(),
  usageThisMonth: usage?.monthUsed ?? 0,
})
