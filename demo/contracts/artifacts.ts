/** The compiled contracts of the demo, which runs without a compiler. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

/** Contracts from the packages of OpenZeppelin and Safe. */
export const OPEN_ZEPPELIN = [
  'ERC1967Proxy',
  'TransparentUpgradeableProxy',
  'ProxyAdmin',
  'TimelockController',
  'UpgradeableBeacon',
  'BeaconProxy',
] as const
export const SAFE = { SafeL2: 'SafeL2', SafeProxyFactory: 'proxies/SafeProxyFactory' } as const

/** Contracts of `Protocols.sol`. */
export const OWN = [
  'LendingPool',
  'LendingPoolTwo',
  'OwnedVault',
  'OwnedVaultTwo',
  'DollarToken',
  'DollarTokenTwo',
  'PriceOracle',
  'ExchangeCore',
  'ExchangePair',
  'ExchangePairTwo',
  'VotesToken',
  'Assembly',
  'MintedToken',
  'OwnedTreasury',
  'StakingPool',
  'MessageReceiver',
  'DepositRouter',
  'OrderBook',
] as const

export type ContractName = 'Multicall3' | (typeof OPEN_ZEPPELIN)[number] | keyof typeof SAFE | (typeof OWN)[number]
export type Artifacts = Readonly<Record<ContractName, Artifact>>

export const ARTIFACTS_FILE = join(import.meta.dirname, 'artifacts.json')

export const readArtifacts = (): Artifacts => JSON.parse(readFileSync(ARTIFACTS_FILE, 'utf8')) as Artifacts
