/** Reads a JSON response within limits. A thread checks a large one and divides it, so that the event loop goes on. */
import { Worker } from 'node:worker_threads'
import { checkJson } from './json-check.ts'
import { MalformedError } from './rpc-error.ts'

/** The response exceeds its limit: the request was too wide, or the endpoint is broken. */
export class ResponseTooLargeError extends Error {
  constructor(limit: number) {
    super(
      `the response is larger than ${limit >= 1_048_576 ? `${Math.round(limit / 1_048_576)} MB` : `${Math.round(limit / 1_024)} kB`}`,
    )
  }
}

export type JsonLimits = { readonly maxBytes: number; readonly maxDepth: number }

/** Messages to the thread: the bytes of one response in chunks, its end, and requests for further parts. */
export type JsonRequest = { readonly id: number } & (
  | { readonly type: 'chunk'; readonly chunk: Uint8Array }
  | { readonly type: 'end'; readonly maxDepth: number }
  | { readonly type: 'next' }
  | { readonly type: 'cancel' }
)

/** Messages of the thread: the response, the text of the next items of its list, or why it is not accepted. */
export type JsonPart = { readonly id: number; readonly isLast: boolean } & (
  | { readonly body: unknown }
  | { readonly items: Uint8Array<ArrayBuffer> }
  | { readonly fault: string; readonly isMalformed: boolean }
)

/** Parsing this much takes about a millisecond. */
const SMALL_BYTES = 128 * 1_024

export class JsonReader {
  readonly #limits: JsonLimits
  readonly #chunks: Uint8Array[] = []
  #size = 0
  #job: ThreadJob | undefined

  constructor(limits: JsonLimits) {
    this.#limits = limits
  }

  /** Counts every chunk, so that no more than the limit is kept. */
  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (this.#size > this.#limits.maxBytes) throw new ResponseTooLargeError(this.#limits.maxBytes)
    if (this.#job !== undefined) return this.#job.add(chunk)
    this.#chunks.push(chunk)
    if (this.#size <= SMALL_BYTES) return
    this.#job = new ThreadJob()
    for (const each of this.#chunks.splice(0)) this.#job.add(each)
  }

  /** Parses what was added. */
  async end(): Promise<unknown> {
    if (this.#job !== undefined) return await this.#job.end(this.#limits.maxDepth)
    const bytes = Buffer.concat(this.#chunks)
    checkJson(bytes, this.#limits.maxDepth)
    return JSON.parse(bytes.toString('utf8'))
  }

  /** Drops what was added. */
  cancel(): void {
    this.#job?.cancel()
  }
}

type Waiting = { readonly resolve: (body: unknown) => void; readonly reject: (error: Error) => void }

let thread: Worker | undefined
let nextId = 1
const jobs = new Map<number, ThreadJob>()

function runningThread(): Worker {
  if (thread !== undefined) return thread
  const started = new Worker(new URL('./json-thread.ts', import.meta.url))
  started.unref()
  started.on('message', (part: JsonPart) => jobs.get(part.id)?.receive(part))
  const end = (): void => {
    if (thread !== started) return
    thread = undefined
    for (const job of jobs.values()) job.fail(new Error('the thread that parses responses ended'))
  }
  started.on('error', end)
  started.on('exit', end)
  thread = started
  return started
}

/** One response that the thread parses. */
class ThreadJob {
  readonly #id = nextId++
  readonly #thread = runningThread()
  #body: { result?: unknown } | undefined
  #waiting: Waiting | undefined

  constructor() {
    jobs.set(this.#id, this)
  }

  #send(request: JsonRequest, moved: readonly ArrayBuffer[] = []): void {
    this.#thread.postMessage(request, moved)
  }

  add(chunk: Uint8Array): void {
    // A message contains the whole buffer behind a chunk, which may be large: the copy is moved instead.
    const copy = new Uint8Array(chunk)
    this.#send({ id: this.#id, type: 'chunk', chunk: copy }, [copy.buffer])
  }

  end(maxDepth: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (!jobs.has(this.#id)) return reject(new Error('the thread that parses responses ended'))
      this.#thread.ref()
      this.#send({ id: this.#id, type: 'end', maxDepth })
    })
  }

  receive(part: JsonPart): void {
    if ('fault' in part) return this.fail(new (part.isMalformed ? MalformedError : SyntaxError)(part.fault))
    if ('body' in part) this.#body = part.body as { result?: unknown }
    else {
      try {
        this.#push(part.items)
      } catch (error) {
        this.fail(error as Error)
        return this.cancel()
      }
    }
    if (!part.isLast) return this.#send({ id: this.#id, type: 'next' })
    this.#close()
    this.#waiting?.resolve(this.#body)
  }

  /** Parses the next items of the list. Between two of its commas there is at least one. */
  #push(text: Uint8Array): void {
    const items = JSON.parse(`[${Buffer.from(text.buffer).toString('utf8')}]`) as unknown[]
    const list = this.#body?.result
    if (items.length === 0 || !Array.isArray(list)) throw new SyntaxError('the list of the response is not valid')
    list.push(...items)
  }

  fail(error: Error): void {
    this.#close()
    this.#waiting?.reject(error)
  }

  cancel(): void {
    this.#close()
    this.#send({ id: this.#id, type: 'cancel' })
  }

  #close(): void {
    jobs.delete(this.#id)
    if (jobs.size === 0) this.#thread.unref()
  }
}
