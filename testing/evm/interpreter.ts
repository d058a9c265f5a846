/** Runs EVM code step by step on known input and storage, as far as tests of the code analysis need it. */
import assert from 'node:assert/strict'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { OP, pushedValue } from '../../server/src/control/code/instructions.ts'

const TOP = 1n << 256n
const MAX_STEPS = 3_000
/** A run that reaches beyond would cost too much. */
const MEMORY_BYTES = 0x1_0000n

export type Call = {
  readonly input: readonly bigint[]
  readonly caller?: bigint
  readonly now?: bigint
  readonly storage?: ReadonlyMap<bigint, bigint>
}

/** A store that a run made. `held`: all values that each slot has had until then, where there were several. */
export type Made = {
  readonly at: number
  readonly slot: bigint
  readonly value: bigint
  readonly held: ReadonlyMap<bigint, readonly bigint[]>
}

/** Runs code. Returns the stores of a run that ends or reverts, and undefined for one that costs too much. */
export function run(code: Uint8Array, { input, caller = 0n, now = 0n, storage }: Call): readonly Made[] | undefined {
  const memory = new Uint8Array(2 * Number(MEMORY_BYTES))
  const words = new Map(storage)
  let held: ReadonlyMap<bigint, readonly bigint[]> = new Map()
  const stack: bigint[] = []
  const made: Made[] = []
  const pop = (): bigint => stack.pop() ?? 0n
  const place = (at: bigint): number => (at > MEMORY_BYTES ? -1 : Number(at))
  const hex = (from: number, size: number): string => Buffer.from(memory.subarray(from, from + size)).toString('hex')
  let at = 0
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const op = code[at] ?? OP.STOP
    const here = at
    at += 1
    const binary = BINARY.get(op)
    if (op >= OP.PUSH0 && op <= OP.PUSH32) {
      const size = op - OP.PUSH0
      stack.push(pushedValue(code, here, size))
      at += size
    } else if (op >= OP.DUP1 && op <= OP.DUP16) stack.push(stack.at(-1 - (op - OP.DUP1)) ?? 0n)
    else if (op >= OP.SWAP1 && op <= OP.SWAP16) {
      const [top, below] = [stack.length - 1, stack.length - 2 - (op - OP.SWAP1)]
      const kept = stack[top] as bigint
      stack[top] = stack[below] as bigint
      stack[below] = kept
    } else if (binary !== undefined) stack.push(binary(pop(), pop()))
    else if (op === OP.ISZERO) stack.push(pop() === 0n ? 1n : 0n)
    else if (op === OP.NOT) stack.push(TOP - 1n - pop())
    else if (op === OP.STOP || op === OP.REVERT) return made
    else if (op === OP.POP) pop()
    else if (op === OP.CALLER) stack.push(caller)
    else if (op === OP.TIMESTAMP) stack.push(now)
    else if (op === OP.JUMP) at = Number(pop())
    else if (op === OP.JUMPI) {
      const [to, condition] = [pop(), pop()]
      if (condition !== 0n) at = Number(to)
    } else if (op === OP.CALLDATALOAD) stack.push(input[Number(pop()) / 32] ?? 0n)
    else if (op === OP.SLOAD) stack.push(words.get(pop()) ?? 0n)
    else if (op === OP.SSTORE) {
      const [slot, value] = [pop(), pop()]
      made.push({ at: here, slot, value, held })
      held = new Map(held).set(slot, [...(held.get(slot) ?? [words.get(slot) ?? 0n]), value])
      words.set(slot, value)
    } else if (op === OP.MLOAD) {
      const from = place(pop())
      if (from < 0) return undefined
      stack.push(BigInt(`0x${hex(from, 32)}`))
    } else if (op === OP.MSTORE) {
      const [to, value] = [place(pop()), pop()]
      if (to < 0) return undefined
      memory.set(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'), to)
    } else if (op === OP.MCOPY) {
      const [to, from, size] = [place(pop()), place(pop()), Number(pop())]
      if (to < 0 || from < 0) return undefined
      memory.copyWithin(to, from, from + size)
    } else if (op === OP.KECCAK256) {
      const [from, size] = [place(pop()), place(pop())]
      if (from < 0 || size < 0) return undefined
      stack.push(BigInt(`0x${Buffer.from(keccak_256(memory.subarray(from, from + size))).toString('hex')}`))
    } else assert.equal(op, OP.JUMPDEST)
  }
  return undefined
}

const flag = (holds: boolean): bigint => (holds ? 1n : 0n)

/** Instructions with two operands that depend on nothing else. */
export const BINARY: ReadonlyMap<number, (a: bigint, b: bigint) => bigint> = new Map([
  [OP.ADD, (a, b) => (a + b) % TOP],
  [OP.SUB, (a, b) => (a - b + TOP) % TOP],
  [OP.MUL, (a, b) => (a * b) % TOP],
  [OP.DIV, (a, b) => (b === 0n ? 0n : a / b)],
  [OP.LT, (a, b) => flag(a < b)],
  [OP.GT, (a, b) => flag(a > b)],
  [OP.SLT, (a, b) => flag(BigInt.asIntN(256, a) < BigInt.asIntN(256, b))],
  [OP.SGT, (a, b) => flag(BigInt.asIntN(256, a) > BigInt.asIntN(256, b))],
  [OP.EQ, (a, b) => flag(a === b)],
  [OP.AND, (a, b) => a & b],
  [OP.OR, (a, b) => a | b],
  [OP.XOR, (a, b) => a ^ b],
  [OP.BYTE, (a, b) => (a > 31n ? 0n : (b >> (248n - a * 8n)) & 0xffn)],
  [OP.SHL, (a, b) => (a > 255n ? 0n : (b << a) % TOP)],
  [OP.SHR, (a, b) => (a > 255n ? 0n : b >> a)],
])
