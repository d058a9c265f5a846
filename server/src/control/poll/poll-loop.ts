/** Looking at the contracts of every chain for as long as the service runs: at once where an event asks, else by the hour. */
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { systemTiming, type Timing } from '../../lib/timing.ts'
import { findChain } from '../chains/chains.ts'
import type { Poller } from './poller.ts'

export type Polling = { readonly stop: () => Promise<void> }

export type KeepPollingDeps = { readonly poller: Poller; readonly timing?: Timing; readonly log: Logger }

export type KeepPollingOptions = {
  readonly chainIds: readonly number[]
  readonly everyMs: number
  /** Asked before every group of looks, so that one process looks at a chain, whichever is alive. */
  readonly mayLook: (chainId: number) => Promise<boolean>
}

/** How soon an event is answered. */
const DUE_EVERY_MS = 500

export function keepPolling(
  { poller, timing = systemTiming, log }: KeepPollingDeps,
  options: KeepPollingOptions,
): Polling {
  const { chainIds, everyMs, mayLook } = options
  const stop = new AbortController()
  const run = async (chainId: number): Promise<void> => {
    let nextRound = 0
    /** Before every group of a round too: an event does not wait for ten thousand contracts. */
    const answered = async (): Promise<boolean> => {
      if (stop.signal.aborted || !(await mayLook(chainId))) return false
      await poller.answerDue(chainId)
      return true
    }
    while (!stop.signal.aborted) {
      try {
        const isTime = timing.now() >= nextRound
        if (isTime) nextRound = timing.now() + Math.max(1_000, everyMs / 60)
        if (!isTime) await answered()
        else await poller.round(chainId, new Date(timing.now() - everyMs), { mayGoOn: answered })
      } catch (error) {
        log.warn(
          { chain: findChain(chainId)?.slug, reason: reasonOf(error) },
          'a round of looking at contracts failed; the next one comes',
        )
      }
      await timing.sleep(DUE_EVERY_MS, stop.signal)
    }
  }
  const running = chainIds.map(run)
  return {
    stop: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
