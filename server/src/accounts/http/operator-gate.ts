/** The gate of what only an operator of the service may see and change, behind the gate of the session. */
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'

/** An `onRequest` hook for everything under `/me/operator`. */
export async function operatorGate({ account }: FastifyRequest): Promise<void> {
  if (account.operator) return
  throw new ApiError({
    status: 403,
    code: 'operator_required',
    message: 'Only an operator of this service may do this.',
  })
}
