import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isUnit, LONGEST, ordered, sharedFiles } from './files.ts'

test('every file runs once, and the longest ones, which all exist, run first', () => {
  const files = globSync('{server,web,demo,bench,testing}/**/*.test.ts', {
    cwd: join(import.meta.dirname, '..'),
    exclude: (name) => name.includes('node_modules'),
  })
  const run = ordered(files)
  assert.deepEqual(run.slice(0, LONGEST.length), LONGEST)
  assert.deepEqual(run.toSorted(), files.toSorted())
})

test('unit tests share processes, each once, and other tests do not', () => {
  const [longest = ''] = LONGEST.filter(isUnit)
  const files = ['a.test.ts', 'b.int.test.ts', 'c.test.ts', 'd.chain.test.ts', 'e.test.ts', longest]
  assert.deepEqual(sharedFiles(files, 2), [['a.test.ts', 'e.test.ts'], ['c.test.ts']])
  assert.deepEqual(sharedFiles(['a.test.ts'], 4), [['a.test.ts']])
  assert.deepEqual(sharedFiles([longest], 4), [])
})
