/** The OpenAPI 3.1 description, generated from the schemas that validate and serialize, and the API docs page. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { CONTENT_SECURITY_POLICY } from './security-headers.ts'

type ZodToJsonConfig = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>

/**
 * A parameter whose text form differs from its parsed value (digits for an integer) has its documented form in the meta
 * field `documentedAs`, which replaces the generated schema. The bounds of safe integers are left out.
 */
const zodToJsonConfig: ZodToJsonConfig = {
  unrepresentable: 'any',
  override: ({ jsonSchema }) => {
    const { documentedAs } = jsonSchema
    if (typeof documentedAs === 'object' && documentedAs !== null) {
      const { description } = jsonSchema
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
      Object.assign(jsonSchema, description === undefined ? {} : { description }, documentedAs)
    }
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig })
type Described = { readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> } }

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
          'The v1 API reports who controls a smart contract and how that changed. The v2 API reports the coins of Bitcoin and Litecoin addresses and how to spend them.',
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
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'API key for the v2 API: utxo_live_…',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (document) => {
      const described = transformObject(document)
      return 'components' in described ? onlyUsedSchemas(described) : described
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false },
    theme: {
      title: 'Gatewatch API docs',
      css: [{ filename: 'gatewatch.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    // Swagger UI needs inline styles. No other page does.
    staticCSP: CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  })
}
