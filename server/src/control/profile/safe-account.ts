/** Recognizes a Safe by the contracts that Safe released, and reads its owners, threshold, modules and guards. */
import type { Hex } from 'viem'
import type { Target } from '../code/targets.ts'
import { addressAt, addressesOf, addressOf, toWord } from './abi-values.ts'
import { callsOthers } from './code-behavior.ts'
import type { CodeFacts } from './code-facts.ts'
import { isBurnAddress } from './controllers.ts'
import type { Facts } from './facts.ts'
import { isAtLeast, parseSafeVersion, safeDomain } from './safe-transaction.ts'
import { SLOTS } from './slots.ts'
import { MalformedSignal } from './state.ts'

export type SafeAccount = {
  readonly kind: 'safe'
  readonly threshold: number
  readonly owners: readonly Hex[]
  readonly modules: readonly Hex[]
  /** There are more modules than one page holds. */
  readonly moreModules: boolean
  readonly guard?: Hex
  readonly fallbackHandler?: Hex
  readonly moduleGuard?: Hex
  /** Undefined: the singleton is not one that Safe released. */
  readonly version: string | undefined
}

const SENTINEL = '0x0000000000000000000000000000000000000001'

export function safeOf(facts: Facts): SafeAccount | undefined {
  const code = facts.code()
  if (code === undefined) return undefined
  const isProxy = PROXY_CODES.has(code.hash) || isSafeForwarder(code)
  const word = facts.word('slot0')
  const singleton = word === undefined ? undefined : addressOf(word)
  const threshold = facts.uint('getThreshold')
  const owners = ownersOf(facts)
  const hasInterface =
    threshold !== undefined &&
    owners !== undefined &&
    facts.uint('nonce') !== undefined &&
    threshold >= 1n &&
    threshold <= BigInt(owners.length)
  const isReleased = singleton !== undefined && SINGLETONS.has(singleton)
  if (!PROXY_CODES.has(code.hash) && !(isProxy && isReleased) && !hasInterface) return undefined
  if (threshold === undefined || owners === undefined) throw new MalformedSignal({ code: 'safe_interface_missing' })
  const version = isProxy && singleton !== undefined ? releaseOf(facts, singleton) : undefined
  const modules = (version === FIRST_RELEASE ? allModules(facts) : undefined) ?? modulesOf(facts)
  if (threshold > BigInt(owners.length)) throw new MalformedSignal({ code: 'threshold_above_owners' })
  if (version !== undefined) {
    // Released code returns what its slots hold: a difference means that one of them was forged.
    const [stored, count] = [facts.word('slot4'), facts.word('slot3')]
    if (BigInt(stored ?? 0) !== threshold || BigInt(count ?? 0) !== BigInt(owners.length))
      throw new MalformedSignal({ code: 'safe_storage_differs' })
    if (hasStoredDomain(version) && facts.storage(DOMAIN_SLOT) !== safeDomain(facts.state.address))
      throw new MalformedSignal({ code: 'safe_storage_differs' })
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

/**
 * Releases before 1.3.0 store what signatures are bound to. With the value of another Safe, signatures that its owners gave
 * there would be valid here.
 */
const DOMAIN_SLOT = toWord(6)
const hasStoredDomain = (version: string): boolean => {
  const release = parseSafeVersion(version)
  return release !== undefined && !isAtLeast(release, 1, 3)
}

/** Forwards every call to the singleton in slot 0, returns what that returns or the singleton, and does nothing else. */
function isSafeForwarder(code: CodeFacts): boolean {
  const { settled, effects, answers } = code.effects
  const isSingleton = (target: Target | undefined): boolean => target?.type === 'slot' && target.slot === SLOTS.slot0
  return (
    settled &&
    effects.length > 0 &&
    effects.every((each) => each.kind === 'delegatecall' && each.isUnchanged === true && isSingleton(each.target)) &&
    answers.every(({ is }) => is.type === 'forwarded' || isSingleton(is)) &&
    !callsOthers(code)
  )
}

function releaseOf(facts: Facts, singleton: Hex): string | undefined {
  const known = SINGLETONS.get(singleton)
  if (known !== undefined) return known
  const there = facts.sameChain(singleton)
  const release = SINGLETON_CODES.get(there.code()?.hash ?? '0x')
  if (release === undefined) return undefined
  // Only the constructor's threshold is stored. Otherwise some account can make the singleton run, and destroy, its own code.
  const isClosed = there.word('slot4') !== undefined && there.holdsOnly([SLOTS.slot4]) === true
  return isClosed ? release : undefined
}

/** `getOwners()` of a Safe or a multisig. */
export function ownersOf(facts: Facts): readonly Hex[] | undefined {
  const data = facts.result('getOwners')
  return data === undefined ? undefined : addressesOf(data)
}

/** The first page of modules of a Safe or a Zodiac modifier. */
export function modulesOf(facts: Facts): { readonly list: readonly Hex[]; readonly more: boolean } {
  const data = facts.result('modules')
  const list = data === undefined ? undefined : addressesOf(data)
  if (data === undefined || list === undefined) return { list: [], more: true }
  const next = addressAt(data, 1)
  return { list, more: next !== undefined && next !== SENTINEL && !isBurnAddress(next) }
}

/** The first release has no pages: `getModules()` lists all. Later releases list ten there. */
const FIRST_RELEASE = '1.0.0'
const GET_MODULES: Hex = '0xb2494df3'

function allModules(facts: Facts): { readonly list: readonly Hex[]; readonly more: boolean } | undefined {
  const data = facts.call(GET_MODULES)
  const list = data === undefined ? undefined : addressesOf(data)
  return list === undefined ? undefined : { list, more: false }
}

function guardsOf(facts: Facts): Pick<SafeAccount, 'guard' | 'moduleGuard' | 'fallbackHandler'> {
  const [guard, moduleGuard] = [facts.slot('safeGuard'), facts.slot('safeModuleGuard')]
  const fallbackHandler = facts.slot('safeFallbackHandler')
  return {
    ...(guard === undefined ? {} : { guard }),
    ...(moduleGuard === undefined ? {} : { moduleGuard }),
    ...(fallbackHandler === undefined ? {} : { fallbackHandler }),
  }
}

/**
 * Singletons that Safe released and their L2 twins (npm safe-deployments), with the same address on every chain. Any other
 * singleton behind a Safe proxy is not a Safe release.
 */
export const SINGLETONS: ReadonlyMap<Hex, string> = new Map([
  ['0xb6029ea3b2c51d09a50b53ca8012feeb05bda35a', '1.0.0'],
  ['0x34cfac646f301356faa8b21e94227e3583fe3f5f', '1.1.1'],
  ['0x6851d6fdfafd08c0295c392436245e5bc78b0185', '1.2.0'],
  ['0xd9db270c1b5e3bd161e8c8503c55ceabee709552', '1.3.0'],
  ['0x69f4d1788e39c87893c980c06edf4b7f686e2938', '1.3.0'],
  ['0x3e5c63644e683549055b9be8653de26e0b4cd36e', '1.3.0'],
  ['0xfb1bffc9d739b8d520daf37df666da4c687191ea', '1.3.0'],
  ['0x41675c099f32341bf84bfc5382af534df5c7461a', '1.4.1'],
  ['0x29fcb43b46531bca003ddc8fcb67ffe91900c762', '1.4.1'],
  ['0xff51a5898e281db6dfc7855790607438df2ca44b', '1.5.0'],
  ['0xedd160febbd92e350d4d398fb636302fccd67c7e', '1.5.0'],
])

/** Code hashes of released singletons find them at other addresses. */
export const SINGLETON_CODES: ReadonlyMap<Hex, string> = new Map([
  ['0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e', '1.3.0'],
  ['0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f', '1.3.0'],
  ['0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4', '1.4.1'],
  ['0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff', '1.4.1'],
  ['0xdda019cbd7c867a533a2a86e5c53434fdc50b13122b5a5ddb4a8df61b31c20f2', '1.5.0'],
  ['0x180193227186ccb85316c94db1f0d156ed932b14712cfaac78901899178572dc', '1.5.0'],
])

export const PROXY_CODES: ReadonlySet<Hex> = new Set<Hex>([
  '0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000', // 1.3.0
  '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c', // 1.4.1
  '0x4e381985ca68b3e5d27b4425fa581c19cf33146d3f887a3cfca96f55528ea46f', // 1.5.0
])

/** Lets delegates transfer tokens of a Safe. */
export const ALLOWANCE_MODULE: Hex = '0xcfbfac74c26f8647cbdb8c5caf80bb5b61e43134'

/** Modules that cannot exceed what the owners approved: spending limits, other signature schemes. */
export const HARMLESS_MODULES: ReadonlyMap<Hex, string> = new Map([
  [ALLOWANCE_MODULE, 'Allowance module'],
  ['0x75cf11467937ce3f2f357ce24ffc3dbf8fd5c226', 'ERC-4337 module'],
  ['0xa581c4a4db7175302464ff3c06380bc3270b4037', 'ERC-4337 module'],
])
