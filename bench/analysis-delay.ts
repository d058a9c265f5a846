/**
 * Measures the main loop of a process while other processes analyze code for it, as in the service. The codes come from
 * standard input, and the longest delays in milliseconds go to standard output, both as JSON.
 *
 * A process of its own: the benchmark `powers` holds the syntax trees of the whole corpus, and the collection of its
 * garbage would be measured too.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCodeAnalyzer } from '../server/src/control/poll/code-analyzer.ts'
import type { Hex } from '../server/src/lib/hex.ts'

const IDLE_MS = 5_000

async function longestDuring(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await work()
  delay.disable()
  return delay.max / 1e6
}

const codes = (await json(process.stdin)) as readonly Hex[]
const analyzer = createCodeAnalyzer({ processes: 1, isWarm: true })
const idle = await longestDuring(() => sleep(IDLE_MS))
const busy = await longestDuring(() => Promise.all(codes.map((code) => analyzer.analyze(code))))
await analyzer.close()
process.stdout.write(JSON.stringify({ idle, busy }))
