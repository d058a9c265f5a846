/**
 * Entry point of an analysis process: runs one analysis at a time in a thread and ends it at its CPU budget.
 *
 * A process of its own, because a thread that exhausts its heap ends the process it belongs to.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import { reasonOf, systemCodeOf } from '../../lib/errors.ts'
import type { AnalysisJob, AnalysisResult } from './analysis-processes.ts'

/** How often the used CPU time is compared with the budget. */
const CHECK_EVERY_MS = 25

let idle: Worker | undefined

/** Starts a thread, whose first message reports that it is ready: loading it is not part of an analysis. */
async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./code-analysis-thread.ts', import.meta.url))
  await once(thread, 'message')
  return thread
}

async function analyze(job: AnalysisJob): Promise<AnalysisResult> {
  const thread = idle ?? (await startThread())
  idle = undefined
  const start = process.cpuUsage()
  const isOver = (): boolean => {
    const { user, system } = process.cpuUsage(start)
    return user + system >= job.cpuMs * 1_000
  }
  const result = await new Promise<AnalysisResult | ExceededLimit>((resolve) => {
    const checking = setInterval(() => isOver() && finish('time'), CHECK_EVERY_MS)
    const finish = (found: AnalysisResult | ExceededLimit): void => {
      clearInterval(checking)
      thread.off('message', finish)
      if (found !== 'time') thread.off('error', fail)
      resolve(found)
    }
    const fail = (error: Error): void => finish(isOutOfMemory(error) ? 'memory' : { fault: reasonOf(error) })
    thread.on('message', finish)
    thread.on('error', fail)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    thread.postMessage(job)
  })
  if (typeof result === 'object' && 'text' in result) {
    idle = thread
    return result
  }
  await thread.terminate()
  return typeof result === 'object' ? result : await analyze({ ...job, exceeded: result, cpuMs: UNLIMITED })
}

/** Number.POSITIVE_INFINITY would become null in a message. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

const isOutOfMemory = (error: Error): boolean => systemCodeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'

// A signal to the process group is meant for the service, which then closes the channel.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.on(
  'message',
  (job: AnalysisJob) =>
    void analyze(job).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ fault: reasonOf(error) }),
    ),
)
