/**
 * Reads chains at one pinned block each, for any number of contracts. Each read is made once.
 *
 * Proxies of a protocol share their logic, their timelock and their Safe.
 */
import type { Hex } from '../../lib/hex.ts'
import { findChain, MULTICALL3 } from '../chains/chains.ts'
import { CALL_NAMES } from '../profile/calls.ts'
import type { Fault } from '../profile/control-path.ts'
import { SLOT_NAMES, SLOTS } from '../profile/slots.ts'
import { type ContractState, type Need, needKey, refKey, unread } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { Header } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { createChainReads } from './chain-reads.ts'
import type { CodeAnalyzer } from './code-analyzer.ts'
import { createContractLogs, createFirstBlocks, type LogCache } from './contract-logs.ts'
import { type Found, readMore, readState, type StateDeps } from './read-state.ts'

export type SessionDeps = {
  /** Undefined for a chain without a configured endpoint. */
  readonly poolOf: (chainId: number) => RpcPool | undefined
  readonly codes: CodeAnalyzer
  readonly logs?: LogCache | undefined
  /** How far below the head a chain is read, where reorganizations are rare. */
  readonly confirmationsOf?: ((chainId: number) => number | undefined) | undefined
  readonly report?: Session['report'] | undefined
  /** Of a session that reads the same blocks. */
  readonly blockOf?: Session['blockOf'] | undefined
}

export type Session = {
  /** The block at which a chain is read; undefined where no endpoint has it. */
  readonly blockOf: (chainId: number) => Promise<Header | undefined>
  /** The hash of the canonical block at a height. */
  readonly hashAt: (chainId: number, number: number) => Promise<Hex | undefined>
  readonly state: (ref: ContractRef) => Promise<ContractState>
  readonly more: (need: Need) => Promise<Found>
  /** Reports an unexpected error in the judgment of an account. */
  readonly report: (fault: Fault) => void
  /** Reads the same blocks through other endpoints, as far as they respond; undefined for a chain that has no other. */
  readonly second: (chainId: number) => Session | undefined
}

export function openSession(deps: SessionDeps): Session {
  const { poolOf, codes, logs, confirmationsOf, report = () => {} } = deps
  const memoized = <T>(): ((key: string, make: () => Promise<T>) => Promise<T>) => {
    const known = new Map<string, Promise<T>>()
    return (key, make) => {
      const found = known.get(key) ?? make()
      known.set(key, found)
      return found
    }
  }
  const [blocks, hashes] = [memoized<Header | undefined>(), memoized<Hex | undefined>()]
  const [readers, states, more] = [memoized<StateDeps | undefined>(), memoized<ContractState>(), memoized<Found>()]

  const newest: Session['blockOf'] = (chainId) =>
    blocks(`${chainId}`, async () => {
      const pool = poolOf(chainId)
      const confirmations = confirmationsOf?.(chainId) ?? findChain(chainId)?.confirmations ?? 0
      return pool === undefined ? undefined : await settledBlock(pool, confirmations)
    })
  const blockOf = deps.blockOf ?? newest
  let other: Session | undefined
  const readerOf = (chainId: number): Promise<StateDeps | undefined> =>
    readers(`${chainId}`, async () => {
      const [pool, block] = [poolOf(chainId), await blockOf(chainId)]
      if (pool === undefined || block === undefined) return undefined
      const firstBlockOf = createFirstBlocks({ pool, cache: logs }, block)
      return {
        reads: createChainReads(
          {
            pool,
            multicall: MULTICALL3,
            codes,
            positions: SLOT_POSITIONS,
            firstBlockOf,
          },
          chainId,
          block,
        ),
        logs: createContractLogs({ pool, cache: logs, firstBlockOf }, block),
      }
    })
  /** Undefined where no endpoint of the chain responds: only reads of that chain fail then. */
  const reachable = async (chainId: number): Promise<StateDeps | undefined> => {
    try {
      return await readerOf(chainId)
    } catch (error) {
      if (error instanceof NoEndpointError) return undefined
      throw error
    }
  }

  return {
    blockOf,
    hashAt: (chainId, number) =>
      hashes(`${chainId}:${number}`, async () => (await poolOf(chainId)?.request(getBlockHeader(number)))?.value?.hash),
    state: (ref) =>
      states(refKey(ref), async () => {
        const reader = await reachable(ref.chainId)
        return reader === undefined ? unreachable(ref) : await readState(reader, ref.address)
      }),
    more: (need) =>
      more(needKey(need), async () => {
        const reader = await reachable(need.chainId)
        return reader === undefined ? () => unreachable(need) : await readMore(reader, need)
      }),
    report,
    second: (chainId) => {
      if ((poolOf(chainId)?.all.length ?? 0) < 2) return undefined
      other ??= openSession({ ...deps, blockOf, poolOf: (id) => throughOthers(poolOf(id)) })
      return other
    },
  }
}

/** Tries the endpoint last that is otherwise tried first. */
function throughOthers(pool: RpcPool | undefined): RpcPool | undefined {
  if (pool === undefined) return undefined
  const [avoid] = pool.available()
  return { ...pool, request: (request, options) => pool.request(request, { avoid, ...options }) }
}

export const SLOT_POSITIONS: readonly Hex[] = SLOT_NAMES.map((name) => SLOTS[name])

/** The newest block with this many confirmations. */
export async function settledBlock(pool: RpcPool, confirmations: number): Promise<Header | undefined> {
  const { value: head } = await pool.request(getBlockHeader('latest'))
  if (head === undefined || confirmations === 0) return head
  return (await pool.request(getBlockHeader(Math.max(0, head.number - confirmations)))).value
}

function unreachable({ chainId, address }: ContractRef): ContractState {
  const failed = unread(`no endpoint of ${findChain(chainId)?.name ?? `chain ${chainId}`} responds`)
  const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, failed])) as never
  return {
    chainId,
    address,
    block: { number: 0, hash: '0x' },
    code: failed,
    slots: all(SLOT_NAMES),
    calls: all(CALL_NAMES),
    more: new Map(),
    nonce: failed,
    roles: failed,
    manager: failed,
    governors: failed,
    wards: failed,
    history: failed,
  }
}
