/** The operations of `openapi.json`, and the area of the service each belongs to. */

export type Schema = {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly default?: unknown
}

export type Parameter = {
  readonly in: 'path' | 'query'
  readonly name: string
  readonly schema: Schema
  readonly required?: boolean
}

export type Operation = {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body?: Schema
  /** It ends or changes the session it uses, or that session's account. */
  readonly endsSession?: boolean
}

type Description = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly Parameter[]
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
          }
        >
      >
    >
  >
}

export const operationsOf = ({ paths }: Description): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema
      return { method, path, parameters, ...(body !== undefined && { body }) }
    }),
  )

/** The first pattern that matches determines the area. */
const AREAS = [
  ['v1', /^\/v1\//],
  ['v2', /^\/api\/v2\//],
  ['analytics', /^\/api\/v1\//],
  ['auth', /^\/api\/auth\//],
  ['keys', /^\/me\/(api|utxo)-keys/],
  ['operator', /^\/me\/operator\//],
  ['alerts', /^\/me\//],
  ['public', /^\//],
] as const

export type Area = (typeof AREAS)[number][0]

export function areaOf({ path }: Pick<Operation, 'path'>): Area {
  const found = AREAS.find(([, pattern]) => pattern.test(path))
  if (found === undefined) throw new Error(`${path} belongs to no area`)
  return found[0]
}
