/**
 * Recognizes the account at an address that controls something: the first match wins.
 *
 * Classifies one address alone. `walk.ts` finds who controls it in turn.
 */
import type { Hex } from 'viem'
import type { AccountKind, AccountSummary } from '../../../../vocabulary/accounts.ts'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import { findChain, unaliased } from '../chains/chains.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { addressAt, uintAt } from './abi-values.ts'
import { type Controllers, controllersOf, hasRoles, hasWards, isBurnAddress } from './controllers.ts'
import type { Facts } from './facts.ts'
import { PUBLIC_ROLE } from './roles.ts'
import { modulesOf, ownersOf, type SafeAccount, safeOf } from './safe-account.ts'
import { MalformedSignal } from './state.ts'

export type Account =
  | { readonly kind: 'none' }
  | { readonly kind: 'eoa'; readonly delegatedTo?: Hex }
  | { readonly kind: 'l1_alias'; readonly origin: ContractRef }
  | SafeAccount
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

/** The kind of contract that an account is. Accounts without an entry are not contracts, or were not judged. */
export const CONTRACT_KINDS: Readonly<Partial<Record<AccountKind, ContractKind>>> = {
  safe: 'safe',
  multisig: 'multisig',
  timelock_oz: 'timelock_oz',
  timelock_compound: 'timelock_compound',
  timelock_other: 'timelock_custom',
  zodiac_delay: 'timelock_custom',
  payloads_controller: 'timelock_custom',
  governor: 'governor',
  proxy_admin: 'proxy_admin',
  executor: 'executor',
  access_manager: 'access_manager',
  wards: 'wards',
  aragon_app: 'access_aragon',
  lido_timelock: 'timelock_custom',
  ownable_contract: 'ownable',
  unknown_contract: 'unknown',
}

/** `clock`: what delay and period count; quorum is in tokens or percent. */
type VotingRules = {
  readonly clock?: 'blocks' | 'seconds'
  readonly delay?: bigint
  readonly period?: bigint
  readonly quorumPercent?: bigint
  readonly quorumVotes?: bigint
}

/** `schedule`, `queueTransaction` and the like: a contract without one of them delays nothing. */
const QUEUE_FUNCTIONS: readonly Hex[] = ['0x01d5062a', '0x3a66f901', '0x46d2fbbb', '0x8f2a0bb0']
/** `upgrade(address,address)`, `upgradeAndCall(address,address,bytes)`. */
const PROXY_ADMIN: readonly Hex[] = ['0x99a88ec4', '0x9623609d']

export function classify(facts: Facts): Account {
  const code = facts.code()
  if (code === undefined) return isBurnAddress(facts.state.address) ? { kind: 'none' } : accountWithoutCode(facts)
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

/** On a rollup an account without code may be the alias of a contract on the parent chain. */
function accountWithoutCode(facts: Facts): Account {
  const parent = findChain(facts.state.chainId)?.aliasedFrom
  if (parent === undefined) return { kind: 'eoa' }
  const origin = { chainId: parent, address: unaliased(facts.state.address) }
  const code = facts.at(origin).code()
  return code === undefined || code.delegatedTo !== undefined ? { kind: 'eoa' } : { kind: 'l1_alias', origin }
}

function multisigOf(facts: Facts): Account | undefined {
  const required = facts.uint('required')
  const owners = ownersOf(facts)
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
  const payloads = facts.result('payloadsExecutor')
  if (payloads?.length === 2 + 128 && addressAt(payloads, 0) !== undefined)
    return { kind: 'payloads_controller', delay: secondsOf(uintAt(payloads, 1) ?? 0n) }
  const cooldown = facts.uint('txCooldown')
  if (cooldown !== undefined && facts.address('avatar') !== undefined) {
    const modules = modulesOf(facts)
    if (modules.more) throw new MalformedSignal({ code: 'modules_not_listed' })
    const owner = facts.address('owner')
    return {
      kind: 'zodiac_delay',
      cooldown: secondsOf(cooldown),
      modules: modules.list,
      ...(owner === undefined ? {} : { owner }),
    }
  }
  const controllers = controllersOf(facts)
  const hasQueue = QUEUE_FUNCTIONS.some((selector) => facts.code()?.selectors.has(selector))
  if (delay !== undefined && hasQueue && controllers.length > 0)
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
    ...(timelock === undefined || isBurnAddress(timelock) ? {} : { timelock }),
    clock: isTimestamp(facts) ? 'seconds' : 'blocks',
    ...(delay === undefined ? {} : { delay }),
    ...(period === undefined ? {} : { period }),
    ...(quorumPercent === undefined ? {} : { quorumPercent }),
    ...(quorumVotes === undefined ? {} : { quorumVotes }),
  }
}

/** `mode=timestamp` as text. Governors without a clock count blocks. */
const isTimestamp = (facts: Facts): boolean =>
  facts.result('clockMode')?.includes('6d6f64653d74696d657374616d70') === true

function managerOf(facts: Facts): Account | undefined {
  const code = facts.code()
  const owner = facts.address('owner')
  if (owner !== undefined && PROXY_ADMIN.some((selector) => code?.selectors.has(selector)))
    return { kind: 'proxy_admin', owner }
  const adminRole = facts.result('adminRole')
  if (adminRole === undefined) return undefined
  if (facts.uint('adminRole') === 0n && facts.uint('publicRole') === PUBLIC_ROLE) return { kind: 'access_manager' }
  const role = facts.result('executorRole')
  return role?.length === 66 && hasRoles(facts) ? { kind: 'executor', role } : undefined
}

/** Families that are recognized but not resolved: their rules are in lists and contracts that are not read. */
function namedOnlyOf(facts: Facts): Account | undefined {
  const kernel = facts.address('kernel')
  if (kernel !== undefined && facts.result('appId') !== undefined)
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

/** Capped, so that it stays an exact number. */
const secondsOf = (seconds: bigint): number => Number(seconds > 10n ** 12n ? 10n ** 12n : seconds)

/** The account as it is stored and shown: figures instead of lists. */
export function summaryOf(account: Account): AccountSummary {
  switch (account.kind) {
    case 'l1_alias':
      return { kind: account.kind, origin: account.origin.address }
    case 'safe':
      return {
        kind: account.kind,
        threshold: account.threshold,
        owners: account.owners.length,
        ...(account.version === undefined ? {} : { version: account.version }),
      }
    case 'multisig':
      return { kind: account.kind, threshold: account.threshold, owners: account.owners.length }
    case 'timelock_oz':
    case 'timelock_compound':
    case 'timelock_other':
    case 'payloads_controller':
      return { kind: account.kind, delaySeconds: account.delay }
    case 'zodiac_delay':
      return { kind: account.kind, delaySeconds: account.cooldown }
    case 'governor': {
      const { clock, delay, period, quorumPercent, quorumVotes } = account
      return {
        kind: account.kind,
        ...(clock === undefined ? {} : { clock }),
        ...(delay === undefined ? {} : { votingDelay: String(delay) }),
        ...(period === undefined ? {} : { votingPeriod: String(period) }),
        ...(quorumPercent === undefined ? {} : { quorumPercent: String(quorumPercent) }),
        ...(quorumVotes === undefined ? {} : { quorumVotes: String(quorumVotes) }),
      }
    }
    case 'proxy_admin':
    case 'executor':
    case 'ownable_contract':
      return { kind: account.kind }
    case 'none':
    case 'eoa':
    case 'access_manager':
    case 'aragon_app':
    case 'lido_timelock':
    case 'wards':
    case 'unknown_contract':
    default:
      return account
  }
}
