/** Response schemas that several routes share: the v1 error body, and all responses under `/me`. */
import { z } from 'zod'
import { errorResponses } from '../../lib/http/route-responses.ts'

/** The error body of all routes except the v2 API and the analytics. */
export const v1Error = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  })
  .meta({ id: 'V1Error' })

const meErrors = { ...errorResponses(v1Error), 409: v1Error }

export const meResponses = <Success extends z.ZodType, Status extends 200 | 201 | 202>(
  status: Status,
  success: Success,
) => ({ [status]: success, ...meErrors }) as { readonly [code in Status]: Success } & typeof meErrors
