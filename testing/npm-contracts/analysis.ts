/** Analyzes the corpus in a thread, one code after the other, and caches results by code and version of the analyzer. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { type Dataflow, followCode } from '../../server/src/control/code/dataflow.ts'
import { ANALYSIS_BUDGET } from '../../server/src/control/poll/analysis-processes.ts'
import { analyzerVersion } from '../../server/src/control/poll/code-analysis-store.ts'
import { functionsOf } from '../../server/src/control/powers/functions.ts'
import { analyzeCode, textOfFacts, unfollowedCode } from '../../server/src/control/profile/code-facts.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import type { FoundFunction } from './compare.ts'
import { CACHE } from './packages.ts'

export type Analysis = {
  readonly functions: readonly Omit<FoundFunction, 'effects'>[]
  readonly isSettled: boolean
  /** CPU time. */
  readonly ms: number
  readonly steps: number
  /** The facts that the service stores, see `textOfFacts`. */
  readonly facts: string
}

function analyze(code: Hex): Analysis {
  const started = process.threadCpuUsage()
  let flow: Dataflow | undefined
  const facts = analyzeCode(code, (bytes) => (flow = followCode(bytes)))
  const { user, system } = process.threadCpuUsage(started)
  return {
    functions: (flow === undefined ? [] : functionsOf(flow))
      .filter(({ isFallback }) => !isFallback)
      .map(({ selector, access }) => ({ selector, access })),
    isSettled: facts.effects.settled,
    ms: (user + system) / 1_000,
    steps: flow?.steps ?? 0,
    facts: textOfFacts(facts),
  }
}

const CHECK_EVERY_MS = 50

/** Analyses within the budget of the service; beyond it code counts as not followed. */
export class Analyses {
  readonly #folder = join(CACHE, 'analyses', analyzerVersion())
  #thread: Worker | undefined

  async of(code: Hex): Promise<Analysis> {
    const file = join(this.#folder, `${createHash('sha256').update(code).digest('hex').slice(0, 24)}.json`)
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Analysis
    const found = await this.#run(code)
    mkdirSync(this.#folder, { recursive: true })
    writeFileSync(file, JSON.stringify(found))
    return found
  }

  /** CPU time of an analysis that is made now. The times of cached ones are those of earlier runs. */
  async msOf(code: Hex): Promise<number> {
    return (await this.#run(code)).ms
  }

  async #run(code: Hex): Promise<Analysis> {
    if (this.#thread === undefined) {
      this.#thread = new Worker(new URL(import.meta.url))
      await once(this.#thread, 'message')
    }
    const thread = this.#thread
    const started = process.cpuUsage()
    let timer: NodeJS.Timeout | undefined
    const exceeded = new Promise<undefined>((resolve) => {
      timer = setInterval(() => {
        const { user, system } = process.cpuUsage(started)
        if (user + system >= ANALYSIS_BUDGET.cpuMs * 1_000) resolve(undefined)
      }, CHECK_EVERY_MS)
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    thread.postMessage(code)
    const answer = once(thread, 'message').then(([message]: unknown[]) => message as Analysis)
    const found = await Promise.race([answer, exceeded])
    clearInterval(timer)
    if (found !== undefined) return found
    answer.catch(() => {})
    await this.close()
    const facts = textOfFacts(unfollowedCode(code, 'time'))
    return { functions: [], isSettled: false, ms: ANALYSIS_BUDGET.cpuMs, steps: 0, facts }
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
    this.#thread = undefined
  }
}

if (!isMainThread) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
  parentPort?.on('message', (code: Hex) => parentPort?.postMessage(analyze(code)))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
  parentPort?.postMessage('ready')
}
