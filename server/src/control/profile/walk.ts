/**
 * From a controller to the people behind it: every path, each with the delay that all its changes must pass.
 *
 * Pure: states it lacks become needs, and the walk is made again with them. What could not be read makes its path
 * unknown, never weaker or stronger.
 */
import type { Hex } from 'viem'
import { type Account, type Controllers, classify, controllersOf, isNobody } from './account.ts'
import { upgradeAuthority } from './authority.ts'
import { type ControlNode, type PathLabel, type Seat, weakestPath } from './control-node.ts'
import { each, type Facts, type Ledger, MalformedSignal, PendingSignal } from './facts.ts'
import { labelByDelay } from './label.ts'
import { managedRoots, type Root } from './logic-authority.ts'
import { UnreadSignal } from './read.ts'
import { EXECUTOR, grantersOf, PROPOSER, ROLE_NAMES } from './roles.ts'
import { HARMLESS_MODULES } from './safe-releases.ts'
import { delayNote, describe } from './sentences.ts'
import { type Place, placeKey } from './state.ts'
import { keysNeeded, type Signer } from './threshold.ts'

/** More hops than anyone builds on purpose. */
const MOST_HOPS = 8
/** Accounts in one tree: a bound against trees grown to stop us. */
const MOST_NODES = 400

export type Walk = {
  readonly ledger: Ledger
  readonly nameOf: (place: Place) => string | undefined
  /** What could not be read on the way. */
  readonly unread: Set<string>
  count: number
}

type Hop = { readonly role: string; readonly delay: number; readonly path: readonly Place[] }
type Judged = Pick<ControlNode, 'label' | 'notes' | 'paths'> & Pick<Partial<ControlNode>, 'signers' | 'delay'>

export function walk(to: Walk, place: Place, hop: Hop): ControlNode {
  const base = { ...place, role: hop.role, delay: hop.delay, notes: [], paths: [] }
  const isOnPath = hop.path.some((passed) => placeKey(passed) === placeKey(place))
  if (isOnPath) return { ...base, kind: 'unjudged', text: `${place.address} again`, label: 'circular' }
  to.count += 1
  // The path begins with the contract itself, which is no hop.
  if (hop.path.length - 1 > MOST_HOPS || to.count > MOST_NODES) {
    const text = `${place.address}, beyond ${MOST_HOPS} hops or ${MOST_NODES} accounts`
    return { ...base, kind: 'unjudged', text, label: 'unknown' }
  }
  return guarded(to, base, () => {
    const facts = to.ledger.at(place)
    const account = classify(facts)
    const judged = judge(to, facts, account, { ...hop, path: [...hop.path, place] })
    return { ...base, kind: account.kind, text: describe(account, place.address, to.nameOf(place)), ...judged }
  })
}

/** A judgement that lacks something is unknown, and says what. */
export function guarded(
  to: Walk,
  base: Omit<ControlNode, 'kind' | 'text' | 'label'>,
  judgement: () => ControlNode,
): ControlNode {
  try {
    return judgement()
  } catch (signal) {
    const failed = { ...base, kind: 'unjudged', label: 'unknown', text: base.address } as const
    if (signal instanceof PendingSignal) return failed
    if (signal instanceof MalformedSignal) return { ...failed, notes: [`${base.address}: ${signal.message}.`] }
    if (!(signal instanceof UnreadSignal)) throw signal
    const what = `${signal.what} of ${base.address} could not be read (${signal.message})`
    to.unread.add(what)
    return { ...failed, notes: [`${what[0]?.toUpperCase()}${what.slice(1)}.`] }
  }
}

