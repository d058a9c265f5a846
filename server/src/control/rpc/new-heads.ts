/**
 * Subscribes to new block headers over a websocket (`eth_subscribe`, `newHeads`).
 *
 * The subscription only shortens latency: the follower also polls, and reads every block through the pool. Endpoints
 * given as HTTP URLs often accept websockets at the same address, so that is tried, and a failure is not reported.
 */
import { backoffMs } from '../../lib/backoff.ts'
import type { Timing } from '../../lib/clock.ts'
import { openSocket } from './transport.ts'

export type HeadSubscription = { readonly close: () => void }

const RECONNECT = { firstMs: 2_000, longestMs: 300_000 }

/** A header has about 2 kB. */
const MAX_MESSAGE = 64 * 1_024
/** Announcements that follow each other faster are left to the next poll: an endpoint may announce blocks without pause. */
const SHORTEST_PAUSE_MS = 100

export function websocketUrlOf(url: string): string {
  return url.replace(/^http/i, 'ws')
}

export function subscribeToNewHeads(
  { timing }: { readonly timing: Timing },
  { url, onHead, onState }: { url: string; onHead: () => void; onState?: (subscribed: boolean) => void },
): HeadSubscription {
  const stop = new AbortController()
  let announcedAt = Number.NEGATIVE_INFINITY
  const announce = (): void => {
    const now = timing.now()
    if (now - announcedAt < SHORTEST_PAUSE_MS) return
    announcedAt = now
    onHead()
  }
  const run = async (): Promise<void> => {
    let failures = 0
    while (!stop.signal.aborted) {
      const received = await subscribe(websocketUrlOf(url), stop.signal, announce, onState).catch(() => false)
      onState?.(false)
      failures = received ? 0 : failures + 1
      await timing.sleep(backoffMs(RECONNECT, failures), stop.signal)
    }
  }
  void run()
  return { close: () => stop.abort() }
}

/** Resolves when the socket closes. True if it announced at least one block. */
async function subscribe(
  url: string,
  signal: AbortSignal,
  onHead: () => void,
  onState?: (subscribed: boolean) => void,
): Promise<boolean> {
  const socket = await openSocket(url, signal)
  return await new Promise<boolean>((resolve) => {
    let received = false
    const end = (): void => {
      signal.removeEventListener('abort', end)
      socket.close()
      resolve(received)
    }
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) return end()
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string' && data.length > MAX_MESSAGE) return end()
      const message = typeof data === 'string' ? parse(data) : undefined
      if (message?.error !== undefined) return end()
      if (message?.id === 1) return onState?.(true)
      if (message?.method !== 'eth_subscription') return
      received = true
      onHead()
    })
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  })
}

function parse(text: string): { id?: unknown; method?: unknown; error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
