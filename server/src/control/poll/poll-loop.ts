/** Polls the contracts of every chain until it is stopped: at once when an event requests it, otherwise in rounds. */

import { systemTiming, type Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { findChain } from '../chains/chains.ts'
import type { Poller } from './poller.ts'

export type Polling = { readonly stop: () => Promise<void> }

export type PollingDeps = { readonly poller: Poller; readonly timing?: Timing; readonly log: Logger }

export type PollingOptions = {
  readonly chainIds: readonly number[]
  readonly everyMs: number
  /** Called before every group, so that only one process polls a chain. */
  readonly mayPoll: (chainId: number) => Promise<boolean>
}

/** How often requests of events are checked. */
const REQUESTS_EVERY_MS = 500

export function startPolling({ poller, timing = systemTiming, log }: PollingDeps, options: PollingOptions): Polling {
  const { chainIds, everyMs, mayPoll } = options
  const stop = new AbortController()
  const run = async (chainId: number): Promise<void> => {
    let nextRound = 0
    /** Also called before every group of a round, so that an event does not wait for ten thousand contracts. */
    const servedRequests = async (): Promise<boolean> => {
      if (stop.signal.aborted || !(await mayPoll(chainId))) return false
      await poller.pollRequested(chainId)
      return true
    }
    while (!stop.signal.aborted) {
      try {
        const isDue = timing.now() >= nextRound
        if (isDue) nextRound = timing.now() + Math.max(1_000, everyMs / 60)
        if (!isDue) await servedRequests()
        else await poller.round(chainId, new Date(timing.now() - everyMs), { mayContinue: servedRequests })
      } catch (error) {
        log.warn({ chain: findChain(chainId)?.slug, reason: reasonOf(error) }, 'polling round failed; retrying')
      }
      await timing.sleep(REQUESTS_EVERY_MS, stop.signal)
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
