/** The sealed target of a channel at another vendor: a URL, and what its requests need. */
import { z } from 'zod'

const httpTarget = z.object({
  url: z.string(),
  /** The integration key of PagerDuty, the API key of Opsgenie, the signing secret of a Slack app. */
  key: z.string().optional(),
  /** A value of the Authorization header. */
  authorization: z.string().optional(),
  template: z.string().optional(),
  contentType: z.enum(['application/json', 'application/x-www-form-urlencoded', 'text/plain']).optional(),
})
export type HttpTarget = z.infer<typeof httpTarget>
export type ContentType = NonNullable<HttpTarget['contentType']>

export const writeTarget = (target: HttpTarget): string => JSON.stringify(target)

/** Returns undefined for a target whose key is lost, which is read as empty text. */
export function readTarget(text: string): HttpTarget | undefined {
  if (text === '') return undefined
  return httpTarget.parse(JSON.parse(text))
}

/** Shows which URL a channel has without revealing it: those of Slack, Discord and Teams are passwords. */
export function hintOf({ url }: HttpTarget): string {
  const { host, pathname } = new URL(url)
  return pathname.length <= 12 ? host : `${host}/…${pathname.slice(-4)}`
}
