import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { generateFiles } from '../support/generated.ts'
import { REPOSITORY } from '../support/service.ts'

const { database } = await createTestDatabase()

for (const { path, text } of await generateFiles(database)) {
  test(`${path} is up to date`, () => {
    assert.equal(readFileSync(join(REPOSITORY, path), 'utf8'), text, 'run: npm run generate')
  })
}
