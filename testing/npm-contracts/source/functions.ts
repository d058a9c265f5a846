/** The functions of a contract as its source states them: open, guarded, run once, or not decided. */
import { child, children, type Node, parametersOf, type Tree, text, typeText } from './ast.ts'
import type { Change, Reading } from './changes.ts'
import { and, type Formula, formulaOf, guardsIn, oddsIn, or, passes } from './guards.ts'
import { Interpreter } from './interpret.ts'
import { keyOf, type Part, type Stored, type Value } from './values.ts'

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

/** A member of the entries of a table, without their keys. */
function tableOf({ at, path }: Stored): string {
  // Assembly hashes keys with a seed, which tells tables apart.
  const isSeed = (key: Value): boolean => 'hash' in at && key.kind === 'constant' && key.value > 0xff_ffffn
  const nameOf = (part: Part): string => ('member' in part ? part.member : isSeed(part.key) ? keyOf(part.key) : '[]')
  return keyOf([at, path.map(nameOf)])
}

function tableGiven({ kind, at, value }: Change): readonly string[] {
  const isGiven = kind === 'write' && at !== undefined && !isRemoved(at, value)
  if (!isGiven) return []
  const keys = at.path.flatMap((part) => ('key' in part ? [part.key] : []))
  const last = keys.at(-1)
  // An element with a constant key is of no account. One that the same variable holds already moves, as in a list that shrinks.
  const isMoved = last?.kind === 'stored' && keyOf(last.at) === keyOf(at.at)
  return keys.some((key) => key.kind !== 'constant') && !isMoved ? [tableOf(at)] : []
}

/** Whether a write leaves nothing, or fewer bits than before, as in assembly. */
function isRemoved(at: Stored, value: Value | undefined): boolean {
  if (value?.kind === 'constant') return value.value === 0n
  if (value?.kind !== 'operation' || value.op !== '!=') return false
  const [before, bits] = value.args
  const isBefore = (part: Value | undefined): boolean => part !== undefined && keyOf(part) === keyOf(at)
  return isBefore(before) && bits?.kind === 'operation' && bits.op === '&' && bits.args.some(isBefore)
}

/** Tables in which the function gives every caller an entry before it requires one. */
const ownTables = (changes: readonly Change[]): ReadonlySet<string> =>
  new Set(
    changes
      .filter(({ at, when }) => at?.path.some(isSender) === true && passes(formulaOf(when), () => false, false))
      .flatMap(tableGiven),
  )

const isSender = (part: Part): boolean => 'key' in part && part.key.kind === 'sender'

function decide(
  definition: Node,
  reading: Reading,
  shared: ReadonlySet<string>,
): { readonly access: SourceAccess; readonly formula: Formula } {
  const changes = reading.changes.filter(isChange)
  const atEnd = formulaOf(reading.atEnd)
  const tables = new Set([...shared, ...ownTables(changes)])
  const formula = without(and([or(changes.map(({ when }) => formulaOf(when))), atEnd]), tables)
  if (changes.length === 0 || reading.isDead) return { access: 'view', formula }
  if (reading.isCut) return { access: 'undecided', formula }
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

/** Calls that run other code on the storage of the contract. */
const RUNS = /^(?:delegatecall|callcode|functionDelegateCall)$/

/** Slots from which proxies take their code: EIP-1967 implementation, admin and beacon, ZeppelinOS, EIP-1822. */
const POINTERS: ReadonlySet<bigint> = new Set([
  0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn,
  0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n,
  0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50n,
  0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n,
  0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7n,
])

const isPointer = ({ at }: Stored): boolean =>
  'slot' in at ? POINTERS.has(at.slot) : 'hash' in at && at.hash === 'unknown'

/**
 * Whether the source has any statement that runs other code, destroys the contract, or writes a place where proxies keep
 * their code or one that these rules do not know, in a function or in the fallback function.
 */
export function mayChangeCode(tree: Tree, contract: Node, functions: readonly SourceFunction[]): boolean {
  const fallbacks = tree.linearized(contract).flatMap((base) => children(base, 'nodes').filter(isFallback))
  const changes = [
    ...functions.flatMap((each) => each.changes),
    ...fallbacks.flatMap((definition) => new Interpreter(tree, contract).read(definition).changes),
  ]
  return changes.some(
    ({ kind, name = '', at }) =>
      kind === 'destroy' || (kind === 'call' && RUNS.test(name)) || (at !== undefined && isPointer(at)),
  )
}

const isFallback = (node: Node): boolean =>
  node.nodeType === 'FunctionDefinition' &&
  (text(node, 'kind') === 'fallback' || text(node, 'kind') === 'receive' || text(node, 'name') === '') &&
  text(node, 'kind') !== 'constructor'
