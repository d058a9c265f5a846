/** Response schemas that several routes share: the v1 error body, and all responses under `/me`. */
import { z } from 'zod'
import { errorResponses } from '../../lib/route-responses.ts'

/** The error body of all routes except the v2 API and the analytics. */
export const refusal = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  })
  .meta({ id: 'V1Error' })

const meRefusals = { ...errorResponses(refusal), 409: refusal }

export const meResponses = <Success extends z.ZodType, Status extends 200 | 201 | 202>(
  status: Status,
  success: Success,
) => ({ [status]: success, ...meRefusals }) as { readonly [code in Status]: Success } & typeof meRefusals
