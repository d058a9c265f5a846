/** Evaluates constant expressions of a source: numbers, hashes, and the formula of ERC-7201. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { child, children, type Node, referenced, type Tree, text, typeText } from './ast.ts'
import { constant, UNKNOWN, type Value } from './values.ts'

const WORD = 1n << 256n
const UNITS: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3_600n,
  days: 86_400n,
  weeks: 604_800n,
}

type Constant = bigint | Uint8Array

const bytes = (value: Constant): Uint8Array =>
  typeof value === 'bigint' ? hexToBytes(value.toString(16).padStart(64, '0')) : value

/** The number of a constant expression; undefined where it is not constant. */
export function constantOf(tree: Tree, node: Node | undefined): bigint | undefined {
  const value = evaluate(tree, node, 0)
  if (typeof value === 'bigint') return ((value % WORD) + WORD) % WORD
  if (value === undefined || value.length > 32) return undefined
  // Short strings are left-aligned words.
  return BigInt(`0x${bytesToHex(value).padEnd(64, '0')}`)
}

/** The value of a state variable; undefined for a local one. */
export function variableValue(tree: Tree, declared: Node): Value | undefined {
  if (declared['stateVariable'] !== true) return undefined
  const fixed = declared['constant'] === true ? constantOf(tree, child(declared, 'value')) : undefined
  if (fixed !== undefined) return constant(fixed)
  if (declared['constant'] === true) return UNKNOWN
  // Transient storage is empty again after the transaction.
  if (text(declared, 'storageLocation') === 'transient') return UNKNOWN
  if (text(declared, 'mutability') === 'immutable') return { kind: 'immutable', id: declared.id }
  return { kind: 'stored', at: { variable: declared.id }, path: [] }
}

function evaluate(tree: Tree, node: Node | undefined, depth: number): Constant | undefined {
  if (node === undefined || depth > 24) return undefined
  const inner = (each: Node | undefined): Constant | undefined => evaluate(tree, each, depth + 1)
  switch (node.nodeType) {
    case 'Literal':
      return literal(node)
    case 'Identifier':
    case 'MemberAccess': {
      const declared = tree.find(referenced(node))
      return declared?.nodeType === 'VariableDeclaration' && declared['constant'] === true
        ? inner(child(declared, 'value'))
        : undefined
    }
    case 'TupleExpression': {
      const [only, ...more] = children(node, 'components')
      return more.length === 0 ? inner(only) : undefined
    }
    case 'UnaryOperation': {
      const value = inner(child(node, 'subExpression'))
      if (typeof value !== 'bigint') return undefined
      return text(node, 'operator') === '~' ? WORD - 1n - value : text(node, 'operator') === '-' ? -value : undefined
    }
    case 'BinaryOperation': {
      const [left, right] = [inner(child(node, 'leftExpression')), inner(child(node, 'rightExpression'))]
      return left === undefined || right === undefined ? undefined : binary(text(node, 'operator'), left, right)
    }
    case 'FunctionCall':
      return called(node, inner)
    default:
      return undefined
  }
}

function literal(node: Node): Constant | undefined {
  const [kind, value] = [text(node, 'kind'), text(node, 'value')]
  if (kind === 'bool') return value === 'true' ? 1n : 0n
  if (kind === 'string' || kind === 'unicodeString') return utf8ToBytes(value)
  if (kind === 'hexString') return hexToBytes(text(node, 'hexValue'))
  const plain = value.replaceAll('_', '')
  const unit = UNITS[text(node, 'subdenomination')] ?? 1n
  if (/^(?:0x[0-9a-f]+|\d+)$/i.test(plain)) return BigInt(plain) * unit
  const [, digits = '', fraction = '', exponent = '0'] = /^(\d*)\.?(\d*)e?(\d*)$/i.exec(plain) ?? []
  const scale = Number(exponent) - fraction.length
  return digits === '' || scale < 0 ? undefined : BigInt(digits + fraction) * 10n ** BigInt(scale) * unit
}

function binary(op: string, a: Constant, b: Constant): bigint | undefined {
  const [left, right] = [a, b].map((each) => (typeof each === 'bigint' ? each : BigInt(`0x${bytesToHex(each)}`)))
  if (left === undefined || right === undefined) return undefined
  switch (op) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0n ? undefined : left / right
    case '**':
      return right > 512n ? undefined : left ** right
    case '<<':
      return left << right
    case '>>':
      return left >> right
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    default:
      return undefined
  }
}

function called(node: Node, inner: (each: Node | undefined) => Constant | undefined): Constant | undefined {
  const args = children(node, 'arguments')
  const [first] = args
  const expression = child(node, 'expression')
  if (text(node, 'kind') === 'typeConversion') {
    const value = inner(first)
    const type = typeText(node)
    if (value instanceof Uint8Array)
      return type.startsWith('bytes') || type === 'string' ? value : BigInt(`0x${bytesToHex(value)}`)
    const [, bits] = /^u?int(\d+)$/.exec(type) ?? []
    return value === undefined || bits === undefined ? value : BigInt.asUintN(Number(bits), value)
  }
  const name = text(expression, 'name') || text(expression, 'memberName')
  if (name === 'keccak256' || name === 'sha3') {
    const value = inner(first)
    return value === undefined ? undefined : BigInt(`0x${bytesToHex(keccak_256(bytes(value)))}`)
  }
  if (name === 'encode' || name === 'encodePacked') {
    const values = args.map(inner)
    return values.every((value) => value !== undefined) ? concatBytes(...values.map(bytes)) : undefined
  }
  return undefined
}
