import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LONGEST, ordered } from './files.ts'

test('every file runs once, and the longest ones, which all exist, run first', () => {
  const files = globSync('{server,web,demo,bench,testing}/**/*.test.ts', {
    cwd: join(import.meta.dirname, '..'),
    exclude: (name) => name.includes('node_modules'),
  })
  const run = ordered(files)
  assert.deepEqual(run.slice(0, LONGEST.length), LONGEST)
  assert.deepEqual(run.toSorted(), files.toSorted())
})
