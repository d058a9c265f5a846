/**
 * Walks from a controller to the keys behind it: every path, each with the delay that all its changes must wait.
 *
 * Pure: missing states become needs, and the walk is repeated with them. What could not be read makes its path unknown,
 * never weaker or stronger.
 */
import type { Hex } from 'viem'
import type { ContractRef } from '../registry/contracts.ts'
import { managedUpgraders, UPGRADE_SELECTORS } from './access-manager.ts'
import { type Account, classify, summaryOf } from './account.ts'
import type { ControlNode } from './control-node.ts'
import {
  child,
  controlledBy,
  delayedBy,
  guarded,
  type Hop,
  isMadeToAct,
  type Judgment,
  MAX_HOPS,
  namedControllers,
  through,
  type Walk,
} from './control-path.ts'
import {
  actingAccounts,
  controlledOn,
  judgeExecutor,
  ownControl,
  roleMembers,
  upgraderNode,
} from './controller-nodes.ts'
import { type Controllers, hasRoles, isBurnAddress, pendingOwners } from './controllers.ts'
import { each, type Facts, type Ledger } from './facts.ts'
import { judgeGovernor } from './governor.ts'
import { actsThroughTokens, functionsOf, obeysTransfers } from './proof.ts'
import { DEFAULT_ADMIN } from './roles.ts'
import { callsTokens } from './running-code.ts'
import { codesOf } from './running-codes.ts'
import { judgeSafe } from './safe.ts'
import { ALLOWANCE_MODULE } from './safe-account.ts'
import { signersOf } from './signers.ts'
import { isAllowed, proxyAdminCalls } from './simulated-calls.ts'
import { refKey } from './state.ts'
import { judgeCompoundTimelock, judgeOwnedTimelock, judgeTimelockController } from './timelock.ts'
import { callersInCode, othersAllowed, unnamedCallers, upgrader, wardsOf } from './upgrader.ts'

/** Accounts in one tree: a bound against trees that are built to be large. */
const MAX_NODES = 400

export function beginWalk(ledger: Ledger, nameOf: Walk['nameOf']): Walk {
  let count = 0
  const walk: Walk = {
    ledger,
    nameOf,
    failedReads: [],
    faults: [],
    passive: new Set(),
    visit: (ref, hop) => {
      const base = { ...ref, role: hop.role, delaySeconds: hop.delaySeconds, notes: [], paths: [] }
      const passes = hop.path.filter((passed) => refKey(passed) === refKey(ref)).length
      // The contract below counts as an account once: a caller may make it act on what controls it.
      const isActing = passes === 1 && walk.passive.has(refKey(ref))
      const repeated = { ...base, account: { kind: 'unjudged', why: { code: 'repeated' } }, label: 'circular' } as const
      const why = { code: 'limit', hops: MAX_HOPS, accounts: MAX_NODES } as const
      const limited = { ...base, account: { kind: 'unjudged', why }, label: 'unknown' } as const
      return guarded(walk, base, () => {
        if (passes > 0 && !isActing && !isForAnother(walk, ref, hop)) {
          if (!mayPayTokens(walk.ledger.at(ref))) return repeated
          count += 1
          if (count > MAX_NODES) return limited
          return actsInCircle(walk, ref, hop) ? unresolved(repeated) : repeated
        }
        count += 1
        // The path begins with the profiled contract, which is not a hop.
        if (hop.path.length - 1 > MAX_HOPS || count > MAX_NODES) return limited
        if (!isActing) return visited(walk, ref, hop)
        const acting = actingAccounts(walk, walk.ledger.at(ref), { ...hop, path: [...hop.path, ref] })
        return acting.length === 0 ? repeated : { ...repeated, ...through(acting) }
      })
    },
  }
  return walk
}

/** Whether a manager is on the path for other contracts only: which accounts it lets use one says nothing of another. */
function isForAnother(walk: Walk, ref: ContractRef, { path }: Hop): boolean {
  if (classify(walk.ledger.at(ref)).kind !== 'access_manager') return false
  const controlledAt = (at: number): string => {
    const below = path[at - 1]
    return below === undefined ? '' : `${refKey(below)} ${isMadeToAct(walk, path.slice(0, at))}`
  }
  return path.every((passed, at) => refKey(passed) !== refKey(ref) || controlledAt(at) !== controlledAt(path.length))
}

/** Whether a contract may call functions of tokens, or runs other code that may. A Safe's delegates may transfer tokens. */
function mayPayTokens(facts: Facts): boolean {
  const code = facts.code()
  if (code === undefined || !(code.delegating || callsTokens(code.effects.effects))) return false
  const account = classify(facts)
  return account.kind !== 'safe' || account.version === undefined || account.modules.includes(ALLOWANCE_MODULE)
}

