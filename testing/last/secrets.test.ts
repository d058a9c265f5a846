/** Runs after all other tests and searches their logs for the keys, passwords, cookies and tokens that they used. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = process.env.GATEWATCH_TEST_LOGS
const isWholeRun = folder !== undefined && existsSync(folder)

const read = (suffix: string): string =>
  isWholeRun
    ? readdirSync(folder)
        .filter((name) => name.endsWith(suffix))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n')
    : ''

test('no log line of the whole run contains a secret', {
  skip: isWholeRun ? false : 'only `npm test` without a pattern keeps the logs',
}, (t) => {
  const logs = read('.log')
  const secrets = [...new Set(read('.secrets').split('\n'))].filter((secret) => secret.length >= 8)
  t.diagnostic(`${logs.split('\n').length} lines searched for ${secrets.length} secrets`)
  assert.ok(logs.length > 10_000 && secrets.length > 50, 'the run stored logs and secrets')
  assert.deepEqual(
    secrets.filter((secret) => logs.includes(secret)).map((secret) => `${secret.slice(0, 12)}…`),
    [],
  )
  assert.doesNotMatch(logs, /(gw_live|utxo_live)_[\w-]{43}/)
})
