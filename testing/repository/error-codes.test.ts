import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

test('every code of an error is explained in docs/errors.md', () => {
  const page = readFileSync(join(REPOSITORY, 'docs', 'errors.md'), 'utf8')
  // Codes in control/profile are reasons of a label, which vocabulary/reasons.ts explains.
  const files = globSync('server/src/**/*.ts', { cwd: REPOSITORY }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('server/src/control/profile/'),
  )
  const codes = files.flatMap((file) => {
    const text = readFileSync(join(REPOSITORY, file), 'utf8')
    return [...text.matchAll(/\b(?:readonly code =|code:) '([a-zA-Z_]{5,})'/g)].map(([, code = '']) => code)
  })
  const unexplained = [...new Set(codes)].filter((code) => code !== 'custom' && !page.includes(`\`${code}\``)).sort()
  assert.deepEqual(unexplained, [])
})
