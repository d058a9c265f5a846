/** Recognizes a Safe and reads its owners, threshold, modules and guards. */
import type { Hex } from 'viem'
import { addressAt, addressesOf, addressOf } from './abi-values.ts'
import { type CodeFacts, callsOthers } from './code-facts.ts'
import { isBurnAddress } from './controllers.ts'
import type { Facts } from './facts.ts'
import { MalformedSignal } from './read.ts'
import { PROXY_CODES, SINGLETON_CODES, SINGLETONS } from './safe-releases.ts'
import { SLOTS } from './slots.ts'

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

/** Forwards every call to the singleton in slot 0 and does nothing else. */
function isSafeForwarder(code: CodeFacts): boolean {
  const [first, ...others] = code.delegates
  return (
    code.settled &&
    others.length === 0 &&
    first?.from === 'slot' &&
    first.slot === SLOTS.slot0 &&
    code.writes.length === 0 &&
    !code.writesAnywhere &&
    !callsOthers(code)
  )
}

function releaseOf(facts: Facts, singleton: Hex): string | undefined {
  const known = SINGLETONS.get(singleton)
  if (known !== undefined) return known
  const code = facts.sameChain(singleton).code()
  return code === undefined ? undefined : SINGLETON_CODES.get(code.hash)
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
