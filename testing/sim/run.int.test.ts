import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { toldIn } from '../report/result.ts'

/** As from a shell: a test inside would otherwise speak to the runner of this one instead of to people. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env
const sim = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], { encoding: 'utf8', env })

test('without a name all three simulations run, and each tells how many seeds it ran and that none failed', () => {
  const { status, stdout } = sim('--seeds', '2', '--from', '7')
  assert.equal(status, 0)
  const { results, versions } = toldIn(stdout)
  assert.deepEqual(
    results.map(({ name, value, atMost }) => [name, value, atMost]),
    ['watch', 'index', 'alerts'].map((name) => [`seeds of the ${name} simulation that failed`, 0, 0]),
  )
  for (const { peer } of results) assert.match(peer ?? '', /^2 seeds from 7: \d+ /)
  assert.ok(versions.PostgreSQL, 'alerts run on a real database, which tells its version')
})

test('what is no number of seeds is refused in words, and nothing is run', () => {
  const { status, stdout, stderr } = sim('--seeds', 'abc')
  assert.equal(status, 64)
  assert.match(stderr, /^--seeds: abc is not a whole number/)
  assert.doesNotMatch(stderr, /\n\s+at /)
  assert.equal(stdout, '')
})
