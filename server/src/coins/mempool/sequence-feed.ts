/**
 * Knows which transactions are in the node's mempool, from one listing and the node's ZMQ messages `sequence` after it.
 *
 * A listing of a large mempool takes the node and this process a second, a message takes microseconds. After a lost
 * message the mempool is listed again. Transactions that a block confirms are not announced as removed: they are found by
 * the block.
 */

/** A `sequence` message: a block was connected or disconnected, or a transaction added or removed. */
export type SequenceEvent =
  | { readonly label: 'C' | 'D'; readonly hash: string }
  | { readonly label: 'A' | 'R'; readonly hash: string; readonly sequence: number }

export type MempoolChanges = { readonly added: readonly string[]; readonly removed: readonly string[] }

/** How often a block may be missing among the messages before messages count as lost. */
const MAX_WAITS = 20
/** How often in a row the numbers of transactions may differ. The mempool is read about once a second. */
const MAX_MISMATCHES = 30

export class SequenceFeed {
  /** Undefined while the mempool has to be listed. */
  #present: Set<string> | undefined
  /** Messages since the last `changes`, or before the first listing. */
  #events: SequenceEvent[] = []
  /** Transactions that arrived or left since the last `accept`. */
  #touched = new Set<string>()
  /** Blocks that the known mempool is on top of. */
  #blocks = new Set<string>()
  #waits = 0
  #mismatches = 0
  /** Whether the node announces transactions like this at all: one has arrived since the connection. */
  #isActive = false

  receive(event: SequenceEvent): void {
    if ('sequence' in event) this.#isActive = true
    // If no listing is due soon, the next one includes the changes of these messages.
    if (this.#present === undefined && this.#events.length > 1_000_000) this.#events = []
    this.#events.push(event)
  }

  /** The connection to the publisher was lost. */
  disconnect(): void {
    this.#isActive = false
    this.lose()
  }

  /** Messages may have been lost: the mempool must be listed again. */
  lose(): void {
    this.#present = undefined
    this.#events = []
    this.#mismatches = 0
  }

  /**
   * Compares the number of transactions with the node's. Messages arrive a moment later, so only a lasting difference
   * means that some were lost.
   */
  compare(size: number): void {
    this.#mismatches = this.#present === undefined || this.#present.size === size ? 0 : this.#mismatches + 1
    if (this.#mismatches > MAX_MISMATCHES) this.lose()
  }

  /** Starts from a listing that the node made on top of a block. `sequence` is that of the next message. */
  list(txids: readonly string[], sequence: number, block: string): void {
    if (!this.#isActive) return
    this.#present = new Set(txids)
    this.#touched = new Set()
    this.#blocks = new Set([block])
    this.#waits = 0
    this.#events = this.#events.filter((event) => !('sequence' in event) || event.sequence >= sequence)
  }

  /**
   * Returns what changed until a block; undefined if the mempool has to be listed, and `wait` if a message about the block
   * has not arrived yet. `txidsOf` returns the transactions of a block, undefined if it is not known yet.
   */
  changes(
    block: string,
    txidsOf: (hash: string) => readonly string[] | undefined,
  ): MempoolChanges | 'wait' | undefined {
    const present = this.#present
    if (present === undefined) return undefined
    const events = this.#events
    this.#events = []
    for (const [i, event] of events.entries()) {
      if (event.label === 'D') {
        this.lose()
        return undefined
      }
      if (event.label === 'C') {
        const txids = txidsOf(event.hash)
        if (txids === undefined) {
          // Later messages are on top of that block.
          this.#events = [...events.slice(i), ...this.#events]
          break
        }
        for (const txid of txids) if (present.delete(txid)) this.#touched.add(txid)
        this.#blocks.add(event.hash)
        continue
      }
      if (event.label === 'A') present.add(event.hash)
      else present.delete(event.hash)
      this.#touched.add(event.hash)
    }
    if (!this.#blocks.has(block)) {
      if (++this.#waits > MAX_WAITS) {
        this.lose()
        return undefined
      }
      return 'wait'
    }
    this.#waits = 0
    const touched = [...this.#touched]
    return {
      added: touched.filter((txid) => present.has(txid)),
      removed: touched.filter((txid) => !present.has(txid)),
    }
  }

  /** The changes were taken over. */
  accept(block: string): void {
    this.#touched.clear()
    this.#blocks = new Set([block])
  }
}

const LABEL_AT = 32

/** Reads the body of a `sequence` message; undefined if it is not one. */
export function readSequenceEvent(body: Buffer): SequenceEvent | undefined {
  const label = String.fromCharCode(body[LABEL_AT] ?? 0)
  const hash = body.toString('hex', 0, LABEL_AT)
  if (label === 'C' || label === 'D') return { label, hash }
  if ((label === 'A' || label === 'R') && body.length >= LABEL_AT + 9)
    return { label, hash, sequence: Number(body.readBigUInt64LE(LABEL_AT + 1)) }
  return undefined
}
