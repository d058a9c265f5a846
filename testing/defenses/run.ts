/**
 * Removes each defense of docs/threat-model.md in a copy of the repository and runs the test that shows it. The test must
 * fail. Prints one line for each, and ends with 1 if a removal was not noticed.
 *
 *     node testing/defenses/run.ts [TEXT]    only attacks that contain TEXT
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { joinTestCluster } from '../support/database.ts'
import { REMOVALS, type Removal } from './removals.ts'

const REPOSITORY = join(import.meta.dirname, '..', '..')
/** A test that hangs without its defense has failed. */
const TEST_MS = 240_000
const text = (process.argv[2] ?? '').toLowerCase()

/** Copies the files that git knows, and links the installed packages. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'gatewatch-defenses-'))
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  for (const file of files
    .trim()
    .split('\n')
    .filter((name) => existsSync(join(REPOSITORY, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(REPOSITORY, file), join(copy, file))
  }
  for (const folder of ['node_modules', 'server/node_modules', 'web/node_modules', 'client/node_modules']) {
    if (!existsSync(join(REPOSITORY, folder))) continue
    mkdirSync(join(copy, folder), { recursive: true })
    // Without the cache: it contains the cluster of the tests, and the copy has its own.
    for (const name of readdirSync(join(REPOSITORY, folder)).filter((each) => each !== '.cache'))
      symlinkSync(join(REPOSITORY, folder, name), join(copy, folder, name))
  }
  return copy
}

/** Runs one test. It must run, so a title that matches nothing is an error. */
function run(copy: string, { testFile, title }: Removal): 'passed' | 'failed' {
  const pattern = title.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const args = ['--test', '--test-reporter=tap', `--test-name-pattern=/${pattern}/`, testFile]
  const options = { cwd: copy, encoding: 'utf8', maxBuffer: 1e8, timeout: TEST_MS } as const
  const { stdout, status } = spawnSync(process.execPath, args, options)
  if (status === null) return 'failed'
  if (!/^ *(not )?ok \d+ - /m.test(stdout)) throw new Error(`the test "${title}" did not run: ${stdout.slice(-500)}`)
  return status === 0 ? 'passed' : 'failed'
}

const copy = copyRepository()
// Started once for all tests.
const support = (await import(join(copy, 'testing', 'support', 'database.ts'))) as {
  readonly joinTestCluster: typeof joinTestCluster
}
const cluster = await support.joinTestCluster()
let unnoticed = 0
try {
  for (const removal of REMOVALS.filter(({ attack }) => attack.toLowerCase().includes(text))) {
    const path = join(copy, removal.file)
    const original = readFileSync(path, 'utf8')
    const before = run(copy, removal)
    writeFileSync(
      path,
      original.replace(removal.find, () => removal.replace),
    )
    const without = run(copy, removal)
    writeFileSync(path, original)
    const isNoticed = before === 'passed' && without === 'failed'
    if (!isNoticed) unnoticed += 1
    const verdict = isNoticed ? 'noticed' : before === 'failed' ? 'FAILS WITH THE DEFENSE' : 'NOT NOTICED'
    console.log(`${verdict}  ${removal.attack}: ${removal.what}\n         “${removal.title}”`)
  }
} finally {
  await cluster.leave()
  rmSync(copy, { recursive: true, force: true })
}
console.log(unnoticed === 0 ? 'Every removal was noticed.' : `${unnoticed} removals were not noticed.`)
process.exit(unnoticed === 0 ? 0 : 1)
