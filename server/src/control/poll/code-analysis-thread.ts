/** Entry point of an analysis thread: analyzes the bytecode it receives. Runs inside an analysis process. */
import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../../lib/errors.ts'
import { analyzeCode, type CodeFacts, textOfFacts, unfollowedCode } from '../profile/code-facts.ts'
import type { AnalysisJob, AnalysisResult } from './analysis-processes.ts'

function factsOf({ code, exceeded }: AnalysisJob): CodeFacts {
  return exceeded === undefined ? analyzeCode(code) : unfollowedCode(code, exceeded)
}

function resultOf(job: AnalysisJob): AnalysisResult {
  try {
    const text = textOfFacts(factsOf(job))
    // The service decodes the text between its other work, so its size is bounded.
    return { text: text.length <= job.resultBytes ? text : textOfFacts(unfollowedCode(job.code, 'result')) }
  } catch (error) {
    return { fault: reasonOf(error) }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.on('message', (job: AnalysisJob) => parentPort?.postMessage(resultOf(job)))
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
parentPort?.postMessage('ready')
