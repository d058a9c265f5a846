/**
 * Entry point of the thread that parses large responses.
 *
 * It returns a long list in parts, each on request, because the event loop would read all parts in one turn otherwise.
 */
import { parentPort } from 'node:worker_threads'
import { checkJson } from './json-check.ts'
import type { JsonPart, JsonRequest } from './json-reader.ts'
import { MalformedError } from './rpc-error.ts'

type Job = { readonly chunks: Uint8Array[]; list: readonly unknown[]; at: number }

/** Items in one part: reading them takes about a millisecond. */
const PART_ITEMS = 200

const jobs = new Map<number, Job>()

function parsed({ chunks }: Job, maxDepth: number): unknown {
  const bytes = Buffer.concat(chunks)
  chunks.length = 0
  checkJson(bytes, maxDepth)
  return JSON.parse(bytes.toString('utf8'))
}

/** The first part: the response without its list, if that is long. */
function firstPart(id: number, job: Job, body: unknown): JsonPart {
  const list = (body as { result?: unknown } | null)?.result
  if (!Array.isArray(list) || list.length <= PART_ITEMS) return { id, body, isLast: true }
  job.list = list
  return { id, body: { ...(body as object), result: [] }, isLast: false }
}

function nextPart(id: number, job: Job): JsonPart {
  const items = job.list.slice(job.at, job.at + PART_ITEMS)
  job.at += PART_ITEMS
  return { id, items, isLast: job.at >= job.list.length }
}

function partFor(request: JsonRequest & { readonly type: 'end' | 'next' }, job: Job): JsonPart {
  const { id } = request
  if (request.type === 'next') return nextPart(id, job)
  try {
    return firstPart(id, job, parsed(job, request.maxDepth))
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : ''
    return { id, fault: message, isMalformed: error instanceof MalformedError, isLast: true }
  }
}

parentPort?.on('message', (request: JsonRequest) => {
  const job = jobs.get(request.id) ?? { chunks: [], list: [], at: 0 }
  jobs.set(request.id, job)
  if (request.type === 'chunk') job.chunks.push(request.chunk)
  else if (request.type === 'cancel') jobs.delete(request.id)
  else {
    const part = partFor(request, job)
    if (part.isLast) jobs.delete(request.id)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
    parentPort?.postMessage(part)
  }
})
