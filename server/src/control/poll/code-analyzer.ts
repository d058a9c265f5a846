/**
 * Analyzes bytecode in threads, each distinct code once.
 *
 * An analysis takes up to seconds and would block the event loop. Most contracts share their code with others, so
 * results are cached by code hash.
 */
import { hash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { CodeFacts } from '../profile/code-facts.ts'
import type { AnalysisResult } from './code-analysis-thread.ts'

export type CodeAnalyzer = {
  /** The facts of code that was analyzed before, by its Keccak-256 hash. */
  readonly find: (codeHash: Hex) => CodeFacts | undefined
  /** `code` is not empty. */
  readonly analyze: (code: Hex) => Promise<CodeFacts>
  /** Ends the threads. Idle threads do not keep the process alive, so a process may also exit without it. */
  readonly close: () => Promise<void>
}

class CodeAnalysisError extends GatewatchError {
  override readonly code = 'code_analysis_failed'
  override readonly retryable = true
}

type Job = {
  readonly code: Hex
  readonly resolve: (facts: CodeFacts) => void
  readonly reject: (error: Error) => void
}

export function createCodeAnalyzer({ threads = 2, maxCached = 5_000 } = {}): CodeAnalyzer {
  const byCodeHash = new LRUCache<Hex, CodeFacts>({ max: maxCached })
  // Finished and running analyses by SHA-256: Keccak-256 in JavaScript would block the event loop, so the thread does it.
  const byDigest = new LRUCache<string, Promise<CodeFacts>>({ max: maxCached })
  const queue: Job[] = []
  const idle: Worker[] = []
  const running = new Map<Worker, Job>()

  const startThread = (): Worker => {
    const thread = new Worker(new URL('./code-analysis-thread.ts', import.meta.url))
    thread.on('message', (result: AnalysisResult) => {
      const job = running.get(thread)
      running.delete(thread)
      idle.push(thread)
      thread.unref()
      if ('facts' in result) job?.resolve(result.facts)
      else job?.reject(new CodeAnalysisError(`Code analysis failed: ${result.fault}`))
      runNext()
    })
    // Without a listener, the error of a thread would end the process.
    thread.on('error', (error) => discard(thread, error))
    thread.on('exit', () => discard(thread))
    return thread
  }
  const discard = (thread: Worker, cause?: unknown): void => {
    const job = running.get(thread)
    running.delete(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    job?.reject(new CodeAnalysisError('The code analysis thread ended', { cause }))
    runNext()
  }
  const runNext = (): void => {
    while (queue.length > 0 && (idle.length > 0 || running.size < threads)) {
      const job = queue.shift() as Job
      const thread = idle.pop() ?? startThread()
      running.set(thread, job)
      thread.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      thread.postMessage(job.code)
    }
  }

  return {
    find: (codeHash) => byCodeHash.get(codeHash),
    analyze: (code) => {
      const digest = hash('sha256', code)
      const known = byDigest.get(digest)
      if (known !== undefined) return known
      const analysis = new Promise<CodeFacts>((resolve, reject) => {
        queue.push({ code, resolve, reject })
        runNext()
      })
      byDigest.set(digest, analysis)
      analysis.then(
        (facts) => byCodeHash.set(facts.hash, facts),
        () => byDigest.delete(digest),
      )
      return analysis
    },
    close: async () => {
      for (const { reject } of queue.splice(0)) reject(new CodeAnalysisError('The code analyzer was closed'))
      await Promise.all([...idle, ...running.keys()].map((thread) => thread.terminate()))
    },
  }
}
