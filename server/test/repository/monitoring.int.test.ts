/** Dashboard, alert rules and the operations page speak of metrics that exist. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/port.ts'
import { REPOSITORY, startService } from '../support/service.ts'

const database = await createTestDatabase()

for (const file of ['monitoring/dashboard.json', 'monitoring/alerts.yml', 'operations.md', 'traffic.md'])
  test(`docs/${file} names metrics that are there`, async () => {
    const text = readFileSync(join(REPOSITORY, 'docs', file), 'utf8')
    const named = new Set([...text.matchAll(/\bgatewatch_[a-z0-9_]+/g)].map(([name]) => name))
    const known = await metricNames
    const unknown = [...named].filter(
      (name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')) && !known.has(name),
    )
    assert.deepEqual(unknown, [])
  })

const metricNames = (async () => {
  const { url } = await startService(database, { env: { ETHEREUM_RPC_URL: `http://127.0.0.1:${await freePort()}` } })
  const text = await (await fetch(`${url}/metrics`)).text()
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
})()
