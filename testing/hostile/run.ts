/** A run: so many requests from a seed on, several at a time, each judged by its answer. */
import assert from 'node:assert/strict'
import { seededRandom } from '../support/random.ts'
import type { Noted } from './counts.ts'
import { NoAnswerError, parseAnswer, sendBytes } from './exchange.ts'
import { judge } from './judge.ts'
import { areaOf, type Operation } from './operations.ts'
import { bytesOf, hostileRequest } from './requests.ts'
import type { World } from './world.ts'

const LANES = 8
/** After so many wrong answers the rest would tell nothing new. */
const MOST_FAULTS = 50

export type FaultKind = '5xx' | 'hang' | 'promise'
export type Fault = { readonly kind: FaultKind; readonly told: string }

export type Run = {
  readonly sent: number
  readonly faults: readonly Fault[]
  readonly noted: readonly Noted[]
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<Operation>
}

type Plan = { readonly operations: readonly Operation[]; readonly first: number; readonly count: number }

export async function runHostile(world: World, { operations, first, count }: Plan): Promise<Run> {
  const faults: Fault[] = []
  const noted: Noted[] = []
  const succeeded = new Set<Operation>()

  /** The request of one seed, and what is wrong with its answer; undefined where nothing is. */
  async function ask(seed: number, operation: Operation): Promise<Fault | undefined> {
    await world.restore(operation)
    const request = hostileRequest(seededRandom(seed), operation, world.ground)
    const told = `seed ${seed}, ${request.aim}: ${request.method} ${JSON.stringify(request.target.slice(0, 200))} ${JSON.stringify(request.body.toString('latin1').slice(0, 200))}`
    const streams = operation.path.endsWith('/stream')
    let [text, status] = ['', 0]
    try {
      text = await sendBytes(world.port, [bytesOf(request, `127.0.0.1:${world.port}`)], { streams })
      const answer = parseAnswer(text)
      if (answer === undefined)
        return { kind: 'hang', told: `${told}: no HTTP answer, but ${JSON.stringify(text.slice(0, 100))}` }
      status = answer.status
      noted.push({ area: areaOf(operation), aim: request.aim, status })
      if (status < 300) succeeded.add(operation)
      judge(request, answer)
      return undefined
    } catch (error) {
      if (!(error instanceof assert.AssertionError || error instanceof NoAnswerError || error instanceof SyntaxError))
        throw error
      const kind = error instanceof NoAnswerError ? 'hang' : status >= 500 ? '5xx' : 'promise'
      const ends = `${JSON.stringify(text.slice(0, 120))} … ${JSON.stringify(text.slice(-300))}`
      return { kind, told: `${told}: ${error.message.slice(0, 500)}\n    ${ends}` }
    }
  }

  let next = first
  const lane = async () => {
    while (next < first + count && faults.length < MOST_FAULTS) {
      const seed = next++
      await world.people.renewToken()
      const operation = operations[seed % operations.length]
      const fault = operation && (await ask(seed, operation))
      if (fault !== undefined) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return { sent: next - first, faults, noted, succeeded }
}
