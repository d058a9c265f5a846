/**
 * Dashboard, alert rules and the pages about operating speak of metrics and labels that a running service really tells,
 * each with a figure.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { startRecordedNode } from '../../demo/coins/recorded-node.ts'
import { saveAgreement, saveStatus } from '../../server/src/control/watch/chain-status-rows.ts'
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
/** A question to Prometheus, and the labels its answer is shown with. */
type Question = { readonly of: string; readonly expr: string; readonly shown: readonly string[] }

const textOf = (file: string): string => readFileSync(join(REPOSITORY, 'docs', file), 'utf8')
const { panels } = JSON.parse(textOf('monitoring/dashboard.json')) as Dashboard
const rules = (parseYaml(textOf('monitoring/alerts.yml')) as Rules).groups.flatMap((group) => group.rules)

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '')

const questions: readonly Question[] = [
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      of: title,
      expr,
      shown: namesIn(legendFormat, /\{\{\s*(\w+)\s*\}\}/g),
    })),
  ),
  ...rules.map(({ alert, expr, annotations }) => ({
    of: alert,
    expr,
    shown: namesIn(Object.values(annotations).join(' '), /\$labels\.(\w+)/g),
  })),
]

const METRIC = /\b(gatewatch_[a-z0-9_]+)(?:\{([^}]*)\})?/g
/** Put to every figure by Prometheus itself. */
const BY_PROMETHEUS = ['instance', 'job']

for (const { of, expr, shown } of questions)
  test(`${of}: every metric has a figure, and every label is one of it`, async () => {
    const figures = await told
    const groups = namesIn(expr, /\bby\s*\(([^)]*)\)/g).map((list) => list.split(',').map((label) => label.trim()))
    const metrics = [...expr.matchAll(METRIC)]
    assert.notEqual(metrics.length, 0)
    for (const [, name = '', matchers = ''] of metrics) {
      const labels = figures.get(name) ?? assert.fail(`${name} has no figure`)
      const matched = namesIn(matchers, /(\w+)\s*(?:=~|!~|!=|=)/g)
      // What is summed up has only the labels it is summed up by.
      const left = groups.length === 0 ? [...labels, ...BY_PROMETHEUS] : groups.flat()
      assert.deepEqual(
        [...matched, ...groups.flat()].filter((label) => !labels.has(label)),
        [],
        `${name} has ${[...labels].join(', ')}`,
      )
      assert.deepEqual(
        shown.filter((label) => !left.includes(label)),
        [],
        'shown, but not there any more',
      )
    }
  })

test('every rule says how grave it is, what happened and what to do', () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, labels, annotations, for: lasting = '0s' } of rules) {
    assert.match(labels.severity, /^(critical|warning)$/, alert)
    assert.match(lasting, /^\d+[sm]$/, alert)
    for (const text of [annotations.summary, annotations.action]) assert.match(text, /^\S.{10,}$/, alert)
  }
})

for (const file of ['operations.md', 'traffic.md'])
  test(`docs/${file} names metrics that are there`, async () => {
    const figures = await told
    const named = new Set(namesIn(textOf(file), /\b(gatewatch_[a-z0-9_]+)/g))
    assert.deepEqual(
      [...named].filter((name) => !figures.has(name) && !figures.has(`${name}_count`)),
      [],
    )
  })

/** What a service with every role tells: each metric that has a figure, with the labels of its figures. */
const told = (async (): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const store = await createTestDatabase()
  const { database } = store
  const [receiver, bitcoin] = [await hookReceiver(), await startRecordedNode()]
  after(bitcoin.stop)
  // A chain as its watcher would have left it; now its only endpoint is dead, which is told too.
  await database.query(
    sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values ($1, 90, $2, 0, 80)`,
    [CHAIN, Buffer.alloc(32, 1)],
  )
  await saveStatus(database, CHAIN, { head: 100, lastError: undefined })
  await saveAgreement(database, CHAIN, { endpoints: 1, agreeing: 0 })
  const { url } = await startService(store, {
    env: {
      ETHEREUM_RPC_URL: `http://127.0.0.1:${await freePort()}`,
      BTC_RPC_URL: bitcoin.url,
      ALERT_ALLOW_PRIVATE: 'true',
    },
  })
  const contract = addressOf(1)
  await subscribe(database, await accountWithWebhook(database, receiver.url), contract)
  await publish(database, [upgradeOf(contract)])
  return await eventually(async () => {
    const figures = figuresIn(await (await fetch(`${url}/metrics`)).text())
    const last = ['gatewatch_rpc_errors_total', 'gatewatch_coin_lag_blocks', 'gatewatch_alert_delivery_seconds_count']
    return last.every((name) => figures.has(name)) ? figures : undefined
  })
})()

function figuresIn(scrape: string): ReadonlyMap<string, ReadonlySet<string>> {
  const figures = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of scrape.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = figures.get(name) ?? new Set()
    for (const label of namesIn(labels, /(\w+)="/g)) known.add(label)
    figures.set(name, known)
  }
  return figures
}
