/**
 * When a proposal can be executed at the earliest while its vote is not over: after the vote, and the delay that follows.
 *
 * The clock of a governor counts seconds or blocks (ERC-6372). The time of a block to come is an estimate, which every
 * read corrects.
 */
import type { Hex } from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { Queue, ReadWords } from './families.ts'

export type GovernorTimes = {
  /** The end of the vote, in seconds since the epoch. Undefined if it is not known. */
  readonly voteEnd: number | undefined
  /** Seconds between the vote and the execution. Undefined if it is not known what executes proposals. */
  readonly delay: number | undefined
  /** Whether a proposal that passed is queued before its execution. */
  readonly needsQueue: boolean | undefined
}

const selectorOf = (signature: string): Hex => keccak256(stringToHex(signature)).slice(0, 10) as Hex

export async function readGovernorTimes(queue: Queue, proposal: Hex, read: ReadWords): Promise<GovernorTimes> {
  const word = async (signature: string, to?: Hex): Promise<bigint | undefined> =>
    (await read(selectorOf(signature), to))?.[0]
  const ofProposal = async (signature: string): Promise<readonly bigint[] | undefined> =>
    await read(`${selectorOf(signature)}${proposal.slice(2)}`)

  const deadline = async (): Promise<bigint | undefined> => {
    const [value] = (await ofProposal('proposalDeadline(uint256)')) ?? []
    // Governors of Compound: id, proposer, eta, first block, last block.
    return value ?? (await ofProposal('proposals(uint256)'))?.[4]
  }
  const end = await deadline()
  const voteEnd = end === undefined ? undefined : timeOf(end, (await word('clock()')) ?? BigInt(queue.block), queue)

  const timelock = await word('timelock()')
  if (timelock !== undefined) {
    const address: Hex = `0x${(timelock & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`
    const delay = (await word('delay()', address)) ?? (await word('getMinDelay()', address))
    return { voteEnd, delay: delay === undefined || delay > MAX_DELAY ? undefined : Number(delay), needsQueue: true }
  }
  const [needsQueuing] = (await ofProposal('proposalNeedsQueuing(uint256)')) ?? []
  const needsQueue = needsQueuing === undefined ? undefined : needsQueuing !== 0n
  return { voteEnd, delay: needsQueue === false ? 0 : undefined, needsQueue }
}

const MAX_DELAY = 1_000_000_000n
const YEAR = 365 * 86_400
/** How far the clock may be from the block or its time. */
const NEAR = 1_000n

/** A value of the clock in seconds since the epoch. Undefined if it is no time near this one. */
function timeOf(value: bigint, clock: bigint, { now, block, blockTime, parentBlockTime }: Queue): number | undefined {
  const isNear = (other: number): boolean => clock - BigInt(other) <= NEAR && BigInt(other) - clock <= NEAR
  // A rollup may count the blocks of the chain that it settles on.
  const unit = isNear(now) ? 1 : isNear(block) ? blockTime : parentBlockTime
  const left = unit === undefined ? Number.NaN : Number(value - clock) * unit
  return Math.abs(left) <= YEAR ? Math.round(now + left) : undefined
}
