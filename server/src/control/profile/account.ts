/**
 * What stands at an address that controls something: the first match wins.
 *
 * Judges one address alone; who controls it in turn is the walk's question.
 */
import type { Hex } from 'viem'
import { unaliased } from '../chains/alias.ts'
import { findChain } from '../chains/chains.ts'
import { addressAt, addressesOf, addressOf, boolOf, uintAt } from './abi-values.ts'
import { asksOthers, type CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import { takersOf } from './pending-owner.ts'
import { MalformedSignal } from './read.ts'
import { PUBLIC_ROLE } from './roles.ts'
import { PROXY_CODES, SINGLETON_CODES, SINGLETONS } from './safe-releases.ts'
import { SLOTS } from './slots.ts'
import type { Place, RoleBook } from './state.ts'

export type SafeFacts = {
  readonly threshold: number
  readonly owners: readonly Hex[]
  readonly modules: readonly Hex[]
  /** There are more modules than one page holds. */
  readonly moreModules: boolean
  readonly guard?: Hex
  readonly fallbackHandler?: Hex
  readonly moduleGuard?: Hex
  /** Undefined: the program behind it is none that Safe released. */
  readonly version: string | undefined
}

export type Account =
  | { readonly kind: 'none' }
  | { readonly kind: 'eoa'; readonly delegatedTo?: Hex }
  | { readonly kind: 'l1_alias'; readonly origin: Place }
  | ({ readonly kind: 'safe' } & SafeFacts)
  | { readonly kind: 'multisig'; readonly threshold: number; readonly owners: readonly Hex[] }
  | { readonly kind: 'timelock_oz'; readonly delay: number }
  | { readonly kind: 'timelock_compound'; readonly delay: number; readonly admin: Hex }
  | { readonly kind: 'timelock_other'; readonly delay: number; readonly controllers: Controllers }
  | { readonly kind: 'zodiac_delay'; readonly cooldown: number; readonly modules: readonly Hex[]; readonly owner?: Hex }
  | { readonly kind: 'payloads_controller'; readonly delay: number }
  | ({ readonly kind: 'governor'; readonly timelock?: Hex } & VotingRules)
  | { readonly kind: 'proxy_admin'; readonly owner: Hex }
  | { readonly kind: 'executor'; readonly role: Hex }
  | { readonly kind: 'access_manager' }
  | { readonly kind: 'wards' }
  | { readonly kind: 'aragon_app'; readonly kernel: Hex; readonly isVoting: boolean }
  | { readonly kind: 'lido_timelock'; readonly governance: Hex }
  | { readonly kind: 'ownable_contract'; readonly controllers: Controllers }
  | { readonly kind: 'unknown_contract' }

/** What a governor says of its votes: blocks or seconds, tokens or a hundredth part of all, as it counts them. */
export type VotingRules = {
  readonly delay?: bigint
  readonly period?: bigint
  readonly quorumPercent?: bigint
  readonly quorumVotes?: bigint
}

/** Who a contract says controls it, and by which word. */
export type Controllers = readonly { readonly role: string; readonly address: Hex }[]

/** Keys nobody has: zero, the usual graves, the sentinel. */
export const NOBODY: ReadonlySet<Hex> = new Set<Hex>([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
])

export const isNobody = (address: Hex): boolean => NOBODY.has(address)

const SENTINEL = '0x0000000000000000000000000000000000000001'
/** Functions by which something is put in a queue: a contract that has none keeps nobody waiting. */
const QUEUES: readonly Hex[] = ['0x01d5062a', '0x3a66f901', '0x46d2fbbb', '0x8f2a0bb0']
const PROXY_ADMIN: readonly Hex[] = ['0x99a88ec4', '0x9623609d']

export function classify(facts: Facts): Account {
  if (isNobody(facts.state.address)) return { kind: 'none' }
  const code = facts.code()
  if (code === undefined) return accountWithoutCode(facts)
  if (code.delegatedTo !== undefined) return { kind: 'eoa', delegatedTo: code.delegatedTo }
  return (
    safeOf(facts) ??
    multisigOf(facts) ??
    timelockOf(facts) ??
    governorOf(facts) ??
    managerOf(facts) ??
    namedOnlyOf(facts) ??
    ownableOf(facts) ??
    (hasWards(facts) ? { kind: 'wards' } : { kind: 'unknown_contract' })
  )
}

/** On a rollup an account without code may be a contract of the chain below, acting under its alias. */
function accountWithoutCode(facts: Facts): Account {
  const below = findChain(facts.state.chainId)?.aliasedFrom
  if (below === undefined) return { kind: 'eoa' }
  const origin = { chainId: below, address: unaliased(facts.state.address) }
  const code = facts.elsewhere(origin).code()
  return code === undefined || code.delegatedTo !== undefined ? { kind: 'eoa' } : { kind: 'l1_alias', origin }
}

export function safeOf(facts: Facts): Account | undefined {
  const code = facts.code()
  if (code === undefined) return undefined
  const isProxy = PROXY_CODES.has(code.hash) || isSafeForwarder(code)
  const word = facts.word('slot0')
  const singleton = word === undefined ? undefined : addressOf(word)
  const threshold = facts.uint('getThreshold')
  const owners = listOf(facts, 'getOwners')
  const answers =
    threshold !== undefined &&
    owners !== undefined &&
    facts.uint('nonce') !== undefined &&
    threshold >= 1n &&
    threshold <= BigInt(owners.length)
  const isReleased = singleton !== undefined && SINGLETONS.has(singleton)
  if (!PROXY_CODES.has(code.hash) && !(isProxy && isReleased) && !answers) return undefined
  if (threshold === undefined || owners === undefined)
    throw new MalformedSignal('it is built as a Safe and does not answer as one')
  const version = isProxy && singleton !== undefined ? releaseOf(facts, singleton) : undefined
  const modules = (version === FIRST_RELEASE ? modulesAtOnce(facts) : undefined) ?? modulesOf(facts)
  if (threshold > BigInt(owners.length)) throw new MalformedSignal('its threshold is beyond the number of its owners')
  if (version !== undefined) {
    // Released code keeps both: what it answers and what stands in its slots can only differ if one of them lies.
    const [stored, count] = [facts.word('slot4'), facts.word('slot3')]
    if (BigInt(stored ?? 0) !== threshold || BigInt(count ?? 0) !== BigInt(owners.length))
      throw new MalformedSignal('its answers and its storage disagree about owners and threshold')
  }
  return {
    kind: 'safe',
    threshold: Number(threshold),
    owners,
    modules: modules.list,
    moreModules: modules.more,
    version,
    ...guardsOf(facts),
  }
}

/** Forwards everything to the singleton in slot 0, and can do nothing else by its own code. */
function isSafeForwarder(code: CodeFacts): boolean {
  const [first, ...others] = code.delegates
  return (
    code.settled &&
    others.length === 0 &&
    first?.from === 'slot' &&
    first.slot === SLOTS.slot0 &&
    code.writes.length === 0 &&
    !code.writesAnywhere &&
    !asksOthers(code)
  )
}

function releaseOf(facts: Facts, singleton: Hex): string | undefined {
  const known = SINGLETONS.get(singleton)
  if (known !== undefined) return known
  const code = facts.beside(singleton).code()
  return code === undefined ? undefined : SINGLETON_CODES.get(code.hash)
}

function modulesOf(facts: Facts): { readonly list: readonly Hex[]; readonly more: boolean } {
  const data = facts.answer('modules')
  const list = data === undefined ? undefined : addressesOf(data)
  if (data === undefined || list === undefined) return { list: [], more: true }
  const next = addressAt(data, 1)
  return { list, more: next !== undefined && next !== SENTINEL && !isNobody(next) }
}

/** The first release has no pages: `getModules()` lists all. Later ones have both, and list ten there. */
const FIRST_RELEASE = '1.0.0'
const GET_MODULES: Hex = '0xb2494df3'

function modulesAtOnce(facts: Facts): { readonly list: readonly Hex[]; readonly more: boolean } | undefined {
  const data = facts.call(GET_MODULES)
  const list = data === undefined ? undefined : addressesOf(data)
  return list === undefined ? undefined : { list, more: false }
}

function guardsOf(facts: Facts): Pick<SafeFacts, 'guard' | 'moduleGuard' | 'fallbackHandler'> {
  const [guard, moduleGuard] = [facts.slot('safeGuard'), facts.slot('safeModuleGuard')]
  const fallbackHandler = facts.slot('safeFallbackHandler')
  return {
    ...(guard === undefined ? {} : { guard }),
    ...(moduleGuard === undefined ? {} : { moduleGuard }),
    ...(fallbackHandler === undefined ? {} : { fallbackHandler }),
  }
}

function multisigOf(facts: Facts): Account | undefined {
  const required = facts.uint('required')
  const owners = listOf(facts, 'getOwners')
  if (required === undefined || owners === undefined || required < 1n || required > BigInt(owners.length))
    return undefined
  return { kind: 'multisig', threshold: Number(required), owners }
}

function timelockOf(facts: Facts): Account | undefined {
  const minDelay = facts.uint('getMinDelay')
  if (minDelay !== undefined && hasRoles(facts)) return { kind: 'timelock_oz', delay: secondsOf(minDelay) }
  const delay = facts.uint('delay')
  const admin = facts.address('admin')
  if (delay !== undefined && facts.uint('gracePeriod') !== undefined && admin !== undefined)
    return { kind: 'timelock_compound', delay: secondsOf(delay), admin }
  const payloads = facts.answer('payloadsExecutor')
  if (payloads?.length === 2 + 128 && addressAt(payloads, 0) !== undefined)
    return { kind: 'payloads_controller', delay: secondsOf(uintAt(payloads, 1) ?? 0n) }
  const cooldown = facts.uint('txCooldown')
  if (cooldown !== undefined && facts.address('avatar') !== undefined) {
    const modules = modulesOf(facts)
    if (modules.more) throw new MalformedSignal('its modules could not all be listed')
    const owner = facts.address('owner')
    return {
      kind: 'zodiac_delay',
      cooldown: secondsOf(cooldown),
      modules: modules.list,
      ...(owner === undefined ? {} : { owner }),
    }
  }
  const controllers = controllersOf(facts)
  const queues = QUEUES.some((selector) => facts.code()?.selectors.has(selector))
  if (delay !== undefined && queues && controllers.length > 0)
    return { kind: 'timelock_other', delay: secondsOf(delay), controllers }
  return undefined
}

function governorOf(facts: Facts): Account | undefined {
  const [delay, period] = [facts.uint('votingDelay'), facts.uint('votingPeriod')]
  if ((delay === undefined || period === undefined) && facts.address('hat') === undefined) return undefined
  const timelock = facts.address('timelock')
  const [quorumPercent, quorumVotes] = [facts.uint('quorumNumerator'), facts.uint('quorumVotes')]
  return {
    kind: 'governor',
    ...(timelock === undefined || isNobody(timelock) ? {} : { timelock }),
    ...(delay === undefined ? {} : { delay }),
    ...(period === undefined ? {} : { period }),
    ...(quorumPercent === undefined ? {} : { quorumPercent }),
    ...(quorumVotes === undefined ? {} : { quorumVotes }),
  }
}

function managerOf(facts: Facts): Account | undefined {
  const code = facts.code()
  const owner = facts.address('owner')
  if (owner !== undefined && PROXY_ADMIN.some((selector) => code?.selectors.has(selector)))
    return { kind: 'proxy_admin', owner }
  const adminRole = facts.answer('adminRole')
  if (adminRole === undefined) return undefined
  if (facts.uint('adminRole') === 0n && facts.uint('publicRole') === PUBLIC_ROLE) return { kind: 'access_manager' }
  const role = facts.answer('executorRole')
  return role?.length === 66 && hasRoles(facts) ? { kind: 'executor', role } : undefined
}

/** Known by name, and not by who leads them: their rules are in lists and contracts that are not read. */
function namedOnlyOf(facts: Facts): Account | undefined {
  const kernel = facts.address('kernel')
  if (kernel !== undefined && facts.answer('appId') !== undefined)
    return { kind: 'aragon_app', kernel, isVoting: facts.uint('voteTime') !== undefined }
  const governance = facts.address('getGovernance')
  if (governance !== undefined && facts.code()?.selectors.has(LIDO_EXECUTOR) === true)
    return { kind: 'lido_timelock', governance }
  return undefined
}

/** `getAdminExecutor()`. */
const LIDO_EXECUTOR: Hex = '0x6608e2e2'

function ownableOf(facts: Facts): Account | undefined {
  const controllers = controllersOf(facts)
  return controllers.length === 0 ? undefined : { kind: 'ownable_contract', controllers }
}

const CONTROLLER_WORDS = [
  ['owner', 'owner'],
  ['getOwner', 'owner'],
  ['admin', 'admin'],
  ['authority', 'authority'],
  ['governance', 'governance'],
  ['governor', 'governor'],
] as const

/** Everybody a contract names, each once. Nobody is named only where nobody else is. */
export function controllersOf(facts: Facts): Controllers {
  const named = new Map<Hex, string>()
  for (const [call, role] of CONTROLLER_WORDS) {
    const address = facts.address(call)
    if (address !== undefined && !named.has(address)) named.set(address, role)
  }
  for (const { role, address } of takersOf(facts)) if (!named.has(address)) named.set(address, role)
  const all = [...named].map(([address, role]) => ({ role, address }))
  const living = all.filter(({ address }) => !isNobody(address))
  return living.length > 0 ? living : all.slice(0, 1)
}

export const hasRoles = (facts: Facts): boolean => {
  const answer = facts.answer('hasRole')
  return answer !== undefined && boolOf(answer) !== undefined
}

/** The members of its roles, where it has roles. */
export function rolesOf(facts: Facts): RoleBook {
  const book = facts.book('roles')
  if (book === undefined) throw new MalformedSignal('it has roles and lists no members')
  return book
}

export const hasWards = (facts: Facts): boolean => facts.uint('wards') !== undefined

function listOf(facts: Facts, name: 'getOwners'): readonly Hex[] | undefined {
  const data = facts.answer(name)
  return data === undefined ? undefined : addressesOf(data)
}

/** A delay beyond what a number holds is longer than anyone lives. */
const secondsOf = (seconds: bigint): number => Number(seconds > 10n ** 12n ? 10n ** 12n : seconds)
