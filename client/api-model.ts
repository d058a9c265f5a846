/** The part of the OpenAPI document that the Python and Go clients cover, as named types and operations. */

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
}
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema }
type Content = Readonly<Record<string, { readonly schema: Schema }>>
type Described = {
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export type Type =
  | { readonly kind: 'string' | 'instant' | 'integer' | 'bigInteger' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list' | 'map' | 'nullable'; readonly of: Type }
  | { readonly kind: 'named'; readonly name: string }

export type Field = { readonly name: string; readonly type: Type; readonly isRequired: boolean }
export type NamedType = { readonly name: string; readonly fields: readonly Field[] }
export type Argument = Field & { readonly in: 'path' | 'query' | 'body' }
export type Operation = {
  /** In words: `wallet utxos`. */
  readonly name: string
  readonly api: 'v1' | 'v2'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly arguments: readonly Argument[]
  /** The type of `data`. */
  readonly data: Type
  /** The type of an item, if pages follow each other by `nextCursor` of the envelope. */
  readonly item?: Type
}
export type ApiModel = { readonly types: readonly NamedType[]; readonly operations: readonly Operation[] }

/** Streams and exports are lines of text, which these clients leave to the caller. A new operation needs a name. */
const NAMES: Readonly<Record<string, string>> = {
  'GET /v1/events': 'events',
  'GET /v1/contracts/{chain}/{address}': 'contract',
  'GET /v1/addresses/{chain}/{address}': 'address powers',
  'GET /v1/pending': 'pending',
  'GET /v1/protocols/{slug}': 'protocol',
  'GET /v1/me/subscriptions': 'subscriptions',
  'GET /v1/me/notifications': 'notifications',
  'GET /v1/me/notifications/{id}/attempts': 'attempts',
  'GET /api/v2/status': 'coin status',
  'GET /api/v2/chains': 'coin chains',
  'GET /api/v2/address/{address}': 'coin address',
  'GET /api/v2/address/{address}/utxos': 'coin utxos',
  'GET /api/v2/address/{address}/txs': 'coin transactions',
  'GET /api/v2/address/{address}/balance-history': 'coin balance history',
  'GET /api/v2/address/{address}/mempool': 'coin mempool',
  'GET /api/v2/tx/{txid}': 'coin transaction',
  'POST /api/v2/tx': 'broadcast',
  'GET /api/v2/tx/{txid}/raw': 'coin raw transaction',
  'POST /api/v2/utxos/inspect': 'inspect utxos',
  'GET /api/v2/tx/{txid}/bump': 'bump',
  'GET /api/v2/tx/{txid}/proof': 'coin proof',
  'GET /api/v2/tx/{txid}/outspends': 'coin outspends',
  'GET /api/v2/headers': 'coin headers',
  'GET /api/v2/blocks': 'coin blocks',
  'GET /api/v2/blocks/at': 'coin block at',
  'GET /api/v2/block/{hashOrHeight}': 'coin block',
  'GET /api/v2/fees': 'coin fees',
  'POST /api/v2/simulate': 'simulate',
  'GET /api/v2/health/{address}': 'coin health',
  'GET /api/v2/analyze/{address}': 'analyze',
  'POST /api/v2/wallets': 'wallet',
  'GET /api/v2/wallets': 'kept wallets',
  'POST /api/v2/wallets/keep': 'keep wallet',
  'GET /api/v2/wallets/{walletId}': 'kept wallet',
  'DELETE /api/v2/wallets/{walletId}': 'forget wallet',
  'GET /api/v2/wallets/{walletId}/labels': 'wallet labels',
  'POST /api/v2/wallets/{walletId}/labels': 'import labels',
  'POST /api/v2/wallets/utxos': 'wallet utxos',
  'POST /api/v2/wallets/txs': 'wallet transactions',
  'POST /api/v2/wallets/balance-history': 'wallet balance history',
  'POST /api/v2/wallets/simulate': 'simulate wallet',
  'POST /api/v2/wallets/health': 'wallet health',
  'POST /api/v2/wallets/analyze': 'analyze wallet',
  'GET /api/v2/subscriptions': 'coin subscriptions',
  'POST /api/v2/subscriptions': 'subscribe coins',
  'GET /api/v2/subscriptions/{id}': 'coin subscription',
  'DELETE /api/v2/subscriptions/{id}': 'unsubscribe coins',
  'GET /api/v2/events': 'coin events',
  'GET /api/v2/notifications': 'coin notifications',
  'GET /api/v2/notifications/{id}/attempts': 'coin attempts',
  'POST /api/v2/analyze/batch': 'start batch',
  'GET /api/v2/analyze/batch/{batchId}': 'batch',
  'GET /api/v2/usage': 'usage',
}

/** `wallet utxos`, `nextCursor` and `from_address` as WalletUtxos, NextCursor and FromAddress. */
export const pascal = (text: string): string =>
  text.replaceAll(/(^|[ _-])([a-z])/g, (_match, _gap, letter: string) => letter.toUpperCase())

const MAX_INT64 = 2 ** 63

export function apiModelOf(openApi: object): ApiModel {
  const { paths, components } = openApi as Document
  const types = new Map<string, NamedType>()
  const refs = new Set<string>()

  function typeOf(schema: Schema, name: string): Type {
    if (schema.$ref !== undefined) return named(schema.$ref.split('/').at(-1) ?? '')
    if (schema.anyOf !== undefined) return unionOf(schema.anyOf, name)
    const kinds = [schema.type ?? []].flat()
    if (kinds.includes('null'))
      return { kind: 'nullable', of: typeOf({ ...schema, type: kinds.filter((kind) => kind !== 'null') }, name) }
    const [kind] = kinds
    if (kind === 'array') return { kind: 'list', of: typeOf(schema.items ?? {}, singular(name)) }
    if (kind === 'object') return objectOf(schema, name)
    if (kind === 'string' && schema.enum !== undefined) return { kind: 'enum', values: schema.enum.filter(isText) }
    if (kind === 'string') return { kind: schema.format === 'date-time' ? 'instant' : 'string' }
    if (kind === 'integer' && (schema.maximum ?? 0) > MAX_INT64) return { kind: 'bigInteger' }
    if (kind === 'integer' || kind === 'number' || kind === 'boolean') return { kind }
    return { kind: 'any' }
  }

  function unionOf(parts: readonly Schema[], name: string): Type {
    const solid = parts.filter(({ type }) => type !== 'null')
    const [only] = solid
    if (only === undefined) return { kind: 'any' }
    const one = solid.length === 1 ? typeOf(only, name) : solid.every(isObject) ? objectOf(merged(solid), name) : ANY
    return solid.length < parts.length ? { kind: 'nullable', of: one } : one
  }

  function objectOf({ properties, required = [], additionalProperties }: Schema, name: string): Type {
    if (properties === undefined)
      return typeof additionalProperties === 'object'
        ? { kind: 'map', of: typeOf(additionalProperties, `${name}Value`) }
        : { kind: 'map', of: ANY }
    const fields = Object.entries(properties).map(([field, schema]) => ({
      name: field,
      type: typeOf(schema, `${name}${pascal(field)}`),
      isRequired: required.includes(field),
    }))
    const before = types.get(name)
    if (before !== undefined && JSON.stringify(before.fields) !== JSON.stringify(fields))
      throw new Error(`Two types are called ${name}. Name an operation otherwise.`)
    types.set(name, { name, fields })
    return { kind: 'named', name }
  }

  function named(name: string): Type {
    const schema = components.schemas[name]
    if (schema === undefined) throw new Error(`There is no schema ${name}.`)
    if (!refs.has(name)) {
      refs.add(name) // before its fields, because a type can contain itself
      typeOf(schema, name)
    }
    return isObject(schema) && schema.properties !== undefined ? { kind: 'named', name } : typeOf(schema, name)
  }

  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/') || path.startsWith('/api/v2/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([verb, described]): Operation[] => {
        const method = verb.toUpperCase() as Operation['method']
        const answer = described.responses['200'] ?? described.responses['202']
        const envelope = answer?.content?.['application/json']?.schema.properties
        if (envelope?.data === undefined) return []
        const name = NAMES[`${method} ${path}`]
        if (name === undefined) throw new Error(`${method} ${path} has no name in client/api-model.ts.`)
        const data = typeOf(envelope.data, pascal(name))
        const parameters = (described.parameters ?? []).map(
          (parameter): Argument => ({
            name: parameter.name,
            in: parameter.in === 'path' ? 'path' : 'query',
            type: typeOf(parameter.schema, ''),
            isRequired: parameter.required === true,
          }),
        )
        const body = described.requestBody?.content['application/json']?.schema
        const fields = Object.entries(body?.properties ?? {}).map(
          ([field, schema]): Argument => ({
            name: field,
            in: 'body',
            type: typeOf(schema, `${pascal(name)}${pascal(field)}`),
            isRequired: body?.required?.includes(field) === true,
          }),
        )
        const isPaged = data.kind === 'list' && parameters.some(({ name: each }) => each === 'cursor')
        return [
          {
            name,
            api: path.startsWith('/v1/') ? 'v1' : 'v2',
            method,
            path,
            summary: described.summary ?? '',
            arguments: [...parameters, ...fields].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)),
            data,
            ...(isPaged && { item: data.of }),
          },
        ]
      }),
    )
  return { types: [...types.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), operations }
}

const ANY = { kind: 'any' } as const
const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = ({ type }: Schema): boolean => type === 'object'
const singular = (name: string): string => (/(?<!s)s$/.test(name) ? name.slice(0, -1) : `${name}Item`)

/** Objects of which a value is one: a field that some lack is optional. */
function merged(parts: readonly Schema[]): Schema {
  const names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...names].map((name) => [
        name,
        parts.findLast(({ properties }) => properties?.[name])?.properties?.[name] ?? {},
      ]),
    ),
    required: [...names].filter((name) => parts.every(({ required = [] }) => required.includes(name))),
  }
}
