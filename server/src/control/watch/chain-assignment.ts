/**
 * Who watches which chain when several processes could. Pure.
 *
 * A chain belongs to whoever holds its lease, and free ones go to the first who asks. From there one rule evens things
 * out: whoever watches most gives a chain to whoever watches least, as long as that leaves the giver no worse off than
 * the taker. Each such step brings the counts closer, so it ends, and chains do not wander.
 */
import type { WatchProcess } from './watch-processes.ts'

/** The chain that `self` should give up now, if any. */
export function chainToGiveUp(self: string, processes: readonly WatchProcess[]): number | undefined {
  const me = processes.find((process) => process.holder === self)
  if (me === undefined) return undefined
  // All see the same list, so one gives at a time.
  const giver = processes.toSorted((a, b) => b.held.length - a.held.length || (a.holder < b.holder ? -1 : 1))[0]
  if (giver?.holder !== self) return undefined
  const takers = processes
    .filter((process) => process.holder !== self && me.held.length - process.held.length >= 2)
    .toSorted((a, b) => a.held.length - b.held.length)
  for (const taker of takers) {
    const chain = me.held.findLast((held) => taker.chainIds.includes(held))
    if (chain !== undefined) return chain
  }
  return undefined
}

/** Whether a process that only helps out (`gatewatch backfill`) can leave a chain to someone who is there to stay. */
export function isWanted(chainId: number, processes: readonly WatchProcess[]): boolean {
  return processes.some((process) => process.chainIds.includes(chainId))
}
