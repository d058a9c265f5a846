/**
 * Orders the mempool as miners do: by the ancestor fee rate, as Core's block assembler before version 31.
 *
 * A child with a higher rate than its parents is taken together with them; one with a lower rate comes later.
 */
import type { DetailedChunk } from './projected-blocks.ts'

export type PendingTx = {
  readonly txid: string
  readonly fee: number
  readonly vsize: number
  /** Txids of its inputs. Those that are not pending are confirmed. */
  readonly parents: readonly string[]
}

type Node = {
  readonly fee: number
  readonly vsize: number
  readonly parents: number[]
  readonly children: number[]
  /** Totals of the transaction and its ancestors that are not taken yet. */
  packageFee: number
  packageVsize: number
  isTaken: boolean
  /** Incremented when the package changes, which makes older queue entries outdated. */
  version: number
}

type Entry = { readonly rate: number; readonly node: number; readonly version: number }

export type PackageChunk = Required<DetailedChunk> & { readonly txids: readonly string[] }

/** Yields chunks in mining order: each a transaction with the ancestors that were not yielded before. */
export function* miningOrder(pending: readonly PendingTx[]): Generator<PackageChunk> {
  const nodes = link(pending)
  const queue = new RateQueue()
  for (const [index, node] of nodes.entries()) {
    const ancestors = untakenAncestors(nodes, index)
    for (const at of ancestors) {
      const ancestor = nodes[at] as Node
      node.packageFee += ancestor.fee
      node.packageVsize += ancestor.vsize
    }
    queue.push(entryOf(node, index))
  }
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const node = nodes[entry.node] as Node
    if (node.isTaken || node.version !== entry.version) continue
    const taken = [...untakenAncestors(nodes, entry.node), entry.node]
    yield {
      fee: node.packageFee,
      vsize: node.packageVsize,
      parts: taken.map((at) => nodes[at] as Node).map(({ fee, vsize }) => ({ fee, vsize })),
      txids: taken.map((at) => (pending[at] as PendingTx).txid),
    }
    for (const at of taken) (nodes[at] as Node).isTaken = true
    for (const at of taken) updateDescendants(nodes, at, queue)
  }
}

function link(pending: readonly PendingTx[]): Node[] {
  const indexes = new Map(pending.map(({ txid }, index) => [txid, index]))
  const nodes = pending.map(({ fee, vsize, parents }): Node => {
    const known = new Set(parents.flatMap((txid) => indexes.get(txid) ?? []))
    return {
      fee,
      vsize,
      parents: [...known],
      children: [],
      packageFee: fee,
      packageVsize: vsize,
      isTaken: false,
      version: 0,
    }
  })
  for (const [index, { parents }] of nodes.entries()) {
    for (const parent of parents) nodes[parent]?.children.push(index)
  }
  return nodes
}

/** Returns the ancestors that are not taken yet, parents before children. */
function untakenAncestors(nodes: readonly Node[], index: number): number[] {
  const found = new Set<number>()
  const visit = (at: number): void => {
    for (const parent of (nodes[at] as Node).parents) {
      if (found.has(parent) || (nodes[parent] as Node).isTaken) continue
      visit(parent)
      found.add(parent)
    }
  }
  visit(index)
  return [...found]
}

/** Subtracts a taken transaction from the packages of its descendants. */
function updateDescendants(nodes: readonly Node[], taken: number, queue: RateQueue): void {
  const { fee, vsize, children } = nodes[taken] as Node
  const seen = new Set<number>()
  const open = [...children]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const node = nodes[at] as Node
    open.push(...node.children)
    if (node.isTaken) continue
    node.packageFee -= fee
    node.packageVsize -= vsize
    node.version++
    queue.push(entryOf(node, at))
  }
}

/** Scores as Core does: the minimum of the transaction's own rate and the rate with its ancestors. */
function entryOf({ fee, vsize, packageFee, packageVsize, version }: Node, node: number): Entry {
  return { rate: Math.min(fee / vsize, packageFee / packageVsize), node, version }
}

/** A binary heap with the highest rate on top; equal rates in list order. */
class RateQueue {
  readonly #entries: Entry[] = []

  push(entry: Entry): void {
    const entries = this.#entries
    let at = entries.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(entry, entries[parent] as Entry)) break
      entries[at] = entries[parent] as Entry
      at = parent
    }
    entries[at] = entry
  }

  pop(): Entry | undefined {
    const entries = this.#entries
    const [top] = entries
    const last = entries.pop()
    if (last === undefined || entries.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= entries.length) break
      const right = entries[child + 1]
      if (right !== undefined && isBefore(right, entries[child] as Entry)) child++
      if (!isBefore(entries[child] as Entry, last)) break
      entries[at] = entries[child] as Entry
      at = child
    }
    entries[at] = last
    return top
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.rate > b.rate || (a.rate === b.rate && a.node < b.node)
