/**
 * Who passes a guard in the present state of a contract, each account walked to its last key.
 *
 * Tables are checked entry by entry in storage: the members that events and getters name count only if the very table
 * that the code reads contains them.
 */
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import type { ControlRole } from '../../../../vocabulary/control-roles.ts'
import type { UnknownHolders } from '../../../../vocabulary/powers.ts'
import type { Target } from '../code/effects.ts'
import type { Guard, Table } from '../powers/guards.ts'
import { addressOf, boolOf } from './abi-values.ts'
import { managedUpgraders } from './access-manager.ts'
import { classify } from './account.ts'
import type { ControlNode } from './control-node.ts'
import { child, type Walk } from './control-path.ts'
import { upgraderNode } from './controller-nodes.ts'
import { controllersOf, hasRoles, hasWards, isBurnAddress, rolesOf } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { isListed } from './listed-entries.ts'
import { accessRole, DEFAULT_ADMIN, grantersOf, incomplete } from './roles.ts'
import { MalformedSignal, UnreadSignal } from './state.ts'
import { wardsOf } from './upgrader.ts'

/** The accounts that pass, and why there may be others. */
export type Holders = { readonly nodes: readonly ControlNode[]; readonly unknown?: UnknownHolders }

/** `facts`: the contract whose storage the code runs on. */
export function holdersOf(walk: Walk, facts: Facts, guard: Guard, selector: Hex): Holders {
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
    case 'answer':
    default:
      return answerHolders(walk, facts, guard, selector)
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
    const roles = first.startsWith('0x') ? [first as Hex] : first.startsWith('@') ? adminRoles(members) : undefined
    if (roles !== undefined) {
      if (!members.complete && roles.some((role) => !members.roles.has(role))) throw incomplete(members)
      const held = roles.flatMap((role) =>
        (members.roles.get(role)?.members ?? []).map((account) => ({ role, account })),
      )
      const isKept = each(held, ({ role, account }) => isListed(facts, { ...table, keys: [role, 'caller'] }, account))
      if (isKept.every(Boolean))
        return {
          nodes: held.map(({ role, account }) =>
            member(walk, facts, account, { code: 'role_member', role: accessRole(role) }),
          ),
        }
    }
  }
  if (first === 'caller' && second === undefined && hasWards(facts)) {
    const wards = knownWards(facts)
    const isKept = each(wards, (ward) => isListed(facts, table, ward))
    if (wards.length > 0 && isKept.every(Boolean))
      return { nodes: wards.map((ward) => member(walk, facts, ward, { code: 'ward' })) }
  }
  return { nodes: namedMembers(walk, facts, table), unknown: 'table' }
}

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

const GETTERS = ['owner', 'admin', 'governance', ...FURTHER_GETTERS.map(([getter]) => getter)] as const

/** Accounts that getters name. */
export const namedAccounts = (facts: Facts): readonly Hex[] =>
  [...new Set(GETTERS.flatMap((getter) => facts.address(getter) ?? []))].filter(
    (address) => !isBurnAddress(address) && address !== facts.state.address,
  )

/** An account that a getter names, walked to its last key. */
export const accountNode = (walk: Walk, facts: Facts, account: Hex): ControlNode =>
  member(walk, facts, account, nameOf(facts, account) ?? { code: 'caller_in_code' })

/** Accounts that events name as members of a list. */
function listedAccounts(facts: Facts): readonly Hex[] {
  try {
    const history = facts.members('history')
    return [...(history?.listed ?? []), ...(history?.relied ?? [])].filter((address) => !isBurnAddress(address))
  } catch (signal) {
    // The list is not known without them either.
    if (signal instanceof MalformedSignal || signal instanceof UnreadSignal) return []
    throw signal
  }
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
export const HAS_ROLE: Hex = '0x91d14854'
export const CAN_CALL: Hex = '0xb7009613'

/** Whether the code returns one place of storage, or one account, whoever asks. */
function isFixedAnswer(there: Facts, selector: Hex | undefined): boolean {
  const { settled, answers } = there.code()?.effects ?? { settled: false, answers: [] }
  const given = answers.filter((answer) => answer.selector === undefined || answer.selector === selector)
  const [first, ...others] = new Set(given.map(({ is }) => JSON.stringify(is)))
  const isKnown = given.every(({ is }) => is.type === 'slot' || is.type === 'constant' || is.type === 'table')
  return settled && first !== undefined && others.length === 0 && isKnown
}

/** Whether an account that controls the contract that answers is known and weak. */
const isDecisive = ({ label }: ControlNode): boolean =>
  label === 'single_key' || label === 'multisig' || label === 'short_timelock'

/** Accounts for which another contract answers yes, or the account that it returns. */
function answerHolders(walk: Walk, facts: Facts, guard: Guard & { readonly type: 'answer' }, selector: Hex): Holders {
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
    if (account === undefined) return { nodes: [itself], unknown: 'answer' }
    const found = accountHolders(walk, facts, account, { code: 'caller_in_code' })
    const doubt = isFixedAnswer(there, guard.selector) ? {} : { unknown: 'answer' as const }
    return { ...doubt, ...found, nodes: [...found.nodes, ...(isDecisive(itself) ? [itself] : [])] }
  }
  if (guard.selector === CAN_CALL && classify(there).kind === 'access_manager')
    return {
      nodes: managedUpgraders(facts, source, [selector]).map((found) =>
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
    return {
      nodes: [
        ...held
          .filter((_, at) => isHeld[at])
          .map(({ role, account }) => member(walk, facts, account, { code: 'role_member', role: accessRole(role) })),
        ...(isDecisive(itself) ? [itself] : []),
      ],
    }
  }
  return { nodes: [itself], unknown: 'answer' }
}

export function contractOf(facts: Facts, target: Target): Hex | undefined {
  if (target.type === 'constant') return target.address
  return target.type === 'slot' ? accountIn(facts, target.slot, target.shift) : undefined
}
