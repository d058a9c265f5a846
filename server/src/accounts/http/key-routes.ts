/** `/me/api-keys` and `/me/utxo-keys`: the keys of both interfaces, in one shape. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import { type Clock, monthOf } from '../../lib/clock.ts'
import type { CounterStore, Usage } from '../../platform/counters/counters.ts'
import type { Database } from '../../platform/database.ts'
import { getKeyIds, getKeys, insertKey, type KeyRecord, keyName, makeKey, revokeKey } from '../api-keys.ts'
import { type Api, KEYS_PER_ACCOUNT, type KeyLimits, UTXO_ALLOWANCES, V1_LIMITS } from '../plans.ts'
import type { SessionAccount } from '../sessions.ts'
import { meResponses } from './responses.ts'

/** How the keys of one interface differ from those of the other. */
export type KeyFamily = {
  readonly api: Api
  readonly path: string
  readonly planOf: (account: SessionAccount) => string
  readonly limitsOf: (account: SessionAccount) => KeyLimits
  readonly mayCreate: (account: SessionAccount) => boolean
}

export const V1_KEYS: KeyFamily = {
  api: 'v1',
  path: '/me/api-keys',
  planOf: ({ plan }) => plan,
  limitsOf: () => V1_LIMITS,
  mayCreate: ({ plan }) => plan === 'team',
}

export const V2_KEYS: KeyFamily = {
  api: 'v2',
  path: '/me/utxo-keys',
  planOf: ({ utxoPlan }) => utxoPlan,
  limitsOf: ({ utxoPlan }) => UTXO_ALLOWANCES[utxoPlan],
  mayCreate: () => true,
}

/** How an unlimited quota is written where the field is an integer. */
const UNLIMITED = -1

const nothing = z.strictObject({})
const instant = z.iso.datetime({ precision: 3 })

const keyRecord = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('Leading part of the key'),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  usageThisMonth: z.int(),
})
const keyList = z.object({
  plan: z.string(),
  items: z.array(keyRecord),
  usage: z.object({ month: z.string().describe('YYYY-MM'), requests: z.int(), limit: z.int(), resetAt: instant }),
  limits: z.object({ apiKeys: z.int(), apiRequestsPerMinute: z.int(), apiRequestsPerMonth: z.int() }),
})
const madeKey = keyRecord.extend({ key: z.string().describe('The full key, shown only in this answer') })

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
          summary: `Keys of interface ${family.api}`,
          querystring: nothing,
          response: meResponses(200, keyList),
        },
      },
      async ({ account }) => {
        const month = monthOf(clock.now())
        const keys = await getKeys(database, account.id, family.api)
        // What a key used this month stays used when it is revoked.
        const used = await counters.usageOf(await getKeyIds(database, account.id, family.api), month)
        const { perMinute, perMonth } = family.limitsOf(account)
        return {
          plan: family.planOf(account),
          items: keys.map((key) => shown(key, used.get(key.id))),
          usage: {
            month: month.name,
            requests: used.values().reduce((sum, { monthUsed }) => sum + monthUsed, 0),
            limit: perMonth === null ? UNLIMITED : perMonth * Math.max(1, keys.length),
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
          summary: `Makes a key of interface ${family.api}`,
          body: z.strictObject({ name: keyName }),
          querystring: nothing,
          response: meResponses(201, madeKey),
        },
        preValidation: async ({ account }) => {
          if (!family.mayCreate(account))
            throw new ApiError({ status: 403, code: 'plan_required', message: 'API keys need the Team plan.' })
        },
      },
      async ({ account, body }, reply) => {
        const made = makeKey(family.api)
        const key = await insertKey(database, account.id, family.api, body.name, made)
        if (key === undefined) {
          throw new ApiError({
            status: 409,
            code: 'limit_reached',
            message: `An account has at most ${KEYS_PER_ACCOUNT} keys; revoke one first.`,
          })
        }
        reply.status(201)
        return { ...shown(key, undefined), key: made.key }
      },
    )

    app.delete(
      `${family.path}/:id`,
      {
        schema: {
          tags,
          summary: 'Revokes a key at once',
          params: z.object({ id: z.string() }),
          querystring: nothing,
          response: meResponses(200, z.object({ revoked: z.literal(true), id: z.string() })),
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

const shown = ({ id, name, prefix, createdAt }: KeyRecord, usage: Usage | undefined) => ({
  id,
  name,
  prefix,
  createdAt: createdAt.toISOString(),
  lastUsedAt: usage?.lastAt === undefined ? null : new Date(usage.lastAt).toISOString(),
  usageThisMonth: usage?.monthUsed ?? 0,
})
