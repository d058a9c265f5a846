/** The threat model cites tests that exist. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

test('every test the threat model cites is there', () => {
  const page = readFileSync(join(REPOSITORY, 'docs', 'threat-model.md'), 'utf8')
  const cited = [...page.matchAll(/“([^”]+)”/g)].map(([, title]) => title ?? '').filter((title) => title !== 'quotes')
  assert.ok(cited.length > 40)
  const sources = globSync('{server,web,demo}/**/*.test.ts', {
    cwd: REPOSITORY,
    exclude: (name) => name.includes('node_modules'),
  }).map((file) => readFileSync(join(REPOSITORY, file), 'utf8'))
  const missing = cited.filter((title) => !sources.some((text) => text.includes(title)))
  assert.deepEqual(missing, [])
})