function judge(to: Walk, facts: Facts, account: Account, hop: Hop): Judged {
  const longer = (delay: number): Hop => ({ ...hop, delay: Math.max(hop.delay, delay) })
  switch (account.kind) {
    case 'none':
      return { label: 'immutable', notes: [], paths: [] }
    case 'eoa': {
      const notes = hop.delay > 0 ? ['A delay does not make one key more than one: it alone decides what comes.'] : []
      return { label: 'single_key', notes, paths: [] }
    }
    case 'l1_alias':
      return through([walk(to, account.origin, { ...hop, role: 'The L1 contract behind the alias' })])
    case 'safe':
      return judgeSafe(to, facts, account, hop)
    case 'multisig':
      return signersOf(to, facts, account, hop)
    case 'timelock_oz':
      return judgeTimelock(to, facts, account.delay, hop)
    case 'timelock_compound':
      return judgeQueue(to, facts, account.delay, [{ role: 'Admin of the timelock', address: account.admin }], hop)
    case 'timelock_other': {
      const controllers = account.controllers.map(({ role, address }) => ({ role: `Timelock ${role}`, address }))
      return judgeQueue(to, facts, account.delay, controllers, hop)
    }
    case 'zodiac_delay':
      return through([
        ...account.modules.map((address) =>
          child(to, facts, address, { ...longer(account.cooldown), role: 'Module of the delay' }),
        ),
        ...(account.owner === undefined
          ? []
          : [child(to, facts, account.owner, { ...hop, role: 'Owner of the delay' })]),
        ...ownUpgrade(to, facts, hop),
      ])
    case 'payloads_controller': {
      const { delay } = longer(account.delay)
      return through(ownUpgrade(to, facts, hop), delay, labelByDelay(delay), [
        'Payloads arrive from the vote of token holders.',
      ])
    }
    case 'governor':
      return judgeGovernor(to, facts, account.timelock, hop)
    case 'proxy_admin':
      return through([
        child(to, facts, account.owner, { ...hop, role: `Owner of ProxyAdmin ${facts.state.address}` }),
        ...ownUpgrade(to, facts, hop),
      ])
    case 'executor':
      return through([...roleMembers(to, facts, account.role, hop), ...ownUpgrade(to, facts, hop)])
    case 'access_manager':
      return judgeManager(to, facts, hop)
    case 'ownable_contract':
      return through([
        ...account.controllers.map(({ role, address }) =>
          child(to, facts, address, { ...hop, role: `The ${role} of ${facts.state.address}` }),
        ),
        ...ownUpgrade(to, facts, hop),
      ])
    case 'unknown_contract':
    default:
      return { label: 'unknown', notes: [], paths: [] }
  }
}

const child = (to: Walk, facts: Facts, address: Hex, hop: Hop): ControlNode =>
  walk(to, { chainId: facts.state.chainId, address }, hop)

/** The weakest of the paths, and of what the account itself is worth where that is known. */
function through(
  paths: readonly ControlNode[],
  delay?: number,
  own?: PathLabel,
  notes: readonly string[] = [],
): Judged {
  const labels = paths.map((path) => path.label)
  return {
    label: weakestPath(own === undefined ? labels : [own, ...labels]),
    paths,
    notes,
    ...(delay === undefined ? {} : { delay }),
  }
}

/** Whoever can replace the code of a controller controls what it controls, without the delay it would impose. */
function ownUpgrade(to: Walk, facts: Facts, hop: Hop): readonly ControlNode[] {
  const authority = upgradeAuthority(facts)
  if (authority.type === 'immutable') return []
  if (authority.type === 'roots') return authority.roots.map((root) => rootNode(to, facts.state.chainId, root, hop))
  const node = { ...facts.place, role: 'Its own logic', kind: 'unjudged', delay: hop.delay, paths: [] } as const
  const known = (authority.roots ?? []).map((root) => rootNode(to, facts.state.chainId, root, hop))
  return [{ ...node, text: 'replaceable by nobody knows whom', label: 'unknown', notes: authority.notes }, ...known]
}

