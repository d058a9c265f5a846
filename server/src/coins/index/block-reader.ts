/**
 * Reads and parses blocks of a source's best chain in order, ahead of the consumer.
 *
 * Either in this thread, or with parse threads, which continue while the index is busy with a commit.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { BlockSource } from '../node/block-source.ts'
import { type Block, type ParseRules, parseBlock } from '../parse/block.ts'
import { ParseError } from '../parse/parse-error.ts'
import type { ParsedMessage, ParseRequest } from './parse-thread.ts'

/** Yields the blocks from `height` to `target`. Ends early at the end of the source's chain. */
export type BlockReader = (height: number, target: number) => AsyncIterable<Block>

const FETCH_AHEAD = 8
/** How many parsed blocks may queue up: enough for the duration of a commit, few enough for memory. */
const PARSE_AHEAD = 48
const MAX_THREADS = 4

type Pending = Promise<Block | undefined>

/** Reads up to `ahead` blocks concurrently and yields them in order. */
async function* inOrder(
  height: number,
  target: number,
  ahead: number,
  start: (height: number) => Pending,
): AsyncGenerator<Block> {
  const pending: Pending[] = []
  let next = height
  const more = (): void => {
    if (next > target) return
    const block = start(next++)
    // A failure is reported when the block is awaited. Until then it must not count as unhandled.
    block.catch(() => {})
    pending.push(block)
  }
  for (let i = 0; i < ahead; i++) more()
  for (let first = pending.shift(); first !== undefined; first = pending.shift()) {
    const block = await first
    if (block === undefined) return
    more()
    yield block
  }
}

async function fetchBlock(source: BlockSource, height: number): Promise<Buffer | undefined> {
  const hash = await source.findHash(height)
  return hash === undefined ? undefined : source.getBlock(hash)
}

/** Returns a reader that parses in the calling thread, for few blocks. */
export function readInThisThread(source: BlockSource, rules: ParseRules): BlockReader {
  return (height, target) =>
    inOrder(height, target, FETCH_AHEAD, async (at) => {
      const bytes = await fetchBlock(source, at)
      return bytes === undefined ? undefined : parseBlock(bytes, rules)
    })
}

/** Returns a reader that parses in threads, for the initial sync. */
export function readWithThreads(source: BlockSource, rules: ParseRules, threads = threadCount()): BlockReader {
  return async function* read(height, target) {
    const pool = startParsers(threads)
    try {
      yield* inOrder(height, target, PARSE_AHEAD, async (at) => {
        const bytes = await fetchBlock(source, at)
        return bytes === undefined ? undefined : pool.parse(bytes, rules)
      })
    } finally {
      await pool.stop()
    }
  }
}

/** Leaves one core for the index. */
function threadCount(): number {
  return Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1))
}

type Parsers = {
  readonly parse: (bytes: Buffer, rules: ParseRules) => Promise<Block>
  readonly stop: () => Promise<void>
}

function startParsers(threads: number): Parsers {
  const jobs = new Map<number, { resolve: (block: Block) => void; reject: (error: Error) => void }>()
  let nextId = 0
  const fail = (error: Error): void => {
    for (const { reject } of jobs.values()) reject(error)
    jobs.clear()
  }
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(new URL('./parse-thread.ts', import.meta.url))
    worker.on('message', (message: ParsedMessage) => {
      const job = jobs.get(message.id)
      jobs.delete(message.id)
      if ('error' in message) job?.reject(new ParseError(message.error))
      else job?.resolve(blockOf(message))
    })
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    return worker
  })
  return {
    parse: (bytes, { mweb }) => {
      const id = nextId++
      // Small buffers are views of a shared pool, which cannot be transferred to a thread. They are copied.
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
      const request: ParseRequest = { id, bytes: own, mweb }
      return new Promise((resolve, reject) => {
        jobs.set(id, { resolve, reject })
        workers[id % workers.length]?.postMessage(request, own.buffer instanceof ArrayBuffer ? [own.buffer] : [])
      })
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()))
      fail(new Error('the block reader was stopped'))
    },
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Restores a block from a message: a Buffer arrives as a Uint8Array. */
function blockOf({ block }: Extract<ParsedMessage, { block: unknown }>): Block {
  const bytes = asBuffer(block.txs.bytes)
  return {
    ...block,
    bytes,
    hash: asBuffer(block.hash),
    prevHash: bytes.subarray(4, 36),
    txids: asBuffer(block.txids),
    scriptKeys: asBuffer(block.scriptKeys),
    txs: { ...block.txs, bytes },
  }
}
