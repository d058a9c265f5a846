/**
 * The EVM side of the demo: two local chains with a past, then a life that goes on by itself.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../server/src/lib/log.ts'
import { freePort } from '../../testing/support/port.ts'
import { type Turns, takeTurns } from '../turns.ts'
import type { EvmChain } from './chain.ts'
import { CHAINS, type Keep, type Pace, populate } from './populate.ts'
import type { Act, KnownContract, World } from './world.ts'

export type EvmSide = {
  readonly known: readonly KnownContract[]
  readonly chains: readonly LiveChain[]
  /** From now on blocks come by themselves. */
  readonly live: () => void
  readonly stop: () => Promise<void>
}

export type LiveChain = {
  readonly slug: string
  readonly chain: EvmChain
  /** Does something to the chain while no block is being made. */
  readonly betweenBlocks: Turns
}

export type EvmPorts = Readonly<Record<(typeof CHAINS)[number]['slug'], number>>

export const choosePorts = async (): Promise<EvmPorts> => ({ ethereum: await freePort(), base: await freePort() })

export type EvmDeps = {
  readonly log: Logger
  readonly ports: EvmPorts
  /** A folder of its own for what the nodes write. */
  readonly folder: string
  /** Takes what must be stopped, as soon as it runs. */
  readonly keep: Keep
}

export async function startEvmSide({ log, ports, folder, keep }: EvmDeps): Promise<EvmSide> {
  const stopping = new AbortController()
  const start = seconds()
  const sides = await Promise.all(
    CHAINS.map(async (settings) => {
      const { slug, pace } = settings
      const place = { port: ports[slug], folder: join(folder, slug), start }
      return { slug, pace, betweenBlocks: takeTurns(), ...(await populate(settings, place, keep)) }
    }),
  )
  let running: Promise<void>[] = []
  return {
    known: sides.flatMap(({ world }) => world.known),
    chains: sides,
    live: () => {
      running = sides.map(({ slug, ...side }) => {
        const onFault = (error: unknown) => log.warn({ err: error, chain: slug }, 'a block of the demo went wrong')
        return live({ ...side, onFault, signal: stopping.signal })
      })
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

type Live = Omit<LiveChain, 'slug'> & {
  readonly world: World
  readonly pace: Pace
  readonly onFault: (error: unknown) => void
  readonly signal: AbortSignal
}

/** Blocks at their pace, and in every so many of them the next act. */
async function live({
  chain,
  betweenBlocks,
  world,
  pace: { blockMs, actEvery },
  onFault,
  signal,
}: Live): Promise<void> {
  let turn = 0
  for (let block = 1; !signal.aborted; block += 1) {
    const next = Date.now() + blockMs
    try {
      await betweenBlocks(async () => {
        const now = seconds()
        if (block % actEvery === 0) turn = await actOnce(world.acts, turn, now)
        await chain.mine(now)
      })
    } catch (error) {
      if (!signal.aborted) onFault(error)
    }
    await pause(Math.max(0, next - Date.now()), undefined, { signal }).catch(() => {})
  }
}

/** The first act from `turn` on whose time has come; gives the turn after it. */
export async function actOnce(acts: readonly Act[], turn: number, now: number): Promise<number> {
  for (let tried = 0; tried < acts.length; tried += 1) {
    const did = await acts[(turn + tried) % acts.length]?.(now)
    if (did !== false) return turn + tried + 1
  }
  return turn
}

const seconds = (): number => Math.floor(Date.now() / 1_000)
