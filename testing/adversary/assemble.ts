/** A small assembler for hand-written code. */
import { concatHex, type Hex, size, toHex } from 'viem'

// biome-ignore format: one line for each group
const OPCODES = {
  STOP: 0x00, ADD: 0x01, MUL: 0x02, SUB: 0x03, DIV: 0x04, MOD: 0x06, LT: 0x10, GT: 0x11, EQ: 0x14, ISZERO: 0x15,
  AND: 0x16, OR: 0x17, XOR: 0x18, NOT: 0x19, SHL: 0x1b, SHR: 0x1c, KECCAK256: 0x20, ADDRESS: 0x30, CALLER: 0x33,
  CALLVALUE: 0x34, CALLDATALOAD: 0x35, CALLDATASIZE: 0x36, CALLDATACOPY: 0x37, CODESIZE: 0x38, CODECOPY: 0x39,
  RETURNDATASIZE: 0x3d, RETURNDATACOPY: 0x3e, POP: 0x50, MLOAD: 0x51, MSTORE: 0x52, SLOAD: 0x54, SSTORE: 0x55,
  JUMP: 0x56, JUMPI: 0x57, PC: 0x58, MSIZE: 0x59, GAS: 0x5a, DUP1: 0x80, DUP2: 0x81, DUP3: 0x82, SWAP1: 0x90, SWAP2: 0x91,
  CALL: 0xf1, CALLCODE: 0xf2, RETURN: 0xf3, DELEGATECALL: 0xf4, REVERT: 0xfd, INVALID: 0xfe,
} as const

/**
 * Assembles words that are separated by spaces: opcodes, `0x…` (push), `@label` (push of its position), `:label` (jump
 * destination), `#label` (position without one), `&label` (its position as data) and `data:0x…` (bytes as they are).
 */
export function assemble(source: string): Hex {
  const positions = positionsIn(source)
  const position = (label: string): number => found(positions, label)
  return concatHex(wordsOf(source).map((word) => codeOf(word, position)))
}

/** Returns the position of a label in the assembled code. */
export const positionOf = (source: string, label: string): number => found(positionsIn(source), label)

function positionsIn(source: string): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  let at = 0
  for (const word of wordsOf(source)) {
    if (/^[:#]/.test(word)) positions.set(word.slice(1), at)
    at += size(codeOf(word, () => 0))
  }
  return positions
}

function found(positions: ReadonlyMap<string, number>, label: string): number {
  const position = positions.get(label)
  if (position === undefined) throw new Error(`no label ${label}`)
  return position
}

const wordsOf = (source: string): readonly string[] => source.split(/\s+/).filter((word) => word !== '')

function codeOf(word: string, position: (label: string) => number): Hex {
  if (word.startsWith(':')) return '0x5b'
  if (word.startsWith('#')) return '0x'
  if (word.startsWith('&')) return toHex(position(word.slice(1)), { size: 2 })
  if (word.startsWith('@')) return concatHex(['0x61', toHex(position(word.slice(1)), { size: 2 })])
  if (word.startsWith('data:')) return word.slice(5) as Hex
  if (word.startsWith('0x')) return concatHex([toHex(0x5f + size(word as Hex)), word as Hex])
  const opcode = OPCODES[word as keyof typeof OPCODES]
  if (opcode === undefined) throw new Error(`no opcode ${word}`)
  return toHex(opcode, { size: 1 })
}

/** Runs the code of an address in this storage with the whole calldata, and returns its answer. */
export const forwardTo = (address: string, opcode: 'DELEGATECALL' | 'CALLCODE' = 'DELEGATECALL'): string => `
  CALLDATASIZE 0x00 0x00 CALLDATACOPY
  0x00 0x00 CALLDATASIZE 0x00 ${opcode === 'CALLCODE' ? 'CALLVALUE' : ''} ${address} GAS ${opcode}
  RETURNDATASIZE 0x00 0x00 RETURNDATACOPY
  @done JUMPI RETURNDATASIZE 0x00 REVERT :done RETURNDATASIZE 0x00 RETURN`
