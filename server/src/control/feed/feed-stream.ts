/**
 * Streams published and retracted events to open pages.
 *
 * Reads the newest events of a chain after each `control_event` notification, and at an interval, because a
 * notification can be lost.
 */
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import { listen } from '../../platform/notifications.ts'
import { CHAINS } from '../chains/chains.ts'
import type { ControlEvent } from '../registry/control-event.ts'
import { CONTROL_EVENT_CHANNEL } from './events.ts'
import { getEvents } from './feed.ts'

export type FeedListener = (change: HeadChange) => void

export type FeedStream = {
  /**
   * Calls the listener with every change from now on. Returns the function that ends this, or undefined if there are
   * too many listeners.
   */
  readonly join: (network: string, listener: FeedListener) => (() => void) | undefined
  readonly close: () => Promise<void>
}

export type FeedStreamDeps = {
  readonly database: Database
  readonly url: string
  readonly log: Logger
  /** Called after each notification of new or retracted events. */
  readonly onEvents: () => void
}

const HEAD_EVENTS = 100
const READ_INTERVAL_MS = 15_000
/** Every open page holds a socket. */
const MAX_LISTENERS = 1_000
const MAX_LISTENERS_PER_NETWORK = 50

export async function openFeedStream({ database, url, log, onEvents }: FeedStreamDeps): Promise<FeedStream> {
  const listeners = new Map<FeedListener, string>()
  const heads = new Map<number, readonly ControlEvent[]>()
  const changedChains = new Set<number>()
  let reading: Promise<void> | undefined
  let closed = false

  const readHead = async (chainId: number) => {
    const after = await getEvents(database, { chainId, includeInit: true }, { limit: HEAD_EVENTS })
    const before = heads.get(chainId)
    heads.set(chainId, after)
    if (before === undefined) return
    const change = changeOfHead(before, after, HEAD_EVENTS)
    if (change.published.length + change.retracted.length === 0) return
    for (const listener of listeners.keys()) listener(change)
  }
  const readChanged = async () => {
    for (const chainId of changedChains) {
      changedChains.delete(chainId)
      try {
        await readHead(chainId)
      } catch (error) {
        log.warn({ err: error, chainId }, 'reading new events for open pages failed; retrying at the next interval')
      }
    }
    reading = undefined
  }
  const request = (chainIds: readonly number[]) => {
    if (closed || listeners.size === 0) return
    for (const chainId of chainIds) changedChains.add(chainId)
    reading ??= readChanged()
  }
  const requestAll = () => request(CHAINS.map(({ id }) => id))

  const notifications = await listen({
    url,
    channel: CONTROL_EVENT_CHANNEL,
    log,
    onNotification: (payload) => {
      onEvents()
      request([Number(payload)])
    },
    onLost: () => {}, // The next interval reads what was missed.
  })
  const timer = setInterval(requestAll, READ_INTERVAL_MS)

  return {
    join: (network, listener) => {
      const sameNetwork = listeners.values().reduce((count, other) => count + Number(other === network), 0)
      if (closed || listeners.size >= MAX_LISTENERS || sameNetwork >= MAX_LISTENERS_PER_NETWORK) return undefined
      // Nothing is read without listeners, so the heads are outdated. Changes count from the next read.
      if (listeners.size === 0) heads.clear()
      listeners.set(listener, network)
      requestAll()
      return () => void listeners.delete(listener)
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      await notifications.close()
      await reading
    },
  }
}

type HeadChange = { readonly published: readonly ControlEvent[]; readonly retracted: readonly ControlEvent[] }

/**
 * Both reads are newest first and hold at most `limit` events. Events at or below the oldest event of a full read are
 * ignored: they may be missing because newer events pushed them out, or new because they were never read before.
 */
export function changeOfHead(
  before: readonly ControlEvent[],
  after: readonly ControlEvent[],
  limit: number,
): HeadChange {
  const isInRange = (event: ControlEvent, read: readonly ControlEvent[]): boolean => {
    const oldest = read.at(-1)
    return read.length < limit || oldest === undefined || isNewer(event, oldest)
  }
  const idsBefore = new Set(before.map(({ id }) => id))
  const idsAfter = new Set(after.map(({ id }) => id))
  return {
    published: after.filter((event) => !idsBefore.has(event.id) && isInRange(event, before)),
    retracted: before.filter((event) => !idsAfter.has(event.id) && isInRange(event, after)),
  }
}

const isNewer = (a: ControlEvent, b: ControlEvent): boolean =>
  a.blockTime.getTime() - b.blockTime.getTime() > 0 || (a.blockTime.getTime() === b.blockTime.getTime() && a.id > b.id)
