/**
 * Who passes a guard in the present state of a contract, each account walked to its last key.
 *
 * Tables are checked entry by entry in storage: the members that events and getters name count only if the very table
 * that the code reads contains them.
 */
import type { Hex } from 'viem'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem/utils'
import type { ControlRole } from '../../../../vocabulary/control-roles.ts'
import type { Target } from '../code/targets.ts'
import type { Guard, Table } from '../powers/guards.ts'
import { addressOf, boolOf } from './abi-values.ts'
import { managedUpgraders } from './access-manager.ts'
import { classify } from './account.ts'
import type { ControlNode } from './control-node.ts'
import { child, type Walk } from './control-path.ts'
import { upgraderNode } from './controller-nodes.ts'
import { controllersOf, hasRoles, hasWards, isBurnAddress, isUnusable, rolesOf } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { entryOf, isListed } from './listed-entries.ts'
import { RELY, ROLE_GRANTED } from './listed-holders.ts'
import { proveAnswer } from './proof.ts'
import { appointingIn, doubtOfBook, HAS_ROLE, type Holders, othersIn } from './role-books.ts'
import { accessRole, DEFAULT_ADMIN, grantersOf, incomplete } from './roles.ts'
import { sourceHolders } from './source-holders.ts'
import { type History, MalformedSignal, UnreadSignal } from './state.ts'
import { wardsOf } from './upgrader.ts'

/** `facts`: the contract whose storage the code runs on. `selectors`: its functions that the guard is of. */
export function holdersOf(outer: Walk, facts: Facts, guard: Guard, selectors: readonly Hex[]): Holders {
  const walk: Walk = { ...outer, visit: (ref, hop) => outer.visit(ref, { ...hop, functions: selectors }) }
  switch (guard.type) {
    case 'constant':
      return accountHolders(walk, facts, guard.address, { code: 'caller_in_code' })
    case 'slot': {
      const account = accountIn(facts, guard.slot, guard.shift)
      return account === undefined
        ? { nodes: [] }
        : accountHolders(walk, facts, account, nameOf(facts, account) ?? { code: 'caller_in_slot', slot: guard.slot })
    }
    case 'self':
      return { nodes: [], unknown: 'self' }
    case 'member':
      return memberHolders(walk, facts, guard.table)
    case 'source':
      return sourceHolders(walk, facts, guard, holdersOf)
    case 'answer':
    default:
      return answerHolders(walk, facts, guard, selectors)
  }
}

function accountIn(facts: Facts, slot: Hex, shift: number): Hex | undefined {
  const stored = facts.storage(slot)
  if (stored === undefined) return undefined
  const account = (BigInt(stored) >> BigInt(shift)) & ((1n << 160n) - 1n)
  return account === 0n ? undefined : numberToHex(account, { size: 20 })
}

const FURTHER_GETTERS = [
  ['guardian', 'guardian'],
  ['minter', 'minter'],
  ['masterMinter', 'master_minter'],
  ['pauser', 'pauser'],
  ['blacklister', 'blacklister'],
] as const

/** The getter that names the account. */
function nameOf(facts: Facts, account: Hex): ControlRole | undefined {
  const name =
    controllersOf(facts).find(({ address }) => address === account)?.name ??
    FURTHER_GETTERS.find(([getter]) => facts.address(getter) === account)?.[1]
  const of = { kind: 'contract', address: facts.state.address } as const
  return name === undefined ? undefined : { code: 'controller', name, of }
}

function accountHolders(walk: Walk, facts: Facts, account: Hex, role: ControlRole): Holders {
  if (isBurnAddress(account)) return { nodes: [] }
  if (account === facts.state.address) return { nodes: [], unknown: 'self' }
  return { nodes: [child(walk, facts, account, { role, delaySeconds: 0, path: [facts.ref] })] }
}

