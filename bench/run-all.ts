/**
 * `npm run bench [-- --only NAME]`: every benchmark one after another, and `docs/benchmarks.md` written from what they
 * found. What is not run keeps its earlier result, with the day and the machine it was measured on; runs that take long
 * are run only by their name.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmarkPage, type Measured } from './page.ts'
import { REASONS } from './reasons.ts'
import { resultsIn } from './result.ts'

const BENCHMARKS = ['http', 'api', 'decode', 'watch', 'ponder', 'poll', 'alerts', 'index', 'parse', 'coins', 'select']

type Program = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }
const LONG: Readonly<Record<string, Program>> = {
  crash: {
    args: ['scripts/test.ts', 'server/src/traffic/crash.int.test.ts'],
    env: { GATEWATCH_LONG_TESTS: '1' },
  },
  soak: { args: ['scripts/soak.ts'] },
}
const ALL = [...BENCHMARKS, ...Object.keys(LONG)]

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const docs = join(import.meta.dirname, '..', 'docs')
const store = join(docs, 'benchmarks.json')
const programOf = (name: string): Program => LONG[name] ?? { args: [`bench/${name}.ts`] }

const chosen = values.only === undefined ? BENCHMARKS : ALL.filter((name) => name === values.only)
if (chosen.length === 0) throw new Error(`There is no benchmark called ${values.only}; there are: ${ALL.join(', ')}.`)

async function measure(name: string): Promise<Measured> {
  console.log(`\n# ${name}`)
  const startedAt = Date.now()
  const { args, env } = programOf(name)
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    process.stdout.write(chunk)
  })
  await once(child, 'close')
  const results = resultsIn(output)
  return {
    name,
    at: new Date(startedAt).toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}`,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    node: process.version,
    results,
    // A benchmark may end with a code because a limit was missed; without any result it has failed.
    ...(results.length === 0 && { failure: `it ended with code ${child.exitCode} and told of nothing` }),
  }
}

const kept = existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as readonly Measured[]) : []
const all = new Map(kept.map((one) => [one.name, one]))
for (const name of chosen) {
  all.set(name, await measure(name))
  // After each: a run that is cut short keeps what it has.
  const ordered = ALL.flatMap((known) => all.get(known) ?? [])
  writeFileSync(store, `${JSON.stringify(ordered, undefined, 2)}\n`)
  writeFileSync(join(docs, 'benchmarks.md'), benchmarkPage(ordered, REASONS))
}
