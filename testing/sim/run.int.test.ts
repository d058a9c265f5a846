import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseReport } from '../report/result.ts'

/** Without the variable that makes an inner test report to this test's runner. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env
const sim = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], { encoding: 'utf8', env })

test('without a name four simulations run, and each reports its seeds and no failure', () => {
  const { status, stdout } = sim('--seeds', '2', '--from', '7')
  assert.equal(status, 0)
  const { results, versions } = parseReport(stdout)
  assert.deepEqual(
    results.map(({ name, value, atMost }) => [name, value, atMost]),
    ['watch', 'index', 'alerts', 'parse'].map((name) => [`failed seeds of the ${name} simulation`, 0, 0]),
  )
  for (const { peer } of results) assert.match(peer ?? '', /^2 seeds from 7: \d+ /)
  assert.ok(versions.PostgreSQL, 'the alerts simulation runs on a real database and reports its version')
})

test('an invalid number of seeds is refused, and no simulation runs', () => {
  const { status, stdout, stderr } = sim('--seeds', 'abc')
  assert.equal(status, 64)
  assert.match(stderr, /^--seeds: abc is not a whole number/)
  assert.doesNotMatch(stderr, /\n\s+at /)
  assert.equal(stdout, '')
})
