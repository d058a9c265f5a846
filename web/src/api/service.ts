/** The service behind the pages; everything they show comes through here. */
import { createClient, type Schemas } from 'gatewatch-client'
import { failureOf } from './api-failure.ts'

export const service = createClient({ baseUrl: window.location.origin })

export type ControlEvent = Schemas['Event']
export type About = Schemas['About']

type Answer<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response }

/**
 * The answer's body, or a thrown `ApiFailure`:
 *
 *     useQuery({ queryKey: ['about'], queryFn: ({ signal }) => ask(service.GET('/public/about', { signal })) })
 */
export async function ask<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer
  if (data === undefined) throw failureOf(response.status, error)
  return data
}
