/** The data that a source passes to a call: the selector of a function, and its arguments. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { child, type Node, referenced, type Tree, text } from './ast.ts'
import { constant, INPUT, operation, type Value } from './values.ts'

/** Where the first four bytes of a word begin. */
const FIRST_BYTES = 224n

const selectorOf = (signature: string): bigint =>
  BigInt(`0x${bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4))}`)

/** Functions of tokens, for compilers that write no selectors. */
const TOKEN_SIGNATURES: Readonly<Record<string, string>> = {
  transfer: 'transfer(address,uint256)',
  transferFrom: 'transferFrom(address,address,uint256)',
  approve: 'approve(address,uint256)',
}

/** The function that an expression such as `token.transfer` names. */
function functionOf(tree: Tree, node: Node | undefined): { name: string; selector: bigint } | undefined {
  const declared = tree.find(referenced(node))
  const name = text(declared, 'name')
  const digits = text(declared, 'functionSelector')
  const known = TOKEN_SIGNATURES[name]
  if (declared?.nodeType !== 'FunctionDefinition') return undefined
  if (digits !== '') return { name, selector: BigInt(`0x${digits}`) }
  return known === undefined ? undefined : { name, selector: selectorOf(known) }
}

/** The value of `token.transfer.selector`: the first bytes of a word. */
export function selectorValue(tree: Tree, node: Node | undefined): Value | undefined {
  const named = functionOf(tree, node)
  return named === undefined ? undefined : constant(named.selector << FIRST_BYTES)
}

const nameIn = (node: Node | undefined): string =>
  text(node, 'memberName') === 'selector' ? text(child(node, 'expression'), 'memberName') : ''

/** The value of `abi.encodeWithSelector`, `abi.encodeWithSignature` or `abi.encodeCall` with a fixed function. */
export function encodedBy(
  tree: Tree,
  type: string,
  nodes: readonly Node[],
  values: readonly Value[],
): Value | undefined {
  const [, how] = /^t_function_abiencode(withselector|withsignature|call)_/.exec(type) ?? []
  const [first, second] = values
  if (how === undefined || first === undefined) return undefined
  const as = values.some(({ kind }) => kind === 'input') ? INPUT : operation('function', ...values)
  if (how === 'call') {
    const named = functionOf(tree, nodes[0])
    const passed = second?.kind === 'operation' && second.op === 'tuple' ? second.args : second ? [second] : []
    return named && { kind: 'encoded', ...named, passed, as }
  }
  const passed = values.slice(1)
  if (how === 'withsignature') {
    const signature = text(nodes[0], 'value')
    const [name = ''] = signature.split('(')
    return signature === '' ? undefined : { kind: 'encoded', selector: selectorOf(signature), name, passed, as }
  }
  if (first.kind !== 'constant') return undefined
  // A constant of four bytes is at the start of a word, a number of four bytes at its end.
  const selector = first.value >> FIRST_BYTES === 0n ? first.value : first.value >> FIRST_BYTES
  return { kind: 'encoded', selector, name: nameIn(nodes[0]), passed, as }
}
