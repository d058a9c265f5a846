/** Types and helpers of the demo's protocols: their past and their repeating acts. */
import { encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import type { Artifacts } from '../contracts/artifacts.ts'
import type { Contract, EvmChain } from './chain.ts'
import type { SafeMaker } from './safe.ts'

/** A registry entry, in the format of `gatewatch registry import`. */
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
 * Collects transactions that are mined in one block at `now`, in seconds; returns false if it is not due. Acts run in
 * turn forever, so each must be repeatable.
 */
export type Act = (now: number) => Promise<boolean | void> | boolean | void

/** The past acts of a protocol after its deployment, and its repeating acts. */
export type Life = {
  readonly past: readonly (readonly [secondsAgo: number, Act])[]
  readonly acts: readonly Act[]
}

export type World = { readonly known: readonly KnownContract[]; readonly acts: readonly Act[] }

export type Stage = {
  readonly chain: EvmChain
  readonly artifacts: Artifacts
  readonly makeSafe: SafeMaker
  /** Mines the collected transactions at a time before the start; each call is later than the last. */
  readonly ago: (seconds: number) => Promise<void>
  /** The start of the demo, in seconds. The past is relative to it. */
  readonly start: number
}

export const HOUR = 3_600
export const DAY = 86_400

export const roleOf = (name: string): Hex => keccak256(stringToHex(name))

export const callOf = ({ abi }: Pick<Contract, 'abi'>, functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

/** The ProxyAdmin that a transparent proxy creates in its constructor, at nonce 1. */
export function proxyAdminOf(proxy: Hex): Hex {
  return `0x${keccak256(`0xd694${proxy.slice(2)}01`).slice(-40)}`
}

/** The EIP-1967 implementation slot. */
const IMPLEMENTATION: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** Replaces a proxy's implementation without a transaction or log. */
export async function setImplementationSilently({ rpc }: EvmChain, proxy: Hex, next: Hex): Promise<void> {
  await rpc('anvil_setStorageAt', proxy, IMPLEMENTATION, `0x${next.slice(2).padStart(64, '0')}`)
}

/** Returns each value in turn, repeatedly. */
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

/** Runs the past acts of all protocols in order of time, then returns their repeating acts, interleaved. */
export async function replayPast({ ago, start }: Stage, lives: readonly Life[]): Promise<readonly Act[]> {
  const past = lives.flatMap((life) => life.past).toSorted(([a], [b]) => b - a)
  for (const [secondsAgo, act] of past) {
    await act(start - secondsAgo)
    await ago(secondsAgo)
  }
  const rounds = Math.max(...lives.map(({ acts }) => acts.length))
  return Array.from({ length: rounds }, (_, at) => lives.flatMap(({ acts }) => acts[at] ?? [])).flat()
}
