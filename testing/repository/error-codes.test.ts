import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

test('docs/errors.md describes every error code', () => {
  const page = readFileSync(join(REPOSITORY, 'docs', 'errors.md'), 'utf8')
  const vocabulary = globSync('vocabulary/*.ts', { cwd: REPOSITORY })
    .map((file) => readFileSync(join(REPOSITORY, file), 'utf8'))
    .join('\n')
  const files = globSync('server/src/**/*.ts', { cwd: REPOSITORY }).filter((file) => !file.endsWith('.test.ts'))
  const codes = files.flatMap((file) => {
    const text = readFileSync(join(REPOSITORY, file), 'utf8')
    return [...text.matchAll(/\b(?:readonly code =|code:) '([a-zA-Z_]{5,})'/g)].map(([, code = '']) => code)
  })
  // The codes of a label's reasons have their sentences in the vocabulary.
  const isReason = (code: string) => new RegExp(`\\b${code}\\b`).test(vocabulary)
  const unexplained = [...new Set(codes)]
    .filter((code) => code !== 'custom' && !isReason(code) && !page.includes(`\`${code}\``))
    .sort()
  assert.deepEqual(unexplained, [])
})