export function rootNode(to: Walk, chainId: number, root: Root, hop: Omit<Hop, 'role'>): ControlNode {
  const { quorum, role } = root
  if (quorum !== undefined) {
    const place = { chainId, address: root.address }
    const base = { ...place, role, delay: hop.delay, notes: [], paths: [] }
    return guarded(to, base, () => {
      const group = { threshold: quorum.needed, owners: quorum.members }
      return {
        ...base,
        kind: 'multisig',
        text: quorum.text,
        ...signersOf(to, to.ledger.at(place), group, { ...hop, role }),
      }
    })
  }
  const node = walk(
    to,
    { chainId, address: root.address },
    { ...hop, role: root.role, delay: Math.max(hop.delay, root.delay) },
  )
  if (root.delay <= 0 || root.delay <= hop.delay) return node
  return { ...node, notes: [`What it does comes ${delayNote(root.delay)}.`, ...node.notes] }
}

function judgeSafe(to: Walk, facts: Facts, safe: Account & { kind: 'safe' }, hop: Hop): Judged {
  if (safe.version === undefined) {
    const named = controllersOf(facts).map(({ role, address }) =>
      child(to, facts, address, { ...hop, role: `The ${role} of ${facts.state.address}` }),
    )
    return through(named, undefined, 'unknown', [
      `The program behind ${facts.state.address} is none that Safe released (unofficial singleton).`,
    ])
  }
  if (safe.threshold < 1)
    return {
      label: 'unknown',
      paths: [],
      notes: [`Safe ${facts.state.address} was never set up: whoever comes first takes it.`],
    }
  const signed = signersOf(to, facts, safe, hop)
  const modules = safe.modules.map((module) => moduleNode(to, facts, module, hop))
  const notes = [...signed.notes]
  if (safe.modules.length > 0) {
    const count = safe.modules.length === 1 ? '1 module' : `${safe.modules.length} modules`
    notes.push(`Safe ${facts.state.address} has ${count} that can act without signatures: ${safe.modules.join(', ')}.`)
  }
  if (safe.guard !== undefined) notes.push(`Its transactions pass guard ${safe.guard}.`)
  if (safe.moduleGuard !== undefined) notes.push(`Its modules pass guard ${safe.moduleGuard}.`)
  const labels: PathLabel[] = [signed.label, ...modules.flatMap((module) => module?.label ?? [])]
  if (safe.moreModules) {
    labels.push('unknown')
    notes.push('Its modules could not all be listed.')
  }
  return { ...signed, notes, label: weakestPath(labels), paths: modules.filter((module) => module !== undefined) }
}

/** A module's path; undefined for one that can do no harm, and for one that nobody can judge, which is only named. */
function moduleNode(to: Walk, facts: Facts, module: Hex, hop: Hop): ControlNode | undefined {
  if (HARMLESS_MODULES.has(module)) return undefined
  const role = `Module of Safe ${facts.state.address}`
  const node = child(to, facts, module, { ...hop, role })
  if (node.kind !== 'unknown_contract') return node
  // Its code is its own affair as long as it stays what it is: whoever can replace it can act through it.
  const there = facts.beside(module)
  const paths = ownUpgrade(to, there, { ...hop, role, path: [...hop.path, there.place] })
  return paths.length === 0 ? undefined : { ...node, label: weakestPath(paths.map(({ label }) => label)), paths }
}

function signersOf(
  to: Walk,
  facts: Facts,
  group: { readonly threshold: number; readonly owners: readonly Hex[] },
  hop: Hop,
): Judged {
  const signer = groupOf(facts, group, hop.path)
  const needed = keysNeeded(signer)
  const isNested = signer.members.some((member) => member.type === 'group')
  const notes: string[] = []
  if (isNested) notes.push(`Its owners are ${nestedText(signer)}; ${needed ?? 'no'} keys suffice at least.`)
  const signers = group.owners.map((owner) => seatOf(to, facts, owner))
  if (needed === undefined)
    return {
      label: 'immutable',
      paths: [],
      signers,
      notes: [...notes, 'Too few of its signers are held by anyone: it can never sign.'],
    }
  if (needed === 1) {
    const why = group.threshold === 1 ? 'Its threshold is 1' : 'One key signs for all the owners it needs'
    return { label: 'single_key', paths: [], signers, notes: [...notes, `${why}: a single key suffices.`] }
  }
  if (hop.delay <= 0) notes.push('Its signers act with no delay.')
  return { label: labelByDelay(hop.delay), paths: [], signers, notes }
}

