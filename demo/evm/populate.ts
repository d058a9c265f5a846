/** Starts a chain of the demo: the node, Multicall3, Safe's contracts, the protocols and their history. */
import type { Hex } from 'viem'
import { MULTICALL3 } from '../../server/src/control/chains/chains.ts'
import { type Artifacts, readArtifacts } from '../contracts/artifacts.ts'
import { demoAccount } from './accounts.ts'
import { baseWorld } from './base.ts'
import { type EvmChain, startEvmChain } from './chain.ts'
import { ethereumWorld } from './ethereum.ts'
import { safeMaker } from './safe.ts'
import { DAY, type Stage, type World } from './world.ts'

/** The block interval, and the number of blocks per act. */
export type Pace = { readonly blockMs: number; readonly actEvery: number }

export const CHAINS = [
  { slug: 'ethereum', chainId: 1, build: ethereumWorld, pace: { blockMs: 4_000, actEvery: 3 } },
  { slug: 'base', chainId: 8453, build: baseWorld, pace: { blockMs: 2_000, actEvery: 5 } },
] as const
const PAST = 60 * DAY

/** Registers a running component to be stopped. */
export type Keep = <T extends { readonly stop: () => Promise<void> }>(part: T) => T

export async function populate(
  { chainId, build }: Pick<(typeof CHAINS)[number], 'chainId' | 'build'>,
  { port, folder, start }: { readonly port: number; readonly folder: string; readonly start: number },
  keep: Keep,
): Promise<{ readonly chain: EvmChain; readonly world: World }> {
  const artifacts = readArtifacts()
  const chain = keep(await startEvmChain(chainId, { port, genesisTime: start - PAST - DAY, folder }))
  const deployer = demoAccount('Safe deployer').address
  const makeSafe = await safeMaker(chain, artifacts, { deployer, time: start - PAST })
  await installMulticall(chain, artifacts, { deployer, time: start - PAST + 1 })
  const ago: Stage['ago'] = (secondsAgo) => chain.mine(start - secondsAgo)
  return { chain, world: await build({ chain, artifacts, makeSafe, ago, start }) }
}

/** Installs Multicall3 at its usual address, so that a contract is read with one call instead of fifty. */
async function installMulticall(
  chain: EvmChain,
  { Multicall3 }: Artifacts,
  { deployer, time }: { readonly deployer: Hex; readonly time: number },
): Promise<void> {
  const { address } = chain.deploy(deployer, Multicall3)
  await chain.mine(time)
  await chain.rpc('anvil_setCode', MULTICALL3, await chain.rpc<Hex>('eth_getCode', address, 'latest'))
}
