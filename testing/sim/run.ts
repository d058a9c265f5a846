/**
 * The seeded simulations, as many seeds as one has patience for, on all cores: all three one after another, or one.
 *
 *     npm run sim
 *     npm run sim -- watch --seeds 5000 --from 1
 *     npm run sim -- index --minutes 10
 *
 * A seed that fails is printed with what was lost, and `--seeds 1 --from SEED` runs it again; it belongs into the kept
 * seeds of the simulation's test. `npm run bench -- --only sim` writes the outcome into docs/benchmarks.md.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { MISSED_LIMIT, report } from '../report/result.ts'
import { runAlertsSimulation } from './alerts-run.ts'
import { type Name, readArguments, type Stretch, stretchOf } from './arguments.ts'
import { simulateIndex } from './index.sim.ts'
import { simulateWatch } from './watch.sim.ts'

type News = { readonly seed: number; readonly fault?: string; readonly [figure: string]: number | string | undefined }
/** What was counted over all seeds; `seeds` and `failed` among it. */
type Totals = ReadonlyMap<string, number>

type OnThreads = Exclude<Name, 'alerts'>
const SIMULATIONS: Readonly<Record<OnThreads, (seed: number) => Promise<News>>> = {
  watch: simulateWatch,
  index: simulateIndex,
}
/** Of those on a real database: a process of its own runs so many before it asks whether to go on. */
const SEEDS_AT_ONCE = 50

type Task = Stretch & { readonly name: OnThreads; readonly step: number }

if (isMainThread) await conduct()
else await simulate(workerData as Task)

async function conduct(): Promise<void> {
  const request = readArguments(process.argv.slice(2))
  if ('refusal' in request) {
    console.error(request.refusal)
    process.exitCode = 64
    return
  }
  if (request.isHere) return await runAlertsSimulation(request.from, request.seeds ?? 1)
  for (const name of request.names) {
    const startedAt = Date.now()
    const stretch = stretchOf(request, name, startedAt)
    const totals = name === 'alerts' ? await overProcesses(stretch) : await overThreads(name, stretch)
    const isHeld = tell(name, stretch, totals)
    console.log(`${name}: ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`)
    if (!isHeld) process.exitCode = MISSED_LIMIT
  }
}

function tell(name: Name, { from, below, until }: Stretch, totals: Totals): boolean {
  const { seeds = 0, failed = 0, ...figures } = Object.fromEntries(totals)
  const wanted = until === Number.MAX_SAFE_INTEGER ? below - from : 1
  if (seeds < wanted) throw new Error(`${name}: ${seeds} seeds were run, not ${wanted}.`)
  const counted = Object.entries(figures).map(([figure, count]) => `${count} ${figure}`)
  return report({
    name: `seeds of the ${name} simulation that failed`,
    value: failed,
    unit: 'seeds',
    atMost: 0,
    peer: `${seeds} seeds from ${from}: ${counted.join(', ')}`,
  })
}

async function overThreads(name: OnThreads, { from, below, until }: Stretch): Promise<Totals> {
  const { totals, add } = counting()
  const workers = Math.min(availableParallelism(), below - from)
  await Promise.all(
    Array.from({ length: workers }, async (_, n) => {
      const task: Task = { name, from: from + n, below, step: workers, until }
      const worker = new Worker(new URL(import.meta.url), { workerData: task })
      worker.on('message', ({ seed, fault, ...figures }: News) => {
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

async function overProcesses({ from, below, until }: Stretch): Promise<Totals> {
  const { totals, add } = counting()
  const broken: string[] = []
  let next = from
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (next < below && Date.now() < until) {
        const [first, seeds] = [next, Math.min(SEEDS_AT_ONCE, below - next)]
        next += seeds
        const args = [import.meta.filename, 'alerts', '--here', '--from', String(first), '--seeds', String(seeds)]
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
        let output = ''
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text
          process.stdout.write(text)
        })
        const [code] = (await once(child, 'close')) as [number | null]
        const [, sums, failed] = /^\d+ seeds: (.+); (\d+) failed$/m.exec(output) ?? []
        if (sums === undefined) {
          broken.push(`alerts: ${seeds} seeds from ${first} ended with code ${code} and told of nothing.`)
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

function counting() {
  const totals = new Map<string, number>()
  const add = (figure: string, count: number) => totals.set(figure, (totals.get(figure) ?? 0) + count)
  return { totals, add }
}

async function simulate({ name, from, below, step, until }: Task): Promise<void> {
  for (let seed = from; seed < below && Date.now() < until; seed += step) {
    const news = await SIMULATIONS[name](seed).catch((error: unknown) => ({
      seed,
      fault: String(error instanceof Error ? error.message : error).slice(0, 2_000),
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
    parentPort?.postMessage(news)
  }
}
