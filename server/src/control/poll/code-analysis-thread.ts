/** Entry point of an analysis thread: analyzes the bytecode it receives. */
import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import { analyzeCode, type CodeFacts } from '../profile/code-facts.ts'

export type AnalysisResult = { readonly facts: CodeFacts } | { readonly fault: string }

function resultOf(code: Hex): AnalysisResult {
  try {
    return { facts: analyzeCode(code) }
  } catch (error) {
    return { fault: reasonOf(error) }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.on('message', (code: Hex) => parentPort?.postMessage(resultOf(code)))
