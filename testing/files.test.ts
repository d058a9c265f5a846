import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LONG, LONGEST, ordered, sharedFiles } from './files.ts'

test('every file runs once, and the longest ones, which all exist, run first', () => {
  const files = globSync('{server,client,web,demo,bench,testing}/**/*.test.ts', {
    cwd: join(import.meta.dirname, '..'),
    exclude: (name) => name.includes('node_modules'),
  })
  const run = ordered(files)
  assert.deepEqual(run.slice(0, LONGEST.length), LONGEST)
  assert.deepEqual(run.toSorted(), files.toSorted())
  for (const file of Object.keys(LONG)) assert.ok(files.includes(file), `${file} is no test file`)
})

test('unit tests share a number of processes, and neighbors of another kind share one', () => {
  const [longest = ''] = LONGEST
  const units = ['a.test.ts', 'c.test.ts', 'e.test.ts']
  const databases = Array.from({ length: 13 }, (_, n) => `${n}.int.test.ts`)
  const shared = sharedFiles([...units, ...databases, 'd.chain.test.ts', 'f.e2e.test.ts', longest], 2)
  assert.deepEqual(shared, [
    ['a.test.ts', 'e.test.ts'],
    ['c.test.ts'],
    ['f.e2e.test.ts'],
    databases.slice(0, 12),
    databases.slice(12),
    ['d.chain.test.ts'],
  ])
  assert.deepEqual(sharedFiles(['a.test.ts'], 4), [['a.test.ts']])
  assert.deepEqual(sharedFiles([longest], 4), [])
})
