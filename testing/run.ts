/**
 * Runs the suite: the checks, then the test files. `npm test -- --all` includes those that take long, `npm test -- PATH …`
 * runs only the named files or folders, and `npm test -- --unit` only unit tests, which need neither a database nor a node.
 *
 * The test database runs from the first file to the last. The log lines of the whole run are kept for the last test,
 * which searches them for secrets.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { runChecks } from './check.ts'
import { isUnit, LONG, ordered, sharedFiles } from './files.ts'
import { buildProgram, PROGRAM } from './program.ts'
import { FILE_TIMES, readFileTimes } from './report/file-times.ts'
import { slowestFiles } from './report/slowest-files.ts'
import { joinTestCluster } from './support/database.ts'

const root = join(import.meta.dirname, '..')
/** Tests that start many processes of their own. They run after the others. */
const EXCLUSIVE = 'testing/exclusive/*.test.ts'
const LAST = 'testing/last/*.test.ts'
const ALL = '{server,client,vocabulary,web,demo,bench,scripts,testing}/**/*.test.ts'
/** The longest a process may take: about three times what the slowest one needs. */
const FILE_TIMEOUT_MS = 900_000
/** Twice the two cores that the suite is planned for, because tests wait half of their time. */
const CONCURRENCY = 4

function filesMatching(patterns: string | readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()
}

const logs = mkdtempSync(join(tmpdir(), 'gatewatch-test-'))
/** Compiled modules: the processes of a run load the same ones, and compiling them takes most of a start. */
const compiled = mkdtempSync(join(tmpdir(), 'gatewatch-compiled-'))
const times = mkdtempSync(join(tmpdir(), 'gatewatch-times-'))
const groups = mkdtempSync(join(tmpdir(), 'gatewatch-groups-'))

/** Replaces files by such that run several of them. */
function withSharedProcesses(files: readonly string[]): readonly string[] {
  const shared = sharedFiles(files, CONCURRENCY)
  const runs = shared.map((group, n) => {
    const file = join(groups, `shared-${n + 1}.test.mjs`)
    const runner = JSON.stringify(join(import.meta.dirname, 'shared-process.ts'))
    writeFileSync(file, `import { runFiles } from ${runner}\nrunFiles(${JSON.stringify(group)})\n`)
    return file
  })
  const ofGroups = new Set(shared.flat())
  return [...runs, ...files.filter((file) => !ofGroups.has(file))]
}

async function runTests(title: string, files: readonly string[]): Promise<boolean> {
  if (files.length === 0) return true
  console.log(`\n# ${title}`)
  const fileTimes = join(times, `${title}.jsonl`)
  const events = run({
    files,
    cwd: root,
    concurrency: CONCURRENCY,
    timeout: FILE_TIMEOUT_MS,
    execArgv: ['--import', join(import.meta.dirname, 'report', 'file-times.ts')],
    env: { ...process.env, GATEWATCH_TEST_LOGS: logs, NODE_COMPILE_CACHE: compiled, [FILE_TIMES]: fileTimes },
  })
  let passed = true
  events.on('test:summary', ({ success }) => void (passed &&= success))
  for await (const text of events.compose(spec)) process.stdout.write(text)
  console.log(slowestFiles(readFileTimes(fileTimes)))
  return passed
}

/** Compiles the contracts of tests into the cache, so that files that start at the same time do not each compile them. */
function compileContracts(): Promise<boolean> {
  const script = join(import.meta.dirname, 'evm', 'compile-all.ts')
  const child = spawn(process.execPath, [script], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', (code) => resolve(code === 0)))
}

function runSome(paths: readonly string[]): Promise<boolean> {
  const files = filesMatching(paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)))
  if (files.length === 0) throw new Error(`No test file matches ${paths.join(' ')}.`)
  return runTests('tests', files)
}

async function runUnitTests(): Promise<boolean> {
  const files = filesMatching(ALL).filter((file) => isUnit(file) && !(file in LONG) && !file.startsWith('testing/'))
  return (await compileContracts()) && (await runTests('unit tests', ordered(withSharedProcesses(files))))
}

const leftOut = Object.entries(LONG)
  .map(([file, reason]) => `  ${file}: ${reason}`)
  .join('\n')

/** `withLong`: also the files that take long. */
async function runSuite(withLong: boolean): Promise<boolean> {
  const filesOf = (pattern: string): string[] => filesMatching(pattern).filter((file) => withLong || !(file in LONG))
  const [exclusive, last] = [filesOf(EXCLUSIVE), filesOf(LAST)]
  const concurrent = filesOf(ALL).filter((file) => !exclusive.includes(file) && !last.includes(file))
  const [program, ...results] = await Promise.all([buildProgram(), runChecks(), compileContracts()])
  process.env[PROGRAM] = program.path
  try {
    results.push(await runTests('tests', ordered(withSharedProcesses(concurrent))))
    results.push(await runTests('tests of many processes', exclusive))
    results.push(await runTests('after all tests', last))
  } finally {
    program.remove()
  }
  if (!withLong) console.log(`\nLeft out; npm test -- --all runs them:\n${leftOut}`)
  return results.every((passed) => passed)
}

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, unit: { type: 'boolean', default: false } },
})
const cluster = values.unit ? undefined : await joinTestCluster()
try {
  const running = values.unit ? runUnitTests() : paths.length > 0 ? runSome(paths) : runSuite(values.all)
  process.exitCode = (await running) ? 0 : 1
} finally {
  await cluster?.leave()
  for (const folder of [logs, compiled, times, groups]) rmSync(folder, { recursive: true, force: true })
}
