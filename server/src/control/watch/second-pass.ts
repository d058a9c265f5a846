/**
 * The second pass: reads every block again some minutes later, through two endpoints if there are two, and stores the
 * events the first pass missed.
 *
 * It only adds events. One that the second endpoint lacks stays, because the block hash proves it.
 */

import type { Timing } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import type { RangeReader } from '../rpc/range-reader.ts'
import { assertOnChain, blocksByNumber, type ChainSnapshot } from './chain-snapshot.ts'
import { type InterpretDeps, interpret, readBlockTimes, readingOf } from './interpret.ts'
import { discoveredIn, filtersOf, type Scope } from './scope.ts'
import type { Fence, StoredBlock, WatchStore } from './watch-store.ts'

export type SecondPassDeps = InterpretDeps & {
  readonly timing: Timing
  readonly store: WatchStore
  readonly ranges: RangeReader
  readonly scope: Scope
  readonly fence: () => Fence
  /** Whether contracts found through chain-wide events are watched from then on. */
  readonly discover: boolean
  /** Whether the transactions of missed events are read too. */
  readonly readTransactions: boolean
  readonly onMissed?: (missed: { readonly events: number; readonly from: number; readonly to: number }) => void
}

export type SecondPass = {
  /** Verifies the next range that is old enough. Returns its last block, or undefined if none is due. */
  readonly step: (snapshot: ChainSnapshot) => Promise<number | undefined>
}

export function createSecondPass(deps: SecondPassDeps, delayMs: number): SecondPass {
  const { store, ranges, scope, timing, fence } = deps
  /** When a block was first seen in the window. A block with an old timestamp may still be at the head. */
  let seenAt: ReadonlyMap<Hex, number> = new Map()

  const findDue = ({ window }: ChainSnapshot): StoredBlock | undefined => {
    const now = timing.now()
    seenAt = new Map(window.map(({ hash }) => [hash, seenAt.get(hash) ?? now]))
    return window.findLast(({ hash, time }) => Math.max(time, seenAt.get(hash) ?? now) <= now - delayMs)
  }

  return {
    step: async (snapshot) => {
      const target = findDue(snapshot)
      if (target === undefined || target.number <= snapshot.verifiedTo) return undefined
      const from = snapshot.verifiedTo + 1
      const { to, logs } = await ranges.readTwice(from, target.number, filtersOf(scope))
      const blocks = blocksByNumber(snapshot)
      assertOnChain(snapshot, blocks, logs)
      const covered = logs.filter((log) => log.blockNumber >= snapshot.startBlock && scope.covers(log))
      const missed = missedIn(covered, await store.getIdentities(from, to))
      const { facts, events } = await interpret(deps, missed.logs, {
        priority: 'bulk',
        kindOf: scope.kindOf,
        isWatched: scope.isWatched,
        getReferenced: store.getReferenced,
        roleClasses: store.getRoleClasses,
        reading: deps.readTransactions ? readingOf(store) : undefined,
        blockOf: await readBlockTimes(deps, missed.logs, blocks),
      })
      const found = { facts, events: events.filter(missed.isMissed) }
      const discovered = deps.discover ? discoveredIn(found.events, scope) : []
      await store.advanceSecondPass(fence(), {
        ...found,
        discovered,
        after: snapshot.verifiedTo,
        to,
        reorgs: snapshot.reorgs,
      })
      if (found.events.length > 0) deps.onMissed?.({ events: found.events.length, from, to })
      return to
    },
  }
}

export type Missed = {
  /** The missed logs and the other logs of their blocks, which affect their interpretation. */
  readonly logs: readonly Log[]
  readonly isMissed: (event: Pick<Log, 'blockNumber' | 'logIndex'>) => boolean
}

export function missedIn(logs: readonly Log[], stored: ReadonlySet<string>): Missed {
  const isMissed: Missed['isMissed'] = ({ blockNumber, logIndex }) => !stored.has(`${blockNumber}:${logIndex}`)
  const blocks = new Set(logs.filter(isMissed).map((log) => log.blockHash))
  return { isMissed, logs: logs.filter((log) => blocks.has(log.blockHash)) }
}
