/** What the two chains of the demo have in common: how a life is written down, past and live. */
import { encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import type { Artifacts } from '../contracts/artifacts.ts'
import type { Contract, EvmChain } from './chain.ts'
import type { SafeMaker } from './safe.ts'

/** A row of the registry, as `gatewatch registry import` takes it. */
export type KnownContract = {
  readonly chain: string
  readonly address: Hex
  readonly name: string
  readonly protocol: string
  readonly kind: string
  readonly source: string
  readonly verified: boolean
  readonly symbol?: string
  readonly decimals?: number
}

/**
 * Gathers transactions that are then mined in one block at `now`, in seconds; false where its time has not come.
 * Taken in turn, forever: each must be possible again when its turn comes.
 */
export type Act = (now: number) => Promise<boolean | void> | boolean | void

/** A protocol after its birth: what it went through since, and what it goes on doing. */
export type Life = {
  readonly past: readonly (readonly [secondsAgo: number, Act])[]
  readonly acts: readonly Act[]
}

export type World = { readonly known: readonly KnownContract[]; readonly acts: readonly Act[] }

export type Stage = {
  readonly chain: EvmChain
  readonly artifacts: Artifacts
  readonly makeSafe: SafeMaker
  /** Mines what was gathered, so long ago; each later than the last. */
  readonly ago: (seconds: number) => Promise<void>
  /** The instant the past is counted from, in seconds. */
  readonly start: number
}

export const HOUR = 3_600
export const DAY = 86_400

export const roleOf = (name: string): Hex => keccak256(stringToHex(name))

export const callOf = ({ abi }: Pick<Contract, 'abi'>, functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

/** The ProxyAdmin that a transparent proxy makes in its constructor: its first creation, nonce 1. */
export function proxyAdminOf(proxy: Hex): Hex {
  return `0x${keccak256(`0xd694${proxy.slice(2)}01`).slice(-40)}`
}

/** Where EIP-1967 keeps the implementation. */
const IMPLEMENTATION: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** Changes a proxy's code as an attacker with a storage write would: no transaction, no log. */
export async function setImplementationSilently({ rpc }: EvmChain, proxy: Hex, next: Hex): Promise<void> {
  await rpc('anvil_setStorageAt', proxy, IMPLEMENTATION, `0x${next.slice(2).padStart(64, '0')}`)
}

/** Each value in turn, again and again. */
export function inTurn<T>(...values: readonly [T, ...T[]]): () => T {
  let at = 0
  return () => values[at++ % values.length] ?? values[0]
}

export function registrar(chain: string, known: KnownContract[]) {
  return (
    protocol: string,
    name: string,
    kind: string,
    { address }: Pick<Contract, 'address'>,
    more: Pick<KnownContract, 'symbol' | 'decimals'> = {},
  ): void => {
    known.push({ chain, address, name, protocol, kind, source: 'the demo', verified: true, ...more })
  }
}

/** Lives the past of all protocols in the order of time, then gives their acts, one of each in turn. */
export async function liveThrough({ ago, start }: Stage, lives: readonly Life[]): Promise<readonly Act[]> {
  const past = lives.flatMap((life) => life.past).toSorted(([a], [b]) => b - a)
  for (const [secondsAgo, act] of past) {
    await act(start - secondsAgo)
    await ago(secondsAgo)
  }
  const rounds = Math.max(...lives.map(({ acts }) => acts.length))
  return Array.from({ length: rounds }, (_, at) => lives.flatMap(({ acts }) => acts[at] ?? [])).flat()
}
