/** Runs analyses of bytecode in processes, with budgets of CPU time, memory and size of the result. */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import { createAnalysisQueue } from './analysis-queue.ts'

export type AnalysisJob = {
  readonly code: Hex
  readonly cpuMs: number
  /** The limit that an earlier run exceeded: the code is not followed again. */
  readonly exceeded?: ExceededLimit | undefined
  readonly resultBytes: number
}

/** The facts as text, see `textOfFacts`. */
export type AnalysisResult = { readonly text: string } | { readonly fault: string }

export type AnalysisBudget = {
  /** CPU time of one analysis. The largest contracts of known protocols need about 3 s. */
  readonly cpuMs: number
  /** Heap of one process. */
  readonly heapMb: number
  /** Characters of a result. Decoding this much takes one or two milliseconds. */
  readonly resultBytes: number
}

export const ANALYSIS_BUDGET: AnalysisBudget = { cpuMs: 10_000, heapMb: 512, resultBytes: 256 * 1_024 }

export class CodeAnalysisError extends GatewatchError {
  override readonly code = 'code_analysis_failed'
  override readonly retryable = true
}

export type AnalysisProcesses = {
  /** Starts a process ahead of the first analysis: that takes the main thread 8 ms. */
  readonly warmUp: () => void
  /** Undefined if too many analyses of this owner wait. */
  readonly run: (owner: string, code: Hex) => Promise<string> | undefined
  readonly close: () => Promise<void>
}

type Task = {
  readonly job: AnalysisJob
  readonly resolve: (text: string) => void
  readonly reject: (error: Error) => void
}

const closed = (): CodeAnalysisError => new CodeAnalysisError('The code analyzer was closed')

const ENTRY = fileURLToPath(new URL('./code-analysis-process.ts', import.meta.url))

const HOOK = new URL('../../../bin/strip-types.mjs', import.meta.url).href

/**
 * The options by which the package runs its TypeScript (`bin/gatewatch.mjs`). Options of the operator are for the service: a
 * debugger would stop the process, a larger heap would lift its limit.
 */
export const ownOptions = (options = ''): readonly string[] =>
  options
    .split(' ')
    .filter((option) => option === `--import=${HOOK}` || option === '--disable-warning=ExperimentalWarning')

/**
 * The environment of a process: where the service keeps its compiled modules, because compiling takes longer than loading,
 * and nothing else, because the code that is analyzed is hostile. Node keeps them in a folder of its version.
 */
export const ownEnvironment = (compiled = getCompileCacheDir()): Readonly<Record<string, string>> =>
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }

/** How V8 ends a process whose heap is exhausted, and the system one whose stack is. */
const CRASHES: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGSEGV', 'SIGTRAP'])

export function createAnalysisProcesses({
  processes,
  budget: { cpuMs, heapMb, resultBytes },
}: {
  readonly processes: number
  readonly budget: AnalysisBudget
}): AnalysisProcesses {
  const queue = createAnalysisQueue<Task>()
  const idle: ChildProcess[] = []
  const running = new Map<ChildProcess, Task>()
  let isClosed = false

  const startProcess = (): ChildProcess => {
    const child = fork(ENTRY, {
      env: ownEnvironment(),
      execArgv: [...ownOptions(process.env.NODE_OPTIONS), `--max-old-space-size=${heapMb}`],
      // As JSON the text of a result would be decoded twice.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', (result: AnalysisResult) => {
      const task = running.get(child)
      running.delete(child)
      idle.push(child)
      setReferenced(child, false)
      if ('text' in result) task?.resolve(result.text)
      else task?.reject(new CodeAnalysisError(`Code analysis failed: ${result.fault}`))
      runNext()
    })
    child.on('error', () => discard(child, null))
    child.on('exit', (_, signal) => discard(child, signal))
    return child
  }
  const discard = (child: ChildProcess, signal: string | null): void => {
    const task = running.get(child)
    running.delete(child)
    if (idle.includes(child)) idle.splice(idle.indexOf(child), 1)
    if (task !== undefined) {
      const { job } = task
      if (CRASHES.has(signal) && job.exceeded === undefined && !isClosed)
        start({ ...task, job: { ...job, exceeded: 'memory' } })
      else task.reject(new CodeAnalysisError('The code analysis process ended'))
    }
    runNext()
  }
  const start = (task: Task): void => {
    const child = idle.pop() ?? startProcess()
    running.set(child, task)
    setReferenced(child, true)
    child.send(task.job, (error) => error !== null && discard(child, null))
  }
  const runNext = (): void => {
    if (isClosed) return
    while (running.size < processes) {
      const task = queue.shift()
      if (task === undefined) return
      start(task)
    }
  }

  return {
    warmUp: () => {
      const child = startProcess()
      idle.push(child)
      setReferenced(child, false)
    },
    run: (owner, code) => {
      if (isClosed) return Promise.reject(closed())
      let isQueued = false
      const result = new Promise<string>((resolve, reject) => {
        const job = { code, cpuMs, resultBytes }
        isQueued = queue.push(owner, { job, resolve, reject })
      })
      runNext()
      return isQueued ? result : undefined
    },
    close: async () => {
      isClosed = true
      for (const { reject } of queue.clear()) reject(closed())
      const children = [...idle, ...running.keys()]
      await Promise.all(
        children.map(async (child) => {
          const hasEnded = new Promise((resolve) => child.once('exit', resolve))
          setReferenced(child, true)
          if (child.kill('SIGKILL')) await hasEnded
        }),
      )
    },
  }
}

/** An idle process does not keep the service alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}
