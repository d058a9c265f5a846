/** Checks that `openapi.json` is valid, because clients are generated from it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { REPOSITORY } from '../support/service.ts'

const source = readFileSync(join(REPOSITORY, 'server', 'openapi.json'), 'utf8')

type Operation = {
  readonly path: string
  readonly method: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly default?: unknown } }[]
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
}

const { paths } = JSON.parse(source) as { readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>> }
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described }) as Operation),
)
const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const schemesOf = ({ security = [] }: Operation) => security.flatMap((scheme) => Object.keys(scheme))
const headersOf = ({ responses }: Operation, status: string) => Object.keys(responses[status]?.headers ?? {})

async function faultsOf(text: string): Promise<readonly string[]> {
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } })
  const faults = await lintFromString({ source: text, config })
  return faults.map(({ message, location: [location] }) => `${location?.pointer ?? ''}: ${message}`)
}

test('openapi.json is valid OpenAPI 3.1, and every reference resolves', async () => {
  assert.deepEqual(await faultsOf(source), [])
})

test('a reference that does not resolve is detected', async () => {
  const [first] = source.match(/#\/components\/schemas\/\w+/) ?? []
  assert.ok(first !== undefined)
  for (const wrong of [`${first}X`, '__shared#/$defs/x'])
    assert.notDeepEqual(await faultsOf(source.replace(`"${first}"`, `"${wrong}"`)), [], wrong)
})

test('every reference points to a schema in the file', () => {
  const references = source.matchAll(/"\$ref": "([^"]*)"/g)
  for (const [, reference = ''] of references) assert.match(reference, /^#\/components\/schemas\/\w+$/)
})

test('every parameter of a page states its default', () => {
  const without = operations.flatMap((operation) =>
    (operation.parameters ?? [])
      .filter(({ name, schema }) => ['limit', 'page', 'pageSize'].includes(name) && schema.default === undefined)
      .map(({ name }) => `${nameOf(operation)} ${name}`),
  )
  // Its default is the limit of the plan.
  assert.deepEqual(without, ['get /api/v2/address/{address}/utxos limit'])
})

test('every operation states the credentials it needs', () => {
  const expected = (path: string): readonly string[] => {
    if (path.startsWith('/v1/')) return ['bearerKey']
    if (path.startsWith('/api/v2/')) return ['apiKey']
    if (path.startsWith('/api/v1/')) return ['bearerToken']
    return path.startsWith('/me/') ? ['session'] : []
  }
  for (const operation of operations) {
    if (operation.path.startsWith('/api/auth/')) continue
    assert.deepEqual(schemesOf(operation), expected(operation.path), nameOf(operation))
    assert.equal('401' in operation.responses, schemesOf(operation).length > 0, nameOf(operation))
  }
})

test('responses to a key describe the headers of its quota', () => {
  const quota: Readonly<Record<string, readonly string[]>> = {
    bearerKey: ['x-service-quota-remaining', 'x-service-quota-reset'],
    apiKey: ['X-API-Limit', 'X-API-Remaining', 'X-API-Reset', 'X-API-Plan'],
  }
  for (const operation of operations) {
    const headers = quota[schemesOf(operation)[0] ?? ''] ?? []
    assert.deepEqual(headersOf(operation, '200').sort(), [...headers].sort(), nameOf(operation))
    if ('429' in operation.responses)
      assert.deepEqual(headersOf(operation, '429').sort(), [...headers, 'Retry-After'].sort(), nameOf(operation))
  }
})

test('an operation describes no refusal that its method excludes', () => {
  for (const operation of operations) {
    const statuses = Object.keys(operation.responses)
    assert.ok(!statuses.includes('405'), `${nameOf(operation)}: its method is allowed`)
    for (const status of ['413', '415'])
      assert.equal(statuses.includes(status), operation.method !== 'get', `${nameOf(operation)} ${status}`)
  }
})
