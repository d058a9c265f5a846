/** Two of the published incidents. `npm run incidents` replays all of them, with polls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilMissing } from '../evm/anvil.ts'
import { replay, warningOf } from './incident.ts'
import { INCIDENTS } from './incidents.ts'

const NAMES: ReadonlySet<string> = new Set(['Bybit 2025', 'UXLINK 2025'])

for (const incident of INCIDENTS.filter(({ name }) => NAMES.has(name)))
  test(`${incident.name}: critical before the loss`, { skip: anvilMissing, timeout: 300_000 }, async () => {
    const outcome = await replay(incident, { polls: false })
    const critical = outcome.reports.filter(({ severity, before }) => severity === 'critical' && before > 0)
    for (const key of incident.expects)
      assert.ok(
        critical.some((report) => report.key === key),
        `${key} is not among ${outcome.reports.map((report) => `${report.key} ${report.severity}`).join(', ')}`,
      )
    assert.ok((warningOf(outcome)?.before ?? 0) > 0)
  })
