/** Just enough of a syntax tree to follow a name to what it stands for. */
import { parseAst } from 'vite'

export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode)

export function* nodesIn(node: Node, isEntered: (child: Node) => boolean = () => true): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) if (isEntered(child)) yield* nodesIn(child, isEntered)
}

export type Parsed = {
  readonly source: string
  readonly nodes: readonly Node[]
  readonly program: Node
  readonly parentOf: (node: Node) => Node | undefined
}

export function parse(source: string): Parsed {
  const program = parseAst(source, { lang: 'ts' }) as unknown as Node
  const nodes = [...nodesIn(program)]
  const parents = new Map(nodes.flatMap((node) => childrenOf(node).map((child) => [child, node] as const)))
  return { source, nodes, program, parentOf: (node) => parents.get(node) }
}

export const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined

/** Of `f()` and of `a.f()`: f. */
export const calleeName = ({ callee }: Node): string | undefined =>
  nameOf(callee) ?? (isNode(callee) && callee.computed === false ? nameOf(callee.property) : undefined)

export const isFunction = ({ type }: Node): boolean =>
  ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'].includes(type)

/** What a function gives back. */
export function returnsOf({ body }: Node): readonly Node[] {
  if (!isNode(body) || body.type !== 'BlockStatement') return isNode(body) ? [body] : []
  return [...nodesIn(body, (child) => !isFunction(child))].flatMap(({ type, argument }) =>
    type === 'ReturnStatement' && isNode(argument) ? [argument] : [],
  )
}

/** What declares a name directly in this node: a parameter, a declarator, a function or an import. */
export function declaredIn(around: Node, name: string): Node | undefined {
  if (isFunction(around)) return (around.params as Node[]).find((parameter) => isBound(parameter, name))
  if (around.type === 'CatchClause' && isNode(around.param) && isBound(around.param, name)) return around.param
  if (around.type === 'ForOfStatement' || around.type === 'ForInStatement') return declaredBy(around.left as Node, name)
  if (around.type === 'ForStatement') return isNode(around.init) ? declaredBy(around.init, name) : undefined
  if (around.type !== 'BlockStatement' && around.type !== 'Program') return undefined
  for (const statement of around.body as Node[]) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    const found = isNode(declared) ? declaredBy(declared, name) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function declaredBy(statement: Node, name: string): Node | undefined {
  if (statement.type === 'FunctionDeclaration') return nameOf(statement.id) === name ? statement : undefined
  if (statement.type === 'VariableDeclaration')
    return (statement.declarations as Node[]).find(({ id }) => isBound(id as Node, name))
  if (statement.type === 'ImportDeclaration')
    return (statement.specifiers as Node[]).find(({ local }) => nameOf(local) === name)
  return undefined
}

const isType = ({ type }: Node): boolean => type.startsWith('TS')
const isBound = (pattern: Node, name: string): boolean =>
  [...nodesIn(pattern, (child) => !isType(child))].some((node) => nameOf(node) === name)
