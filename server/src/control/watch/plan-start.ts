/**
 * Plans where reading starts: the initial cursor and history job of a chain, and the history of a new contract.
 *
 * The follower starts at the last finalized block, so that it has read every block it may have to roll back. If history
 * starts later, the follower starts there and stores sparse ancestors (1, 2, 4, … blocks back), which a reorg across the
 * start needs.
 */
import { GatewatchError } from '../../lib/errors.ts'
import type { EndpointId, RpcPool } from '../rpc/pool.ts'
import { getBlockHeader, getSyncing, hasCode } from '../rpc/requests.ts'
import { BlockMissingError, NoEndpointError } from '../rpc/rpc-error.ts'
import { OtherBranchError } from './chain-snapshot.ts'
import { fetchHeaders } from './endpoint-views.ts'
import type { FollowSettings } from './follower-state.ts'
import type { NewJob, PendingContract, StoredBlock } from './watch-store.ts'

export type FirstStep = {
  readonly window: readonly StoredBlock[]
  readonly startBlock: number
  readonly jobs: readonly NewJob[]
}

/** A node that is synchronizing and whose head is older than this: old events would be announced as new. */
const STALE_MS = 3_600_000

export class NodeBehindError extends GatewatchError {
  override readonly code = 'node_behind'
  override readonly retryable = true
  constructor(chain: string, host: string, time: number) {
    super(
      `${chain}: ${host} is synchronizing, its newest block is from ${new Date(time).toISOString()}. Watching starts when it is done.`,
    )
  }
}

export async function planStart(
  { pool }: { readonly pool: RpcPool },
  options: { readonly settings: FollowSettings; readonly startBlock: number | undefined; readonly now: number },
): Promise<FirstStep> {
  const { reorgLimit, confirmations, headTag = 'latest' } = options.settings
  const latest = await pool.request(getBlockHeader(headTag))
  const isOld = latest.value !== undefined && options.now - latest.value.time > STALE_MS
  if (isOld && (await isSynchronizing(pool, latest.from)))
    throw new NodeBehindError(options.settings.chain, pool.hostOf(latest.from), latest.value.time)
  const head = latest.value?.number ?? 0
  const final = Math.max(0, head - reorgLimit)
  const startBlock = options.startBlock ?? Math.max(0, head - confirmations)
  // With a start block beyond the head the follower starts at the head and drops earlier events.
  const anchor = Math.max(final, Math.min(startBlock, head - confirmations) - 1, 0)
  const numbers = [anchor, ...ancestorsOf(anchor, final)].sort((a, b) => a - b)
  const headers = await Promise.all(
    numbers.map((number) => pool.request(getBlockHeader(number), { only: latest.from })),
  )
  const window = headers.flatMap(({ value }) =>
    value === undefined ? [] : { number: value.number, hash: value.hash, time: value.time },
  )
  if (window.length < numbers.length) throw new BlockMissingError(options.settings.chain, anchor)
  const history: NewJob = { scope: 'chainwide', addresses: [], from: startBlock, to: anchor, announce: false }
  return { window, startBlock, jobs: startBlock <= anchor ? [history] : [] }
}

/** Not every provider supports `eth_syncing`. */
async function isSynchronizing(pool: RpcPool, only: EndpointId): Promise<boolean> {
  try {
    return (await pool.request(getSyncing, { only })).value
  } catch (error) {
    if (error instanceof NoEndpointError) return false
    throw error
  }
}

/**
 * Reads the blocks that the window lacks from `from` on, so that a history job can distinguish them from another branch. Their
 * parent hashes link them to the cursor.
 */
export async function fillWindow(
  { pool }: { readonly pool: RpcPool },
  window: readonly StoredBlock[],
  from: number,
): Promise<readonly StoredBlock[]> {
  const stored = new Map(window.map((block) => [block.number, block]))
  const cursor = window.at(-1)
  if (cursor === undefined) return []
  const first = Math.max(0, from)
  if (range(first, cursor.number).every((number) => stored.has(number))) return []
  const headers = await fetchHeaders(pool, first, cursor.number, undefined)
  if (headers.length <= cursor.number - first) throw new BlockMissingError(pool.chain, first + headers.length)
  for (const [at, header] of headers.entries()) {
    const isLinked = at === 0 || header.parentHash === headers[at - 1]?.hash
    const known = stored.get(header.number)
    if (!isLinked || (known !== undefined && known.hash !== header.hash))
      throw new OtherBranchError(pool.chain, header.number)
  }
  return headers.flatMap(({ number, hash, time }) => (stored.has(number) ? [] : { number, hash, time }))
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

function ancestorsOf(anchor: number, final: number): readonly number[] {
  const numbers: number[] = []
  for (let back = 1; anchor - back > final; back *= 2) numbers.push(anchor - back)
  return anchor > final ? [...numbers, final] : numbers
}

/**
 * The first block of a contract's history: its deployment block, if the registry has it and a node confirms it.
 *
 * A wrong block in the registry must never lose an event. A node confirms the block if it has no code before it and code
 * after it; no code on both sides may mean that the node lacks the old state.
 */
export async function historyStartOf(
  { pool }: { readonly pool: RpcPool },
  { address, deployBlock }: Pick<PendingContract, 'address' | 'deployBlock'>,
  startBlock: number,
): Promise<number> {
  if (deployBlock === undefined || deployBlock <= startBlock) return startBlock
  try {
    const [before, after] = await Promise.all(
      [deployBlock - 1, deployBlock].map((number) => pool.request(hasCode(address, { number }), { priority: 'bulk' })),
    )
    return before?.value === false && after?.value === true ? deployBlock : startBlock
  } catch (error) {
    if (error instanceof NoEndpointError) return startBlock
    throw error
  }
}