type Group = Signer & { readonly type: 'group' }

function groupOf(
  facts: Facts,
  group: { readonly threshold: number; readonly owners: readonly Hex[] },
  path: readonly Place[],
): Group {
  const members = each(group.owners, (owner) => signerOf(facts.beside(owner), path))
  return { type: 'group', needed: group.threshold, members }
}

function signerOf(facts: Facts, path: readonly Place[]): Signer {
  const account = classify(facts)
  const id = facts.state.address
  if (account.kind === 'none') return { type: 'nobody' }
  if (account.kind === 'l1_alias') return signerOf(facts.elsewhere(account.origin), path)
  const isNested = account.kind === 'multisig' || (account.kind === 'safe' && account.version !== undefined)
  // A group that contains itself, or hides in groups without end, is counted as one key: never more than it is.
  const isCircular = path.some((passed) => placeKey(passed) === placeKey(facts.place)) || path.length > MOST_HOPS
  if (!isNested || isCircular) return { type: 'key', id }
  const group = groupOf(facts, account, [...path, facts.place])
  const modules = account.kind === 'safe' ? account.modules.filter((module) => !HARMLESS_MODULES.has(module)) : []
  if (modules.length === 0) return group
  // A module signs for it alone, whatever the owners say.
  const others = modules.map((module): Signer => ({ type: 'key', id: module }))
  return { type: 'group', needed: 1, members: [group, ...others] }
}

function nestedText(signer: Group): string {
  const nested = signer.members.filter((member) => member.type === 'group')
  const sizes = nested.map(({ needed, members }) => `${needed} of ${members.length}`)
  return `${nested.length === 2 ? 'two' : nested.length} nested Safes (${sizes.join(', ')})${nested.length < signer.members.length ? ' and others' : ''}`
}

function seatOf(to: Walk, facts: Facts, owner: Hex): Seat {
  const there = facts.beside(owner)
  const account = classify(there)
  return { address: owner, text: describe(account, owner, to.nameOf(there.place)), kind: account.kind }
}

function judgeTimelock(to: Walk, facts: Facts, delay: number, hop: Hop): Judged {
  const held: Hop = { ...hop, delay: Math.max(hop.delay, delay) }
  const proposers = roleMembers(to, facts, PROPOSER, held)
  const book = facts.book('roles')
  const notes: string[] = []
  const executors = book?.roles.get(EXECUTOR)?.members ?? []
  if (executors.some((address) => BigInt(address) === 0n))
    notes.push('Anyone may execute after the delay (open executor).')
  // A timelock of OpenZeppelin has no owner; one that names an owner may have doors that do not wait.
  const doors = controllersOf(facts)
    .filter(({ address }) => !isNobody(address))
    .map(({ role, address }) =>
      child(to, facts, address, { ...hop, role: `The ${role} of timelock ${facts.state.address}` }),
    )
  const paths = [...proposers, ...doors, ...ownUpgrade(to, facts, hop)]
  if (paths.length > 0) return through(paths, held.delay, undefined, notes)
  if (book === undefined) return { label: 'unknown', paths, notes: ['Who may propose could not be told.'] }
  return { label: 'immutable', paths, delay: held.delay, notes: ['Nobody can schedule anything in it any more.'] }
}

/** Functions that change a delay: `setDelay(uint256)`, `updateDelay(uint256)`. */
const DELAY_SETTERS: readonly Hex[] = ['0xe177246e', '0x64d62353']

/** A timelock led by those it names; where one of them can set the delay at will, it keeps nobody waiting. */
function judgeQueue(to: Walk, facts: Facts, delay: number, controllers: Controllers, hop: Hop): Judged {
  const setters = DELAY_SETTERS.filter((selector) => facts.code()?.selectors.has(selector))
  const trials = controllers.flatMap(({ address }) => setters.map((selector) => ({ address, selector })))
  const passes = each(trials, ({ address, selector }) => facts.call(`${selector}${'0'.repeat(64)}`, address))
  const isAtWill = passes.some((answer) => answer !== undefined)
  const held: Hop = { ...hop, delay: isAtWill ? hop.delay : Math.max(hop.delay, delay) }
  const paths = [
    ...controllers.map(({ role, address }) => child(to, facts, address, { ...held, role })),
    ...ownUpgrade(to, facts, hop),
  ]
  const note = 'Whoever leads the timelock can set its delay to zero at once: it delays nothing.'
  return through(paths, held.delay, undefined, isAtWill ? [note] : [])
}

