/** Entry point of an analysis thread: analyzes the bytecode it receives. Runs inside an analysis process. */
import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../../lib/errors.ts'
import { analyzeCode, type CodeFacts, textOfFacts, unfollowedCode } from '../profile/code-facts.ts'
import type { AnalysisJob, AnalysisResult } from './analysis-processes.ts'

/** The largest contracts of known protocols have 2,500. */
const MAX_CONDITIONS = 5_000

function factsOf({ code, exceeded }: AnalysisJob): CodeFacts {
  return exceeded === undefined ? analyzeCode(code) : unfollowedCode(code, exceeded)
}

const conditionsOf = (all: readonly { readonly conditions: readonly unknown[] }[]): number =>
  all.reduce((sum, { conditions }) => sum + conditions.length, 0)

function resultOf(job: AnalysisJob): AnalysisResult {
  try {
    const facts = factsOf(job)
    const text = textOfFacts(facts)
    const { effects, powers } = facts
    const most = Math.max(...[effects.effects, powers.openStores].map(conditionsOf))
    // The service decodes the text and proves the effects between its other work, so both are bounded.
    const isSmall = text.length <= job.resultBytes && most <= MAX_CONDITIONS
    return { text: isSmall ? text : textOfFacts(unfollowedCode(job.code, 'result')) }
  } catch (error) {
    return { fault: reasonOf(error) }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.on('message', (job: AnalysisJob) => parentPort?.postMessage(resultOf(job)))
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
parentPort?.postMessage('ready')