/** Whether calls of tokens by a contract may reach what controls it, so that it acts by more than its own rules. */
function actsInCircle(walk: Walk, ref: ContractRef, hop: Hop): boolean {
  const facts = walk.ledger.at(ref)
  const account = classify(facts)
  if (account.kind === 'safe' && account.version !== undefined)
    return obeysTransfers(controlledOn(facts, hop), ref.address)
  const first = hop.path.findIndex((passed) => refKey(passed) === refKey(ref))
  const factsOf = (path: readonly ContractRef[]): readonly Facts[] =>
    each(
      path.filter(({ chainId, address }) => chainId === ref.chainId && address !== ref.address),
      (passed) => walk.ledger.at(passed),
    )
  return actsThroughTokens(facts, factsOf(hop.path.slice(0, first)), factsOf(hop.path.slice(first + 1)))
}

const unresolved = (node: ControlNode): ControlNode => ({
  ...node,
  label: 'unknown',
  notes: [{ code: 'permissions_not_read', address: node.address }],
})

function visited(walk: Walk, ref: ContractRef, hop: Hop): ControlNode {
  const facts = walk.ledger.at(ref)
  const account = classify(facts)
  const judgment = judge(walk, facts, account, { ...hop, path: [...hop.path, ref] })
  const name = walk.nameOf(ref)
  return {
    ...ref,
    role: hop.role,
    delaySeconds: hop.delaySeconds,
    account: summaryOf(account),
    ...(name === undefined ? {} : { name }),
    ...judgment,
  }
}

function judge(walk: Walk, facts: Facts, account: Account, hop: Hop): Judgment {
  switch (account.kind) {
    case 'none':
      return { label: 'immutable', notes: [], paths: [] }
    case 'eoa':
      return { label: 'single_key', notes: hop.delaySeconds > 0 ? [{ code: 'delay_with_single_key' }] : [], paths: [] }
    case 'l1_alias':
      return through([walk.visit(account.origin, { ...hop, role: { code: 'l1_contract' } })])
    case 'safe':
      return judgeSafe(walk, facts, account, hop)
    case 'multisig': {
      const signed = signersOf(walk, facts, account, hop)
      const others = [...namedControllers(walk, facts, 'multisig', hop), ...ownControl(walk, facts, hop, 'caller')]
      return { ...signed, ...through(others, { own: signed.label, notes: signed.notes }) }
    }
    case 'timelock_oz':
      return judgeTimelockController(walk, facts, account.delay, hop)
    case 'timelock_compound':
      return judgeCompoundTimelock(walk, facts, account, hop)
    case 'timelock_other':
      return judgeOwnedTimelock(walk, facts, account.delay, account.controllers, hop)
    case 'zodiac_delay': {
      const of = { kind: 'delay_module', address: facts.state.address } as const
      return through([
        ...account.modules.map((address) =>
          child(walk, facts, address, { ...delayedBy(hop, account.cooldown), role: { code: 'module', of } }),
        ),
        ...namedControllers(walk, facts, 'delay_module', hop),
        ...ownControl(walk, facts, hop, 'caller'),
      ])
    }
    case 'payloads_controller': {
      const { delaySeconds } = delayedBy(hop, account.delay)
      const others = [
        ...namedControllers(walk, facts, 'payloads_controller', hop),
        ...ownControl(walk, facts, hop, 'caller'),
      ]
      // What its votes decide, and how long payloads wait, is known by its answers alone.
      return through(others, { delaySeconds, own: 'unknown', notes: [{ code: 'payloads_from_vote' }] })
    }
    case 'governor':
      return judgeGovernor(walk, facts, account, hop)
    case 'proxy_admin':
      return judgeProxyAdmin(walk, facts, account.owner, hop)
    case 'executor':
      return judgeExecutor(walk, facts, account.role, hop)
    case 'access_manager':
      return judgeAccessManager(walk, facts, hop)
    case 'ownable_contract':
      return judgeOwned(walk, facts, account.controllers, hop)
    case 'wards': {
      const wards = wardsOf(facts).map((address) => child(walk, facts, address, { ...hop, role: { code: 'ward' } }))
      return through([...wards, ...ownControl(walk, facts, hop, 'caller', wards)])
    }
    case 'aragon_app':
    case 'lido_timelock':
      return through(namedControllers(walk, facts, 'contract', hop), {
        own: 'unknown',
        notes: [{ code: 'controllers_not_read' }],
      })
    case 'unknown_contract':
    default:
      return { label: 'unknown', notes: [], paths: [] }
  }
}

