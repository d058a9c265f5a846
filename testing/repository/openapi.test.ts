/** Checks that `openapi.json` is valid, because clients are generated from it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { REPOSITORY } from '../support/service.ts'

const source = readFileSync(join(REPOSITORY, 'server', 'openapi.json'), 'utf8')

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
