/** The OpenAPI 3.1 description, generated from the schemas that validate and serialize. */
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { UTXO_PLANS } from '../accounts/plans.ts'

type ZodToJsonConfig = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>

/**
 * A parameter whose text form differs from its parsed value (digits for an integer) has its documented form in the meta
 * field `documentedAs`, which replaces the generated schema. The bounds of safe integers are left out.
 */
export const zodToJsonConfig: ZodToJsonConfig = {
  unrepresentable: 'any',
  override: ({ jsonSchema, zodSchema }) => {
    const { documentedAs, example } = jsonSchema
    if (typeof documentedAs === 'object' && documentedAs !== null) {
      const { description } = jsonSchema
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
      Object.assign(jsonSchema, description === undefined ? {} : { description }, documentedAs)
    }
    // Zod leaves out defaults and examples of parameters that it transforms, so these have the meta field `example`.
    if (example !== undefined) {
      delete jsonSchema.example
      jsonSchema.examples = [example]
    }
    const { def } = zodSchema._zod
    if (def.type === 'default' && jsonSchema.default === undefined) jsonSchema.default = def.defaultValue
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

const transform = createJsonSchemaTransform({ zodToJsonConfig })
const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig })

/** A GET has no body that could be too large or of a wrong type. */
function withoutBodyErrors({ method }: RouteOptions, schema: FastifySchema): FastifySchema {
  const { response } = schema as { response?: Readonly<Record<string, unknown>> }
  if (method !== 'GET' || response === undefined) return schema
  const { 413: _tooLarge, 415: _wrongType, ...others } = response
  return { ...schema, response: others }
}

const integer = (description: string) => ({ description, schema: { type: 'integer' } })
const instant = (description: string) => ({ description, schema: { type: 'string', format: 'date-time' } })

/** Response headers, by the security scheme of the operations that send them. */
const HEADERS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  bearerKey: {
    'x-service-quota-remaining': integer('Requests that the key has left in this month'),
    'x-service-quota-reset': instant('When the next month begins (UTC)'),
  },
  apiKey: {
    'X-API-Limit': {
      description: 'Requests of the key in a month, or `unlimited`',
      schema: { type: 'string', pattern: '^(\\d+|unlimited)$' },
    },
    'X-API-Remaining': {
      description: 'Requests that the key has left in this month, or `unlimited`',
      schema: { type: 'string', pattern: '^(\\d+|unlimited)$' },
    },
    'X-API-Reset': instant('When the next month begins (UTC)'),
    'X-API-Plan': { description: 'The plan of the key', schema: { type: 'string', enum: [...UTXO_PLANS] } },
  },
}

/** These are sent before the key is known, or because the service failed. */
const WITHOUT_HEADERS = ['401', '500', '503']

type Operation = {
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly responses?: Readonly<Record<string, { headers?: Readonly<Record<string, object>> }>>
}

/** Adds the headers of limits and quotas to the responses that have them. */
function describeHeaders(paths: Readonly<Record<string, object | undefined>>): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path ?? {}) as Operation[])) {
    const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
    const quota = Object.assign({}, ...schemes.map((scheme) => HEADERS[scheme])) as Readonly<Record<string, object>>
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const headers = {
        ...(!WITHOUT_HEADERS.includes(status) && quota),
        ...(status === '429' && { 'Retry-After': integer('Seconds to wait') }),
      }
      if (Object.keys(headers).length > 0) response.headers = headers
    }
  }
}

type Described = {
  readonly paths?: Readonly<Record<string, object | undefined>> | undefined
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> }
}

/** Removes unused schemas. Every named schema is generated twice, for input and output. */
function onlyUsedSchemas<T extends Described>(described: T): T {
  const { components, ...rest } = described
  const schemas = { ...components?.schemas }
  for (;;) {
    const text = JSON.stringify([rest, schemas])
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    if (unused.length === 0) return { ...described, components: { ...components, schemas } }
    for (const name of unused) delete schemas[name]
  }
}

export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatewatch',
        version,
        description:
          'The v1 API reports who controls a smart contract and how that changed. The v2 API reports the coins of Bitcoin and Litecoin addresses and how to spend them. Language models can use both through the Model Context Protocol at POST /mcp (streamable HTTP), with an API key as bearer token. A method that a path does not support gets 405 with the supported methods in Allow.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Contract control', description: 'v1 API, read only. Send an API key as bearer token.' },
        { name: 'Coin data', description: 'v2 API. Send an API key in X-API-Key.' },
        {
          name: 'Traffic analytics',
          description: 'Requests and statistics of the keys of an account. Send a signed token as bearer token.',
        },
        {
          name: 'Sign-in',
          description: 'Accounts, sessions and signed tokens. Other paths under /api/auth are not part of the API.',
        },
        { name: 'Key management', description: 'API keys of an account. Requires a web session.' },
        { name: 'Web app', description: 'Routes of the web app, without a key. They may change at any time.' },
        {
          name: 'Alerts',
          description: 'Subscriptions, channels and deliveries of an account. Requires a web session.',
        },
        { name: 'Operation', description: 'Accounts, chains and registry. Requires the web session of an operator.' },
      ],
      components: {
        securitySchemes: {
          bearerKey: { type: 'http', scheme: 'bearer', description: 'API key for the v1 API: gw_live_…' },
          bearerToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Token from GET /api/auth/token, which requires a web session. Valid for 15 minutes.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'gatewatch.session_token',
            description:
              'Cookie of a web session, from POST /api/auth/sign-in/email. Over HTTPS its name is __Secure-gatewatch.session_token. A request that changes something also needs the Origin header of this service.',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'API key for the v2 API: utxo_live_…',
          },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = transform(input)
      return { schema: withoutBodyErrors(input.route, schema), url }
    },
    transformObject: (document) => {
      const described = transformObject(document)
      describeHeaders((described as Described).paths ?? {})
      return 'components' in described ? onlyUsedSchemas(described) : described
    },
  })
}
