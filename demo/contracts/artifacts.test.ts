import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ARTIFACTS_FILE } from './artifacts.ts'
import { compiledArtifacts } from './compile.ts'

test('artifacts.json matches the sources and packages', async () => {
  const isSame = readFileSync(ARTIFACTS_FILE, 'utf8') === (await compiledArtifacts())
  assert.ok(isSame, 'run: node demo/contracts/compile.ts')
})
