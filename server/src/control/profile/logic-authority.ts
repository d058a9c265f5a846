/**
 * Who passes the guard of an upgrade function that is part of the logic (UUPS), or of a diamond with roles.
 *
 * The function asks an owner, a role or a manager, and its code does not say which. So everybody who could be meant is
 * a root, and where the chain can be asked what it would do, it is: a call from an address that succeeds settles it.
 */
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { classify, controllersOf, hasRoles, isNobody } from './account.ts'
import type { CodeFacts } from './code.ts'
import { each, type Facts, MalformedSignal } from './facts.ts'
import { UnreadSignal } from './read.ts'
import { DEFAULT_ADMIN, grantersOf, ROLE_NAMES, roleNamed } from './roles.ts'
import { addressOf, uintOf } from './words.ts'

export type Root = {
  readonly address: Hex
  /** How the sentence about it begins: "Proxy admin", "UUPS owner". */
  readonly role: string
  /** Seconds every change by this root must wait, whoever it is. */
  readonly delay: number
  /** Not the address itself decides, but so many of these, who sign. */
  readonly quorum?: { readonly needed: number; readonly members: readonly Hex[]; readonly text: string }
}

const UPGRADE_ABI = parseAbi([
  'function upgradeToAndCall(address,bytes)',
  'function upgradeTo(address)',
  'function getTargetFunctionRole(address,bytes4) view returns (uint64)',
])
const UPGRADE_SELECTORS: readonly Hex[] = ['0x4f1ef286', '0x3659cfe6']
/** Holds nothing and is nobody's: what it may do, anyone may. */
const STRANGER: Hex = '0x57a6e5c0de000000000000000000000000000001'

export function uupsRoots(facts: Facts, implementation: Hex, logic: CodeFacts | undefined): readonly Root[] {
  const owner = ownerOf(facts)
  const authority = facts.address('authority')
  const isManaged =
    authority !== undefined && !isNobody(authority) && classify(facts.beside(authority)).kind === 'access_manager'
  const roots: Root[] = [
    ...(isManaged ? managedRoots(facts, authority) : []),
    ...(hasRoles(facts) ? roleRoots(facts, 'UUPS', true) : []),
  ]
  const named = controllersOf(facts).filter(({ address }) => !isManaged || address !== authority)
  if (roots.length === 0 && owner !== undefined) roots.push({ address: owner, role: 'UUPS owner', delay: 0 })
  else if (roots.length === 0)
    roots.push(...named.map(({ role, address }) => ({ address, role: `UUPS ${role}`, delay: 0 })))

  if (roots.length === 0 && isAllRenounced(facts))
    roots.push({ address: NOBODY, role: 'Holder of any role of it', delay: 0 })

  // Whoever else the code may mean is tried: an owner kept for other things is refused, a hidden key is not.
  const others: Root[] = [
    ...named.map(({ role, address }) => ({ address, role: `UUPS ${role}`, delay: 0 })),
    ...(logic?.senders ?? []).map((address) => ({ address, role: 'Address in the code of the logic', delay: 0 })),
    ...hiddenKeys(facts, logic?.senderSlots ?? []),
    ...otherMembers(facts),
    { address: STRANGER, role: 'The upgrade is open to anyone, for example', delay: 0 },
  ]
  const untried = others.filter(
    ({ address }, at) =>
      !isNobody(address) &&
      !roots.some((root) => root.address === address) &&
      others.findIndex((other) => other.address === address) === at,
  )
  const passes = each(untried, ({ address }) => mayUpgrade(facts, implementation, logic?.selectors ?? NONE, address))
  return [...roots, ...untried.filter((_, at) => passes[at] === true)]
}

const NONE: ReadonlySet<Hex> = new Set()

/** What the getter says, held against the slot where OpenZeppelin 5 keeps it. */
function ownerOf(facts: Facts): Hex | undefined {
  const owner = facts.address('owner') ?? facts.address('getOwner')
  const stored = facts.slot('ownable5')
  if (stored !== undefined && owner !== undefined && stored !== owner)
    throw new MalformedSignal('owner() and the slot of the owner disagree')
  return owner
}