/** Members of a role and of every role that may grant it, but not the contract itself: it administers itself by them. */
function roleMembers(to: Walk, facts: Facts, role: Hex, hop: Hop): readonly ControlNode[] {
  const book = facts.book('roles')
  if (book === undefined) throw new UnreadSignal('the members of its roles', 'it lists none')
  const granters = grantersOf(book, role)
  const missing = [role, ...granters].find((wanted) => !book.roles.has(wanted))
  if (missing !== undefined && !book.complete)
    throw new UnreadSignal('the members of its roles', 'they are not enumerable and its events could not be read')
  const seen = new Set<Hex>([facts.state.address])
  return [role, ...granters].flatMap((each) => {
    const name = ROLE_NAMES.get(each) ?? `role ${each}`
    const title =
      each === role
        ? role === PROPOSER
          ? 'Proposer'
          : `${name} member`
        : `${name} member, who may grant ${ROLE_NAMES.get(role) ?? role},`
    const members = (book.roles.get(each)?.members ?? []).filter((address) => !seen.has(address))
    for (const address of members) seen.add(address)
    return members.map((address) => child(to, facts, address, { ...hop, role: title }))
  })
}

/** Votes take days of their own, yet only a timelock that nobody else can use is a delay one can count on. */
function judgeGovernor(to: Walk, facts: Facts, timelock: Hex | undefined, hop: Hop): Judged {
  const delay = Math.max(hop.delay, timelock === undefined ? 0 : soleDelay(facts, timelock))
  const notes = delay > 0 ? [] : ['There is no timelock between its vote and the change.']
  // Whoever stands above the vote, or beside it as the guardian of GovernorAlpha does, decides without it.
  const guardian = facts.code()?.selectors.has(ALPHA_GUARDIAN) === true ? facts.address('guardian') : undefined
  const above = [...controllersOf(facts), ...(guardian === undefined ? [] : [{ role: 'guardian', address: guardian }])]
    .filter(({ address }) => !isNobody(address))
    .map(({ role, address }) => child(to, facts, address, { ...hop, delay, role: `The ${role} of the governor` }))
  return through([...above, ...ownUpgrade(to, facts, hop)], delay, labelByDelay(delay), notes)
}

/** `__queueSetTimelockPendingAdmin(address,uint256)`. */
const ALPHA_GUARDIAN: Hex = '0x91500671'

function soleDelay(facts: Facts, timelock: Hex): number {
  const there = facts.beside(timelock)
  const account = classify(there)
  const self = facts.state.address
  if (account.kind === 'timelock_compound') return account.admin === self ? account.delay : 0
  if (account.kind !== 'timelock_oz') return 0
  const book = there.book('roles')
  if (book === undefined) return 0
  const able = [PROPOSER, ...grantersOf(book, PROPOSER)].flatMap((role) => book.roles.get(role)?.members ?? [])
  return book.complete && able.length > 0 && able.every((address) => address === self || address === timelock)
    ? account.delay
    : 0
}

function judgeManager(to: Walk, facts: Facts, hop: Hop): Judged {
  const below = hop.path.at(-2)
  const controlled = below?.chainId === facts.state.chainId ? facts.beside(below.address) : facts
  const roots = managedRoots(controlled, facts.state.address)
  const members = roots.map((root) => rootNode(to, facts.state.chainId, root, hop))
  const paths = [...members, ...ownUpgrade(to, facts, hop)]
  if (paths.length > 0) return through(paths)
  return { label: 'immutable', paths, notes: ['Nobody holds a role of it that could change anything.'] }
}
