/** Response schemas that several routes share: the v1 error body, and the responses under `/me`. */
import { z } from 'zod'
import { describeGuard, errorResponses, type Refusal } from '../../lib/http/route-responses.ts'

/** The error body of all routes except the v2 API and the analytics. */
export const v1Error = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  })
  .meta({ id: 'V1Error' })

/** `refusals` are those of the handler. The hooks under `/me` describe theirs. */
export const meResponses = <Success extends z.ZodType, Status extends 200 | 201 | 202>(
  status: Status,
  success: Success,
  ...refusals: readonly Refusal[]
) =>
  ({ ...errorResponses(v1Error, refusals), [status]: success }) as { readonly [code in Status]: Success } & ReturnType<
    typeof errorResponses<typeof v1Error>
  >

/** Describes the check of the session at each route. Changes from other sites get 403. */
export const describeSessionCheck = describeGuard(
  v1Error,
  ({ method }) => (method === 'GET' ? [401, 503] : [401, 403, 503]),
  [{ session: [] }],
)

/** Describes the limit of requests per network at each route. */
export const describeVisitorLimit = describeGuard(v1Error, () => [429])

/** Describes the check of the operator flag at each route. */
export const describeOperatorCheck = describeGuard(v1Error, () => [403])
