/**
 * The second pass: every block is read again some minutes later, through two endpoints where there are two, and what
 * the first pass missed is added.
 *
 * It only ever adds. An event the second endpoint does not know is not taken away: the hash chain says it happened.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Timing } from '../../lib/timing.ts'
import type { Log } from '../rpc/parse.ts'
import type { RangeReader } from '../rpc/range-reader.ts'
import { readBlockTimes } from './block-times.ts'
import { assertOurs, blocksByNumber, type ChainSnapshot } from './chain-snapshot.ts'
import { type InterpretDeps, interpret } from './interpret.ts'
import { discoveredIn, filtersOf, type Scope } from './scope.ts'
import type { Fence, StoredBlock, WatchStore } from './watch-store.ts'

export type SecondPassDeps = InterpretDeps & {
  readonly timing: Timing
  readonly store: WatchStore
  readonly ranges: RangeReader
  readonly scope: Scope
  readonly fence: () => Fence
  /** Whether contracts seen through chain-wide events come under watch. */
  readonly discover: boolean
  readonly onMissed?: (missed: { readonly events: number; readonly from: number; readonly to: number }) => void
}

export type SecondPass = {
  /** Reads the next range that is old enough; the block it got to, or undefined when nothing is due. */
  readonly step: (live: ChainSnapshot) => Promise<number | undefined>
}

export function createSecondPass(deps: SecondPassDeps, delayMs: number): SecondPass {
  const { store, ranges, scope, timing, fence } = deps
  /** When a block was first among ours. One that is old by its own time may be news all the same, and be at the head. */
  let seenAt: ReadonlyMap<Hex, number> = new Map()

  const findDue = ({ window }: ChainSnapshot): StoredBlock | undefined => {
    const now = timing.now()
    seenAt = new Map(window.map(({ hash }) => [hash, seenAt.get(hash) ?? now]))
    return window.findLast(({ hash, time }) => Math.max(time, seenAt.get(hash) ?? now) <= now - delayMs)
  }

  return {
    step: async (live) => {
      const target = findDue(live)
      if (target === undefined || target.number <= live.verifiedTo) return undefined
      const from = live.verifiedTo + 1
      const { to, logs } = await ranges.readTwice(from, target.number, filtersOf(scope))
      const blocks = blocksByNumber(live)
      assertOurs(live, blocks, logs)
      const wanted = logs.filter((log) => log.blockNumber >= live.startBlock && scope.covers(log))
      const missed = missedIn(wanted, await store.getIdentities(from, to))
      const { facts, events } = await interpret(deps, missed.logs, {
        priority: 'bulk',
        kindOf: scope.kindOf,
        isWatched: scope.isKnown,
        blockOf: await readBlockTimes(deps, missed.logs, blocks),
      })
      const found = { facts, events: events.filter(missed.isMissed) }
      const discovered = deps.discover ? discoveredIn(found.events, scope) : []
      await store.confirm(fence(), { ...found, discovered, after: live.verifiedTo, to, reorgs: live.reorgs })
      if (found.events.length > 0) deps.onMissed?.({ events: found.events.length, from, to })
      return to
    },
  }
}

export type Missed = {
  /** With the rest of their transactions, because events are judged by their company. */
  readonly logs: readonly Log[]
  readonly isMissed: (event: Pick<Log, 'blockNumber' | 'logIndex'>) => boolean
}

export function missedIn(logs: readonly Log[], stored: ReadonlySet<string>): Missed {
  const isMissed: Missed['isMissed'] = ({ blockNumber, logIndex }) => !stored.has(`${blockNumber}:${logIndex}`)
  const transactions = new Set(logs.filter(isMissed).map((log) => log.txHash))
  return { isMissed, logs: logs.filter((log) => transactions.has(log.txHash)) }
}
