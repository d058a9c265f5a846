/**
 * What is known of the blocks of code before it is followed: their order, which of them test at once what is on top of the
 * stack, and which of them only revert.
 */
import { bigEndian, instructions, isPush, jumpDestinations, OP, pushSize, STACK_EFFECTS } from './instructions.ts'

type Followers = Map<number, number[]>
const ENDS: ReadonlySet<number> = new Set([OP.JUMP, OP.STOP, OP.RETURN, OP.REVERT, OP.INVALID, OP.SELFDESTRUCT])

export type Blocks = {
  readonly destinations: ReadonlySet<number>
  /** The place of each block in the order, by its position in the code: a later block has a larger number. */
  readonly places: ReadonlyMap<number, number>
  /** Destinations of jumps that branch on what is on top of the stack, as the end of `a && b`. */
  readonly tests: ReadonlySet<number>
  /** Blocks after which every path reverts, and on which nothing is read or done that counts. */
  readonly reverting: ReadonlySet<number>
}

/** Code is followed again and again, with inputs of other lengths. */
const KNOWN = new WeakMap<Uint8Array, Blocks>()

export function blocksOf(code: Uint8Array): Blocks {
  const known = KNOWN.get(code)
  if (known !== undefined) return known
  const destinations = jumpDestinations(code)
  const tests = new Set([...destinations].filter((at) => isTest(code, at + 1)))
  const reverting = revertingIn(code, destinations)
  const blocks = { destinations, places: placesOf(code, destinations), tests, reverting }
  KNOWN.set(code, blocks)
  return blocks
}

function isTest(code: Uint8Array, from: number): boolean {
  let at = from
  while (code[at] === OP.ISZERO || code[at] === OP.DUP1) at += 1
  const op = code[at] ?? OP.STOP
  return isPush(op) && code[at + 1 + pushSize(op)] === OP.JUMPI
}

/**
 * The order in which each block comes after those that lead to it, except in loops. Paths that meet at a block are then joined
 * before it is executed, so that it is executed once. The order of the code itself is another one: compilers put a branch
 * behind what follows it.
 */
function placesOf(code: Uint8Array, destinations: ReadonlySet<number>): ReadonlyMap<number, number> {
  const followers = followersOf(code, destinations)
  const places = new Map<number, number>()
  const seen = new Set([0])
  const path = [{ at: 0, followers: followers.get(0) ?? [] }]
  for (let block = path.at(-1); block !== undefined; block = path.at(-1)) {
    const next = block.followers.shift()
    if (next === undefined) {
      places.set(block.at, -places.size)
      path.pop()
    } else if (!seen.has(next)) {
      seen.add(next)
      path.push({ at: next, followers: followers.get(next) ?? [] })
    }
  }
  return places
}

/** A block leads to the destinations that it pushes: it jumps there, or what it calls returns there. */
function followersOf(code: Uint8Array, destinations: ReadonlySet<number>): Followers {
  let block: number[] = []
  const followers: Followers = new Map([[0, block]])
  let isEnded = false
  const begin = (at: number): void => {
    if (!isEnded) block.push(at)
    isEnded = false
    followers.set(at, (block = []))
  }
  for (const { op, at, pushed } of instructions(code)) {
    if (op === OP.JUMPDEST && at > 0) begin(at)
    const destination = isPush(op) ? Number(bigEndian(pushed)) : -1
    if (destinations.has(destination)) block.push(destination)
    if (op === OP.JUMPI) begin(at + 1)
    else if (ENDS.has(op)) isEnded = true
  }
  return followers
}

/** Instructions whose place in a function counts, although it reverts. */
const RECORDED: ReadonlySet<number> = new Set(
  [
    [OP.SLOAD, OP.SSTORE, OP.CALLDATALOAD, OP.CALLDATACOPY, OP.BALANCE, OP.SELFBALANCE, OP.EXTCODESIZE],
    [OP.EXTCODECOPY, OP.EXTCODEHASH, OP.CREATE, OP.CREATE2, OP.CALL, OP.CALLCODE, OP.DELEGATECALL, OP.STATICCALL],
    [OP.LOG0, OP.LOG1, OP.LOG2, OP.LOG3, OP.LOG4, OP.STOP, OP.RETURN, OP.SELFDESTRUCT],
  ].flat(),
)

/** `isPlain`: it ends as it is known to, without an instruction that counts. */
type Block = { readonly at: number; readonly next: number[]; isPlain: boolean }

function revertingIn(code: Uint8Array, destinations: ReadonlySet<number>): ReadonlySet<number> {
  const blocks = plainBlocks(code, destinations)
  const reverting = new Set<number>()
  for (let size = -1; size !== reverting.size; ) {
    size = reverting.size
    for (const { at, next, isPlain } of blocks)
      if (isPlain && next.every((following) => reverting.has(following))) reverting.add(at)
  }
  return reverting
}

/** The blocks, the last first, with those that follow where a block says so itself. */
function plainBlocks(code: Uint8Array, destinations: ReadonlySet<number>): readonly Block[] {
  let block: Block = { at: 0, next: [], isPlain: true }
  const blocks = [block]
  let [destination, isEnded] = [-1, false]
  const begin = (at: number): void => {
    if (!isEnded) block.next.push(at)
    isEnded = false
    blocks.push((block = { at, next: [], isPlain: true }))
  }
  for (const { op, at, pushed } of instructions(code)) {
    if (op === OP.JUMPDEST && at > 0) begin(at)
    if (isEnded) continue
    if (op === OP.JUMP || op === OP.JUMPI) block.next.push(destination)
    const isOfStack = isPush(op) || (op >= OP.DUP1 && op <= OP.SWAP16)
    if (RECORDED.has(op) || !(isOfStack || STACK_EFFECTS[op] !== undefined)) block.isPlain = false
    destination = isPush(op) ? Number(bigEndian(pushed)) : -1
    if (!destinations.has(destination)) destination = -1
    if (op === OP.JUMPI) begin(at + 1)
    else if (ENDS.has(op)) isEnded = true
  }
  if (!isEnded) block.isPlain = false
  return blocks.toReversed()
}
