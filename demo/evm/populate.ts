/** A chain of the demo with everything on it: the node, what every chain has, the protocols and their past. */
import type { Hex } from 'viem'
import { MULTICALL3 } from '../../server/src/control/chains/chains.ts'
import { type Artifacts, readArtifacts } from '../contracts/artifacts.ts'
import { baseWorld } from './base.ts'
import { type EvmChain, startEvmChain } from './chain.ts'
import { ethereumWorld } from './ethereum.ts'
import { person } from './people.ts'
import { safeMaker } from './safe.ts'
import { DAY, type Stage, type World } from './world.ts'

/** An act in every so many blocks. */
export type Pace = { readonly blockMs: number; readonly actEvery: number }

export const CHAINS = [
  { slug: 'ethereum', chainId: 1, build: ethereumWorld, pace: { blockMs: 4_000, actEvery: 3 } },
  { slug: 'base', chainId: 8453, build: baseWorld, pace: { blockMs: 2_000, actEvery: 5 } },
] as const
const PAST = 60 * DAY

/** Takes what must be stopped, as soon as it runs. */
export type Keep = <T extends { readonly stop: () => Promise<void> }>(part: T) => T

export async function populate(
  { chainId, build }: Pick<(typeof CHAINS)[number], 'chainId' | 'build'>,
  { port, folder, start }: { readonly port: number; readonly folder: string; readonly start: number },
  keep: Keep,
): Promise<{ readonly chain: EvmChain; readonly world: World }> {
  const artifacts = readArtifacts()
  const chain = keep(await startEvmChain(chainId, { port, birth: start - PAST - DAY, folder }))
  const deployer = person('Safe deployer').address
  const makeSafe = await safeMaker(chain, artifacts, { deployer, time: start - PAST })
  await placeMulticall(chain, artifacts, { deployer, time: start - PAST + 1 })
  const ago: Stage['ago'] = (secondsAgo) => chain.mine(start - secondsAgo)
  return { chain, world: await build({ chain, artifacts, makeSafe, ago, start }) }
}

/** Where every real chain has it: contracts are read with one question instead of fifty. */
async function placeMulticall(
  chain: EvmChain,
  { Multicall3 }: Artifacts,
  { deployer, time }: { readonly deployer: Hex; readonly time: number },
): Promise<void> {
  const { address } = chain.deploy(deployer, Multicall3)
  await chain.mine(time)
  await chain.rpc('anvil_setCode', MULTICALL3, await chain.rpc<Hex>('eth_getCode', address, 'latest'))
}
