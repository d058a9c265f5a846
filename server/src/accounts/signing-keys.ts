/** Keys that sign tokens are kept encrypted with AUTH_SECRET: after another was set, nobody can sign with the old ones. */
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import type { Auth } from './auth.ts'
import { expireSigningKeys, getLiveSigningKeys } from './store/signing-keys.ts'

export type SigningKeyDeps = { readonly auth: Auth; readonly database: Database; readonly log: Logger }

/** Ends the keys that cannot be read, so that the next token makes another; what they signed stays valid until it ends. */
export async function retireUnreadableKeys({ auth, database, log }: SigningKeyDeps): Promise<void> {
  const { secretConfig } = await auth.$context
  const unreadable: string[] = []
  for (const { id, encrypted } of await getLiveSigningKeys(database)) {
    try {
      await symmetricDecrypt({ key: secretConfig, data: encrypted })
    } catch {
      unreadable.push(id)
    }
  }
  if (unreadable.length === 0) return
  await expireSigningKeys(database, unreadable)
  log.warn({ keys: unreadable }, 'AUTH_SECRET has changed: everyone signs in anew, and tokens are signed by a new key')
}
