/**
 * Simulates the calls of a queued change and judges the contracts it affects on the changed state.
 *
 * It shows what would be if the change were executed now. The state can differ when it is executed, so that it is never
 * reported as certain. Role members are read from events, which a simulation does not log: changes of roles are not simulated.
 */
import { encodeFunctionData, encodePacked, keccak256, pad, parseAbi } from 'viem/utils'
import type { Label, Tone } from '../../../../../vocabulary/labels.ts'
import type { PendingFamily, SimulationProblem } from '../../../../../vocabulary/pending.ts'
import type { Power, PowerEffect } from '../../../../../vocabulary/powers.ts'
import type { Hex } from '../../../lib/hex.ts'
import type { Calldata } from '../../catalog/scheduled-calls.ts'
import type { CodeAnalyzer } from '../../poll/code-analyzer.ts'
import { probe } from '../../poll/probe.ts'
import { openSession } from '../../poll/session.ts'
import type { Profile } from '../../profile/profile.ts'
import type { RpcPool } from '../../rpc/pool.ts'
import { ethCall } from '../../rpc/requests.ts'
import { NoEndpointError, type RpcErrorKind } from '../../rpc/rpc-error.ts'
import {
  changedPool,
  MOST_VALUE,
  mergeDiffs,
  type SimulatedCall,
  type StateDiff,
  simulatedCall,
  traceCall,
} from './state-diff.ts'

export type SimulatedOperation = {
  readonly family: PendingFamily
  readonly address: Hex
  readonly calls: readonly Calldata[]
  /** The timelock in which a proposal is queued. */
  readonly queuedIn: Hex | undefined
  readonly affected: readonly Hex[]
}

export type Judgment = { readonly label: Label; readonly tone: Tone }

export type Simulation = {
  readonly block: number
  /** Why there is no result. */
  readonly problem?: SimulationProblem
  readonly contracts: readonly {
    readonly address: Hex
    readonly before: Judgment
    readonly after: Judgment
    readonly gained: readonly PowerEffect[]
    readonly lost: readonly PowerEffect[]
  }[]
}

export type SimulationDeps = {
  readonly poolOf: (chainId: number) => RpcPool | undefined
  readonly codes: CodeAnalyzer
  readonly confirmationsOf: (chainId: number) => number | undefined
}

/** Families whose calls come from a known account. */
export const SIMULATED_FAMILIES: readonly PendingFamily[] = [
  'oz_timelock',
  'solady_timelock',
  'compound_timelock',
  'governor',
  'safe',
]

const SAFE = parseAbi([
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
])
const GOVERNOR = parseAbi(['function timelock() view returns (address)'])

/** An unused address, which is a module of the Safe in the simulation. */
const MODULE: Hex = '0x6a7e3a7c400000000000000000000000000003d1'
const MODULES_SLOT = 1n

/** Functions that change members of roles: grantRole, revokeRole, setRoleAdmin and their variants, by selector. */
const ROLE_SELECTORS: ReadonlySet<string> = new Set([
  '0x2f2ff15d',
  '0xd547741f',
  '0x36568abe',
  '0x25c471a0',
  '0xb7d2b162',
])

export async function simulateOperation(
  deps: SimulationDeps,
  chainId: number,
  operation: SimulatedOperation,
  block: { readonly number: number; readonly hash: Hex },
): Promise<Simulation> {
  const pool = deps.poolOf(chainId)
  const without = (problem: SimulationProblem): Simulation => ({ block: block.number, problem, contracts: [] })
  if (pool === undefined) return without('unavailable')
  if (operation.calls.length === 0) return without('unknown_calls')
  if (operation.calls.some(({ data }) => hasRoleChange(data))) return without('roles')
  const simulated = await simulate(pool, operation, block)
  if (typeof simulated === 'string') return without(simulated)
  const judge = async (address: Hex, diff?: StateDiff): Promise<Profile> => {
    const poolOf = (id: number): RpcPool | undefined =>
      id === chainId && diff !== undefined ? changedPool(pool, diff) : deps.poolOf(id)
    const session = openSession({ poolOf, codes: deps.codes, confirmationsOf: deps.confirmationsOf })
    return (await probe({ session }, { chainId, address })).profile
  }
  const contracts: Simulation['contracts'][number][] = []
  for (const address of operation.affected) {
    const [before, after] = [await judge(address), await judge(address, simulated)]
    if (before.stale || after.stale) continue
    contracts.push({
      address,
      before: { label: before.label, tone: before.tone },
      after: { label: after.label, tone: after.tone },
      gained: added(before.powers, after.powers),
      lost: added(after.powers, before.powers),
    })
  }
  return { block: block.number, contracts }
}

