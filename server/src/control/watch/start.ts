/**
 * The first step on a chain: where the follower stands, and what the backfill owes.
 *
 * The follower begins at the last final block, so that everything it will ever undo, it has read itself. Where history
 * begins later than that, it begins there, and keeps a thin line of ancestors (1, 2, 4, … blocks back) to fall back
 * on, because a reorganisation does not ask where we started.
 */
import type { NodePool } from '../node/pool.ts'
import { askHeader } from '../node/questions.ts'
import type { NewJob, StoredBlock } from '../store/watch-store.ts'
import type { FollowSettings } from './follow-core.ts'
import { BlockMissingError } from './views.ts'

export type FirstStep = {
  readonly window: readonly StoredBlock[]
  readonly startBlock: number
  readonly jobs: readonly NewJob[]
}

export async function planStart(
  { pool }: { readonly pool: NodePool },
  options: { readonly settings: FollowSettings; readonly startBlock: number | undefined },
): Promise<FirstStep> {
  const { rewindLimit, confirmations } = options.settings
  const latest = await pool.ask(askHeader('latest'))
  const head = latest.value?.number ?? 0
  const final = Math.max(0, head - rewindLimit)
  const startBlock = options.startBlock ?? Math.max(0, head - confirmations)
  // A start block beyond the head is waited for: the follower begins at the head and drops what comes before.
  const anchor = Math.max(final, Math.min(startBlock, head - confirmations) - 1, 0)
  const numbers = [anchor, ...ancestorsOf(anchor, final)].sort((a, b) => a - b)
  const headers = await Promise.all(numbers.map((number) => pool.ask(askHeader(number), { only: latest.from })))
  const window = headers.flatMap(({ value }) =>
    value === undefined ? [] : { number: value.number, hash: value.hash, time: value.time },
  )
  if (window.length < numbers.length) throw new BlockMissingError(options.settings.chain, anchor)
  const history: NewJob = { scope: 'chainwide', addresses: [], from: startBlock, to: anchor, announce: false }
  return { window, startBlock, jobs: startBlock <= anchor ? [history] : [] }
}

function ancestorsOf(anchor: number, final: number): readonly number[] {
  const numbers: number[] = []
  for (let back = 1; anchor - back > final; back *= 2) numbers.push(anchor - back)
  return anchor > final ? [...numbers, final] : numbers
}
