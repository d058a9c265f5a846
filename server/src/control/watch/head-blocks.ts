/**
 * Reads the blocks above the cursor up to the head, so that alerts at head do not wait for confirmations.
 *
 * The content of each block is kept until the follower has stored the block, so that it is read from the node once.
 */

import type { Hex } from '../../lib/hex.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import type { Header, Log, Transaction } from '../rpc/parse.ts'
import type { EndpointId, RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'
import { readBlockLogs } from './read-block.ts'
import type { Scope } from './scope.ts'
import { readTransactions } from './transaction-events.ts'
import type { BlockRef, Fence, WatchStore } from './watch-store.ts'

export type BlockContent = {
  readonly header: Header
  readonly logs: readonly Log[]
  readonly transactions: readonly Transaction[]
}

type Deps = {
  readonly pool: RpcPool
  readonly store: WatchStore
  readonly scope: Scope
  readonly fence: () => Fence
  /** The events of blocks, in order. */
  readonly eventsOf: (
    blocks: readonly BlockContent[],
    prefer: EndpointId | undefined,
  ) => Promise<readonly EventRecord[]>
}

export type HeadBlocks = {
  /** Reads the logs of a block, and its transactions where they are read at all. */
  readonly read: (header: Header, prefer: EndpointId | undefined) => Promise<BlockContent>
  /** Queues and retracts the alerts of the blocks between the cursor and the head. */
  readonly alert: (cursor: BlockRef, head: Header, prefer: EndpointId | undefined) => Promise<void>
  /** Interprets the blocks again, because further contracts are watched. */
  readonly reinterpret: () => void
}

export function createHeadBlocks(
  { pool, store, scope, fence, eventsOf }: Deps,
  options: { readonly readTransactions: boolean; readonly maxBlocks: number },
): HeadBlocks {
  let contents = new Map<Hex, BlockContent>()
  let events = new Map<Hex, readonly EventRecord[]>()
  let done: { readonly cursor: Hex; readonly head: Hex } | undefined
  // Not known at first: another process may have queued alerts.
  let unconfirmed: number | undefined

  const read = async (header: Header, prefer: EndpointId | undefined): Promise<BlockContent> => {
    const known = contents.get(header.hash)
    if (known !== undefined) return known
    const [logs, transactions] = await Promise.all([
      readBlockLogs({ pool }, header, { topics: scope.allTopics, prefer }),
      options.readTransactions ? readTransactions(pool, header.hash, { prefer }) : [],
    ])
    return { header, logs, transactions }
  }

  /** The headers above the cursor up to the head. Undefined if they do not link: a reorg happened, or happens. */
  const headersTo = async (
    cursor: BlockRef,
    head: Header,
    prefer: EndpointId | undefined,
  ): Promise<readonly Header[] | undefined> => {
    const headers = [head]
    for (let child = head; child.number > cursor.number + 1; ) {
      const parent =
        contents.get(child.parentHash)?.header ??
        (await pool.request(getBlockHeader(child.number - 1), { prefer })).value
      if (parent?.hash !== child.parentHash) return undefined
      headers.unshift(parent)
      child = parent
    }
    return headers[0]?.parentHash === cursor.hash ? headers : undefined
  }

  const alert = async (cursor: BlockRef, head: Header, prefer: EndpointId | undefined): Promise<void> => {
    if (done?.cursor === cursor.hash && done.head === head.hash) return
    const isNear = head.number > cursor.number && head.number - cursor.number <= options.maxBlocks
    const headers = isNear ? await headersTo(cursor, head, prefer) : undefined
    if (headers === undefined) return
    const blocks = await Promise.all(headers.map((header) => read(header, prefer)))
    contents = new Map(blocks.map((block) => [block.header.hash, block]))
    const found = new Map<Hex, readonly EventRecord[]>()
    for (const block of blocks) {
      const { hash } = block.header
      found.set(hash, events.get(hash) ?? (await eventsOf([block], prefer)))
    }
    events = found
    const all = [...found.values()].flat()
    if (all.length > 0 || unconfirmed !== 0) {
      // If the result is lost, the count is not known.
      unconfirmed = undefined
      const step = { after: cursor, blocks: headers.map(({ number, hash }) => ({ number, hash })), events: all }
      unconfirmed = await store.alertAtHead(fence(), step)
    }
    done = { cursor: cursor.hash, head: head.hash }
  }

  const reinterpret = (): void => {
    events = new Map()
    done = undefined
  }

  return { read, alert, reinterpret }
}
