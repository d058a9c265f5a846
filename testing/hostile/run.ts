/** Sends a number of requests from a seed on, several at a time, and checks each response. */
import assert from 'node:assert/strict'
import { seededRandom } from '../support/random.ts'
import { checkResponse } from './check-response.ts'
import type { Outcome } from './counts.ts'
import { NoResponseError, parseResponse, sendBytes } from './exchange.ts'
import { areaOf, type Operation } from './operations.ts'
import { bytesOf, hostileRequest } from './requests.ts'
import type { World } from './world.ts'

const CONCURRENCY = 8
/** A run stops after this many invalid responses: more would add nothing new. */
const MAX_FAULTS = 50

export type FaultKind = '5xx' | 'hang' | 'invalid'
export type Fault = { readonly kind: FaultKind; readonly description: string }

export type Run = {
  readonly sent: number
  readonly faults: readonly Fault[]
  readonly outcomes: readonly Outcome[]
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<Operation>
}

type Plan = { readonly operations: readonly Operation[]; readonly first: number; readonly count: number }

export async function runHostile(world: World, { operations, first, count }: Plan): Promise<Run> {
  const faults: Fault[] = []
  const outcomes: Outcome[] = []
  const succeeded = new Set<Operation>()

  /** Sends the request of one seed. Returns what is wrong with its response; undefined if it is valid. */
  async function sendAndCheck(seed: number, operation: Operation): Promise<Fault | undefined> {
    await world.restore(operation)
    const request = hostileRequest(seededRandom(seed), operation, world.context)
    const summary = `seed ${seed}, ${request.aim}: ${request.method} ${JSON.stringify(request.target.slice(0, 200))} ${JSON.stringify(request.body.toString('latin1').slice(0, 200))}`
    const streams = operation.path.endsWith('/stream')
    let [text, status] = ['', 0]
    try {
      text = await sendBytes(world.port, [bytesOf(request, `127.0.0.1:${world.port}`)], { streams })
      const response = parseResponse(text)
      if (response === undefined)
        return { kind: 'hang', description: `${summary}: no HTTP response, but ${JSON.stringify(text.slice(0, 100))}` }
      status = response.status
      outcomes.push({ area: areaOf(operation), aim: request.aim, status })
      if (status < 300) succeeded.add(operation)
      checkResponse(request, response)
      return undefined
    } catch (error) {
      if (!(error instanceof assert.AssertionError || error instanceof NoResponseError || error instanceof SyntaxError))
        throw error
      const kind = error instanceof NoResponseError ? 'hang' : status >= 500 ? '5xx' : 'invalid'
      const ends = `${JSON.stringify(text.slice(0, 120))} … ${JSON.stringify(text.slice(-300))}`
      return { kind, description: `${summary}: ${error.message.slice(0, 500)}\n    ${ends}` }
    }
  }

  let next = first
  const worker = async () => {
    while (next < first + count && faults.length < MAX_FAULTS) {
      const seed = next++
      await world.accounts.renewToken()
      const operation = operations[seed % operations.length]
      const fault = operation && (await sendAndCheck(seed, operation))
      if (fault !== undefined) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return { sent: next - first, faults, outcomes, succeeded }
}
