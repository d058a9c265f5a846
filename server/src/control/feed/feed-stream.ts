/**
 * The feed as it moves, for open pages: what was published and what was taken back.
 *
 * Looks at the newest events of a chain whenever the outbox says that something happened there, and now and then
 * anyway, because a notice can be lost. Whoever delivers alerts takes rows out of the outbox, so it is only the bell.
 */
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import { listen } from '../../platform/notices.ts'
import { CHAINS } from '../chains/chains.ts'
import { CONTROL_EVENT_CHANNEL } from './events.ts'
import { type FeedEvent, getEvents } from './feed.ts'
import { changeOfHead, type HeadChange } from './feed-head.ts'

export type FeedListener = (change: HeadChange) => void

export type FeedStream = {
  /** From the next change on; undefined where too many are listening already. Ends with the function it gives. */
  readonly join: (network: string, listener: FeedListener) => (() => void) | undefined
  readonly close: () => Promise<void>
}

export type FeedStreamDeps = { readonly database: Database; readonly url: string; readonly log: Logger }

const HEAD = 100
const LOOK_ANYWAY_MS = 15_000
/** Open pages cost a socket each. */
const MOST_LISTENERS = 1_000
const MOST_OF_ONE_NETWORK = 50

export async function openFeedStream({ database, url, log }: FeedStreamDeps): Promise<FeedStream> {
  const listeners = new Map<FeedListener, string>()
  const heads = new Map<number, readonly FeedEvent[]>()
  const toLookAt = new Set<number>()
  let looking: Promise<void> | undefined
  let closed = false

  const look = async (chainId: number) => {
    const after = await getEvents(database, { chainId, includeInit: true }, { limit: HEAD })
    const before = heads.get(chainId)
    heads.set(chainId, after)
    if (before === undefined) return
    const change = changeOfHead(before, after, HEAD)
    if (change.published.length + change.retracted.length === 0) return
    for (const listener of listeners.keys()) listener(change)
  }
  const lookAtAll = async () => {
    for (const chainId of toLookAt) {
      toLookAt.delete(chainId)
      try {
        await look(chainId)
      } catch (error) {
        log.warn({ err: error, chainId }, 'open pages are not told of new events until the next look')
      }
    }
    looking = undefined
  }
  const ring = (chainIds: readonly number[]) => {
    if (closed || listeners.size === 0) return
    for (const chainId of chainIds) toLookAt.add(chainId)
    looking ??= lookAtAll()
  }
  const ringAll = () => ring(CHAINS.map(({ id }) => id))

  const notices = await listen({
    url,
    channel: CONTROL_EVENT_CHANNEL,
    log,
    onNotice: (payload) => ring([Number(payload)]),
    onLost: () => {}, // the next look finds what was missed
  })
  const timer = setInterval(ringAll, LOOK_ANYWAY_MS)

  return {
    join: (network, listener) => {
      const ofNetwork = listeners.values().reduce((count, other) => count + Number(other === network), 0)
      if (closed || listeners.size >= MOST_LISTENERS || ofNetwork >= MOST_OF_ONE_NETWORK) return undefined
      // While nobody listens nobody looks: the first look after that is where news begin.
      if (listeners.size === 0) heads.clear()
      listeners.set(listener, network)
      ringAll()
      return () => void listeners.delete(listener)
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      await notices.close()
      await looking
    },
  }
}
