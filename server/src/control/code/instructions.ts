/** Opcodes of the EVM, and bytecode decoded into instructions, pushed bytes and jump destinations. */

/** https://ethereum.org/en/developers/docs/evm/opcodes. Of PUSH, DUP and SWAP only those that the code names. */
export const OP = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBHASH: 0x49,
  BLOBBASEFEE: 0x4a,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  PUSH0: 0x5f,
  PUSH1: 0x60,
  PUSH2: 0x61,
  PUSH4: 0x63,
  PUSH20: 0x73,
  PUSH32: 0x7f,
  DUP1: 0x80,
  DUP16: 0x8f,
  SWAP1: 0x90,
  SWAP16: 0x9f,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const

/** Items that an instruction pops and pushes; undefined for an invalid instruction. PUSH, DUP and SWAP are not here. */
export const STACK_EFFECTS: readonly (readonly [number, number] | undefined)[] = (() => {
  const table: (readonly [number, number] | undefined)[] = Array.from({ length: 256 }, () => undefined)
  const set = (effect: readonly [number, number], ...ops: readonly number[]): void => {
    for (const op of ops) table[op] = effect
  }
  set([0, 0], OP.STOP, OP.JUMPDEST, OP.INVALID)
  set([2, 1], 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14)
  set([2, 1], 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d, OP.KECCAK256)
  set([3, 1], 0x08, 0x09, OP.CREATE)
  set([1, 1], OP.ISZERO, OP.NOT, 0x1e, 0x31, OP.CALLDATALOAD, 0x3b, 0x3f, 0x40, 0x49, OP.MLOAD, OP.SLOAD, OP.TLOAD)
  set([0, 1], 0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a)
  set([0, 1], OP.PC, 0x59, 0x5a)
  set([3, 0], OP.CALLDATACOPY, OP.CODECOPY, OP.RETURNDATACOPY, OP.MCOPY)
  set([2, 0], OP.MSTORE, OP.MSTORE8, OP.SSTORE, OP.TSTORE, OP.RETURN, OP.REVERT, OP.JUMPI)
  set([1, 0], OP.POP, OP.JUMP, OP.SELFDESTRUCT)
  set([4, 0], OP.EXTCODECOPY)
  set([4, 1], OP.CREATE2)
  set([7, 1], OP.CALL, OP.CALLCODE)
  set([6, 1], OP.DELEGATECALL, OP.STATICCALL)
  for (let topics = 0; topics <= 4; topics += 1) set([2 + topics, 0], 0xa0 + topics)
  return table
})()

const tableOf = (...ops: readonly number[]): readonly boolean[] =>
  Array.from({ length: 256 }, (_, op) => ops.includes(op))

/** Instructions whose result is given by their operands. */
export const IS_PURE = tableOf(
  OP.ADD,
  OP.MUL,
  OP.SUB,
  OP.DIV,
  OP.MOD,
  OP.EXP,
  OP.LT,
  OP.GT,
  OP.SLT,
  OP.SGT,
  OP.EQ,
  OP.ISZERO,
  OP.AND,
  OP.OR,
  OP.XOR,
  OP.NOT,
  OP.BYTE,
  OP.SHL,
  OP.SHR,
)

/** Instructions whose result is the same for a whole call: value, size of the input, block and transaction fields. */
export const IS_FIXED = tableOf(
  OP.CALLVALUE,
  OP.CALLDATASIZE,
  OP.CODESIZE,
  OP.GASPRICE,
  OP.COINBASE,
  OP.TIMESTAMP,
  OP.NUMBER,
  OP.PREVRANDAO,
  OP.GASLIMIT,
  OP.CHAINID,
  OP.BASEFEE,
  OP.BLOBBASEFEE,
)

/** Linear sweep, as the EVM does it: a JUMPDEST inside push data is not a destination. */
export function jumpDestinations(code: Uint8Array): ReadonlySet<number> {
  const destinations = new Set<number>()
  for (let at = 0; at < code.length; at = next(code, at)) if (code[at] === OP.JUMPDEST) destinations.add(at)
  return destinations
}

export const isPush = (op: number): boolean => op >= OP.PUSH0 && op <= OP.PUSH32

/** How many bytes of code a push instruction pushes. */
export const pushSize = (op: number): number => op - OP.PUSH0

/** Where the instruction after the one at a position begins. */
function next(code: Uint8Array, at: number): number {
  const op = code[at] as number
  return at + 1 + (isPush(op) ? pushSize(op) : 0)
}

/** What the instructions push that push more than an address. */
export function* largePushes(code: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < code.length; at = next(code, at)) {
    const op = code[at] as number
    if (op > OP.PUSH20 && op <= OP.PUSH32) yield code.subarray(at + 1, next(code, at))
  }
}

type Instruction = { readonly op: number; readonly at: number; readonly pushed: Uint8Array }

export function* instructions(code: Uint8Array): Generator<Instruction> {
  for (let at = 0; at < code.length; at = next(code, at))
    yield { op: code[at] as number, at, pushed: code.subarray(at + 1, next(code, at)) }
}

export function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

/** The number in a push instruction; bytes beyond the end of the code are zero. */
export function pushedValue(code: Uint8Array, at: number, size: number): bigint {
  const bytes = code.subarray(at + 1, at + 1 + size)
  return bigEndian(bytes) << BigInt(8 * (size - bytes.length))
}
