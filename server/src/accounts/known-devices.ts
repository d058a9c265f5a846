/**
 * Known devices: browsers that have signed in to an account before.
 *
 * Such a browser has a signed cookie. Its attempts are counted apart from those of other clients, so that guesses from
 * elsewhere cannot keep the owner from signing in. The cookie does not sign in and names no account.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const DEVICE_COOKIE = 'gatewatch.device'

export type KnownDevices = {
  /** Returns the value of a new cookie for the e-mail address. */
  readonly issue: (email: string) => string
  /** Returns the id of the device whose cookie was issued for the e-mail address. */
  readonly idOf: (cookieHeader: string | null | undefined, email: string) => string | undefined
}

export const DEVICE_COOKIE_SECONDS = 180 * 86_400

/** Hashed, so that counters and cookies hold no e-mail address. */
export const hashOfEmail = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url')

export function createKnownDevices(secret: string): KnownDevices {
  const signatureOf = (id: string, email: string) =>
    createHmac('sha256', secret)
      .update(`known device ${id} ${hashOfEmail(email)}`)
      .digest()
  return {
    issue: (email) => {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${signatureOf(id, email).toString('base64url')}`
    },
    idOf: (cookieHeader, email) => {
      const value = (cookieHeader ?? '')
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${DEVICE_COOKIE}=`))
        ?.slice(DEVICE_COOKIE.length + 1)
      const [id = '', signature = ''] = value?.split('.') ?? []
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(id, email)
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined
    },
  }
}