/** `canCall(address,address,bytes4)`: the contract decides about calls of others. */
const CAN_CALL: Hex = '0xb7009613'

/** The controllers a contract names and those who can grant its roles. One with `canCall` may permit other accounts. */
function judgeOwned(walk: Walk, facts: Facts, controllers: Controllers, hop: Hop): Judgment {
  const self = facts.state.address
  const of = { kind: 'contract', address: self } as const
  const named = controllers.map(({ name, address }) =>
    child(walk, facts, address, { ...hop, role: { code: 'controller', name, of } }),
  )
  const admins = hasRoles(facts) ? roleMembers(walk, facts, DEFAULT_ADMIN, hop) : []
  // Where every named controller was renounced, other accounts the code compares its caller with may be left.
  const isRenounced = controllers.every(({ address }) => isBurnAddress(address))
  const hidden = isRenounced
    ? callersInCode(facts, facts.code()).filter(({ address }) => !isBurnAddress(address) && address !== self)
    : []
  const paths = [...named, ...admins, ...hidden.map((found) => upgraderNode(walk, facts.state.chainId, found, hop))]
  const permitsOthers = facts.code()?.selectors.has(CAN_CALL) === true
  return through(
    [...paths, ...ownControl(walk, facts, hop, 'caller', paths)],
    permitsOthers ? { own: 'unknown', notes: [{ code: 'permissions_not_read', address: self }] } : {},
  )
}

/** The owner of a ProxyAdmin, unless simulated upgrades show that others may upgrade, or that the owner may not. */
function judgeProxyAdmin(walk: Walk, facts: Facts, owner: Hex, hop: Hop): Judgment {
  const self = facts.state.address
  const of = { kind: 'proxy_admin', address: self } as const
  const asOwner = { code: 'controller', name: 'owner', of } as const
  const pending = pendingOwners(facts).map(({ name, address }) =>
    child(walk, facts, address, { ...hop, role: { code: 'controller', name, of } }),
  )
  const proxy = controlledBy(facts, hop)
  const logic = proxy?.slot('implementation')
  const isItsAdmin = proxy !== undefined && logic !== undefined && proxy.slot('admin') === self
  const calls = isItsAdmin ? proxyAdminCalls(facts.code()?.selectors, proxy.state.address, logic) : []
  const allows = (from: Hex): boolean => isAllowed(facts, calls, from)
  const unnamed = unnamedCallers(facts, facts.code(), 'proxy_admin')
  const hidden = calls.length === 0 ? [] : othersAllowed([upgrader(owner, asOwner)], unnamed, allows)
  const isGuard =
    calls.length === 0 || each([owner, ...hidden.map(({ address }) => address)], (from) => allows(from)).includes(true)
  const named = [
    child(walk, facts, owner, { ...hop, role: asOwner }),
    ...pending,
    ...hidden.map((found) => upgraderNode(walk, facts.state.chainId, found, hop)),
  ]
  return through(
    [...named, ...ownControl(walk, facts, hop, 'caller', named)],
    isGuard ? {} : { own: 'unknown', notes: [{ code: 'proxy_admin_refuses_owner', address: self }] },
  )
}

function judgeAccessManager(walk: Walk, facts: Facts, hop: Hop): Judgment {
  const below = controlledBy(facts, hop)
  // The functions by which the manager controls the contract below, whatever their names.
  const acts = isMadeToAct(walk, hop.path.slice(0, -1))
  const reserved = below === undefined ? [] : [...functionsOf(below, facts.state.address, acts)]
  // Every function of a contract that itself controls another may matter too.
  const running = hop.path.length <= 2 || below === undefined ? undefined : codesOf(below)
  const others = running === undefined ? (hop.functions ?? []) : running.codes.flatMap((code) => [...code.selectors])
  const named = reserved.filter((selector) => selector !== undefined)
  const selectors = new Set([...UPGRADE_SELECTORS, ...others, ...named])
  const members = managedUpgraders(below ?? facts, facts.state.address, [...selectors])
  const nodes = members.map((member) => upgraderNode(walk, facts.state.chainId, member, hop))
  const paths = [...nodes, ...ownControl(walk, facts, hop, 'caller', nodes)]
  // A contract on another chain obeys what the manager sends to a bridge, whose functions are not known.
  const isBridged = below === undefined && hop.path.length > 1
  if (isBridged || reserved.includes(undefined) || running?.isComplete === false)
    return through(paths, {
      own: 'unknown',
      notes: [{ code: 'permissions_not_read', address: facts.state.address }],
    })
  if (paths.length > 0) return through(paths)
  return { label: 'immutable', paths, notes: [{ code: 'no_role_members' }] }
}
