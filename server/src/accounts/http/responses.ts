/** How everything but interface v2 refuses, and the answers of what a web session may do. */
import { z } from 'zod'
import { refusals } from '../../lib/route-answers.ts'

/** The body of every refusal under `/v1` and `/me`. */
export const refusal = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  })
  .meta({ id: 'V1Error' })

const meRefusals = { ...refusals(refusal), 409: refusal }

export const meResponses = <Success extends z.ZodType, Status extends 200 | 201 | 202>(
  status: Status,
  success: Success,
) => ({ [status]: success, ...meRefusals }) as { readonly [code in Status]: Success } & typeof meRefusals
