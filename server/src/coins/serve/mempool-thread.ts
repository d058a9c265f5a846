/**
 * Entry point of a mempool thread: reads the node's mempool, and sends what changed to the thread that answers requests.
 *
 * It sends the next message only after the last one was handled, so that requests are answered in between.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf } from '../../lib/errors.ts'
import type { ProjectedBlock } from '../fees/projected-blocks.ts'
import { openCoinIndexToRead } from '../index/coin-index.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import { packTxs } from '../mempool/mempool-message.ts'
import { type MempoolTx, MempoolView } from '../mempool/mempool-view.ts'
import { refreshMempool } from '../mempool/refresh-mempool.ts'
import { readSequenceEvent, SequenceFeed } from '../mempool/sequence-feed.ts'
import { type ConnectedSource, openSource } from '../node/connect-source.ts'
import { isNodeAway } from '../node/node-errors.ts'
import { openNodeNotifications } from '../node/node-notifications.ts'
import type { MempoolMessage, MempoolRequest, MempoolThreadOptions, PackedBlock } from './mempool-reader.ts'
import { projectInThisThread } from './project-mempool.ts'

const TXS_PER_MESSAGE = 40
const TXIDS_PER_MESSAGE = 200
const NO_POLL_MS = 2 ** 31 - 1
/** A busy mempool changes several times a second. It is read once. */
const REFRESH_MS = 1_000

/** Records what changed since the last time it was sent. */
class RecordingView extends MempoolView {
  isCleared = false
  readonly added = new Map<string, MempoolTx>()
  readonly removed = new Set<string>()

  override add(tx: MempoolTx): void {
    super.add(tx)
    this.added.set(tx.txid, tx)
    this.removed.delete(tx.txid)
  }

  override remove(txid: string): void {
    super.remove(txid)
    if (!this.added.delete(txid)) this.removed.add(txid)
  }

  override clear(): void {
    super.clear()
    this.isCleared = true
    this.added.clear()
    this.removed.clear()
  }
}

const options = workerData as MempoolThreadOptions
const port = parentPort
if (port === null) throw new Error('this module runs in a thread')
const link = openSource(options)
const kv = openLmdbKv({ path: options.path, readOnly: options.readOnly })
const view = new RecordingView()
const feed = new SequenceFeed()
let refreshedAt = Number.NEGATIVE_INFINITY
let announced: NodeJS.Timeout | undefined

/** Reports that a refresh is due. The other side has its own notifications, which may arrive before these. */
function announce(): void {
  announced ??= setTimeout(
    () => port?.postMessage({ type: 'due' } satisfies MempoolMessage),
    Math.max(0, refreshedAt + REFRESH_MS - performance.now()),
  )
}

const notifications = await openNodeNotifications({
  pollMs: NO_POLL_MS,
  zmqUrl: options.zmqUrl,
  withTransactions: true,
  onSequence: (body, isConnected) => {
    const event = body === undefined ? undefined : readSequenceEvent(body)
    if (event !== undefined) {
      feed.receive(event)
      announce()
    } else if (isConnected) feed.lose()
    else feed.disconnect()
  },
})
let connected: ConnectedSource | undefined
/** Called when the other side has handled the last message. */
let onHandled = (): void => undefined

const connect = async (): Promise<ConnectedSource> => {
  connected ??= await link.connect()
  return connected
}

async function send(message: MempoolMessage, transfer: readonly ArrayBuffer[] = []): Promise<void> {
  port?.postMessage(message, transfer)
  await new Promise<void>((resolve) => {
    onHandled = resolve
  })
}

async function sendChanges(): Promise<void> {
  if (view.isCleared) await send({ type: 'cleared' })
  view.isCleared = false
  const removed = [...view.removed]
  const added = [...view.added.values()]
  view.removed.clear()
  view.added.clear()
  for (let at = 0; at < removed.length; at += TXIDS_PER_MESSAGE)
    await send({ type: 'removed', txids: removed.slice(at, at + TXIDS_PER_MESSAGE) })
  for (let at = 0; at < added.length; at += TXS_PER_MESSAGE) {
    const packed = packTxs(added.slice(at, at + TXS_PER_MESSAGE))
    await send({ type: 'added', packed }, packed.bytes.buffer instanceof ArrayBuffer ? [packed.bytes.buffer] : [])
  }
}

async function refresh(
  tip: string,
  rebuild: boolean,
): Promise<{ readonly isComplete: boolean; readonly isChanged: boolean }> {
  clearTimeout(announced)
  announced = undefined
  refreshedAt = performance.now()
  const { node, network } = await connect()
  const index = openCoinIndexToRead(kv, network, options.path)
  if (node === undefined || index === undefined) return { isComplete: false, isChanged: false }
  let isChanged = false
  const onChange = (): void => {
    isChanged = true
  }
  const isComplete = await refreshMempool({ index, node, view }, tip, { rebuild, feed, onChange })
  if (isChanged) await sendChanges()
  return { isComplete, isChanged }
}

function pack({ vsize, fee, chunks }: ProjectedBlock): PackedBlock {
  const packed = new Float64Array(chunks.length * 2)
  for (const [i, chunk] of chunks.entries()) {
    packed[i * 2] = chunk.fee
    packed[i * 2 + 1] = chunk.vsize
  }
  return { vsize, fee, chunks: packed }
}

async function project(
  request: Extract<MempoolRequest, { type: 'project' }>,
): Promise<readonly PackedBlock[] | undefined> {
  const blocks =
    request.tip === undefined
      ? await projectInThisThread((await connect()).node, view).ofDiagram()
      : await projectInThisThread(undefined, view).ofView(request.tip)
  return blocks?.map(pack)
}

async function answer(request: Exclude<MempoolRequest, { type: 'handled' | 'stop' }>): Promise<void> {
  const { id } = request
  let message: MempoolMessage
  try {
    message =
      request.type === 'refresh'
        ? { type: 'refreshed', id, ...(await refresh(request.tip, request.rebuild)) }
        : { type: 'projected', id, blocks: await project(request) }
  } catch (error) {
    // The node may come back as another one.
    connected = undefined
    message = { type: 'failed', id, reason: reasonOf(error), isAway: isNodeAway(error) }
  }
  port?.postMessage(message)
}

port.on('message', (request: MempoolRequest) => {
  if (request.type === 'handled') onHandled()
  else if (request.type === 'stop') {
    clearTimeout(announced)
    notifications.close()
    void Promise.all([link.close(), kv.close()]).then(() => port.close())
  } else void answer(request)
})
