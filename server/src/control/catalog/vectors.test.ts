import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sampleLog } from '../../../../testing/evm/sample-log.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { buildCatalog } from './catalog.ts'
import type { EventRow } from './event-row.ts'
import { catalogRows } from './events/rows.ts'
import type { EventArgs, Log } from './layout.ts'

/** One log and what it means. `event` and `key` together name the row; `kind` is the emitter's, where it decides. */
type Vector = {
  readonly key: string
  readonly event: string
  readonly kind?: string
  readonly log: Log
  readonly args: EventArgs
}

const FILE = 'testing/fixtures/catalog/vectors.json'
const text = readFileSync(new URL('../../../../testing/fixtures/catalog/vectors.json', import.meta.url), 'utf8')
const vectors = JSON.parse(text) as readonly Vector[]
const catalog = buildCatalog(catalogRows)

test('every vector decodes to its expected event', () => {
  for (const { key, event, kind, log, args } of vectors) {
    const decoded = catalog.decode(log, kind)
    assert.deepEqual(
      { key: decoded?.key, event: decoded?.signature, args: decoded?.args, decode: decoded?.decode },
      { key, event, args, decode: 'ok' },
    )
  }
})

test('every row has a vector, and every vector a row', () => {
  const nameOf = (entry: { key: string; event: string }): string => `${entry.key} ${entry.event}`
  const covered = new Set(vectors.map(nameOf))
  const missing = catalogRows.filter((row) => !covered.has(nameOf(row))).map(suggestion)
  assert.ok(missing.length === 0, `check against a real log, then add to ${FILE}:\n${missing.join(',\n')}`)
  const rows = new Set(catalogRows.map(nameOf))
  const stale = vectors.filter((vector) => !rows.has(nameOf(vector)))
  assert.deepEqual(stale, [])
})

/** A vector encoded by viem, for the vectors file. */
function suggestion(row: EventRow): string {
  const { log, args } = sampleLog(row, seededRandom(row.event.length))
  const kind = row.kinds?.[0]
  const vector: Vector = { key: row.key, event: row.event, ...(kind === undefined ? {} : { kind }), log, args }
  return JSON.stringify(vector)
}
