/**
 * The seeded simulations, as many seeds as one has patience for, on all cores.
 *
 *     npm run sim -- watch --seeds 5000 --from 1
 *     npm run sim -- index --minutes 10
 *     npm run sim -- alerts --seeds 200
 *
 * A seed that fails is printed with what was lost, and `--seeds 1 --from SEED` runs it again; it belongs into the kept
 * seeds of the simulation's test.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { runAlertsSimulation } from '../server/test/sim/alerts-run.ts'
import { simulateIndex } from '../server/test/sim/index.sim.ts'
import { simulateWatch } from '../server/test/sim/watch.sim.ts'

type News = { readonly seed: number; readonly fault?: string; readonly [figure: string]: number | string | undefined }

const SIMULATIONS: Readonly<Record<string, (seed: number) => Promise<News>>> = {
  watch: simulateWatch,
  index: simulateIndex,
}
/** On a real database each: its own process, which runs so many seeds before it asks whether to go on. */
const ON_DATABASE = 'alerts'
const SEEDS_AT_ONCE = 50

/** From `from`, below `below`, until `until` in milliseconds since the epoch. */
type Stretch = { readonly from: number; readonly below: number; readonly until: number }
type Task = Stretch & { readonly what: string; readonly step: number }

if (isMainThread) await conduct()
else await simulate(workerData as Task)

async function conduct(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      from: { type: 'string', default: '1' },
      here: { type: 'boolean', default: false },
    },
  })
  const [what = 'watch'] = positionals
  const from = Number(values.from)
  const isEndless = values.seeds === undefined && values.minutes !== undefined
  const stretch = {
    from,
    below: isEndless ? Number.MAX_SAFE_INTEGER : from + Number(values.seeds ?? 5_000),
    until: values.minutes === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + Number(values.minutes) * 60_000,
  }
  if (what === ON_DATABASE && values.here) return await runAlertsSimulation(from, stretch.below - from)
  if (what === ON_DATABASE) return await overProcesses(stretch)
  if (SIMULATIONS[what] !== undefined) return await overThreads(what, stretch)
  console.error(
    `There is no simulation called ${what}; there are: ${[...Object.keys(SIMULATIONS), ON_DATABASE].join(', ')}.`,
  )
  process.exitCode = 64
}

async function overThreads(what: string, { from, below, until }: Stretch): Promise<void> {
  const total = new Map<string, number>()
  const add = (figure: string, count: number) => total.set(figure, (total.get(figure) ?? 0) + count)
  const startedAt = Date.now()
  const workers = Math.min(availableParallelism(), below - from)
  await Promise.all(
    Array.from({ length: workers }, async (_, n) => {
      const task: Task = { what, from: from + n, below, step: workers, until }
      const worker = new Worker(new URL(import.meta.url), { workerData: task })
      worker.on('message', ({ seed, fault, ...figures }: News) => {
        add('seeds', 1)
        add('failed', fault === undefined ? 0 : 1)
        for (const [figure, count] of Object.entries(figures)) add(figure, Number(count))
        if (fault !== undefined) console.log(`seed ${seed} failed: ${fault}`)
        if ((total.get('seeds') ?? 0) % 250 === 0)
          console.log(`${total.get('seeds')} seeds, ${total.get('failed')} failed`)
      })
      await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
    }),
  )
  const figures = [...total].map(([figure, count]) => `${count} ${figure}`).join(', ')
  console.log(`${what}: ${figures} in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s, from seed ${from}`)
  process.exitCode = total.get('failed') === 0 ? 0 : 1
}

async function overProcesses({ from, below, until }: Stretch): Promise<void> {
  let next = from
  let failed = false
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (next < below && Date.now() < until) {
        const seeds = Math.min(SEEDS_AT_ONCE, below - next)
        const args = [import.meta.filename, ON_DATABASE, '--here', '--from', String(next), '--seeds', String(seeds)]
        next += seeds
        const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')) as [number | null]
        failed ||= code !== 0
      }
    }),
  )
  console.log(`${ON_DATABASE}: seeds ${from} to ${next - 1}, ${failed ? 'some failed' : 'none failed'}`)
  process.exitCode = failed ? 1 : 0
}

async function simulate({ what, from, below, step, until }: Task): Promise<void> {
  for (let seed = from; seed < below && Date.now() < until; seed += step) {
    const news = await SIMULATIONS[what]?.(seed).catch((error: unknown) => ({
      seed,
      fault: String(error instanceof Error ? error.message : error).slice(0, 2_000),
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
    parentPort?.postMessage(news)
  }
}
