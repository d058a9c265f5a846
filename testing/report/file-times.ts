/**
 * The times of each test file: how long it ran, and the CPU time of its process and of every process that it started and
 * waited for. The shared test database is not included.
 *
 * The runner preloads this module into each test process, which appends the times of a file when the next one starts or the
 * process exits.
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
const isTestProcess = isMainThread && process.env.NODE_TEST_CONTEXT?.startsWith('child') === true
const program = process.argv[1] ?? ''
// The runner writes files that run several others into a temporary folder.
let file = program.startsWith(process.cwd()) ? relative(process.cwd(), program) : basename(program)
let [startedAt, startedCpu] = [0, 0]

function endFile(): void {
  if (path === undefined || !isTestProcess) return
  const [seconds, cpu] = [process.uptime(), cpuSeconds()]
  const times: FileTimes = { file, seconds: seconds - startedAt, cpu: cpu - startedCpu }
  appendFileSync(path, `${JSON.stringify(times)}\n`)
  ;[startedAt, startedCpu] = [seconds, cpu]
}

/** Ends the times of the file before, in a process that runs several. */
export function startFile(next: string): void {
  endFile()
  file = next
}

if (path !== undefined && isTestProcess) {
  delete process.env[FILE_TIMES]
  process.once('exit', endFile)
}
