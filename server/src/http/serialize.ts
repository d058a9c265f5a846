/** Serializes responses as JSON: only fields of the schema are sent, and integers stay exact. */
import type { FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { stringifyExactly } from '../lib/json.ts'

export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url }) => {
  /** Compiled at the first response: it takes milliseconds, and a process never sends most of its responses. */
  let compiled: z.ZodType | undefined
  return (data) => {
    compiled ??= z.compile(schema)
    const { data: known, error } = z.safeParse(compiled, data)
    if (error !== undefined) throw new ResponseSerializationError(method, url, { cause: error })
    return stringifyExactly(known)
  }
}
