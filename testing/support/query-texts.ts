/**
 * Where sources ask the database, and whether the text of each question is fixed when the program is loaded.
 *
 * Reads syntax, not types. Whatever it cannot follow counts as not fixed: it may name too much, never too little.
 */
import { dirname, join } from 'node:path'
import {
  calleeName,
  declaredIn,
  isFunction,
  isNode,
  type Node,
  nameOf,
  type Parsed,
  parse,
  returnsOf,
} from './syntax.ts'

export type Question = {
  readonly file: string
  /** The text, where it is one literal. */
  readonly literal: string | undefined
  /** The parts of the text that are not fixed, as they are written. */
  readonly open: readonly string[]
}

/** Calls with SQL in them, and which argument it is. */
const ASKING = new Map([
  ['query', 0],
  ['copyFrom', 0],
  ['copyTo', 0],
  ['copyIn', 1],
])
/** They make an identifier of any text, by the rules of the database. */
const QUOTING = ['quoted', 'escapeIdentifier']
/** They make a fixed text of fixed texts. */
const FIXED_METHODS = ['join', 'replaceAll', 'slice']
const DECLARING = ['VariableDeclarator', 'FunctionDeclaration', 'ImportSpecifier']

type Place = { readonly file: string; readonly node: Node }

/** Every question the files ask; their names are relative to one folder. */
export function questionsIn(files: Readonly<Record<string, string>>): readonly Question[] {
  const parsed = new Map(Object.entries(files).map(([file, source]) => [file, parse(source)]))
  const inFile = (file: string): Parsed => parsed.get(file) as Parsed
  const above = ({ file, node }: Place): Node | undefined => inFile(file).parentOf(node)
  const open = ({ file, node }: Place): readonly string[] => [
    inFile(file).source.slice(node.start, node.end).replaceAll(/\s+/g, ' '),
  ]
  const openOfAll = (file: string, nodes: unknown): readonly string[] =>
    [nodes].flat().flatMap((node) => (isNode(node) ? openOf({ file, node }) : []))

  /** The parts of a text that are not fixed. */
  function openOf(place: Place): readonly string[] {
    const { file, node } = place
    switch (node.type) {
      case 'Literal':
        return []
      case 'TemplateLiteral':
        return openOfAll(file, node.expressions)
      case 'ArrayExpression':
        return openOfAll(file, node.elements)
      case 'BinaryExpression':
        return openOfAll(file, [node.left, node.right])
      case 'ConditionalExpression':
        return openOfAll(file, [node.consequent, node.alternate])
      case 'TSAsExpression':
      case 'ParenthesizedExpression':
        return openOfAll(file, node.expression)
      case 'ObjectExpression':
        return openOfObject(place)
      case 'MemberExpression':
        // Of a table of fixed texts any one is.
        return node.computed === true && openOfAll(file, node.object).length === 0 ? [] : open(place)
      case 'CallExpression':
        return openOfCall(place)
      case 'Identifier':
        return openOfName(place)
      default:
        return isFunction(node) ? openOfAll(file, returnsOf(node)) : open(place)
    }
  }

  /** A question with its values beside it, or a table of texts. */
  function openOfObject(place: Place): readonly string[] {
    const properties = place.node.properties as Node[]
    const named = (name: string) => properties.find(({ key }) => nameOf(key) === name)
    const text = named('text')
    if (text !== undefined) return openOfAll(place.file, text.value)
    return properties.flatMap(({ type, value }) => (type === 'Property' ? openOfAll(place.file, value) : open(place)))
  }

  function openOfCall(place: Place): readonly string[] {
    const { file, node } = place
    const name = calleeName(node) ?? ''
    const given = node.arguments as Node[]
    // Of a date only digits and signs come out.
    if (QUOTING.includes(name) || (name === 'toISOString' && given.length === 0)) return []
    const { type, object } = node.callee as Node
    if (type === 'Identifier') return openOfAll(file, node.callee)
    if (name === 'map') return QUOTING.includes(nameOf(given[0]) ?? '') ? [] : openOfAll(file, given)
    return FIXED_METHODS.includes(name) ? openOfAll(file, [object, ...given]) : open(place)
  }

  /** The nearest declaration around a use; of a name that is imported, the one in its own file. */
  function declarationOf({ file, node }: Place): Place | undefined {
    let around = above({ file, node })
    let found: Node | undefined
    for (; around !== undefined && found === undefined; around = above({ file, node: around }))
      found = declaredIn(around, String(node.name))
    if (found?.type !== 'ImportSpecifier') return found && { file, node: found }
    const { source } = above({ file, node: found }) as Node
    const module = join(dirname(file), String((source as Node).value))
    const exported = parsed.has(module) ? declaredIn(inFile(module).program, nameOf(found.imported) ?? '') : undefined
    return exported && { file: module, node: exported }
  }

  function openOfName(use: Place): readonly string[] {
    const declared = declarationOf(use)
    if (declared === undefined) return open(use)
    const { file, node } = declared
    if (isFunction(node)) return openOf(declared)
    const parent = above(declared) as Node
    if (isFunction(parent)) return openOfParameter(declared, use)
    if (nameOf(node.id) === undefined || parent.kind !== 'const') return open(use)
    const loop = above({ file, node: parent }) as Node
    if (loop.type === 'ForOfStatement') return openOfAll(file, loop.right)
    const { init } = node
    const isTable = isNode(init) && (init.type === 'ArrayExpression' || init.type === 'ObjectExpression')
    return isTable && !usesOf(declared).every(isOnlyRead) ? open(use) : openOfAll(file, init)
  }

  /** By their names, for there are many. */
  const names = new Map<string, Place[]>()
  for (const [file, { nodes }] of parsed)
    for (const node of nodes) {
      const name = nameOf(node)
      if (name === undefined) continue
      const places = names.get(name) ?? []
      places.push({ file, node })
      names.set(name, places)
    }

  /** Everywhere a name is used, under whatever name it was imported. */
  function usesOf(declared: Place): readonly Place[] {
    const named = names.get(nameOf(declared.node.id) ?? '') ?? []
    const aliases = named.flatMap((place) => nameOf(above(place)?.local) ?? [])
    return [...new Set([...named, ...aliases.flatMap((alias) => names.get(alias) ?? [])])].filter(
      (use) => !DECLARING.includes(above(use)?.type ?? '') && declarationOf(use)?.node === declared.node,
    )
  }

  /** A list that is handed on or called upon could be another one by the time it is used. */
  function isOnlyRead({ file, node }: Place): boolean {
    const parent = above({ file, node }) as Node
    if (parent.type === 'TSTypeQuery') return true
    const { type, left } = above({ file, node: parent }) as Node
    const isMember = parent.type === 'MemberExpression' && parent.computed === true
    return isMember && left !== parent && !['UpdateExpression', 'UnaryExpression'].includes(type)
  }

  /** A parameter is fixed where its type names each text it may be, or where every caller gives a fixed one. */
  function openOfParameter({ file, node }: Place, use: Place): readonly string[] {
    const annotation = (node.typeAnnotation as Node | undefined)?.typeAnnotation as Node | undefined
    const types = annotation?.type === 'TSUnionType' ? (annotation.types as Node[]) : [annotation]
    if (nameOf(node) !== undefined && types.every((type) => type?.type === 'TSLiteralType')) return []
    const owner = above({ file, node }) as Node
    const declarator = owner.type === 'FunctionDeclaration' ? owner : above({ file, node: owner })
    if (nameOf(node) === undefined || nameOf(declarator?.id) === undefined) return open(use)
    const index = (owner.params as Node[]).indexOf(node)
    const callers = usesOf({ file, node: declarator as Node })
    if (callers.length === 0) return open(use)
    return callers.flatMap((caller) => {
      const call = above(caller) as Node
      const given =
        call.type === 'CallExpression' && call.callee === caller.node ? (call.arguments as Node[]) : undefined
      const isClear = given?.every(({ type }) => type !== 'SpreadElement') === true
      return isClear ? openOfAll(caller.file, given[index]) : open({ file: caller.file, node: call })
    })
  }

  /** `database.query` handed on instead of called. A request's query is another thing. */
  const isHandedOn = (place: Place): boolean =>
    place.node.type === 'MemberExpression' &&
    nameOf(place.node.property) === 'query' &&
    nameOf(place.node.object) !== 'request' &&
    above(place)?.callee !== place.node

  function questionOf(place: Place): readonly Question[] {
    const { file, node } = place
    if (isHandedOn(place)) return [{ file, literal: undefined, open: open(place) }]
    const index = node.type === 'CallExpression' ? ASKING.get(calleeName(node) ?? '') : undefined
    if (index === undefined) return []
    const asked = (node.arguments as Node[])[index]
    if (asked === undefined) return [{ file, literal: undefined, open: open(place) }]
    // A stream's question is found by itself.
    if (asked.type === 'CallExpression' && ASKING.has(calleeName(asked) ?? '')) return []
    const literal = asked.type === 'Literal' ? String(asked.value) : undefined
    return [{ file, literal, open: openOf({ file, node: asked }) }]
  }

  return [...parsed].flatMap(([file, { nodes }]) => nodes.flatMap((node) => questionOf({ file, node })))
}
