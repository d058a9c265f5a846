/** Runs the EVM chains of the demo: two local chains with a history, then a new act every few blocks. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../server/src/lib/log.ts'
import { freePort } from '../../testing/support/port.ts'
import { createMutex, type Mutex } from '../mutex.ts'
import type { EvmChain } from './chain.ts'
import { CHAINS, type Keep, type Pace, populate } from './populate.ts'
import type { Act, KnownContract, World } from './world.ts'

export type EvmSide = {
  readonly known: readonly KnownContract[]
  readonly chains: readonly LiveChain[]
  /** Starts mining. */
  readonly live: () => void
  readonly stop: () => Promise<void>
}

export type LiveChain = {
  readonly slug: string
  readonly chain: EvmChain
  /** Runs a task while no block is being mined. */
  readonly betweenBlocks: Mutex
}

export type EvmPorts = Readonly<Record<(typeof CHAINS)[number]['slug'], number>>

export const choosePorts = async (): Promise<EvmPorts> => ({ ethereum: await freePort(), base: await freePort() })

export type EvmDeps = {
  readonly log: Logger
  readonly ports: EvmPorts
  /** The folder for the nodes' files. */
  readonly folder: string
  /** Registers a running component to be stopped. */
  readonly keep: Keep
}

export async function startEvmSide({ log, ports, folder, keep }: EvmDeps): Promise<EvmSide> {
  const stopping = new AbortController()
  const start = seconds()
  const sides = await Promise.all(
    CHAINS.map(async (settings) => {
      const { slug, pace } = settings
      const options = { port: ports[slug], folder: join(folder, slug), start }
      return { slug, pace, betweenBlocks: createMutex(), ...(await populate(settings, options, keep)) }
    }),
  )
  let running: Promise<void>[] = []
  return {
    known: sides.flatMap(({ world }) => world.known),
    chains: sides,
    live: () => {
      running = sides.map(({ slug, ...side }) => {
        const onFault = (error: unknown) => log.warn({ err: error, chain: slug }, 'the demo could not mine a block')
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

/** Mines blocks at their interval, with the next act in every `actEvery`-th block. */
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
        if (block % actEvery === 0) turn = await runNextAct(world.acts, turn, now)
        await chain.mine(now)
      })
    } catch (error) {
      if (!signal.aborted) onFault(error)
    }
    await pause(Math.max(0, next - Date.now()), undefined, { signal }).catch(() => {})
  }
}

/** Runs the first act from `turn` on that is due, and returns the turn after it. */
export async function runNextAct(acts: readonly Act[], turn: number, now: number): Promise<number> {
  for (let tried = 0; tried < acts.length; tried += 1) {
    const did = await acts[(turn + tried) % acts.length]?.(now)
    if (did !== false) return turn + tried + 1
  }
  return turn
}

const seconds = (): number => Math.floor(Date.now() / 1_000)
