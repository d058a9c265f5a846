/**
 * The times of each test file: how long its process ran, and the CPU time of that process and of every process that it
 * started and waited for. The shared test database is not included.
 *
 * The runner preloads this module into the process of each file, which appends its times when it exits.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** The variable with the path of the file of times. */
export const FILE_TIMES = 'GATEWATCH_TEST_FILE_TIMES'

/** Of the process itself and of its ended children, in user and system mode: the fields 14 to 17 of proc(5). */
function cpuSeconds(): number {
  if (!existsSync('/proc/self/stat')) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  }
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? ''
  const ticks = afterName.split(' ').slice(11, 15).map(Number)
  return ticks.reduce((sum, each) => sum + each, 0) / 100
}

export type FileTimes = { readonly file: string; readonly seconds: number; readonly cpu: number }

export function readFileTimes(path: string): readonly FileTimes[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as FileTimes)
}

const path = process.env[FILE_TIMES]
// A test's threads and forked processes load this module too.
if (path !== undefined && isMainThread && process.env.NODE_TEST_CONTEXT?.startsWith('child') === true) {
  delete process.env[FILE_TIMES]
  const program = process.argv[1] ?? ''
  // The runner writes files that import unit tests into a temporary folder.
  const file = program.startsWith(process.cwd()) ? relative(process.cwd(), program) : basename(program)
  process.once('exit', () => {
    const times: FileTimes = { file, seconds: process.uptime(), cpu: cpuSeconds() }
    appendFileSync(path, `${JSON.stringify(times)}\n`)
  })
}
