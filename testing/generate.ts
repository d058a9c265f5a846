/** Writes the generated files of the repository: schema dump, OpenAPI, client types, command-line page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import { generateFiles } from './support/generated.ts'

// As a test, because the database it needs is one of the tests' own and goes when they are over.
const { database } = await createTestDatabase()
await test('generated files are written', async () => {
  for (const { path, text } of await generateFiles(database)) writeFileSync(join(import.meta.dirname, '..', path), text)
})
