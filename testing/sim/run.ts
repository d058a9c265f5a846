/**
 * Runs the seeded simulations on all cores.
 *
 *     npm run sim                                     watch, index, alerts and parse, one after another
 *     npm run sim -- watch --seeds 5000 --from 1      one of them
 *     npm run sim -- index --minutes 10
 *     npm run sim -- hostile --seeds 20000            hostile HTTP requests to a whole service, one a seed
 *
 * A seed that fails is printed with its fault; `--seeds 1 --from SEED` runs it again, and it belongs in the test of its
 * simulation. `npm run bench -- sim` records the result in docs/benchmarks.md.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { simulateParse } from '../coins/fuzz-parse.ts'
import { MISSED_LIMIT, report } from '../report/result.ts'
import { runAlertsSimulation } from './alerts-run.ts'
import { parseArguments, type SeedRange, type SimulationName, seedRangeOf } from './arguments.ts'
import { simulateIndex } from './index.sim.ts'
import { simulateWatch } from './watch.sim.ts'

type Outcome = {
  readonly seed: number
  readonly fault?: string
  readonly [figure: string]: number | string | undefined
}
/** Figures added up over all seeds, `seeds` and `failed` among them. */
type Totals = ReadonlyMap<string, number>

type ThreadedName = Exclude<SimulationName, 'alerts' | 'hostile'>
const THREADED: Readonly<Record<ThreadedName, (seed: number) => Promise<Outcome>>> = {
  watch: simulateWatch,
  index: simulateIndex,
  parse: simulateParse,
}
/** Seeds that one process runs on its own database before the next process takes over. */
const SEEDS_PER_PROCESS = 50

type Task = SeedRange & { readonly name: ThreadedName; readonly step: number }

if (isMainThread) await main()
else await simulate(workerData as Task)

async function main(): Promise<void> {
  const request = parseArguments(process.argv.slice(2))
  if ('error' in request) {
    console.error(request.error)
    process.exitCode = 64
    return
  }
  if (request.inProcess) return await runAlertsSimulation(request.from, request.seeds ?? 1)
  for (const name of request.names) {
    const startedAt = Date.now()
    const range = seedRangeOf(request, name, startedAt)
    if (name === 'hostile') process.exitCode = sendHostileRequests(range)
    else {
      const totals = name === 'alerts' ? await runInProcesses(range) : await runInThreads(name, range)
      if (!reportTotals(name, range, totals)) process.exitCode = MISSED_LIMIT
    }
    console.log(`${name}: ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`)
  }
}

function reportTotals(name: SimulationName, { from, below, until }: SeedRange, totals: Totals): boolean {
  const { seeds = 0, failed = 0, ...figures } = Object.fromEntries(totals)
  const wanted = until === Number.MAX_SAFE_INTEGER ? below - from : 1
  if (seeds < wanted) throw new Error(`${name}: ${seeds} seeds were run instead of ${wanted}.`)
  const counted = Object.entries(figures).map(([figure, count]) => `${count} ${figure}`)
  return report({
    name: `failed seeds of the ${name} simulation`,
    value: failed,
    unit: 'seeds',
    atMost: 0,
    peer: `${seeds} seeds from ${from}: ${counted.join(', ')}`,
  })
}

async function runInThreads(name: ThreadedName, { from, below, until }: SeedRange): Promise<Totals> {
  const { totals, add } = createTotals()
  const workers = Math.min(availableParallelism(), below - from)
  await Promise.all(
    Array.from({ length: workers }, async (_, n) => {
      const task: Task = { name, from: from + n, below, step: workers, until }
      const worker = new Worker(new URL(import.meta.url), { workerData: task })
      worker.on('message', ({ seed, fault, ...figures }: Outcome) => {
        add('seeds', 1)
        add('failed', fault === undefined ? 0 : 1)
        for (const [figure, count] of Object.entries(figures)) add(figure, Number(count))
        if (fault !== undefined) console.log(`seed ${seed} failed: ${fault}`)
        if ((totals.get('seeds') ?? 0) % 250 === 0)
          console.log(`${totals.get('seeds')} seeds, ${totals.get('failed')} failed`)
      })
      await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
    }),
  )
  return totals
}

async function runInProcesses({ from, below, until }: SeedRange): Promise<Totals> {
  const { totals, add } = createTotals()
  const broken: string[] = []
  let next = from
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (next < below && Date.now() < until) {
        const [first, seeds] = [next, Math.min(SEEDS_PER_PROCESS, below - next)]
        next += seeds
        const args = [import.meta.filename, 'alerts', '--in-process', '--from', String(first), '--seeds', String(seeds)]
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
        let output = ''
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text
          process.stdout.write(text)
        })
        const [code] = (await once(child, 'close')) as [number | null]
        const [, sums, failed] = /^\d+ seeds: (.+); (\d+) failed$/m.exec(output) ?? []
        if (sums === undefined) {
          broken.push(`alerts: the process for ${seeds} seeds from ${first} exited with code ${code} without a result.`)
          return
        }
        add('seeds', seeds)
        add('failed', Number(failed))
        for (const [, count, figure = ''] of sums.matchAll(/(\d+) (\w+)/g)) add(figure, Number(count))
      }
    }),
  )
  if (broken.length > 0) throw new Error(broken.join(' '))
  return totals
}

/** Runs the suite's hostile requests, one request a seed; they print their own report. */
function sendHostileRequests({ from, below }: SeedRange): number {
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '..', 'run.ts'), 'testing/hostile/hostile-http.int.test.ts'],
    {
      stdio: 'inherit',
      env: { ...process.env, HOSTILE_REQUESTS: String(below - from), HOSTILE_SEED: String(from) },
    },
  )
  return status ?? 1
}

function createTotals() {
  const totals = new Map<string, number>()
  const add = (figure: string, count: number) => totals.set(figure, (totals.get(figure) ?? 0) + count)
  return { totals, add }
}

async function simulate({ name, from, below, step, until }: Task): Promise<void> {
  for (let seed = from; seed < below && Date.now() < until; seed += step) {
    const outcome = await THREADED[name](seed).catch((error: unknown) => ({
      seed,
      fault: String(error instanceof Error ? error.message : error).slice(0, 2_000),
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
    parentPort?.postMessage(outcome)
  }
}
