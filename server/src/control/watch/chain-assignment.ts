/**
 * Balances the chains among several watch processes. Pure.
 *
 * The process that holds a chain's lease watches it, and a free lease goes to the first process that takes it. The
 * process with the most chains releases one if another has at least two fewer. Each release evens the counts, so the
 * balancing ends.
 */
import type { WatchProcess } from './watch-processes.ts'

/** The chain that `self` should release now, if any. */
export function chainToRelease(self: string, processes: readonly WatchProcess[]): number | undefined {
  const me = processes.find((process) => process.holder === self)
  if (me === undefined) return undefined
  // All processes see the same list, so only one releases at a time.
  const busiest = processes.toSorted((a, b) => b.held.length - a.held.length || (a.holder < b.holder ? -1 : 1))[0]
  if (busiest?.holder !== self) return undefined
  const takers = processes
    .filter((process) => process.holder !== self && me.held.length - process.held.length >= 2)
    .toSorted((a, b) => a.held.length - b.held.length)
  for (const taker of takers) {
    const chain = me.held.findLast((held) => taker.chainIds.includes(held))
    if (chain !== undefined) return chain
  }
  return undefined
}

/** Whether a permanent process can watch the chain, so that a temporary one (`gatewatch backfill`) should release it. */
export function hasPermanentWatcher(chainId: number, processes: readonly WatchProcess[]): boolean {
  return processes.some((process) => process.chainIds.includes(chainId))
}
