/**
 * When to look at a node again: after a pause, or at once when it announces something over ZMQ.
 *
 * An announcement is a reason to ask and nothing more: what is true is always read over RPC, so a message that is lost,
 * repeated or forged changes no answer. While the publisher cannot be reached the node is polled as if there were none.
 */
import type { Subscriber } from 'zeromq'
import { reasonOf } from '../../lib/errors.ts'

export type NotificationOptions = {
  /** The pause without ZMQ, and while its publisher cannot be reached. */
  readonly pollMs: number
  readonly zmqUrl?: string | undefined
  /** Transactions are of interest too, not only blocks. */
  readonly withTransactions?: boolean
  readonly safetyMs?: number
  /** Told once until the publisher is there again. */
  readonly onFault?: (reason: string) => void
}

export type NodeNotifications = {
  /** Resolves when it is time to look, or the signal ends. Answers whether the node called. */
  readonly wait: (signal: AbortSignal) => Promise<boolean>
  readonly close: () => void
}

/** Announcements may get lost: nobody waits longer than this for a block that was not announced. */
const SAFETY_MS = 30_000
/** A busy mempool announces several a second; reading it whole that often would be the node's only work. */
const TRANSACTIONS_MS = 1_000
const BLOCK_TOPICS = ['hashblock', 'rawblock', 'sequence']
const TRANSACTION_TOPICS = ['hashtx', 'rawtx']
/** In `sequence`, the letter behind the hash: a block was connected or disconnected. */
const BLOCK_LABELS = new Set(['C', 'D'])
const LABEL_AT = 32

export async function openNodeNotifications(options: NotificationOptions): Promise<NodeNotifications> {
  const { pollMs, zmqUrl, withTransactions = false, safetyMs = SAFETY_MS, onFault } = options
  let isConnected = false
  let isBlockDue = false
  let isTransactionDue = false
  let lastWait = Number.NEGATIVE_INFINITY
  /** Looks at what is due and plans the end of the wait that is under way, if any. */
  let replan = (): void => undefined

  const wait = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const began = performance.now()
      let timer: NodeJS.Timeout | undefined
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        replan = () => undefined
        lastWait = performance.now()
        const wasCalled = isBlockDue || isTransactionDue
        isBlockDue = false
        isTransactionDue = false
        resolve(wasCalled)
      }
      replan = () => {
        clearTimeout(timer)
        const ends = [began + (isConnected ? safetyMs : pollMs)]
        if (isBlockDue || signal.aborted) ends.push(began)
        if (isTransactionDue) ends.push(lastWait + TRANSACTIONS_MS)
        timer = setTimeout(end, Math.max(0, Math.min(...ends) - performance.now()))
      }
      signal.addEventListener('abort', end, { once: true })
      replan()
    })

  if (zmqUrl === undefined) return { wait, close: () => undefined }

  const socket = await openSubscriber().catch((error: unknown) => {
    onFault?.(`ZMQ cannot be used on this machine (${reasonOf(error)}); the node is polled`)
  })
  if (socket === undefined) return { wait, close: () => undefined }
  socket.subscribe(...BLOCK_TOPICS, ...(withTransactions ? TRANSACTION_TOPICS : []))
  let isTold = false
  const onLost = (): void => {
    isConnected = false
    if (!isTold) onFault?.(`nothing publishes at ${zmqUrl}; the node is polled until something does`)
    isTold = true
    replan()
  }
  socket.events.on('handshake', () => {
    isConnected = true
    isTold = false
    // What was announced while nobody listened is not repeated.
    isBlockDue = true
    replan()
  })
  for (const event of ['connect:retry', 'disconnect', 'handshake:error:protocol', 'handshake:error:other'] as const)
    socket.events.on(event, onLost)
  socket.connect(zmqUrl)
  void listen(socket, (topic, body) => {
    if (topic === 'sequence' && !BLOCK_LABELS.has(String.fromCharCode(body[LABEL_AT] ?? 0))) {
      if (!withTransactions) return
      isTransactionDue = true
    } else if (TRANSACTION_TOPICS.includes(topic)) isTransactionDue = true
    else isBlockDue = true
    replan()
  })
  return { wait, close: () => socket.close() }
}

async function openSubscriber(): Promise<Subscriber> {
  // A native library: loaded only where it is asked for.
  const zmq = await import('zeromq')
  return new zmq.Subscriber({
    linger: 0,
    // A publisher that vanished without a word is noticed, too.
    heartbeatInterval: 10_000,
    heartbeatTimeout: 20_000,
    reconnectMaxInterval: 5_000,
  })
}

/** Until the socket is closed. */
async function listen(socket: Subscriber, onMessage: (topic: string, body: Buffer) => void): Promise<void> {
  for await (const [topic, body] of socket) onMessage(String(topic), body ?? Buffer.alloc(0))
}
