import { randomBytes } from 'node:crypto'
import { createVault, derivedKey } from '../../server/src/platform/vault.ts'
import { keepSecretOfTest } from './log.ts'

/** The same secret for all processes of a test. */
export const AUTH_SECRET = keepSecretOfTest(randomBytes(32).toString('base64url'))

/** The keys of stored secrets that processes with `AUTH_SECRET` use. */
export const testVault = createVault([derivedKey(AUTH_SECRET)])