/** Members of a role or wards, or those of a table that the contract's getters happen to name. */
function memberHolders(walk: Walk, facts: Facts, table: Table): Holders {
  const [first, second, ...more] = table.keys
  if (second === 'caller' && more.length === 0 && first !== undefined && first !== 'caller' && hasRoles(facts)) {
    const members = rolesOf(facts)
    const roles = first.startsWith('0x') ? [first as Hex] : first.startsWith('@') ? adminsIn(facts, members, table) : []
    if (roles.length > 0) {
      if (!members.complete && roles.some((role) => !members.roles.has(role))) throw incomplete(members)
      const listed = (role: Hex, account: Hex): boolean =>
        isListed(facts, { ...table, keys: [role, 'caller'] }, account)
      const held = roles.flatMap((role) =>
        (members.roles.get(role)?.members ?? []).map((account) => ({ role, account })),
      )
      const granted = roles.flatMap((role) => [...grantedIn(facts, role)].map((account) => ({ role, account })))
      const isKept = each(held, ({ role, account }) => listed(role, account))
      // The getter may deny members that the table has.
      const isDenied = each(granted, ({ role, account }) => listed(role, account))
      if (isKept.every(Boolean)) {
        const all = [...held, ...granted.filter((_, at) => isDenied[at])]
        const nodes = distinctMembers(all).map(({ role, account }) =>
          member(walk, facts, account, { code: 'role_member', role: accessRole(role) }),
        )
        return { ...othersIn(walk, facts, { ...table, keys: ['?0', '?0'] }, ROLE_GRANTED), nodes }
      }
    }
  }
  if (first === 'caller' && second === undefined && hasWards(facts)) {
    const wards = knownWards(facts)
    const relied = (historyOf(facts)?.relied ?? []).filter((account) => !wards.includes(account))
    const isDenied = each(relied, (ward) => isListed(facts, table, ward))
    const isKept = each(wards, (ward) => isListed(facts, table, ward))
    if (wards.length > 0 && isKept.every(Boolean))
      return {
        ...othersIn(walk, facts, { ...table, keys: ['?0'] }, RELY),
        nodes: [...wards, ...relied.filter((_, at) => isDenied[at])].map((ward) =>
          member(walk, facts, ward, { code: 'ward' }),
        ),
      }
  }
  return { nodes: namedMembers(walk, facts, table), unknown: 'table' }
}

type RoleMember = { readonly role: Hex; readonly account: Hex }

const distinctMembers = (members: readonly RoleMember[]): readonly RoleMember[] => [
  ...new Map(members.map((each) => [each.role + each.account, each])).values(),
]

const grantedIn = (facts: Facts, role: Hex): readonly Hex[] => historyOf(facts)?.granted.get(role) ?? []

const member = (walk: Walk, facts: Facts, account: Hex, role: ControlRole): ControlNode =>
  child(walk, facts, account, { role, delaySeconds: 0, path: [facts.ref] })

function knownWards(facts: Facts): readonly Hex[] {
  try {
    return wardsOf(facts)
  } catch (signal) {
    if (signal instanceof MalformedSignal) return []
    throw signal
  }
}

/** Roles whose members may grant another role. */
export const adminRoles = ({ roles }: ReturnType<typeof rolesOf>): readonly Hex[] => [
  ...new Set([DEFAULT_ADMIN, ...[...roles.values()].map(({ admin }) => admin)]),
]

/** The same, with the roles that the table itself names as those that grant a known role. Empty: another role is asked for. */
function adminsIn(facts: Facts, members: ReturnType<typeof rolesOf>, { base, keys: [asked] }: Table): readonly Hex[] {
  const [start = '', end = ''] = `@${JSON.stringify({ type: 'table', base, keys: ['|'], member: 1 })}`.split('|')
  if (asked?.startsWith(start) !== true || !asked.endsWith(end)) return []
  if (!isAnyKey(asked.slice(start.length, -end.length))) return []
  const stored = each(
    [...members.roles.keys()],
    (role) => entryOf(facts, { type: 'table', base, keys: [role], member: 1 }) ?? [],
  )
  return [...new Set([...adminRoles(members), ...stored.flat()])]
}

/** A key that the caller may choose. */
const isAnyKey = (key: string): boolean => /^\?\d+$/.test(key)

const GETTERS = ['owner', 'admin', 'governance', ...FURTHER_GETTERS.map(([getter]) => getter)] as const

/** Accounts that getters name. */
export const namedAccounts = (facts: Facts): readonly Hex[] =>
  [...new Set(GETTERS.flatMap((getter) => facts.address(getter) ?? []))].filter(
    (address) => !isBurnAddress(address) && address !== facts.state.address,
  )

/** An account that a getter names, walked to its last key. */
export const accountNode = (walk: Walk, facts: Facts, account: Hex): ControlNode =>
  member(walk, facts, account, nameOf(facts, account) ?? { code: 'caller_in_code' })

/** What events name. Where they could not be read, no list is known either. */
function historyOf(facts: Facts): History | undefined {
  try {
    return facts.members('history')
  } catch (signal) {
    if (signal instanceof MalformedSignal || signal instanceof UnreadSignal) return undefined
    throw signal
  }
}

/** Accounts that events name as members of a list. */
const listedAccounts = (facts: Facts): readonly Hex[] => {
  const history = historyOf(facts)
  return [...(history?.listed ?? []), ...(history?.relied ?? [])].filter((address) => !isBurnAddress(address))
}

/** Accounts that getters or events name and that are in the table. */
function namedMembers(walk: Walk, facts: Facts, table: Table): readonly ControlNode[] {
  if (!table.keys.every((key) => key === 'caller' || key.startsWith('0x'))) return []
  const named = [...new Set([...namedAccounts(facts), ...listedAccounts(facts)])]
  const isKept = each(named, (account) => isListed(facts, table, account))
  return named
    .filter((_, at) => isKept[at])
    .map((account) => member(walk, facts, account, nameOf(facts, account) ?? { code: 'listed' }))
}

