/**
 * Checks that every metric and label in the dashboard, the alert rules and the operations pages is exported by a
 * running service with a value.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { startRecordedNode } from '../../demo/coins/recorded-node.ts'
import { saveAgreement, saveStatus } from '../../server/src/control/watch/chain-status.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { accountWithWebhook, addressOf, CHAIN, publish, subscribe, upgradeOf } from '../support/alerts.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/port.ts'
import { eventually, hookReceiver } from '../support/receivers.ts'
import { REPOSITORY, startService } from '../support/service.ts'

type Dashboard = {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}
/** A Prometheus query, and the labels of its result that are displayed. */
type Query = { readonly of: string; readonly expr: string; readonly displayed: readonly string[] }

const textOf = (file: string): string => readFileSync(join(REPOSITORY, 'docs', file), 'utf8')
const { panels } = JSON.parse(textOf('monitoring/dashboard.json')) as Dashboard
const rules = (parseYaml(textOf('monitoring/alerts.yml')) as Rules).groups.flatMap((group) => group.rules)

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '')

const queries: readonly Query[] = [
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      of: title,
      expr,
      displayed: namesIn(legendFormat, /\{\{\s*(\w+)\s*\}\}/g),
    })),
  ),
  ...rules.map(({ alert, expr, annotations }) => ({
    of: alert,
    expr,
    displayed: namesIn(Object.values(annotations).join(' '), /\$labels\.(\w+)/g),
  })),
]

const METRIC = /\b(gatewatch_[a-z0-9_]+)(?:\{([^}]*)\})?/g
/** Labels that Prometheus adds to every sample. */
const BY_PROMETHEUS = ['instance', 'job']

for (const { of, expr, displayed } of queries)
  test(`${of}: every metric has a value, and every label exists`, async () => {
    const samples = await exported
    const groups = namesIn(expr, /\bby\s*\(([^)]*)\)/g).map((list) => list.split(',').map((label) => label.trim()))
    const metrics = [...expr.matchAll(METRIC)]
    assert.notEqual(metrics.length, 0)
    for (const [, name = '', matchers = ''] of metrics) {
      const labels = samples.get(name) ?? assert.fail(`${name} has no value`)
      const matched = namesIn(matchers, /(\w+)\s*(?:=~|!~|!=|=)/g)
      // An aggregation keeps only the labels that it groups by.
      const left = groups.length === 0 ? [...labels, ...BY_PROMETHEUS] : groups.flat()
      assert.deepEqual(
        [...matched, ...groups.flat()].filter((label) => !labels.has(label)),
        [],
        `${name} has ${[...labels].join(', ')}`,
      )
      assert.deepEqual(
        displayed.filter((label) => !left.includes(label)),
        [],
        'displayed, but removed by the aggregation',
      )
    }
  })

test('every rule has a severity, a summary and an action', () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, labels, annotations, for: lasting = '0s' } of rules) {
    assert.match(labels.severity, /^(critical|warning)$/, alert)
    assert.match(lasting, /^\d+[sm]$/, alert)
    for (const text of [annotations.summary, annotations.action]) assert.match(text, /^\S.{10,}$/, alert)
  }
})

for (const file of ['operations.md', 'traffic.md'])
  test(`docs/${file} names only metrics that exist`, async () => {
    const samples = await exported
    const named = new Set(namesIn(textOf(file), /\b(gatewatch_[a-z0-9_]+)/g))
    assert.deepEqual(
      [...named].filter((name) => !samples.has(name) && !samples.has(`${name}_count`)),
      [],
    )
  })

/** `promtool` of Debian's package prometheus. */
const promtoolMissing =
  spawnSync('promtool', ['--version']).status === 0
    ? false
    : 'promtool is not installed (on Debian: apt-get install prometheus)'

test('promtool accepts the names of all metrics', { skip: promtoolMissing }, async () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await scraped, encoding: 'utf8' })
  assert.deepEqual([stderr, status], ['', 0])
})

test('promtool accepts the alert rules', { skip: promtoolMissing }, () => {
  const file = join(REPOSITORY, 'docs', 'monitoring', 'alerts.yml')
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

/** The rules of promtool and of Prometheus' page about naming, for machines without promtool. */
test('names of metrics follow the rules', async () => {
  const types = [...(await scraped).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type])
  assert.ok(types.length > 30)
  for (const [name = '', type] of types) {
    assert.match(name, /^gatewatch_[a-z][a-z0-9_]*[a-z0-9]$/)
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.doesNotMatch(
      name,
      /_(milliseconds|ms|minutes|hours|kilobytes|megabytes|percent|gauge|counter|histogram)(_|$)/,
    )
    assert.doesNotMatch(name, /_(count|sum|bucket)$/, 'reserved for histograms')
  }
})

/** The metrics of a service with every role, as Prometheus reads them. */
const scraped = (async (): Promise<string> => {
  const store = await createTestDatabase()
  const { database } = store
  const [receiver, bitcoin] = [await hookReceiver(), await startRecordedNode()]
  after(bitcoin.stop)
  // A chain as a watcher left it. Its only endpoint is unreachable, so that error metrics have values too.
  await database.query(
    sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values ($1, 90, $2, 0, 80)`,
    [CHAIN, Buffer.alloc(32, 1)],
  )
  await saveStatus(database, CHAIN, { head: 100, headAgeMs: 0, lastError: undefined })
  await saveAgreement(database, CHAIN, { endpoints: 1, agreeing: 0 })
  const { url } = await startService(store, {
    env: {
      ETHEREUM_RPC_URL: `http://127.0.0.1:${await freePort()}`,
      ETHEREUM_SAFE_TX_SERVICE_URL: `http://127.0.0.1:${await freePort()}`,
      BTC_RPC_URL: bitcoin.url,
      ALERT_ALLOW_PRIVATE: 'true',
    },
  })
  const contract = addressOf(1)
  await subscribe(database, await accountWithWebhook(database, receiver.url), contract)
  await publish(database, [upgradeOf(contract)])
  return await eventually(async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const samples = samplesIn(text)
    const last = ['gatewatch_rpc_errors_total', 'gatewatch_coin_lag_blocks', 'gatewatch_alert_delivery_seconds_count']
    return last.every((name) => samples.has(name)) ? text : undefined
  })
})()

/** The metrics with a value, and their labels. */
const exported = scraped.then(samplesIn)

function samplesIn(scrape: string): ReadonlyMap<string, ReadonlySet<string>> {
  const samples = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of scrape.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = samples.get(name) ?? new Set()
    for (const label of namesIn(labels, /(\w+)="/g)) known.add(label)
    samples.set(name, known)
  }
  return samples
}
