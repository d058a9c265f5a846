/**
 * From a controller to the people behind it: every path, each with the delay that all its changes must pass.
 *
 * Pure: states it lacks become needs, and the walk is made again with them. What could not be read makes its path
 * unknown, never weaker or stronger.
 */
import type { Hex } from 'viem'
import { managedRoots, UPGRADES } from './access-manager.ts'
import { type Account, classify, hasRoles, isNobody } from './account.ts'
import type { ControlNode } from './control-node.ts'
import {
  child,
  controlledBy,
  guarded,
  type Hop,
  type Judged,
  longer,
  MOST_HOPS,
  through,
  type Walk,
} from './control-path.ts'
import { each, type Facts, type Ledger } from './facts.ts'
import { labelByDelay } from './label.ts'
import { takersOf } from './pending-owner.ts'
import { DEFAULT_ADMIN } from './roles.ts'
import { judgeSafe } from './safe.ts'
import { describe } from './sentences.ts'
import { signersOf } from './signers.ts'
import { adminTrials, maySend } from './simulated-calls.ts'
import { type Place, placeKey } from './state.ts'
import {
  doorsOf,
  judgeCompound,
  judgeExecutor,
  judgeGovernor,
  judgeQueue,
  judgeTimelock,
  roleMembers,
} from './timelock.ts'
import { everyMember, keysInCode, whoElsePasses } from './upgrader.ts'
import { ownUpgrade, rootNode } from './upgrader-node.ts'
import { wardRoots } from './uups-proxy.ts'

/** Accounts in one tree: a bound against trees grown to stop us. */
const MOST_NODES = 400

export function beginWalk(ledger: Ledger, nameOf: Walk['nameOf']): Walk {
  let count = 0
  const to: Walk = {
    ledger,
    nameOf,
    unread: new Set(),
    faults: [],
    visit: (place, hop) => {
      const base = { ...place, role: hop.role, delay: hop.delay, notes: [], paths: [] }
      const isOnPath = hop.path.some((passed) => placeKey(passed) === placeKey(place))
      if (isOnPath) return { ...base, kind: 'unjudged', text: `${place.address} again`, label: 'circular' }
      count += 1
      // The path begins with the contract itself, which is no hop.
      if (hop.path.length - 1 > MOST_HOPS || count > MOST_NODES) {
        const text = `${place.address}, beyond ${MOST_HOPS} hops or ${MOST_NODES} accounts`
        return { ...base, kind: 'unjudged', text, label: 'unknown' }
      }
      return guarded(to, base, () => visited(to, place, hop))
    },
  }
  return to
}

function visited(to: Walk, place: Place, hop: Hop): ControlNode {
  const facts = to.ledger.at(place)
  const account = classify(facts)
  const judged = judge(to, facts, account, { ...hop, path: [...hop.path, place] })
  const text = describe(account, place.address, to.nameOf(place))
  return { ...place, role: hop.role, delay: hop.delay, kind: account.kind, text, ...judged }
}

function judge(to: Walk, facts: Facts, account: Account, hop: Hop): Judged {
  const self = facts.state.address
  switch (account.kind) {
    case 'none':
      return { label: 'immutable', notes: [], paths: [] }
    case 'eoa': {
      const notes = hop.delay > 0 ? ['A delay does not make one key more than one: it alone decides what comes.'] : []
      return { label: 'single_key', notes, paths: [] }
    }
    case 'l1_alias':
      return through([to.visit(account.origin, { ...hop, role: 'The L1 contract behind the alias' })])
    case 'safe':
      return judgeSafe(to, facts, account, hop)
    case 'multisig': {
      const signed = signersOf(to, facts, account, hop)
      const beside = [...doorsOf(to, facts, `multisig ${self}`, hop), ...ownUpgrade(to, facts, hop)]
      return { ...signed, ...through(beside, { own: signed.label, notes: signed.notes }) }
    }
    case 'timelock_oz':
      return judgeTimelock(to, facts, account.delay, hop)
    case 'timelock_compound':
      return judgeCompound(to, facts, account, hop)
    case 'timelock_other': {
      const controllers = account.controllers.map(({ role, address }) => ({ role: `Timelock ${role}`, address }))
      return judgeQueue(to, facts, account.delay, controllers, hop)
    }
    case 'zodiac_delay':
      return through([
        ...account.modules.map((address) =>
          child(to, facts, address, { ...longer(hop, account.cooldown), role: 'Module of the delay' }),
        ),
        ...doorsOf(to, facts, 'the delay', hop),
        ...ownUpgrade(to, facts, hop),
      ])
    case 'payloads_controller': {
      const { delay } = longer(hop, account.delay)
      const beside = [...doorsOf(to, facts, `PayloadsController ${self}`, hop), ...ownUpgrade(to, facts, hop)]
      return through(beside, {
        delay,
        own: labelByDelay(delay),
        notes: ['Payloads arrive from the vote of token holders.'],
      })
    }
    case 'governor':
      return judgeGovernor(to, facts, account, hop)
    case 'proxy_admin':
      return judgeProxyAdmin(to, facts, account.owner, hop)
    case 'executor':
      return judgeExecutor(to, facts, account.role, hop)
    case 'access_manager':
      return judgeManager(to, facts, hop)
    case 'ownable_contract':
      return judgeOwned(to, facts, account, hop)
    case 'wards':
      return through([
        ...wardRoots(facts, 'A').map((root) => rootNode(to, facts.state.chainId, root, hop)),
        ...ownUpgrade(to, facts, hop),
      ])
    case 'aragon_app':
    case 'lido_timelock':
      return through(doorsOf(to, facts, self, hop), { own: 'unknown', notes: ['Who leads it is not read.'] })
    case 'unknown_contract':
    default:
      return { label: 'unknown', notes: [], paths: [] }
  }
}

