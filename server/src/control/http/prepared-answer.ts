/** Sends prepared answers of the protocol view, and refuses unknown protocols. */
import type { FastifyReply } from 'fastify'
import { ApiError } from '../../lib/http/api-error.ts'
import type { ProtocolAnswer } from '../views/prepared-protocols.ts'

/** Throws 404 if there is no such protocol. */
export function requireProtocol<Found>(found: Found | undefined): Found {
  if (found !== undefined) return found
  throw new ApiError({
    status: 404,
    code: 'protocol_not_found',
    message: 'No protocol has this name or slug. See /protocols for all protocols.',
  })
}

/** Fastify sends bytes as they are. The type provider knows only the described JSON. */
export const sendProtocol = (reply: FastifyReply, found: ProtocolAnswer | undefined): never =>
  reply.type('application/json; charset=utf-8').send(requireProtocol(found).body) as never
