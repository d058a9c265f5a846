/**
 * The walk against real nodes: reads what the judgement needs, one round at a time, until it needs nothing more.
 *
 * Every chain is read at one pinned block. A chain nobody can reach makes what is there unread, never absent.
 */
import { MULTICALL3 } from '../chains/chains.ts'
import { NoEndpointError } from '../node/faults.ts'
import type { NodePool } from '../node/pool.ts'
import { askHeader } from '../node/questions.ts'
import { CALL_NAMES } from '../profile/calls.ts'
import { type Profile, profileOf } from '../profile/profile.ts'
import { unread } from '../profile/read.ts'
import { SLOT_NAMES } from '../profile/slots.ts'
import { type ContractState, type Need, type Place, placeKey } from '../profile/state.ts'
import { type Block, createReads } from './chain-reads.ts'
import { createLogHistory } from './log-history.ts'
import { type CodeCache, createCodeCache, readMore, readState, type StateDeps } from './read-state.ts'

export type ProbeDeps = {
  /** Undefined for a chain that no node is configured for. */
  readonly poolOf: (chainId: number) => NodePool | undefined
  readonly codes?: CodeCache
  readonly nameOf?: (place: Place) => string | undefined
}

export type Probed = {
  readonly profile: Profile
  readonly block: Block | undefined
  readonly graph: ReadonlyMap<string, ContractState>
}

/** Rounds of reading: every hop takes two or three. */
const MOST_ROUNDS = 60

export async function probe(
  { poolOf, codes = createCodeCache(), nameOf = () => undefined }: ProbeDeps,
  target: Place,
  { previous, blocks = new Map() }: { readonly previous?: Profile; readonly blocks?: ReadonlyMap<number, Block> } = {},
): Promise<Probed> {
  const graph = new Map<string, ContractState>()
  const readers = new Map<number, Promise<StateDeps | undefined>>()
  const readerOf = (chainId: number): Promise<StateDeps | undefined> => {
    const open = () => openReader(poolOf(chainId), chainId, blocks.get(chainId), codes)
    // Without the chain of the contract nothing can be said; without another, only what is over there is unread.
    const known = readers.get(chainId) ?? (chainId === target.chainId ? open() : open().catch(withoutNode))
    readers.set(chainId, known)
    return known
  }
  for (let round = 0; ; round += 1) {
    const { profile, needs } = profileOf({ graph, target, previous, nameOf })
    if (needs.length === 0 || round === MOST_ROUNDS) {
      const reader = await readerOf(target.chainId)
      return { profile, block: reader?.reads.block, graph }
    }
    await Promise.all([...Map.groupBy(needs, placeKey).values()].map((ofPlace) => answer(graph, readerOf, ofPlace)))
  }
}

const withoutNode = (error: unknown): undefined => {
  if (!(error instanceof NoEndpointError)) throw error
}

/** Needs of one place, one after the other, so that none forgets what another found. */
async function answer(
  graph: Map<string, ContractState>,
  readerOf: (chainId: number) => Promise<StateDeps | undefined>,
  needs: readonly Need[],
): Promise<void> {
  for (const need of needs) {
    const deps = await readerOf(need.chainId)
    const known = graph.get(placeKey(need))
    if (deps === undefined) graph.set(placeKey(need), unreachable(need))
    else if (known === undefined) graph.set(placeKey(need), await readState(deps, need.address))
    else graph.set(placeKey(need), await readMore(deps, known, need))
  }
}

async function openReader(
  pool: NodePool | undefined,
  chainId: number,
  pinned: Block | undefined,
  codes: CodeCache,
): Promise<StateDeps | undefined> {
  if (pool === undefined) return undefined
  const block = pinned ?? (await pool.ask(askHeader('latest'))).value
  if (block === undefined) return undefined
  return {
    reads: createReads({ pool, multicall: MULTICALL3 }, chainId, { number: block.number, hash: block.hash }),
    logs: createLogHistory({ pool }, block),
    codes,
  }
}

function unreachable({ chainId, address }: Place): ContractState {
  const failed = unread('no node of that chain answers')
  const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, failed])) as never
  return {
    chainId,
    address,
    block: { number: 0, hash: '0x' },
    code: failed,
    slots: all(SLOT_NAMES),
    calls: all(CALL_NAMES),
    more: new Map(),
    roles: failed,
    manager: failed,
    governors: failed,
  }
}
