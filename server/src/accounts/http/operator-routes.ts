/** `/me/operator/accounts` and `/me/operator/changes`: accounts and their plans, and what operators changed. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../../lib/http/api-error.ts'
import { instant, plainText, wholeNumber } from '../../lib/http/params.ts'
import { type Database, inTransaction } from '../../platform/database.ts'
import { type Account, changePlans, countAccounts, findAccountById, searchAccounts } from '../accounts.ts'
import { changesAsCsv, getOperatorChanges, recordOperatorChange } from '../operator-changes.ts'
import { MONITOR_PLANS, UTXO_PLANS } from '../plans.ts'
import { meResponses } from './responses.ts'

const tags = ['Operation']

/** The query of a list that an operator searches. */
export const searchQuery = (maxLength: number, description: string) =>
  z.strictObject({
    search: plainText(maxLength).optional().describe(description),
    limit: wholeNumber(1, 500).default(100),
  })

/** The response to a search: the matching items, and the number of all. */
export const searchResponses = <Item extends z.ZodType>(item: Item) =>
  meResponses(200, z.object({ total: z.int().describe('Number of all items'), items: z.array(item) }))

const account = z
  .object({
    id: z.string(),
    email: z.string(),
    plan: z.enum(MONITOR_PLANS),
    utxoPlan: z.enum(UTXO_PLANS),
    operator: z.boolean(),
    twoFactor: z.boolean().describe('Whether a sign-in needs a one-time code'),
    createdAt: instant,
  })
  .meta({ id: 'OperatorAccount' })

export function operatorAccountRoutes({ database }: { readonly database: Database }) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.get(
      '/me/operator/accounts',
      {
        schema: {
          tags,
          summary: 'List accounts, newest first',
          querystring: searchQuery(254, 'Part of the e-mail address'),
          response: searchResponses(account),
        },
      },
      async ({ query: { search, limit } }) => ({
        total: await countAccounts(database),
        items: (await searchAccounts(database, search ?? '', limit)).map(accountView),
      }),
    )

    app.patch(
      '/me/operator/accounts/:id',
      {
        schema: {
          tags,
          summary: 'Change the plans of an account with immediate effect',
          params: z.object({
            id: z.string().max(64).meta({ example: 'c0ffee00-1111-4222-8333-444455556666' }),
          }),
          querystring: z.strictObject({}),
          body: z
            .strictObject({ plan: z.enum(MONITOR_PLANS).optional(), utxoPlan: z.enum(UTXO_PLANS).optional() })
            .meta({ example: { plan: 'team', utxoPlan: 'pro' } }),
          response: meResponses(200, account, 404),
        },
      },
      async ({ account: operator, params: { id }, body: { plan, utxoPlan } }) => {
        const change = { ...(plan !== undefined && { plan }), ...(utxoPlan !== undefined && { utxoPlan }) }
        const changed = await inTransaction(database, async (client) => {
          const found = await findAccountById(client, id)
          const done = found === undefined ? undefined : await changePlans(client, found.email, change)
          if (found !== undefined && done !== undefined)
            await recordOperatorChange(client, {
              actor: operator.email,
              action: 'account.plan',
              subject: found.email,
              before: plansOf(found),
              after: plansOf(done),
            })
          return done
        })
        if (changed === undefined)
          throw new ApiError({ status: 404, code: 'account_not_found', message: 'There is no account with this id.' })
        return accountView(changed)
      },
    )

    app.get(
      '/me/operator/changes',
      {
        schema: {
          tags,
          summary: 'List the changes that operators made, newest first',
          querystring: z.strictObject({
            before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe('Only changes before this id'),
            limit: wholeNumber(1, 500).default(100),
          }),
          response: meResponses(200, z.object({ items: z.array(operatorChange) })),
        },
      },
      async ({ query }) => ({
        items: (await getOperatorChanges(database, query)).map(({ at, ...change }) => ({
          ...change,
          at: at.toISOString(),
        })),
      }),
    )

    app.get(
      '/me/operator/changes.csv',
      {
        schema: {
          tags,
          summary: 'Export the newest changes that operators made, as CSV',
          querystring: z.strictObject({}),
          response: {
            ...meResponses(200, z.string()),
            200: { description: 'The changes, newest first', content: { 'text/csv': { schema: z.string() } } },
          },
        },
      },
      async (_request, reply) =>
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="operator-changes.csv"')
          .serializer((body: unknown) => String(body))
          .send(changesAsCsv(await getOperatorChanges(database, { limit: MAX_EXPORTED }))),
    )
  }
}

const MAX_EXPORTED = 50_000

const plansOf = ({ plan, utxoPlan }: Account) => ({ plan, utxoPlan })

const operatorChange = z
  .object({
    id: z.int(),
    at: instant,
    actor: z.string().describe('The e-mail address of the operator, or the command line'),
    action: z.string(),
    subject: z.string(),
    before: z.looseObject({}).nullable(),
    after: z.looseObject({}).nullable(),
  })
  .meta({ id: 'OperatorChange' })

const accountView = ({ createdAt, ...found }: Account) => ({ ...found, createdAt: createdAt.toISOString() })
