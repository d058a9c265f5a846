/** Describes the tools by the OpenAPI description, so that a tool takes and returns exactly what its operation does. */
import type { Tool } from '@modelcontextprotocol/server'
import { TOOLS, type ToolDefinition } from './tools.ts'

type JsonSchema = {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly $ref?: string
  readonly [keyword: string]: unknown
}
type Parameter = {
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonSchema
}
type Media = { readonly content?: { readonly 'application/json'?: { readonly schema: JsonSchema } } }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Media
  readonly responses: { readonly 200?: Media }
}

/** The parts of an OpenAPI document that this file reads. */
export type OpenApi = {
  readonly paths?: Readonly<Record<string, unknown>>
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> }
}

type ObjectSchema = JsonSchema & { readonly type: 'object' }

export type DescribedTool = ToolDefinition & {
  readonly inputSchema: Tool['inputSchema']
  readonly outputSchema: NonNullable<Tool['outputSchema']>
  /** The parameter that sets the length of a page; undefined if the operation has no pages. */
  readonly pageSize: 'limit' | 'pageSize' | undefined
}

const REF = '#/components/schemas/'

export function describeTools(document: OpenApi): readonly DescribedTool[] {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, JsonSchema>>
  return TOOLS.map((tool) => {
    const operation = (document.paths?.[tool.path] as Readonly<Record<string, Operation>> | undefined)?.[tool.method]
    const output = operation?.responses[200]?.content?.['application/json']?.schema
    if (operation === undefined || output === undefined) throw new Error(`no operation ${tool.method} ${tool.path}`)
    const inputSchema = withDefaults(inputOf(operation), tool.defaults ?? {})
    const names = Object.keys(inputSchema.properties ?? {})
    return {
      ...tool,
      inputSchema: inputSchema as Tool['inputSchema'],
      outputSchema: bundled(tool.fields === undefined ? output : withFields(output, tool.fields, schemas), schemas),
      pageSize: (['limit', 'pageSize'] as const).find((name) => names.includes(name)),
    }
  })
}

function inputOf({ parameters = [], requestBody }: Operation): ObjectSchema {
  const body = requestBody?.content?.['application/json']?.schema
  if (body !== undefined) return { ...body, type: 'object' }
  const properties = parameters.map(({ name, description, example, schema }): [string, JsonSchema] => [
    name,
    {
      ...schema,
      ...(description !== undefined && { description }),
      ...(example !== undefined && { examples: [example] }),
    },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  }
}

function withDefaults(schema: ObjectSchema, defaults: Readonly<Record<string, number>>): ObjectSchema {
  const properties = { ...schema.properties }
  for (const [name, value] of Object.entries(defaults)) properties[name] = { ...properties[name], default: value }
  return { ...schema, properties }
}

/** The schema of a response whose `data` has only these fields. */
function withFields(
  output: JsonSchema,
  fields: readonly string[],
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const data = output.properties?.data ?? {}
  const full = data.$ref === undefined ? data : (schemas[data.$ref.slice(REF.length)] ?? {})
  const properties = Object.fromEntries(fields.map((name) => [name, full.properties?.[name] ?? {}]))
  return { ...output, properties: { ...output.properties, data: { ...full, properties, required: fields } } }
}

/** A schema that contains the components it refers to. */
function bundled(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  const used = new Map<string, unknown>()
  const collect = (part: JsonSchema): unknown => {
    const text = JSON.stringify(part)
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.set(name, {})
      used.set(name, collect(schemas[name] ?? {}))
    }
    return JSON.parse(text.replaceAll(`"${REF}`, '"#/$defs/'))
  }
  const root = collect(schema) as JsonSchema
  return { ...root, type: 'object', ...(used.size > 0 && { $defs: Object.fromEntries(used) }) }
}
