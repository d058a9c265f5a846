/**
 * Entry point of the thread that checks large responses, and parses those without a long list.
 *
 * A long list is returned as text, in parts, each on request: the event loop would read all parts in one turn otherwise.
 * Parsing a part there takes less time than reading the objects that this thread would make of it.
 */
import { parentPort } from 'node:worker_threads'
import { checkJson } from './json-check.ts'
import type { JsonPart, JsonRequest } from './json-reader.ts'
import { MalformedError } from './rpc-error.ts'

/** A response, and the positions where its list is divided. */
type Job = { readonly chunks: Uint8Array[]; bytes: Buffer; cuts: readonly number[]; next: number }

/** Parsing this much takes less than a millisecond. */
const PART_BYTES = 64 * 1_024

const jobs = new Map<number, Job>()

/** The response without its list, if that is long. */
function firstPart(id: number, job: Job, maxDepth: number): JsonPart {
  const bytes = Buffer.concat(job.chunks)
  job.chunks.length = 0
  const cuts = checkJson(bytes, maxDepth, PART_BYTES)
  const [start, end] = [cuts[0], cuts.at(-1)]
  if (start === undefined || end === undefined || cuts.length === 2)
    return { id, body: JSON.parse(bytes.toString('utf8')), isLast: true }
  job.bytes = bytes
  job.cuts = cuts
  const around = bytes.toString('utf8', 0, start + 1) + bytes.toString('utf8', end)
  return { id, body: JSON.parse(around), isLast: false }
}

function nextPart(id: number, job: Job): JsonPart {
  const [start, end] = [job.cuts[job.next] as number, job.cuts[job.next + 1]]
  job.next += 1
  return { id, items: new Uint8Array(job.bytes.subarray(start + 1, end)), isLast: job.next === job.cuts.length - 1 }
}

function partFor(request: JsonRequest & { readonly type: 'end' | 'next' }, job: Job): JsonPart {
  const { id } = request
  if (request.type === 'next') return nextPart(id, job)
  try {
    return firstPart(id, job, request.maxDepth)
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : ''
    return { id, fault: message, isMalformed: error instanceof MalformedError, isLast: true }
  }
}

parentPort?.on('message', (request: JsonRequest) => {
  const job = jobs.get(request.id) ?? { chunks: [], bytes: Buffer.alloc(0), cuts: [], next: 0 }
  jobs.set(request.id, job)
  if (request.type === 'chunk') job.chunks.push(request.chunk)
  else if (request.type === 'cancel') jobs.delete(request.id)
  else {
    const part = partFor(request, job)
    if (part.isLast) jobs.delete(request.id)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
    parentPort?.postMessage(part, 'items' in part ? [part.items.buffer] : [])
  }
})
