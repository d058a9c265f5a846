/**
 * Tokens as `/api/auth/token` signs them (JWT, RFC 7519): who may be believed to hold one.
 *
 * One algorithm, ours: the header may name it but never choose it, so neither `none` nor a public key taken for a
 * shared secret gets anywhere.
 */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { z } from 'zod'

const header = z.object({ alg: z.literal('EdDSA'), kid: z.string().min(1), crit: z.undefined().optional() })
const claims = z.object({
  sub: z.string().min(1),
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
})

export type TokenRules = {
  /** The public key of that id; undefined where there is none. */
  readonly findKey: (id: string) => Promise<JsonWebKey | undefined>
  readonly issuer: string
  readonly audience: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The account a token speaks for; undefined unless everything about it is right. */
export async function subjectOf(
  token: string,
  { findKey, issuer, audience, now }: TokenRules,
): Promise<string | undefined> {
  const [head, payload, signature, ...rest] = token.split('.')
  if (head === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined
  const said = header.safeParse(jsonIn(head))
  const claimed = claims.safeParse(jsonIn(payload))
  if (!said.success || !claimed.success) return undefined
  const key = await findKey(said.data.kid)
  if (key?.crv !== 'Ed25519') return undefined
  const isSigned = verify(
    null,
    Buffer.from(`${head}.${payload}`, 'latin1'),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )
  const { sub, iss, aud, exp, nbf = 0 } = claimed.data
  const seconds = now / 1000
  const isValid = isSigned && iss === issuer && [aud].flat().includes(audience) && nbf <= seconds && seconds < exp
  return isValid ? sub : undefined
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
