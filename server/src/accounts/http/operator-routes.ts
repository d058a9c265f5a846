/** `/me/operator/accounts`: lists accounts and changes their plans. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../../lib/http/api-error.ts'
import { instant, plainText, wholeNumber } from '../../lib/http/params.ts'
import type { Database } from '../../platform/database.ts'
import { type Account, changePlans, countAccounts, findAccountById, searchAccounts } from '../accounts.ts'
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
      async ({ params: { id }, body: { plan, utxoPlan } }) => {
        const found = await findAccountById(database, id)
        const change = { ...(plan !== undefined && { plan }), ...(utxoPlan !== undefined && { utxoPlan }) }
        const changed = found === undefined ? undefined : await changePlans(database, found.email, change)
        if (changed === undefined)
          throw new ApiError({ status: 404, code: 'account_not_found', message: 'There is no account with this id.' })
        return accountView(changed)
      },
    )
  }
}

const accountView = ({ createdAt, ...found }: Account) => ({ ...found, createdAt: createdAt.toISOString() })
