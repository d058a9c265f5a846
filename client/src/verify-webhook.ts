/** Checks the signature of a webhook or of a batch callback (https://www.standardwebhooks.com, version 1). */

/** The body and headers did not come from the service, or came too late. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export type WebhookOptions = {
  /** The secret of the account, `whsec_…`. Pass both while it is being changed. */
  readonly secret: string | readonly string[]
  /** The largest difference between the time of the message and `now`, in seconds. The default is 5 minutes. */
  readonly toleranceSeconds?: number
  /** Milliseconds since the epoch. */
  readonly now?: number
}

type Headers =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | string[] | undefined>>

const PREFIX = 'whsec_'

/**
 * Returns the parsed body of a genuine message; throws a `WebhookError` otherwise. `body` is the text as it was
 * received: JSON that was parsed and written again has another signature. `webhook-id` is the same for every attempt, so
 * a receiver that stores it recognizes a repetition.
 */
export async function verifyWebhook<Body = unknown>(
  body: string,
  headers: Headers,
  { secret, toleranceSeconds = 300, now = Date.now() }: WebhookOptions,
): Promise<Body> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookError('The headers webhook-id, webhook-timestamp and webhook-signature are required.')
  const difference = Math.abs(now / 1_000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || difference > toleranceSeconds)
    throw new WebhookError('The time of the message is too far from now.')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const given = signatures.split(' ').flatMap((text) => (text.startsWith('v1,') ? [bytesOf(text.slice(3))] : []))
  for (const one of [secret].flat()) {
    const bytes = bytesOf(one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one)
    // Anyone can sign with an empty key, for example that of a setting which is missing.
    if (bytes.length === 0) throw new TypeError('The secret is empty or not base64.')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    // `verify` compares in constant time.
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(body) as Body
  }
  throw new WebhookError('No signature of the message is valid for this secret.')
}

function headerOf(headers: Headers, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([known]) => known.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}

/** Empty for text that is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
