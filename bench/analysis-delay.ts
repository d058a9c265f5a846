/**
 * Measures the main loop of a process while other processes analyze code for it, as in the service. The codes come from
 * standard input, and the longest turns of the loop in milliseconds go to standard output, both as JSON.
 *
 * A process of its own: the benchmark `powers` holds the syntax trees of the whole corpus, and the collection of its
 * garbage would be measured too.
 */
import { json } from 'node:stream/consumers'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createCodeAnalyzer } from '../server/src/control/poll/code-analyzer.ts'
import type { Hex } from '../server/src/lib/hex.ts'

const IDLE_MS = 5_000

/** `cpu`: what the thread of the loop computed in one turn. `wall`: also waits for a processor that others use. */
type Turn = { readonly wall: number; readonly cpu: number }

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function longestDuring(work: () => Promise<unknown>): Promise<Turn> {
  const progress = { isDone: false }
  let [wall, cpu] = [0, 0]
  let [at, used] = [performance.now(), cpuMs()]
  const running = work().finally(() => {
    progress.isDone = true
  })
  while (!progress.isDone) {
    await nextTurn()
    const [now, usedNow] = [performance.now(), cpuMs()]
    wall = Math.max(wall, now - at)
    cpu = Math.max(cpu, usedNow - used)
    at = now
    used = usedNow
  }
  await running
  return { wall, cpu }
}

const codes = (await json(process.stdin)) as readonly Hex[]
const analyzer = createCodeAnalyzer({ processes: 1, isWarm: true })
const idle = await longestDuring(() => sleep(IDLE_MS))
const busy = await longestDuring(() => Promise.all(codes.map((code) => analyzer.analyze(code))))
await analyzer.close()
process.stdout.write(JSON.stringify({ idle, busy }))
