/** Arithmetic of the EVM on words. */
import { OP } from './instructions.ts'

const MODULUS = 1n << 256n
export const WORD_MASK = MODULUS - 1n

/** The result of an instruction with two operands; undefined for one that is not known here. */
export function fold(op: number, a: bigint, b: bigint): bigint | undefined {
  switch (op) {
    case OP.ADD:
      return (a + b) % MODULUS
    case OP.SUB:
      return (a - b + MODULUS) % MODULUS
    case OP.MUL:
      return (a * b) % MODULUS
    case OP.DIV:
      return b === 0n ? 0n : a / b
    case OP.MOD:
      return b === 0n ? 0n : a % b
    case OP.MULMOD: // by the largest number, as in products of two words
      return (a * b) % WORD_MASK
    case OP.EXP:
      return power(a, b)
    case OP.LT:
      return a < b ? 1n : 0n
    case OP.GT:
      return a > b ? 1n : 0n
    case OP.SLT:
      return BigInt.asIntN(256, a) < BigInt.asIntN(256, b) ? 1n : 0n
    case OP.SGT:
      return BigInt.asIntN(256, a) > BigInt.asIntN(256, b) ? 1n : 0n
    case OP.EQ:
      return a === b ? 1n : 0n
    case OP.AND:
      return a & b
    case OP.OR:
      return a | b
    case OP.XOR:
      return a ^ b
    case OP.BYTE:
      return a > 31n ? 0n : (b >> (8n * (31n - a))) & 0xffn
    case OP.SHL:
      return a > 255n ? 0n : (b << a) & WORD_MASK
    case OP.SHR:
      return a > 255n ? 0n : b >> a
    default:
      return undefined
  }
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor, rest] = [1n, base, exponent]
  for (; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % MODULUS
    factor = (factor * factor) % MODULUS
  }
  return result
}
