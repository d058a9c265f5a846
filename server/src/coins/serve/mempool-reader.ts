/**
 * Keeps a mempool view current with the help of a thread, so that a mempool of any size does not delay requests.
 *
 * The thread lists the mempool, fetches transactions and resolves their inputs. This side stages a few dozen
 * transactions at a time and then makes all of them visible together. The thread also projects the mempool onto blocks.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Chunk, ProjectedBlock } from '../fees/projected-blocks.ts'
import type { CoinIndex } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { type PackedTxs, unpackTxs } from '../mempool/mempool-message.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import type { SourceOptions } from '../node/connect-source.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import type { Projector } from './project-mempool.ts'

export type MempoolThreadOptions = SourceOptions & {
  readonly path: string
  readonly readOnly: boolean
  readonly zmqUrl?: string | undefined
}

export type MempoolRequest =
  | { readonly type: 'refresh'; readonly id: number; readonly tip: string; readonly rebuild: boolean }
  /** Without a tip, the node's fee rate diagram is projected. */
  | { readonly type: 'project'; readonly id: number; readonly tip: string | undefined }
  /** The last message was handled. */
  | { readonly type: 'handled' }
  | { readonly type: 'stop' }

/** Fees and sizes of the chunks in turn. */
export type PackedBlock = { readonly vsize: number; readonly fee: number; readonly chunks: Float64Array }

export type MempoolMessage =
  /** The mempool has changed. */
  | { readonly type: 'due' }
  | { readonly type: 'cleared' }
  | { readonly type: 'removed'; readonly txids: readonly string[] }
  | { readonly type: 'added'; readonly packed: PackedTxs }
  | { readonly type: 'refreshed'; readonly id: number; readonly isComplete: boolean; readonly isChanged: boolean }
  | { readonly type: 'projected'; readonly id: number; readonly blocks: readonly PackedBlock[] | undefined }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string; readonly isAway: boolean }

type Answer = Extract<MempoolMessage, { id: number }>

export type MempoolReader = {
  /** As `refreshMempool`. `onChange` is called synchronously after the view has changed. */
  readonly refresh: (
    index: CoinIndex,
    tip: string,
    options: { readonly rebuild: boolean; readonly onChange: () => void },
  ) => Promise<boolean>
  /** Aborts when the mempool has changed since the last refresh began. */
  readonly due: () => AbortSignal
  readonly projector: Projector
  readonly close: () => Promise<void>
}

/** Transactions that are marked or freed in one turn, which takes a few milliseconds on a busy machine. */
const PER_TURN = 100

export function startMempoolReader(view: MempoolView, options: MempoolThreadOptions): MempoolReader {
  let worker: Worker | undefined
  let nextId = 1
  let due = new AbortController()
  /** The value of `view.clears` for which the thread knows the contents of the view. */
  let knownClears = -1
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()

  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(new URL('./mempool-thread.ts', import.meta.url), { workerData: options })
    started.on('message', (message: MempoolMessage) => {
      if ('id' in message) {
        waiting.get(message.id)?.resolve(message)
        waiting.delete(message.id)
        return
      }
      if (message.type === 'due') {
        due.abort()
        return
      }
      void takeOver(message).then(() => send({ type: 'handled' }))
    })
    started.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    started.once('exit', (code) => {
      if (worker === started) worker = undefined
      fail(new Error(`the mempool thread ended with ${code}`))
    })
    // A new thread knows nothing of the view.
    knownClears = -1
    return started
  }

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (request: MempoolRequest): void => worker?.postMessage(request)

  async function takeOver(message: Exclude<MempoolMessage, { id: number } | { type: 'due' }>): Promise<void> {
    if (message.type === 'added') for (const tx of unpackTxs(message.packed)) view.stageAdded(tx)
    else if (message.type === 'removed') for (const txid of message.txids) view.stageRemoved(txid)
    else {
      let count = 0
      for (const txid of view.stagedTxids()) {
        view.stageRemoved(txid)
        if (++count % PER_TURN === 0) await yieldToOthers()
      }
    }
  }

  async function ask(request: (id: number) => Exclude<MempoolRequest, { type: 'handled' | 'stop' }>): Promise<Answer> {
    worker ??= start()
    const id = nextId++
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      send(request(id))
    })
    if (answer.type !== 'failed') return answer
    if (answer.isAway) throw new NodeUnreachableError(options.chain, answer.reason)
    throw new Error(answer.reason)
  }

  async function project(tip: string | undefined): Promise<readonly ProjectedBlock[] | undefined> {
    const answer = await ask((id) => ({ type: 'project', id, tip }))
    return answer.type === 'projected' ? answer.blocks?.map(unpack) : undefined
  }

  return {
    refresh: async (index, tip, { rebuild, onChange }) => {
      worker ??= start()
      const { clears } = view
      due = new AbortController()
      const answer = await ask((id) => ({ type: 'refresh', id, tip, rebuild: rebuild || knownClears !== clears }))
      if (answer.type !== 'refreshed' || !answer.isChanged) return false
      // Cleared meanwhile: the next refresh starts from an empty view.
      if (view.clears !== clears) return false
      knownClears = clears
      // The thread's changes belong to a block that is no longer the last one. They become visible with the next.
      if (indexTip(index)?.hash !== tip) return false
      view.publish(answer.isComplete ? tip : undefined)
      onChange()
      while (view.sweep(PER_TURN)) await yieldToOthers()
      return answer.isComplete
    },
    due: () => due.signal,
    projector: { ofDiagram: () => project(undefined), ofView: (tip) => project(tip) },
    close: async () => {
      const closing = worker
      worker = undefined
      if (closing === undefined) return
      const ended = new Promise<void>((resolve) => {
        closing.once('exit', () => resolve())
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      closing.postMessage({ type: 'stop' } satisfies MempoolRequest)
      await ended
    },
  }
}

function unpack({ vsize, fee, chunks }: PackedBlock): ProjectedBlock {
  const unpacked: Chunk[] = []
  for (let i = 0; i < chunks.length; i += 2) unpacked.push({ fee: chunks[i] as number, vsize: chunks[i + 1] as number })
  return { vsize, fee, chunks: unpacked }
}
