import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Hex } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { analyzerVersion, createCodeAnalysisStore } from './code-analysis-store.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'

const { database } = await createTestDatabase()
const store = createCodeAnalysisStore(database, analyzerVersion())

/** A selector and a write, so that every part of the facts has a value. */
const CODE: Hex = `0x63123456785073${'11'.repeat(20)}5060003560015500`

test('an analysis is stored by code hash, and a restart repeats nothing', async () => {
  const first = createCodeAnalyzer({ store })
  const facts = await first.analyze(CODE)
  await first.close()
  const { rows } = await database.query(sql`select exceeded, analyzer_version from code_analysis`)
  assert.deepEqual(rows, [{ exceeded: null, analyzer_version: analyzerVersion() }])

  // An analyzer without processes can only return what is stored.
  const restarted = createCodeAnalyzer({ store, processes: 0 })
  assert.deepEqual(await restarted.find(facts.hash), facts)
  assert.deepEqual(await restarted.analyze(CODE), facts)
  assert.ok(facts.selectors.size > 0 && facts.effects.effects.length > 0)
})

test('code beyond the CPU budget is not analyzed again before a day has passed', async () => {
  const large: Hex = `0x5b${'6000'.repeat(500)}${'5b'.repeat(12_000)}`
  const limited = createCodeAnalyzer({ store, budget: { cpuMs: 50 } })
  after(() => limited.close())
  const { hash } = await limited.analyze(large)
  assert.equal((await store.load([hash])).size, 1)
  await database.query(sql`update code_analysis set analyzed_at = now() - interval '25 hours'`)
  assert.equal((await store.load([hash])).size, 0)
})

test('a process without its database still analyzes', async () => {
  const errors: unknown[] = []
  const broken = { load: () => Promise.reject(new Error('gone')), save: () => Promise.reject(new Error('gone')) }
  const analyzer = createCodeAnalyzer({ store: broken, onStoreError: (error) => void errors.push(error) })
  after(() => analyzer.close())
  assert.equal((await analyzer.analyze(CODE)).effects.settled, true)
  assert.equal(errors.length, 2)
})

test('the version of the analyzer changes with a file it imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-version-'))
  const entry = pathToFileURL(join(folder, 'entry.ts'))
  writeFileSync(entry, "import {\n  a,\n} from './part.ts'\nimport type { B } from './type.ts'\n")
  writeFileSync(join(folder, 'part.ts'), 'export const a = 1')
  const before = analyzerVersion(entry)
  assert.equal(analyzerVersion(entry), before)
  writeFileSync(join(folder, 'part.ts'), 'export const a = 2')
  assert.notEqual(analyzerVersion(entry), before)
})
