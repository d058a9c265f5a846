import { type Account, findAccount } from '../../accounts/accounts.ts'
import { getKeys, insertKey, keyName, makeKey, revokeKey } from '../../accounts/api-keys.ts'
import { KEYS_PER_ACCOUNT } from '../../accounts/plans.ts'
import type { Queryable } from '../../platform/database.ts'
import { requireSchema } from '../../platform/migrate.ts'
import { type Command, chooseFrom, onGround, RefusedError, required } from '../command.ts'

async function accountOf(database: Queryable, email: string): Promise<Account> {
  const account = await findAccount(database, email)
  if (account === undefined) throw new RefusedError(`There is no account for ${email}.`)
  return account
}

export const keyCreate: Command = {
  words: 'key create',
  positionals: ['EMAIL'],
  summary: 'Makes an API key and prints it, once',
  options: {
    api: { type: 'string', value: 'v1|v2', help: 'interface the key is for' },
    name: { type: 'string', value: 'N', help: 'what you call the key' },
  },
  run: async (given) => {
    const [email = ''] = given.positionals
    const api = chooseFrom('api', required('api', given.text('api')), ['v1', 'v2'] as const) ?? 'v1'
    const parsed = keyName.safeParse(required('name', given.text('name')))
    if (!parsed.success) throw new RefusedError(`--name ${parsed.error.issues[0]?.message}.`)
    const name = parsed.data
    return onGround(async ({ database }) => {
      const account = await accountOf(database, email)
      const made = makeKey(api)
      const record = await insertKey(database, account.id, api, name, made)
      if (record === undefined)
        throw new RefusedError(`An account has at most ${KEYS_PER_ACCOUNT} keys of interface ${api}; revoke one first.`)
      const lines = [made.key, 'This is the only time the key is shown.']
      if (api === 'v1' && account.plan !== 'team')
        lines.push(`It answers 403 until the account is on the Team plan: gatewatch account plan ${email} --plan team`)
      const { id, prefix, createdAt } = record
      return { json: { id, name, prefix, key: made.key, createdAt, lastUsedAt: null, usageThisMonth: 0 }, lines }
    })
  },
}

export const keyRevoke: Command = {
  words: 'key revoke',
  positionals: ['ID'],
  summary: 'Revokes a key, at once in every process',
  run: async ({ positionals: [id = ''] }) =>
    onGround(async ({ database }) => {
      if (!(await revokeKey(database, id))) throw new RefusedError(`There is no active key with the id ${id}.`)
      return { json: { revoked: true, id }, lines: [`Key ${id} is revoked.`] }
    }),
}

export const keyList: Command = {
  words: 'key list',
  positionals: ['EMAIL'],
  summary: "Lists an account's active keys",
  run: async ({ positionals: [email = ''] }) =>
    onGround(async ({ database }) => {
      await requireSchema(database)
      const keys = await getKeys(database, (await accountOf(database, email)).id)
      const lines = keys.map(({ id, api, prefix, name }) => `${id}  ${api}  ${prefix}…  ${name}`)
      return { json: keys, lines: lines.length === 0 ? ['This account has no key.'] : lines }
    }, 'none'),
}
