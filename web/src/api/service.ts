/** The typed client of the service, and the types of what the pages show. */
import { createClient, type Schemas } from 'gatewatch-client'
import { apiErrorOf } from './api-error.ts'

export const service = createClient({ baseUrl: window.location.origin })

export type ControlEvent = Schemas['Event']
export type About = Schemas['About']

type Result<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response }

/**
 * Returns the body of a successful response and throws an `ApiError` otherwise:
 *
 *     useQuery({ queryKey: ['about'], queryFn: ({ signal }) => unwrap(service.GET('/public/about', { signal })) })
 */
export async function unwrap<Data>(result: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await result
  if (data === undefined) throw apiErrorOf(response.status, error)
  return data
}

/** Like `unwrap`, but null where the service has nothing. */
export async function unwrapFound<Data>(result: Promise<Result<Data>>): Promise<Data | null> {
  return (await result).response.status === 404 ? null : await unwrap(result)
}
