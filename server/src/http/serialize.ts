/** Serializes responses as JSON: only fields of the schema are sent, and integers stay exact. */
import type { FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { stringifyExactly } from '../lib/json.ts'

export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url }) => {
  return (data) => {
    const { data: encoded, error } = z.safeEncode(schema, data)
    if (error !== undefined) throw new ResponseSerializationError(method, url, { cause: error })
    return stringifyExactly(encoded)
  }
}