const ABI = parseAbi(['function hasRole(bytes32,address) view returns (bool)'])
export const CAN_CALL: Hex = '0xb7009613'

/** Whether an account that controls the contract that answers is known and weak. */
const isDecisive = ({ label }: ControlNode): boolean =>
  label === 'single_key' || label === 'multisig' || label === 'short_timelock'

/** Accounts for which another contract answers yes, or the account that it returns. */
function answerHolders(
  walk: Walk,
  facts: Facts,
  guard: Guard & { readonly type: 'answer' },
  selectors: readonly Hex[],
): Holders {
  const source = contractOf(facts, guard.by)
  if (source === undefined) return { nodes: [], unknown: 'answer' }
  const there = facts.sameChain(source)
  // An account that controls the contract that answers decides too.
  const itself = member(walk, facts, source, nameOf(facts, source) ?? { code: 'caller_in_code' })
  if (there.code() === undefined) return { nodes: [itself], unknown: 'answer' }
  if (!guard.isAboutCaller) {
    const data =
      guard.selector === undefined ? undefined : (`${guard.selector}${guard.argument?.slice(2) ?? ''}` as const)
    const result = data === undefined ? undefined : there.call(data)
    const account = result === undefined ? undefined : addressOf(result)
    if (guard.selector === undefined || account === undefined) return { nodes: [itself], unknown: 'answer' }
    // The code may name other accounts to others, and accounts that can change the name decide too.
    const { accounts, holders, unproven } = proveAnswer(there, guard.selector)
    const isKnown = accounts !== undefined && unproven.length === 0
    const named = [...new Set([account, ...(accounts ?? [])])].map((each) =>
      accountHolders(walk, facts, each, { code: 'caller_in_code' }),
    )
    const changing = holders.filter(({ address }) => address !== source && !isUnusable(there, address))
    return {
      ...(isKnown ? {} : { unknown: 'answer' }),
      ...named.find(({ unknown }) => unknown !== undefined),
      nodes: [
        ...named.flatMap(({ nodes }) => nodes),
        ...changing.map((found) =>
          upgraderNode(walk, facts.state.chainId, found, { delaySeconds: 0, path: [facts.ref, there.ref] }),
        ),
        ...(isDecisive(itself) ? [itself] : []),
      ],
    }
  }
  if (guard.selector === CAN_CALL && classify(there).kind === 'access_manager')
    return {
      // Other code may answer in another way than its getters and events show.
      ...(there.code()?.release?.contract === 'AccessManager' && itself.label !== 'unknown'
        ? {}
        : { unknown: 'answer' }),
      nodes: managedUpgraders(facts, source, selectors).map((found) =>
        upgraderNode(walk, facts.state.chainId, found, { delaySeconds: 0, path: [facts.ref, there.ref] }),
      ),
    }
  if (guard.selector === HAS_ROLE && guard.argument !== undefined && hasRoles(there)) {
    const members = rolesOf(there)
    if (!members.complete && !members.roles.has(guard.argument)) throw incomplete(members)
    // An account that may grant the role there can give it to itself.
    const held = [guard.argument, ...grantersOf(members, guard.argument)].flatMap((role) =>
      (members.roles.get(role)?.members ?? []).map((account) => ({ role, account })),
    )
    const isHeld = each(held, ({ role, account }) => {
      const result = there.call(encodeFunctionData({ abi: ABI, args: [role, account] }))
      return result !== undefined && boolOf(result) === true
    })
    const appointing = appointingIn(there, (other, by) =>
      other.type === 'answer' ? { nodes: [], unknown: 'answer' } : holdersOf(walk, there, other, [by]),
    )
    return {
      ...(appointing.unknown === undefined ? doubtOfBook(walk, there, members, guard.argument) : appointing),
      nodes: [
        ...appointing.nodes,
        ...held
          .filter((_, at) => isHeld[at])
          .map(({ role, account }) => member(walk, facts, account, { code: 'role_member', role: accessRole(role) })),
        ...(isDecisive(itself) ? [itself] : []),
      ],
    }
  }
  // What a multisig answers about an account may be true for one signer.
  const account = classify(there)
  const signers = account.kind === 'safe' || account.kind === 'multisig' ? account.owners : []
  const others = signers.map((signer) => member(walk, facts, signer, { code: 'listed' }))
  return { nodes: [itself, ...others], unknown: 'answer' }
}

export function contractOf(facts: Facts, target: Target): Hex | undefined {
  if (target.type === 'constant') return target.address
  return target.type === 'slot' ? accountIn(facts, target.slot, target.shift) : undefined
}
