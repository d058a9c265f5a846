import { type Account, findAccount } from '../../accounts/accounts.ts'
import { getKeys, insertKey, keyName, makeKey, revokeKey } from '../../accounts/api-keys.ts'
import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { KEYS_PER_ACCOUNT } from '../../accounts/plans.ts'
import type { Queryable } from '../../platform/database.ts'
import { requireSchema } from '../../platform/migrate.ts'
import { type Command, chooseFrom, RefusedError, required, withPlatform } from '../command.ts'

async function accountOf(database: Queryable, email: string): Promise<Account> {
  const account = await findAccount(database, email)
  if (account === undefined)
    throw new RefusedError(`There is no account for ${email}. List accounts with: gatewatch account list`)
  return account
}

export const keyCreate: Command = {
  name: 'key create',
  positionals: ['EMAIL'],
  summary: 'Create an API key and print it once',
  options: {
    api: { type: 'string', value: 'v1|v2', help: 'API the key is for' },
    name: { type: 'string', value: 'NAME', help: 'name of the key' },
  },
  run: async (args) => {
    const [email = ''] = args.positionals
    const api = chooseFrom('api', required('api', args.text('api')), ['v1', 'v2'] as const) ?? 'v1'
    const parsed = keyName.safeParse(required('name', args.text('name')))
    if (!parsed.success) throw new RefusedError(`--name ${parsed.error.issues[0]?.message}.`)
    const name = parsed.data
    return withPlatform(async ({ database }) => {
      const account = await accountOf(database, email)
      const made = makeKey(api)
      const record = await insertKey(database, account.id, api, name, made)
      if (record === undefined)
        throw new RefusedError(`An account has at most ${KEYS_PER_ACCOUNT} keys for the ${api} API. Revoke one first.`)
      await recordOperatorChange(database, {
        actor: commandLineActor(),
        action: 'key.create',
        subject: account.email,
        after: { id: record.id, api, name, prefix: record.prefix },
      })
      const lines = [made.key, 'Store the key now: it cannot be shown again.']
      if (api === 'v1' && account.plan !== 'team')
        lines.push(`The v1 API needs the Team plan: gatewatch account plan ${email} --plan team`)
      const { id, prefix, createdAt } = record
      return { json: { id, name, prefix, key: made.key, createdAt, lastUsedAt: null, usageThisMonth: 0 }, lines }
    })
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  positionals: ['ID'],
  summary: 'Revoke an API key',
  run: async ({ positionals: [id = ''] }) =>
    withPlatform(async ({ database }) => {
      if (!(await revokeKey(database, id)))
        throw new RefusedError(`There is no active key with the id ${id}. List keys with: gatewatch key list EMAIL`)
      await recordOperatorChange(database, { actor: commandLineActor(), action: 'key.revoke', subject: id })
      return { json: { revoked: true, id }, lines: [`Key ${id} is revoked.`] }
    }),
}

export const keyList: Command = {
  name: 'key list',
  positionals: ['EMAIL'],
  summary: 'List the API keys of an account',
  run: async ({ positionals: [email = ''] }) =>
    withPlatform(async ({ database }) => {
      await requireSchema(database)
      const keys = await getKeys(database, (await accountOf(database, email)).id)
      const lines = keys.map(({ id, api, prefix, name, expiresAt }) =>
        [id, api, `${prefix}…`, name, ...(expiresAt === null ? [] : [`expires ${expiresAt.toISOString()}`])].join('  '),
      )
      return { json: keys, lines: lines.length === 0 ? ['This account has no keys.'] : lines }
    }, 'read'),
}
