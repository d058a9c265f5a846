/**
 * Decides when to poll a node: at an interval, or at once on a ZMQ notification.
 *
 * A notification only triggers a poll. Data is always read over RPC, so a lost, repeated or forged message cannot change
 * it. While the publisher is unreachable the node is polled at the interval.
 */
import type { Subscriber } from 'zeromq'
import { reasonOf } from '../../lib/errors.ts'

export type NotificationOptions = {
  /** Poll interval without ZMQ, and while its publisher is unreachable. */
  readonly pollMs: number
  readonly zmqUrl?: string | undefined
  /** Subscribe to transactions in addition to blocks. */
  readonly withTransactions?: boolean
  readonly safetyMs?: number
  /** Called with the body of every `sequence` message, and with undefined if messages may have been lost. */
  readonly onSequence?: (body: Buffer | undefined, isConnected: boolean) => void
  /** Called once per outage of the publisher. */
  readonly onError?: (reason: string) => void
}

export type NodeNotifications = {
  /** Resolves when a poll is due or the signal aborts. Returns whether a notification triggered it. */
  readonly wait: (signal: AbortSignal) => Promise<boolean>
  readonly close: () => void
}

/** ZMQ may lose notifications, so the node is polled at least this often. */
const SAFETY_MS = 30_000
/** A busy mempool sends several notifications per second. Reading it that often would overload the node. */
const TRANSACTIONS_MS = 1_000
const BLOCK_TOPICS = ['hashblock', 'rawblock', 'sequence']
const TRANSACTION_TOPICS = ['hashtx', 'rawtx']
/** Labels after the hash in a `sequence` message: block connected, block disconnected. */
const BLOCK_LABELS = new Set(['C', 'D'])
const LABEL_AT = 32

export async function openNodeNotifications(options: NotificationOptions): Promise<NodeNotifications> {
  const { pollMs, zmqUrl, withTransactions = false, safetyMs = SAFETY_MS, onSequence, onError } = options
  let isConnected = false
  let isBlockDue = false
  let isTransactionDue = false
  let lastWait = Number.NEGATIVE_INFINITY
  /** Reschedules the end of the current wait, if there is one. */
  let reschedule = (): void => undefined

  const wait = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const began = performance.now()
      let timer: NodeJS.Timeout | undefined
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        reschedule = () => undefined
        lastWait = performance.now()
        const wasNotified = isBlockDue || isTransactionDue
        isBlockDue = false
        isTransactionDue = false
        resolve(wasNotified)
      }
      reschedule = () => {
        clearTimeout(timer)
        const ends = [began + (isConnected ? safetyMs : pollMs)]
        if (isBlockDue || signal.aborted) ends.push(began)
        if (isTransactionDue) ends.push(lastWait + TRANSACTIONS_MS)
        timer = setTimeout(end, Math.max(0, Math.min(...ends) - performance.now()))
      }
      signal.addEventListener('abort', end, { once: true })
      reschedule()
    })

  if (zmqUrl === undefined) return { wait, close: () => undefined }

  const socket = await openSubscriber().catch((error: unknown) => {
    onError?.(`ZMQ is not available (${reasonOf(error)}); the node is polled instead`)
  })
  if (socket === undefined) return { wait, close: () => undefined }
  socket.subscribe(...BLOCK_TOPICS, ...(withTransactions ? TRANSACTION_TOPICS : []))
  let isReported = false
  const onLost = (): void => {
    isConnected = false
    onSequence?.(undefined, false)
    if (!isReported) onError?.(`no ZMQ publisher at ${zmqUrl}; the node is polled until there is one`)
    isReported = true
    reschedule()
  }
  socket.events.on('handshake', () => {
    isConnected = true
    isReported = false
    onSequence?.(undefined, false)
    // ZMQ does not repeat messages from before the connection.
    isBlockDue = true
    reschedule()
  })
  for (const event of ['connect:retry', 'disconnect', 'handshake:error:protocol', 'handshake:error:other'] as const)
    socket.events.on(event, onLost)
  socket.connect(zmqUrl)
  /** The number of the last `sequence` message, modulo 2^32. */
  let lastNumber: number | undefined
  void listen(socket, (topic, body, number) => {
    if (topic === 'sequence') {
      if (lastNumber !== undefined && number !== (lastNumber + 1) >>> 0) onSequence?.(undefined, true)
      lastNumber = number
      onSequence?.(body, true)
    }
    if (topic === 'sequence' && !BLOCK_LABELS.has(String.fromCharCode(body[LABEL_AT] ?? 0))) {
      if (!withTransactions) return
      isTransactionDue = true
    } else if (TRANSACTION_TOPICS.includes(topic)) isTransactionDue = true
    else isBlockDue = true
    reschedule()
  })
  return { wait, close: () => socket.close() }
}

async function openSubscriber(): Promise<Subscriber> {
  // A native library, loaded only if ZMQ is configured.
  const zmq = await import('zeromq')
  return new zmq.Subscriber({
    linger: 0,
    // Detects a publisher that disappears without closing the connection.
    heartbeatInterval: 10_000,
    heartbeatTimeout: 20_000,
    reconnectMaxInterval: 5_000,
  })
}

/** Reads messages until the socket is closed. */
async function listen(
  socket: Subscriber,
  onMessage: (topic: string, body: Buffer, number: number) => void,
): Promise<void> {
  for await (const [topic, body, number] of socket)
    onMessage(String(topic), body ?? Buffer.alloc(0), number?.length === 4 ? number.readUInt32LE() : 0)
}
