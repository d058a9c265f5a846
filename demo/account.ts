/** Creates the demo's account: the same login at every start, with new keys. */
import { join } from 'node:path'
import { createAccount, findAccount } from '../server/src/accounts/accounts.ts'
import { getKeys, insertKey, makeKey, revokeKey } from '../server/src/accounts/api-keys.ts'
import type { Api } from '../server/src/accounts/plans.ts'
import type { Config } from '../server/src/config/config.ts'
import type { Database } from '../server/src/platform/database.ts'
import { readOrCreateSecret } from '../server/src/platform/secret-file.ts'

export type Login = {
  readonly accountId: string
  readonly email: string
  readonly password: string
  readonly keys: Readonly<Record<Api, string>>
}

const EMAIL = 'demo@gatewatch.example'
const KEY_NAME = 'demo'

export type LoginDeps = { readonly config: Config; readonly database: Database }

export async function createLogin({ config, database }: LoginDeps): Promise<Login> {
  // Random per checkout: the password must not be readable from the source.
  const password = readOrCreateSecret(join(config.dataDir, 'demo-password')).slice(0, 12)
  const plans = { plan: 'team', utxoPlan: 'pro', operator: true } as const
  const account =
    (await findAccount(database, EMAIL)) ?? (await createAccount(database, { email: EMAIL, password, ...plans }))
  const keyOf = async (api: Api): Promise<string> => {
    for (const old of await getKeys(database, account.id, api))
      if (old.name === KEY_NAME) await revokeKey(database, old.id)
    const made = makeKey(api)
    await insertKey(database, account.id, api, KEY_NAME, made)
    return made.key
  }
  return { accountId: account.id, email: EMAIL, password, keys: { v1: await keyOf('v1'), v2: await keyOf('v2') } }
}
