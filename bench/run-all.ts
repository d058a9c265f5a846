/**
 * `npm run bench [-- --only NAME]`: every benchmark one after another, and `docs/benchmarks.md` written from what they
 * found. What is not run keeps its earlier result, with the day and the machine it was measured on.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmarkPage, type Measured } from './page.ts'
import { resultsIn } from './result.ts'

const BENCHMARKS = ['http', 'api', 'decode', 'watch', 'ponder', 'poll', 'alerts', 'index', 'parse', 'coins', 'select']

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const docs = join(import.meta.dirname, '..', 'docs')
const store = join(docs, 'benchmarks.json')
const script = (name: string): string => join(import.meta.dirname, `${name}.ts`)

const chosen = BENCHMARKS.filter((name) => existsSync(script(name)) && (values.only ?? name) === name)
if (chosen.length === 0)
  throw new Error(`There is no benchmark called ${values.only}; there are: ${BENCHMARKS.join(', ')}.`)

async function measure(name: string): Promise<Measured> {
  console.log(`\n# ${name}`)
  const startedAt = Date.now()
  const child = spawn(process.execPath, [script(name)], { stdio: ['ignore', 'pipe', 'inherit'] })
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
  const ordered = BENCHMARKS.flatMap((known) => all.get(known) ?? [])
  writeFileSync(store, `${JSON.stringify(ordered, undefined, 2)}\n`)
  writeFileSync(join(docs, 'benchmarks.md'), benchmarkPage(ordered))
}
