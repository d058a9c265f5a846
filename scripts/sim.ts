/**
 * The seeded simulations, as many seeds as one has patience for.
 *
 *     npm run sim -- watch --seeds 5000 --from 1
 *     npm run sim -- alerts --seeds 200
 *
 * A seed that fails is printed with what was lost; it belongs into the kept seeds of the simulation's test.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { runAlertsSimulation } from '../server/test/sim/alerts-run.ts'
import { simulateWatch } from '../server/test/sim/watch.sim.ts'

type Task = { readonly from: number; readonly seeds: number; readonly step: number }
type News = {
  readonly seed: number
  readonly fault?: string
  readonly events: number
  readonly rewinds: number
  readonly kills: number
}

if (isMainThread) await conduct()
else await simulate(workerData as Task)

async function conduct(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seeds: { type: 'string', default: '5000' }, from: { type: 'string', default: '1' } },
  })
  const [what = 'watch'] = positionals
  const [seeds, from] = [Number(values.seeds), Number(values.from)]
  // On a real database: one world after the other, in this thread.
  if (what === 'alerts') return await runAlertsSimulation(from, seeds)
  if (what !== 'watch') {
    console.error(`There is no simulation called ${what}; there are: watch, alerts.`)
    process.exitCode = 64
    return
  }
  const total = { seeds: 0, failed: 0, events: 0, rewinds: 0, kills: 0 }
  const startedAt = Date.now()
  const workers = Math.min(availableParallelism(), seeds)
  await Promise.all(
    Array.from({ length: workers }, async (_, n) => {
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { from: from + n, seeds: from + seeds, step: workers },
      })
      worker.on('message', (news: News) => {
        total.seeds += 1
        total.events += news.events
        total.rewinds += news.rewinds
        total.kills += news.kills
        if (news.fault !== undefined) {
          total.failed += 1
          console.log(`seed ${news.seed} failed: ${news.fault}`)
        }
        if (total.seeds % 250 === 0) console.log(`${total.seeds} of ${seeds} seeds, ${total.failed} failed`)
      })
      await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
    }),
  )
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0)
  console.log(
    `${total.seeds} seeds in ${seconds} s: ${total.events} events, ${total.rewinds} rewinds, ${total.kills} kills; ${total.failed} failed`,
  )
  process.exitCode = total.failed === 0 ? 0 : 1
}

async function simulate({ from, seeds, step }: Task): Promise<void> {
  for (let seed = from; seed < seeds; seed += step) {
    const news = await simulateWatch(seed).catch((error: unknown) => ({
      seed,
      fault: String(error instanceof Error ? error.message : error).slice(0, 2_000),
      events: 0,
      rewinds: 0,
      kills: 0,
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
    parentPort?.postMessage(news satisfies News)
  }
}
