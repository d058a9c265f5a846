/**
 * `npm run bench [-- --only NAME]`: every benchmark one after another, and `docs/benchmarks.md` written from what they
 * found. What is not run keeps its earlier result, with the day and the machine it was measured on; runs that take long
 * are run only by their name. `-- --page` measures nothing and writes the page anew.
 *
 * A missed limit stands on the page and is no fault of the run; a benchmark that breaks off is, and ends it with code 1.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { failureOf, toldIn } from '../testing/report/result.ts'
import { commitOf } from '../testing/report/versions.ts'
import { benchmarkPage, type Measured } from './page.ts'
import { REASONS } from './reasons.ts'

const BENCHMARKS = ['http', 'api', 'decode', 'watch', 'ponder', 'poll', 'alerts', 'index', 'parse', 'coins', 'select']

type Program = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }
const LONG: Readonly<Record<string, Program>> = {
  sim: { args: ['testing/sim/run.ts'] },
  hostile: { args: ['testing/hostile/main.ts', '20000', '1'] },
  crash: {
    args: ['testing/run.ts', 'server/src/traffic/crash.int.test.ts'],
    env: { GATEWATCH_LONG_TESTS: '1' },
  },
  soak: { args: ['bench/soak/run.ts'] },
}
const ALL = [...BENCHMARKS, ...Object.keys(LONG)]

const { values } = parseArgs({ options: { only: { type: 'string' }, page: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const store = join(docs, 'benchmarks.json')
const programOf = (name: string): Program => LONG[name] ?? { args: [`bench/${name}.ts`] }

if (values.only !== undefined && !ALL.includes(values.only)) {
  console.error(`There is no benchmark called ${values.only}; there are: ${ALL.join(', ')}.`)
  process.exit(64)
}
const chosen = values.only === undefined ? BENCHMARKS : [values.only]

async function measure(name: string): Promise<Measured> {
  console.log(`\n# ${name}`)
  const startedAt = Date.now()
  const commit = commitOf(root)
  const { args, env } = programOf(name)
  const child = spawn(process.execPath, args, {
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
  const { results, unmeasured, versions } = toldIn(output)
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

const kept = existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as readonly Measured[]) : []
const all = new Map(kept.map((one) => [one.name, one]))
const ordered = (): readonly Measured[] => ALL.flatMap((known) => all.get(known) ?? [])
const writePage = (): void => writeFileSync(join(docs, 'benchmarks.md'), benchmarkPage(ordered(), REASONS))

if (values.page) writePage()
else
  for (const name of chosen) {
    const measured = await measure(name)
    if (measured.failure !== undefined) {
      console.error(`${name}: ${measured.failure}.`)
      process.exitCode = 1
    }
    all.set(name, measured)
    // After each: a run that is cut short keeps what it has.
    writeFileSync(store, `${JSON.stringify(ordered(), undefined, 2)}\n`)
    writePage()
  }
