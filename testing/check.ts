/** Checks without tests: types, lint, format, and unused files, exports and dependencies. `npm run check` runs it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** `tsc` keeps what it found in `node_modules/.cache`, and checks only what a change can affect. */
const types = (project: string): readonly [program: string, ...args: string[]] => {
  const found = join('node_modules', '.cache', 'tsc', `${project === '.' ? 'root' : project}.tsbuildinfo`)
  return ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', found, '--project', project]
}

const CHECKS: readonly (readonly [title: string, program: string, ...args: string[]])[] = [
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', ...types('.')],
  ['types of the web app', ...types('web')],
  ['unused code', 'knip', '--no-progress'],
  ['format', 'biome', 'check'],
]

/** Runs every check, all at once because some use one core only, and returns whether all passed. */
export async function runChecks(): Promise<boolean> {
  const results = await Promise.all(CHECKS.map(runCheck))
  return results.every((passed) => passed)
}

async function runCheck([title, program, ...args]: (typeof CHECKS)[number]): Promise<boolean> {
  const child = spawn(join(root, 'node_modules', '.bin', program), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  console.log(`\n# ${title}\n${output}`.trimEnd())
  return code === 0
}

if (import.meta.main) process.exitCode = (await runChecks()) ? 0 : 1
