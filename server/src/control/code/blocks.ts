/**
 * What is known of the blocks of code before it is followed: their order, and which of them test at once what is on top of
 * the stack.
 */
import { bigEndian, instructions, isPush, jumpDestinations, OP, pushSize } from './instructions.ts'

type Followers = Map<number, number[]>
const ENDS: ReadonlySet<number> = new Set([OP.JUMP, OP.STOP, OP.RETURN, OP.REVERT, OP.INVALID, OP.SELFDESTRUCT])

export type Blocks = {
  readonly destinations: ReadonlySet<number>
  /** The place of each block in the order, by its position in the code: a later block has a larger number. */
  readonly places: ReadonlyMap<number, number>
  /** Destinations of jumps that branch on what is on top of the stack, as the end of `a && b`. */
  readonly tests: ReadonlySet<number>
}

/** Code is followed again and again, with inputs of other lengths. */
const KNOWN = new WeakMap<Uint8Array, Blocks>()

export function blocksOf(code: Uint8Array): Blocks {
  const known = KNOWN.get(code)
  if (known !== undefined) return known
  const destinations = jumpDestinations(code)
  const tests = new Set([...destinations].filter((at) => isTest(code, at + 1)))
  const blocks = { destinations, places: placesOf(code, destinations), tests }
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
