/**
 * Runs benchmarks and writes `docs/benchmarks.md`.
 *
 *     npm run bench                        every benchmark except the long ones
 *     npm run bench -- NAME …              these benchmarks, their results recorded
 *     npm run bench -- NAME --option …     one benchmark with options of its own, its result not recorded
 *     npm run bench -- --page              writes the page again from the recorded results
 *
 * A benchmark that is not run keeps its earlier result. A missed limit is listed on the page; a benchmark that fails
 * is listed too, and the run exits with code 1.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { failureOf, parseReport } from '../testing/report/result.ts'
import { commitOf } from '../testing/report/versions.ts'
import { benchmarkPage, type Measurement } from './page.ts'
import { SHORTFALLS } from './shortfalls.ts'

const BENCHMARKS = [
  'http',
  'api',
  'decode',
  'watch',
  'ponder',
  'poll',
  'registry',
  'alerts',
  'stream',
  'index',
  'growth',
  'electrs',
  'parse',
  'coins',
  'wallet',
  'subscriptions',
  'mempool',
  'recovery',
  'select',
  'pages',
]

type Program = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }

/** Runs that take many minutes: run by name only. */
const LONG: Readonly<Record<string, Program>> = {
  sim: { args: ['testing/sim/run.ts'] },
  hostile: { args: ['testing/sim/run.ts', 'hostile', '--seeds', '20000'] },
  crash: {
    args: ['testing/run.ts', 'server/src/traffic/crash.int.test.ts'],
    env: { GATEWATCH_LONG_TESTS: '1' },
  },
  soak: { args: ['bench/soak/run.ts'] },
  powers: { args: ['bench/powers.ts'] },
  precision: { args: ['bench/precision.ts'] },
  hosts: { args: ['bench/hosts.ts'] },
}
const ALL = [...BENCHMARKS, ...Object.keys(LONG)]

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const recordFile = join(docs, 'benchmarks.json')
const programOf = (name: string): Program => LONG[name] ?? { args: [`bench/${name}.ts`] }

async function measure(name: string, options: readonly string[]): Promise<Measurement> {
  console.log(`\n# ${name}`)
  const startedAt = Date.now()
  const commit = commitOf(root)
  const { args, env } = programOf(name)
  const child = spawn(process.execPath, [...args, ...options], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const { results, unmeasured, versions } = parseReport(output)
  const failure = failureOf({ code, signal }, results)
  return {
    name,
    at: new Date(startedAt).toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}`,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    node: process.version,
    ...(commit !== undefined && { commit }),
    versions,
    results,
    ...(unmeasured.length > 0 && { unmeasured }),
    ...(failure !== undefined && { failure }),
  }
}

const recorded = new Map(
  (existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as readonly Measurement[]) : []).map(
    (measurement) => [measurement.name, measurement],
  ),
)
const inOrder = (): readonly Measurement[] => ALL.flatMap((name) => recorded.get(name) ?? [])
/** What is not measured by a benchmark stands at the end of the page. */
const notesFile = join(root, 'bench', 'notes.md')
const writePage = (): void =>
  writeFileSync(
    join(docs, 'benchmarks.md'),
    `${benchmarkPage(inOrder(), SHORTFALLS).trimEnd()}\n\n${readFileSync(notesFile, 'utf8').trim()}\n`,
  )

function record(measurement: Measurement): void {
  recorded.set(measurement.name, measurement)
  writeFileSync(recordFile, `${JSON.stringify(inOrder(), undefined, 2)}\n`)
  writePage()
}

const args = process.argv.slice(2)
const firstOption = args.findIndex((arg) => arg.startsWith('-'))
const names = firstOption === -1 ? args : args.slice(0, firstOption)
const options = args.slice(names.length)
const unknown = names.find((name) => !ALL.includes(name))
if (options[0] === '--page') writePage()
else if (unknown !== undefined) {
  console.error(`Unknown benchmark "${unknown}". Use one of ${ALL.join(', ')}.`)
  process.exitCode = 64
} else if (options.length > 0 && names.length !== 1) {
  console.error('Options belong to one benchmark. Name it before them.')
  process.exitCode = 64
} else
  for (const each of names.length === 0 ? BENCHMARKS : names) {
    const measurement = await measure(each, options)
    if (measurement.failure !== undefined) {
      console.error(`${each}: ${measurement.failure}.`)
      process.exitCode = 1
    }
    // Recorded one by one: an interrupted run keeps what it has measured.
    if (options.length === 0) record(measurement)
  }