/** At any depth: the selector of a call inside a batch is part of its calldata. */
function hasRoleChange(data: Hex): boolean {
  return [...ROLE_SELECTORS].some((selector) => data.includes(selector.slice(2)))
}

/** Powers that only the second list has. A power with other holders is another power. */
function added(first: readonly Power[] | null, second: readonly Power[] | null): readonly PowerEffect[] {
  const keyOf = ({ effect, holders }: Power): string =>
    JSON.stringify([effect, holders.map((holder) => holder.address)])
  const known = new Set((first ?? []).map(keyOf))
  return [...new Set((second ?? []).filter((power) => !known.has(keyOf(power))).map(({ effect }) => effect))]
}

/** The changes of all calls, one after the other. */
async function simulate(
  pool: RpcPool,
  operation: SimulatedOperation,
  block: { readonly number: number; readonly hash: Hex },
): Promise<StateDiff | SimulationProblem> {
  let diff: StateDiff = new Map()
  try {
    const from = await executorOf(pool, operation, block)
    if (operation.family === 'safe') diff = moduleOf(operation.address)
    for (const { target, value, data, isDelegated } of operation.calls) {
      if (isDelegated && operation.family !== 'safe') return 'unknown_calls'
      // A node refuses such a call before it runs, which would count as a fault of the endpoint.
      if (value > MOST_VALUE) return 'reverts'
      const args = [target, value, data, isDelegated ? 1 : 0] as const
      const call: SimulatedCall =
        operation.family === 'safe'
          ? { from: MODULE, to: from, value: 0n, data: encodeFunctionData({ abi: SAFE, args }) }
          : { from, to: target, value, data }
      const { value: result } = await pool.request(simulatedCall(call, block.hash, diff), { priority: 'bulk' })
      // A Safe returns false where the call inside it reverts.
      if (operation.family === 'safe' && (typeof result !== 'string' || BigInt(result) !== 1n)) return 'reverts'
      const { value: changes } = await pool.request(traceCall(call, block, diff), { priority: 'bulk' })
      diff = mergeDiffs(diff, changes)
    }
  } catch (error) {
    if (!(error instanceof NoEndpointError)) throw error
    return problemOf(error)
  }
  return diff
}

function problemOf({ errors }: NoEndpointError): SimulationProblem {
  const isOf = (kind: RpcErrorKind): boolean => errors.some((error) => error.kind === kind)
  return isOf('reverted') ? 'reverts' : 'unavailable'
}

/** The account that makes the calls. */
async function executorOf(
  pool: RpcPool,
  { family, address, queuedIn }: SimulatedOperation,
  block: { readonly number: number; readonly hash: Hex },
): Promise<Hex> {
  if (family !== 'governor') return address
  if (queuedIn !== undefined) return queuedIn
  try {
    const data = encodeFunctionData({ abi: GOVERNOR })
    const { value } = await pool.request(ethCall({ to: address, data }, block), { priority: 'bulk' })
    return value.length === 66 && BigInt(value) !== 0n ? `0x${value.slice(-40)}` : address
  } catch (error) {
    if (error instanceof NoEndpointError) return address
    throw error
  }
}

const moduleOf = (safe: Hex): StateDiff => {
  const slot = keccak256(encodePacked(['bytes32', 'uint256'], [pad(MODULE), MODULES_SLOT]))
  return new Map([[safe, { storage: new Map([[slot, pad('0x01')]]) }]])
}
