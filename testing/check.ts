/** Checks without tests: types, lint, format, and unused files, exports and dependencies. `npm run check` runs it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const CHECKS: readonly (readonly [title: string, program: string, ...args: string[]])[] = [
  ['types', 'tsc', '--noEmit'],
  ['types of the web app', 'tsc', '--noEmit', '--project', 'web'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'biome', 'check'],
  ['unused code', 'knip', '--no-progress'],
]

/** Runs every check and returns whether all passed. */
export function runChecks(): boolean {
  const failed = CHECKS.filter(([title, program, ...args]) => {
    console.log(`\n# ${title}`)
    const command = join(root, 'node_modules', '.bin', program)
    return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0
  })
  return failed.length === 0
}

if (import.meta.main) process.exitCode = runChecks() ? 0 : 1
