/**
 * The whole suite: types, style, then every test file. `npm test -- PATTERN …` runs only the test files named.
 *
 * Keeps the test database running from the first file to the last, and keeps every log line of the run, which the
 * last test searches for secrets.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinTestCluster } from './support/database.ts'

const root = join(import.meta.dirname, '..')
/** Tests that time what a user waits for: nothing else runs beside them. */
const ALONE = 'testing/alone/*.test.ts'
/** No file takes a third of it: one that waits for ever fails, and is named. */
const LONGEST_MS = 600_000
/** Half of the time a test waits for a node, a browser or a clock: one more than two cores can work at. */
const AT_ONCE = 3
const LAST = 'testing/last/*.test.ts'
const ALL = [
  'server/**/*.test.ts',
  'client/**/*.test.ts',
  'web/**/*.test.ts',
  'demo/**/*.test.ts',
  'bench/**/*.test.ts',
  'scripts/**/*.test.ts',
  'testing/**/*.test.ts',
]

const patterns = process.argv.slice(2)
const logs = mkdtempSync(join(tmpdir(), 'gatewatch-test-'))

function run(title: string, command: string, args: readonly string[]): boolean {
  console.log(`\n# ${title}`)
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GATEWATCH_TEST_LOGS: logs },
  })
  return status === 0
}

function filesOf(wanted: readonly string[]): string[] {
  const ignored = (name: string) => name.includes('node_modules')
  return globSync(wanted, { cwd: root, exclude: ignored }).sort()
}

const runTests = (title: string, files: readonly string[], atOnce = AT_ONCE): boolean =>
  files.length === 0 ||
  run(title, process.execPath, [
    '--test',
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${LONGEST_MS}`,
    '--test-reporter=spec',
    ...files,
  ])

const cluster = await joinTestCluster()
let passed = true
try {
  if (patterns.length > 0) {
    const files = filesOf(patterns.map((pattern) => (pattern.endsWith('.ts') ? pattern : `${pattern}/**/*.test.ts`)))
    if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)
    passed = runTests('tests', files)
  } else {
    const [alone, last] = [filesOf([ALONE]), filesOf([LAST])]
    const bin = (name: string) => join(root, 'node_modules', '.bin', name)
    passed = run('types', bin('tsc'), ['--noEmit']) && passed
    passed = run('types of the web app', bin('tsc'), ['--noEmit', '--project', 'web']) && passed
    passed = run('lint', bin('oxlint'), ['--type-aware', '--deny-warnings']) && passed
    passed = run('format', bin('biome'), ['check']) && passed
    const together = filesOf(ALL).filter((file) => !alone.includes(file) && !last.includes(file))
    passed = runTests('tests', together) && passed
    passed = runTests('alone', alone, 1) && passed
    passed = runTests('after all tests', last) && passed
  }
} finally {
  await cluster.leave()
  rmSync(logs, { recursive: true, force: true })
}
process.exitCode = passed ? 0 : 1