/** `canCall(address,address,bytes4)`: it decides who else may call whom. */
const CAN_CALL: Hex = '0xb7009613'

/** Those a contract names, and those who can give its roles; one that decides about others may let pass whom it likes. */
function judgeOwned(to: Walk, facts: Facts, account: Account & { kind: 'ownable_contract' }, hop: Hop): Judged {
  const self = facts.state.address
  const chainId = facts.state.chainId
  const named = account.controllers.map(({ role, address }) =>
    child(to, facts, address, { ...hop, role: `The ${role} of ${self}` }),
  )
  const above = hasRoles(facts) ? roleMembers(to, facts, DEFAULT_ADMIN, hop) : []
  // Where all who are named are gone, whoever else the code compares its sender with may be left.
  const isLeft = account.controllers.every(({ address }) => isNobody(address))
  const hidden = isLeft
    ? keysInCode(facts, facts.code()).filter(({ address }) => !isNobody(address) && address !== self)
    : []
  const decides = facts.code()?.selectors.has(CAN_CALL) === true
  const paths = [...named, ...above, ...hidden.map((root) => rootNode(to, chainId, root, hop))]
  const walked = paths.map(({ address }) => address)
  return through(
    [...paths, ...ownUpgrade(to, facts, hop, walked)],
    decides ? { own: 'unknown', notes: [`Whom else ${self} lets pass is not read.`] } : {},
  )
}

/** The owner, unless the chain says that others may upgrade through it, or that the owner may not. */
function judgeProxyAdmin(to: Walk, facts: Facts, owner: Hex, hop: Hop): Judged {
  const self = facts.state.address
  const role = `Owner of ProxyAdmin ${self}`
  const takers = takersOf(facts).map(({ role: as, address }) =>
    child(to, facts, address, { ...hop, role: `The ${as} of ProxyAdmin ${self}` }),
  )
  const proxy = controlledBy(facts, hop)
  const logic = proxy?.slot('implementation')
  const isItsAdmin = proxy !== undefined && logic !== undefined && proxy.slot('admin') === self
  const trials = isItsAdmin ? adminTrials(facts.code()?.selectors, proxy.state.address, logic) : []
  const mayPass = (from: Hex): boolean => maySend(facts, trials, from)
  const unnamed = [...keysInCode(facts, facts.code()), ...everyMember(facts, 'ProxyAdmin')]
  const hidden = trials.length === 0 ? [] : whoElsePasses([{ address: owner, role, delay: 0 }], unnamed, mayPass)
  const isGuard =
    trials.length === 0 ||
    each([owner, ...hidden.map(({ address }) => address)], (from) => mayPass(from)).includes(true)
  return through(
    [
      child(to, facts, owner, { ...hop, role }),
      ...takers,
      ...hidden.map((root) => rootNode(to, facts.state.chainId, root, hop)),
      ...ownUpgrade(to, facts, hop),
    ],
    isGuard ? {} : { own: 'unknown', notes: [`ProxyAdmin ${self} refuses an upgrade from the owner it names.`] },
  )
}

function judgeManager(to: Walk, facts: Facts, hop: Hop): Judged {
  const below = controlledBy(facts, hop)
  // What is itself only a means to control another has no harmless functions.
  const selectors =
    below === undefined || hop.path.length <= 2
      ? UPGRADES
      : [...new Set([...UPGRADES, ...(below.code()?.selectors ?? [])])]
  const roots = managedRoots(below ?? facts, facts.state.address, selectors)
  const members = roots.map((root) => rootNode(to, facts.state.chainId, root, hop))
  const paths = [...members, ...ownUpgrade(to, facts, hop)]
  if (paths.length > 0) return through(paths)
  return { label: 'immutable', paths, notes: ['Nobody holds a role of it that could change anything.'] }
}
