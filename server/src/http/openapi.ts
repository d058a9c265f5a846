/** OpenAPI 3.1 of both interfaces, from the very schemas that validate and serialise, and a page to read it. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { CONTENT_SECURITY_POLICY } from './security-headers.ts'

type ZodToJsonConfig = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>

/**
 * A schema whose input is not what it parses to (a query carries digits, the parameter is an integer) says in its
 * `meta` how a caller should see it: `shownAs` then stands for all of it. The bounds of exact integers go without saying.
 */
const zodToJsonConfig: ZodToJsonConfig = {
  unrepresentable: 'any',
  override: ({ jsonSchema }) => {
    const { shownAs } = jsonSchema
    if (typeof shownAs === 'object' && shownAs !== null) {
      const { description } = jsonSchema
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
      Object.assign(jsonSchema, description === undefined ? {} : { description }, shownAs)
    }
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig })
type Described = { readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> } }

/** Every named schema is written once as it is read and once as it is answered; what no route refers to goes. */
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
          'Who holds the keys of a contract, and did that change (interface v1); where the coins of an address are, and how they would spend (interface v2).',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Contract control', description: 'Interface v1, read only, with an API key as bearer' },
        { name: 'Coin data', description: 'Interface v2, with an API key in X-API-Key' },
        { name: 'Traffic analytics', description: 'With a signed token of an account as bearer' },
        { name: 'Key management', description: 'From a web session' },
        { name: 'Web app', description: 'What the pages read, without a key; these may change with them' },
        { name: 'Alerts', description: 'Subscriptions, channels and deliveries, from a web session' },
        { name: 'Operation', description: 'Accounts, chains and registry, from the web session of an operator' },
      ],
      components: {
        securitySchemes: {
          bearerKey: { type: 'http', scheme: 'bearer', description: 'gw_live_…' },
          bearerToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'From GET /api/auth/token, with a web session; valid for 15 minutes',
          },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'utxo_live_…' },
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
      title: 'Gatewatch interfaces',
      css: [{ filename: 'gatewatch.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    // The page sets styles of its own on its elements; nothing else here may.
    staticCSP: CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  })
}
