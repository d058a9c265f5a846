/**
 * `npm run bench -- mempool [transactions]`: for how long a mempool of 250,000 transactions occupies the request thread.
 *
 * Transactions arrive from the mempool thread in messages of forty. Measures the longest turn of the request thread:
 * receiving, unpacking and staging one message, making all of them visible, and freeing what a block confirmed. In CPU
 * time of the thread, which other programs on the machine change little. Turns during which V8 collected garbage count
 * separately: while 250,000 transactions arrive at once, nearly everything it examines stays.
 */
import { hash } from 'node:crypto'
import { cpus } from 'node:os'
import { GCProfiler } from 'node:v8'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { miningOrder } from '../server/src/coins/fees/mining-order.ts'
import { projectBlocks } from '../server/src/coins/fees/projected-blocks.ts'
import { type PackedTxs, packTxs, unpackTxs } from '../server/src/coins/mempool/mempool-message.ts'
import { type MempoolTx, MempoolView } from '../server/src/coins/mempool/mempool-view.ts'
import { pendingTxs } from '../server/src/coins/serve/project-mempool.ts'
import { report } from '../testing/report/result.ts'
import { seededRandom } from '../testing/support/random.ts'

const count = Number(process.argv[2] ?? 250_000)
const PER_MESSAGE = 40
const PER_TURN = 100
const BLOCK_TXS = 4_000

const random = seededRandom(1)
const txidOf = (number: number): string => hash('sha256', String(number))
const scriptOf = (number: number): string => hash('sha256', `script ${number}`, 'binary').slice(0, 10)

function makeTx(number: number): MempoolTx {
  const parent =
    number > 10 && random.chance(0.2) ? txidOf(number - 1 - random.below(9)) : hash('sha256', `confirmed ${number}`)
  const inputs = Array.from({ length: 1 + random.below(3) }, (_, vout) => ({
    txid: parent,
    vout: number * 4 + vout,
    script: scriptOf(random.below(count)),
    value: 1_000 + random.below(1e8),
  }))
  const outputs = Array.from({ length: 2 }, () => ({ script: scriptOf(random.below(count)), value: random.below(1e8) }))
  const vsize = 110 + 68 * inputs.length
  const fee = vsize * (1 + random.below(40))
  return {
    txid: txidOf(number),
    bytes: Buffer.alloc(vsize),
    inputs,
    outputs,
    fee,
    vsize,
    minedVsize: vsize,
    time: number,
  }
}

const turns: number[] = []
const turnsWithCollection: number[] = []
function turn(action: () => void): void {
  const profiler = new GCProfiler()
  profiler.start()
  const started = process.threadCpuUsage()
  action()
  const { user, system } = process.threadCpuUsage(started)
  const isCollected = (profiler.stop()?.statistics.length ?? 0) > 0
  ;(isCollected ? turnsWithCollection : turns).push((user + system) / 1_000)
}

const view = new MempoolView()
const { port1, port2 } = new MessageChannel()
for (let at = 0; at < count; at += PER_MESSAGE) {
  const txs = Array.from({ length: Math.min(PER_MESSAGE, count - at) }, (_, i) => makeTx(at + i))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  port1.postMessage(packTxs(txs))
  turn(() => {
    const received = receiveMessageOnPort(port2)?.message as PackedTxs
    for (const tx of unpackTxs(received)) view.stageAdded(tx)
  })
}
port1.close()
turn(() => view.publish('block'))
for (let at = 0; at < BLOCK_TXS; at += PER_MESSAGE)
  turn(() => {
    for (let i = at; i < at + PER_MESSAGE; i++) view.stageRemoved(txidOf(i))
  })
turn(() => view.publish('next'))
const isLeft = (): boolean => {
  let isMore = false
  turn(() => {
    isMore = view.sweep(PER_TURN)
  })
  return isMore
}
while (isLeft()) continue
const sorted = Float64Array.from(turns).sort()
const cpu = process.threadCpuUsage()
projectBlocks(miningOrder(pendingTxs(view)))
const projected = process.threadCpuUsage(cpu)
console.log(`${cpus().length} cores, ${view.size} transactions, ${turns.length} turns`)
console.log(
  `longest turn ${(sorted.at(-1) ?? 0).toFixed(1)} ms, median ${(sorted[sorted.length >> 1] ?? 0).toFixed(2)} ms`,
)
console.log(
  `${turnsWithCollection.length} turns with garbage collection, longest ${Math.max(0, ...turnsWithCollection).toFixed(1)} ms`,
)
console.log(
  `projection, in the mempool thread: ${((projected.user + projected.system) / 1e3).toFixed(0)} ms of CPU time`,
)
report({
  name: `longest turn of the request thread for a mempool of ${count}`,
  value: sorted.at(-1) ?? 0,
  unit: 'ms of CPU time',
  atMost: 10,
  peer: `${turns.length} turns; ${turnsWithCollection.length} more with garbage collection, longest ${Math.max(0, ...turnsWithCollection).toFixed(1)} ms`,
})
