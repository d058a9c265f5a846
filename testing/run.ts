/**
 * Runs the whole suite: the checks, then every test file. `npm test -- PATH …` runs only the named files or folders, and
 * `npm test -- --unit` only unit tests, which need neither a database nor a node.
 *
 * The test database runs from the first file to the last. The log lines of the whole run are kept for the last test,
 * which searches them for secrets.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './check.ts'
import { joinTestCluster } from './support/database.ts'

const root = join(import.meta.dirname, '..')
/** Tests that need the machine for themselves. */
const ALONE = 'testing/alone/*.test.ts'
const LAST = 'testing/last/*.test.ts'
const ALL = '{server,client,vocabulary,web,demo,bench,scripts,testing}/**/*.test.ts'
/** The longest a file may take: about three times what the slowest one needs. */
const FILE_TIMEOUT_MS = 600_000
/** One more than the two cores that the suite is planned for, because tests wait half of their time. */
const CONCURRENCY = 3

function filesMatching(patterns: string | readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()
}

const REPORTERS = ['spec', join(import.meta.dirname, 'report', 'slowest-files.ts')].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
])
const UNIT = /(?<!\.(int|chain|e2e))\.test\.ts$/

const logs = mkdtempSync(join(tmpdir(), 'gatewatch-test-'))
/** Compiled modules: the processes of a run load the same ones, and compiling them takes most of a start. */
const compiled = mkdtempSync(join(tmpdir(), 'gatewatch-compiled-'))

function runTests(title: string, files: readonly string[], concurrency = CONCURRENCY): boolean {
  if (files.length === 0) return true
  console.log(`\n# ${title}`)
  const options = [`--test-concurrency=${concurrency}`, `--test-timeout=${FILE_TIMEOUT_MS}`, ...REPORTERS]
  const { status } = spawnSync(process.execPath, ['--test', ...options, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GATEWATCH_TEST_LOGS: logs, NODE_COMPILE_CACHE: compiled },
  })
  return status === 0
}

function runSome(paths: readonly string[]): boolean {
  const files = filesMatching(paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)))
  if (files.length === 0) throw new Error(`No test file matches ${paths.join(' ')}.`)
  return runTests('tests', files)
}

const runUnitTests = (): boolean =>
  runTests(
    'unit tests',
    filesMatching(ALL).filter((file) => UNIT.test(file) && !file.startsWith('testing/')),
  )

async function runAll(): Promise<boolean> {
  const [alone, last] = [filesMatching(ALONE), filesMatching(LAST)]
  const concurrent = filesMatching(ALL).filter((file) => !alone.includes(file) && !last.includes(file))
  const results = [
    await runChecks(),
    runTests('tests', concurrent),
    runTests('tests that run alone', alone, 1),
    runTests('after all tests', last),
  ]
  return results.every((passed) => passed)
}

const paths = process.argv.slice(2)
const isUnit = paths.includes('--unit')
const cluster = isUnit ? undefined : await joinTestCluster()
try {
  process.exitCode = (isUnit ? runUnitTests() : paths.length > 0 ? runSome(paths) : await runAll()) ? 0 : 1
} finally {
  await cluster?.leave()
  for (const folder of [logs, compiled]) rmSync(folder, { recursive: true, force: true })
}