/** Accounts in slots that the code compares its sender with. */
function hiddenKeys(facts: Facts, slots: readonly Hex[]): readonly Root[] {
  const words = each(slots, (slot) => facts.storage(slot))
  return words.flatMap((word, at) => {
    const address = word === undefined ? undefined : addressOf(word)
    return address === undefined ? [] : [{ address, role: `Address in slot ${slots[at]}`, delay: 0 }]
  })
}

const NOBODY: Hex = '0x0000000000000000000000000000000000000000'

/** Roles were granted once, all of them are known, and nobody holds one any more. */
function isAllRenounced(facts: Facts): boolean {
  const book = hasRoles(facts) ? facts.book('roles') : undefined
  return book?.complete === true && [...book.roles.values()].every(({ members }) => members.length === 0)
}

/** Members of roles that are not known to be about upgrades. */
function otherMembers(facts: Facts): readonly Root[] {
  if (!hasRoles(facts)) return []
  const book = facts.book('roles')
  return [...(book?.roles ?? [])].flatMap(([role, { members }]) =>
    members.map((address) => ({ address, role: `UUPS ${ROLE_NAMES.get(role) ?? `role ${role}`} member`, delay: 0 })),
  )
}

/** Whether the chain would let `from` put the same logic in its place again, which changes nothing. */
function mayUpgrade(facts: Facts, implementation: Hex, selectors: ReadonlySet<Hex>, from: Hex): boolean {
  const [andCall, plain] = UPGRADE_SELECTORS
  const data = selectors.has(andCall as Hex)
    ? encodeFunctionData({ abi: UPGRADE_ABI, functionName: 'upgradeToAndCall', args: [implementation, '0x'] })
    : selectors.has(plain as Hex)
      ? encodeFunctionData({ abi: UPGRADE_ABI, functionName: 'upgradeTo', args: [implementation] })
      : undefined
  return data !== undefined && facts.call(data, from) !== undefined
}

/** Members of the upgrader role, of whatever role may grant it, and of the role above all. */
export function roleRoots(facts: Facts, what: string, isAnyRole = false): readonly Root[] {
  const book = facts.book('roles')
  if (book === undefined) return []
  if (isAnyRole && !book.complete) throw new UnreadSignal('every role of it', 'its events could not be read')
  const upgrader = roleNamed('UPGRADER_ROLE')
  const roots: Root[] = []
  const wanted = new Set<Hex>([upgrader, ...grantersOf(book, upgrader), DEFAULT_ADMIN])
  for (const role of wanted)
    for (const address of book.roles.get(role)?.members ?? [])
      if (!roots.some((root) => root.address === address))
        roots.push({ address, role: `${what} ${ROLE_NAMES.get(role) ?? `role ${role}`} member`, delay: 0 })
  return roots
}

/** Members of the manager's admin role and of the role that this contract's upgrade function asks for. */
export function managedRoots(facts: Facts, manager: Hex): readonly Root[] {
  const there = facts.beside(manager)
  const book = there.book('manager')
  if (book === undefined) return []
  const wanted = new Map<string, string>([['0', 'AccessManager ADMIN_ROLE member']])
  const asked = each(UPGRADE_SELECTORS, (selector) =>
    there.call(
      encodeFunctionData({
        abi: UPGRADE_ABI,
        functionName: 'getTargetFunctionRole',
        args: [facts.state.address, selector],
      }),
    ),
  )
  for (const answer of asked) {
    const role = answer === undefined ? undefined : uintOf(answer)
    if (role !== undefined && role !== 0n) wanted.set(role.toString(), `AccessManager role ${role} member`)
  }
  const roots = [...wanted].flatMap(([role, title]) =>
    (book.get(role) ?? []).map(({ account, delay }) => ({ address: account, role: title, delay })),
  )
  if (wanted.has((2n ** 64n - 1n).toString()))
    roots.push({ address: STRANGER, role: 'AccessManager opens the upgrade to anyone, for example', delay: 0 })
  return roots
}
