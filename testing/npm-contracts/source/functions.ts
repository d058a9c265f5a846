/** The functions of a contract as its source states them: open, guarded, run once, or not decided. */
import { child, children, type Node, parametersOf, type Tree, text, typeText } from './ast.ts'
import type { Change, Reading } from './changes.ts'
import { and, type Formula, formulaOf, guardsIn, oddsIn, or, passes } from './guards.ts'
import { Interpreter } from './interpret.ts'
import { keyOf, type Stored } from './values.ts'

export type SourceAccess = 'open' | 'guarded' | 'once' | 'view' | 'undecided'

export type SourceFunction = {
  readonly selector: string
  readonly signature: string
  readonly access: SourceAccess
  /** What a caller must pass. */
  readonly formula: Formula
  readonly why: readonly string[]
  readonly changes: readonly Change[]
}

/** Modifiers that let a function run once. */
const ONCE = /^(?:initializer|reinitializer|onlyInitializing|onlyInitialization|initializable|notInitialized)$/
const ONCE_NAMES = /^(?:initialize|init|initialise|__\w+_init|setup|constructor1)\d*$/i
/** Modifiers that lock against reentrance. */
const LOCKS =
  /modifier (?:nonReentrant\w*|lock|nonreentrant|globallyNonReentrant|globallyNonReentrantOrTakeOverIfNotEntered|_?lock_?|nonreentrantView)$/

const isLock = ({ inside }: Change): boolean => inside.some((each) => LOCKS.test(each))
const isChange = (change: Change): boolean => change.kind !== 'event' && change.kind !== 'internal' && !isLock(change)

/** The functions by selector. `identifiers` is what solc calls `methodIdentifiers`. */
export function sourceFunctions(
  tree: Tree,
  contract: Node,
  identifiers: Readonly<Record<string, string>>,
): readonly SourceFunction[] {
  const readings = Object.entries(identifiers).flatMap(([signature, digits]) => {
    const definition = definitionOf(tree, contract, signature, digits)
    if (definition === undefined) return []
    const interpreter = new Interpreter(tree, contract)
    const reading = interpreter.read(definition)
    return [{ signature, selector: `0x${digits}`, definition, reading }]
  })
  /** Tables that open functions give values: not lists of privileged accounts. */
  let shared: ReadonlySet<string> = new Set()
  for (;;) {
    const found = readings.map((each) => ({ ...each, ...decide(each.definition, each.reading, shared) }))
    const grown = new Set(shared)
    for (const { access, reading } of found)
      if (access === 'open')
        for (const change of reading.changes) for (const table of tableGiven(change)) grown.add(table)
    if (grown.size === shared.size)
      return found.map(({ selector, signature, access, formula, reading }) => ({
        selector,
        signature,
        access,
        formula,
        why: oddsIn(formula),
        changes: reading.changes,
      }))
    shared = grown
  }
}

/** A table without its keys. */
const tableOf = ({ at, path }: Stored): string =>
  keyOf([at, path.map((part) => ('member' in part ? part.member : '[]'))])

function tableGiven({ kind, at, value }: Change): readonly string[] {
  const isGiven = kind === 'write' && at !== undefined && !(value?.kind === 'constant' && value.value === 0n)
  return isGiven && at.path.some((part) => 'key' in part) ? [tableOf(at)] : []
}

function decide(
  definition: Node,
  reading: Reading,
  shared: ReadonlySet<string>,
): { readonly access: SourceAccess; readonly formula: Formula } {
  const changes = reading.changes.filter(isChange)
  const atEnd = formulaOf(reading.atEnd)
  const formula = without(and([or(changes.map(({ when }) => formulaOf(when))), atEnd]), shared)
  if (changes.length === 0 || reading.isDead) return { access: 'view', formula }
  const isBarred = !passes(formula, () => false, true)
  if (isBarred) return { access: guardsIn(formula).length === 0 ? 'view' : 'guarded', formula }
  if (isOnce(definition, reading)) return { access: 'once', formula }
  return { access: passes(formula, () => false, false) ? 'open' : 'undecided', formula }
}

/** The formula in which tables that every caller can write restrict no caller. */
function without(formula: Formula, shared: ReadonlySet<string>): Formula {
  if (formula.type === 'and') return and(formula.of.map((each) => without(each, shared)))
  if (formula.type === 'or') return or(formula.of.map((each) => without(each, shared)))
  const isShared = formula.type === 'guard' && formula.guard.type === 'member' && shared.has(tableOf(formula.guard.at))
  return isShared ? { type: 'any' } : formula
}

const isOnce = (definition: Node, { modifiers }: Reading): boolean =>
  modifiers.some((name) => ONCE.test(name)) || ONCE_NAMES.test(text(definition, 'name'))

function definitionOf(tree: Tree, contract: Node, signature: string, digits: string): Node | undefined {
  const name = signature.slice(0, signature.indexOf('('))
  const count = signature.endsWith('()') ? 0 : undefined
  for (const base of tree.linearized(contract))
    for (const node of children(base, 'nodes')) {
      if (node.nodeType !== 'FunctionDefinition' || text(node, 'name') !== name || child(node, 'body') === undefined)
        continue
      if (text(node, 'visibility') !== 'public' && text(node, 'visibility') !== 'external') continue
      const selector = text(node, 'functionSelector')
      if (selector !== '' ? selector === digits : isSameSignature(node, signature, count)) return node
    }
  return undefined
}

/** For compilers that write no selectors. */
function isSameSignature(node: Node, signature: string, count: number | undefined): boolean {
  const parameters = parametersOf(node)
  if (count === 0) return parameters.length === 0
  const types = parameters.map((parameter) =>
    typeText(parameter)
      .replace(/ (?:memory|calldata|storage (?:pointer|ref)|payable)/g, '')
      .replace(/^contract \S+/, 'address')
      .replace(/^enum \S+/, 'uint8'),
  )
  return (
    signature.slice(signature.indexOf('(') + 1, -1) === types.join() || types.some((type) => type.startsWith('struct'))
  )
}
