/** The syntax tree that solc writes, by node id. */

export type Node = { readonly id: number; readonly nodeType: string; readonly [field: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).nodeType === 'string'

export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field]
  return isNode(value) ? value : undefined
}

export function children(node: Node | undefined, field: string): readonly Node[] {
  const value = node?.[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** A list in which solc leaves gaps, such as `(bool ok, )`. */
export function places(node: Node | undefined, field: string): readonly (Node | undefined)[] {
  const value: unknown = node?.[field]
  return Array.isArray(value) ? value.map((each: unknown) => (isNode(each) ? each : undefined)) : []
}

export function text(node: Node | undefined, field: string): string {
  const value = node?.[field]
  return typeof value === 'string' ? value : ''
}

export function number(node: Node | undefined, field: string): number | undefined {
  const value = node?.[field]
  return typeof value === 'number' ? value : undefined
}

function described(node: Node | undefined, field: string): string {
  const types = node?.['typeDescriptions'] as Readonly<Record<string, unknown>> | undefined
  const value = types?.[field]
  return typeof value === 'string' ? value : ''
}

/** The type of an expression as solc writes it, such as `function (address) view external returns (bool)`. */
export const typeText = (node: Node | undefined): string => described(node, 'typeString')
export const typeId = (node: Node | undefined): string => described(node, 'typeIdentifier')

export const referenced = (node: Node | undefined): number | undefined => number(node, 'referencedDeclaration')

/** Every declaration and statement of a compilation by its id. */
export class Tree {
  readonly #byId = new Map<number, Node>()
  /** The contract that a declaration belongs to. */
  readonly #contractOf = new Map<number, Node>()

  constructor(roots: readonly Node[]) {
    for (const root of roots) this.#add(root, undefined)
  }

  #add(node: Node, contract: Node | undefined): void {
    const inside = node.nodeType === 'ContractDefinition' ? node : contract
    if (typeof node.id === 'number') {
      this.#byId.set(node.id, node)
      if (inside !== undefined) this.#contractOf.set(node.id, inside)
    }
    for (const value of Object.values(node)) {
      if (isNode(value)) this.#add(value, inside)
      else if (Array.isArray(value)) for (const each of value) if (isNode(each)) this.#add(each, inside)
    }
  }

  find(id: number | undefined): Node | undefined {
    return id === undefined ? undefined : this.#byId.get(id)
  }

  contractOf(node: Node): Node | undefined {
    return this.#contractOf.get(node.id)
  }

  /** A contract and its bases, the most derived first. */
  linearized(contract: Node): readonly Node[] {
    const ids = contract['linearizedBaseContracts']
    return Array.isArray(ids) ? ids.flatMap((id: number) => this.find(id) ?? []) : []
  }
}

export const parametersOf = (definition: Node): readonly Node[] =>
  children(child(definition, 'parameters'), 'parameters')

/** The types of the parameters, by which overloads differ. Locations and payability do not matter. */
export const parameterTypes = (definition: Node): string =>
  parametersOf(definition)
    .map((parameter) => typeText(parameter).replace(/ (?:memory|calldata|storage (?:pointer|ref)|payable)/g, ''))
    .join()

/** The implementation that a name refers to, in the first of the bases; `after`: behind one of them, as for `super`. */
export function implementationOf(tree: Tree, bases: readonly Node[], definition: Node, after?: Node): Node {
  const owner = tree.contractOf(definition)
  if (owner === undefined || !bases.includes(owner) || text(definition, 'visibility') === 'private') return definition
  const start = after === undefined ? 0 : bases.indexOf(after) + 1
  for (const base of bases.slice(start))
    for (const each of children(base, 'nodes')) {
      const isSame =
        each.nodeType === definition.nodeType &&
        text(each, 'name') === text(definition, 'name') &&
        text(each, 'kind') === text(definition, 'kind') &&
        parameterTypes(each) === parameterTypes(definition)
      if (isSame && child(each, 'body') !== undefined) return each
    }
  return definition
}

/** The function that is called, and the ether that the call states to send. */
export function unwrapped(expression: Node | undefined): { readonly callee: Node | undefined; readonly sent?: Node } {
  let callee = expression
  let sent: Node | undefined
  if (callee?.nodeType === 'FunctionCallOptions') {
    sent = children(callee, 'options')[(callee['names'] as readonly string[]).indexOf('value')]
    callee = child(callee, 'expression')
  }
  // Before 0.7: target.f.value(amount)(…).
  for (;;) {
    const option = callee?.nodeType === 'FunctionCall' ? text(child(callee, 'expression'), 'memberName') : ''
    if (option !== 'value' && option !== 'gas') return { callee, ...(sent !== undefined && { sent }) }
    if (option === 'value') [sent] = children(callee, 'arguments')
    callee = child(child(callee, 'expression'), 'expression')
  }
}

/** Whether a loop with this body may end by a statement in it. */
export const hasExit = (body: Node | undefined): boolean =>
  /"nodeType":"(?:Break|Return|InlineAssembly)"/.test(JSON.stringify(body) ?? '')

/** The members of the struct that an expression is; none for other types. */
export function membersOf(tree: Tree, node: Node | undefined): readonly Node[] {
  const [, id] = /^t_struct\$_\w+?_\$(\d+)_(?:storage|memory|calldata)/.exec(typeId(node)) ?? []
  return id === undefined ? [] : children(tree.find(Number(id)), 'members')
}

/** The arguments that build a struct in the order of its members: they may be named in another order. */
export function inOrder(tree: Tree, node: Node, args: readonly Node[]): readonly Node[] {
  const names = node['names'] as readonly string[] | undefined
  if (names === undefined || names.length === 0) return args
  return membersOf(tree, node).flatMap((member) => args[names.indexOf(text(member, 'name'))] ?? [])
}
