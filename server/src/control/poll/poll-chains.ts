/**
 * Looks at every known contract, at once or for as long as it runs.
 *
 * One process looks at a chain at a time; a contract that cannot be read is passed over and comes again in the next
 * round, and none keeps another waiting for long.
 */
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Chain } from '../chains/chains.ts'
import { findChain } from '../chains/chains.ts'
import type { Hex } from '../node/parse.ts'
import { createPool, type NodePool } from '../node/pool.ts'
import { createReporter, type NodeReporter } from '../node/reporter.ts'
import { systemTiming, type Timing } from '../node/timing.ts'
import { getContractsByLook } from '../store/profiles.ts'
import { type PollDeps, pollContract } from './poll-contract.ts'
import { createCodeCache } from './read-state.ts'

export type PolledChain = {
  readonly chain: Chain
  readonly rpcUrls: readonly string[]
  readonly confirmations?: number | undefined
}

export type PollChainsDeps = Pick<PollDeps, 'database' | 'catalog'> & {
  readonly log: Logger
  readonly timing?: Timing
  readonly onReport?: NodeReporter | undefined
}

export type Round = { readonly looked: number; readonly failed: number; readonly silent: number }

export type Poller = {
  /** Every contract of a chain that was not looked at since `lookedBefore`; or those named. */
  readonly round: (chainId: number, lookedBefore: Date, only?: readonly Hex[]) => Promise<Round>
  readonly close: () => void
}

/** Looks at once: enough to fill batches, few enough to stay polite. */
const AT_ONCE = 8

export function createPoller(
  { database, catalog, log, timing = systemTiming, onReport }: PollChainsDeps,
  chains: readonly PolledChain[],
): Poller {
  const tell = createReporter({ log, clock: timing })
  const report: NodeReporter = (event) => {
    onReport?.(event)
    tell(event)
  }
  const pools = new Map<number, NodePool>(
    chains.map(({ chain, rpcUrls }) => [
      chain.id,
      createPool({ timing, report }, { chain: chain.slug, chainId: chain.id, urls: rpcUrls }),
    ]),
  )
  const deps: PollDeps = { database, catalog, poolOf: (chainId) => pools.get(chainId), codes: createCodeCache() }
  const settings = new Map(chains.map((settings) => [settings.chain.id, settings]))

  return {
    round: async (chainId, lookedBefore, only) => {
      const waiting = [...(only ?? (await getContractsByLook(database, chainId, lookedBefore)))]
      let [looked, failed, silent] = [0, 0, 0]
      const work = async (): Promise<void> => {
        for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
          try {
            const found = await pollContract(deps, { chainId, address }, settings.get(chainId)?.confirmations)
            looked += 1
            silent += found.silent.length
          } catch (error) {
            failed += 1
            log.warn(
              { chain: findChain(chainId)?.slug, address, reason: reasonOf(error) },
              'a contract could not be looked at',
            )
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return { looked, failed, silent }
    },
    close: () => pools.forEach((pool) => pool.close()),
  }
}

export type Polling = { readonly stop: () => Promise<void> }

/** `mayLook` is asked before every round, so that one process looks at a chain, whichever is alive. */
export function keepPolling(
  { poller, timing = systemTiming, log }: { readonly poller: Poller; readonly timing?: Timing; readonly log: Logger },
  {
    chainIds,
    everyMs,
    mayLook,
  }: {
    readonly chainIds: readonly number[]
    readonly everyMs: number
    readonly mayLook: (chainId: number) => Promise<boolean>
  },
): Polling {
  const stop = new AbortController()
  const run = async (chainId: number): Promise<void> => {
    while (!stop.signal.aborted) {
      const began = timing.now()
      try {
        if (await mayLook(chainId)) await poller.round(chainId, new Date(began - everyMs))
      } catch (error) {
        log.warn(
          { chain: findChain(chainId)?.slug, reason: reasonOf(error) },
          'a round of looking at contracts failed; the next one comes',
        )
      }
      await timing.sleep(Math.max(1_000, began + everyMs / 60 - timing.now()), stop.signal)
    }
  }
  const running = chainIds.map(run)
  return {
    stop: async () => {
      stop.abort()
      await Promise.all(running)
      poller.close()
    },
  }
}
