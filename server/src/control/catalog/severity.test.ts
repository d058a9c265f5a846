import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, toFunctionSelector } from 'viem'
import type { Severity } from '../../../../vocabulary/severities.ts'
import type { DecodedEvent } from './catalog.ts'
import { catalogRows } from './events/rows.ts'
import type { EventArgs } from './layout.ts'
import { type AssessmentRule, assessSeverity, type SeverityFacts } from './severity.ts'

const EMITTER: Hex = '0x00000000000000000000000000000000000000ee'
const ALICE: Hex = '0xa11ce00000000000000000000000000000000001'
const BOB: Hex = '0xb0b0000000000000000000000000000000000002'
const WATCHED: Hex = '0x00000000000000000000000000000000000000aa'
const ZERO: Hex = '0x0000000000000000000000000000000000000000'
const isWatched = (address: Hex): boolean => address === WATCHED

function event(key: string, args: EventArgs): DecodedEvent {
  const row = catalogRows.find((candidate) => candidate.key === key)
  assert.ok(row, key)
  return { key, category: row.category, severity: row.severity, args, decode: 'ok', signature: row.event }
}

type Case = readonly [
  name: string,
  event: DecodedEvent,
  facts: Omit<SeverityFacts, 'emitter'>,
  Severity,
  rule?: AssessmentRule,
]

/** A case without a rule is a near miss: no rule may apply, and the severity of the row stays. */
function cases(title: string, list: readonly Case[]): void {
  test(title, () => {
    for (const [name, subject, facts, severity, rule] of list) {
      assert.deepEqual(assessSeverity(subject, { emitter: EMITTER, ...facts }), { severity, rule }, name)
      if (rule === undefined) assert.equal(severity, subject.severity, name)
    }
  })
}

const moved = event('ownable.transferred', { previousOwner: BOB, newOwner: ALICE })
const upgraded = event('proxy.upgraded', { implementation: ALICE })

cases('setup is info', [
  ['transfer', moved, { isInit: true, previousController: 'contract', nextController: 'single_key' }, 'info', 'setup'],
  ['not setup', moved, { isInit: false }, 'critical'],
  ['not known', moved, {}, 'critical'],
])

const role = (name: string): EventArgs => ({ role: name, account: ALICE, sender: BOB })
const roleHashes: Record<string, Hex> = {
  DEFAULT_ADMIN: `0x${'0'.repeat(64)}`,
  UPGRADER: '0x189ab7a9244df0848122154315af71fe140f3db0fe014031783b0946b8c9d2e3',
  MINTER: '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6',
  PROPOSER: '0xb09aa5aeb3702cfd50b6b62bc4532604938f21248a27a1d5ca736082b6819cc1',
  TIMELOCK_ADMIN: '0x5f58e3a2316349923ce3780f8d587db2d72378aed66a8261c916544fa6846ca5',
}
const PAUSER = '0x65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a'

cases('granting a powerful role is critical', [
  ...Object.entries(roleHashes).map(
    ([name, hash]): Case => [name, event('access.role_granted', role(hash)), {}, 'critical', 'powerful_role_granted'],
  ),
  ['pauser', event('access.role_granted', role(PAUSER)), {}, 'high'],
  ['manager admin', event('manager.role_granted', { roleId: '0' }), {}, 'critical', 'powerful_role_granted'],
  [
    'everybody',
    event('manager.role_granted', { roleId: '18446744073709551615' }),
    {},
    'critical',
    'powerful_role_granted',
  ],
  ['manager role 1', event('manager.role_granted', { roleId: '1' }), {}, 'high'],
  [
    'pauser that can mint',
    event('access.role_granted', role(PAUSER)),
    { roleClass: 'critical' },
    'critical',
    'powerful_role_granted',
  ],
  [
    'minter by name that can only pause',
    event('access.role_granted', role(String(roleHashes.MINTER))),
    { roleClass: 'high' },
    'high',
    'role_by_functions',
  ],
  ['harmless role', event('access.role_granted', role(PAUSER)), { roleClass: 'info' }, 'info', 'role_by_functions'],
  [
    'admins, whatever they can do now',
    event('access.role_granted', role(String(roleHashes.DEFAULT_ADMIN))),
    { roleClass: 'info' },
    'critical',
    'powerful_role_granted',
  ],
  [
    'manager role 7 that can mint',
    event('manager.role_granted', { roleId: '7' }),
    { roleClass: 'critical' },
    'critical',
    'powerful_role_granted',
  ],
  ['zero where roles are labels', event('manager.role_label', { roleId: '0', label: 'x' }), {}, 'info'],
])

const revoked = (hash: string, sender: Hex): DecodedEvent =>
  event('access.role_revoked', { role: hash, account: ALICE, sender })
const admin = String(roleHashes.DEFAULT_ADMIN)

cases('renouncing a minor role is info, removing the last admin is critical', [
  ['renounced', revoked(PAUSER, ALICE), {}, 'info', 'role_renounced'],
  ['taken away', revoked(PAUSER, BOB), {}, 'high'],
  ['admin renounced, others left', revoked(admin, ALICE), { roleMembersLeft: 2 }, 'high'],
  ['admin renounced, holders not counted', revoked(admin, ALICE), {}, 'high'],
  ['last admin', revoked(admin, ALICE), { roleMembersLeft: 0 }, 'critical', 'last_admin_removed'],
  ['last pauser', revoked(PAUSER, BOB), { roleMembersLeft: 0 }, 'high'],
])

const threshold = (value: string): DecodedEvent => event('safe.changed_threshold', { threshold: value })

cases('lowering a threshold, or setting it to one, is critical; raising it is high', [
  ['lowered', threshold('2'), { previousThreshold: 3n }, 'critical', 'threshold_lowered'],
  ['one', threshold('1'), {}, 'critical', 'single_signature'],
  ['one, from nothing', threshold('1'), { previousThreshold: 0n }, 'critical', 'single_signature'],
  ['raised', threshold('4'), { previousThreshold: 3n }, 'high', 'threshold_raised'],
  ['unchanged', threshold('3'), { previousThreshold: 3n }, 'critical'],
  ['before not known', threshold('4'), {}, 'critical'],
  [
    'quorum lowered',
    event('lido.quorum_set', { newQuorum: '4', totalMembers: '9', prevQuorum: '5' }),
    {},
    'critical',
    'threshold_lowered',
  ],
  [
    'attesters raised',
    event('cctp.signature_threshold', { oldSignatureThreshold: '2', newSignatureThreshold: '3' }),
    {},
    'high',
    'threshold_raised',
  ],
])

const minDelay = (before: string, after: string): DecodedEvent =>
  event('timelock.min_delay_changed', { oldDuration: before, newDuration: after })

cases('lowering a delay is critical, raising it is high', [
  ['lowered', minDelay('172800', '0'), {}, 'critical', 'delay_lowered'],
  ['raised', minDelay('0', '172800'), {}, 'high', 'delay_raised'],
  ['unchanged', minDelay('5', '5'), {}, 'critical'],
  [
    'own record lowered',
    event('timelock.new_delay', { newDelay: '1' }),
    { previousDelay: 2n },
    'critical',
    'delay_lowered',
  ],
  [
    'other name of the argument',
    event('timelock.new_delay', { delay: '3' }),
    { previousDelay: 2n },
    'high',
    'delay_raised',
  ],
  ['before not known', event('timelock.new_delay', { newDelay: '1' }), {}, 'critical'],
  [
    'vault',
    event('morpho.timelock_set', { caller: BOB, newTimelock: '9' }),
    { previousDelay: 10n },
    'critical',
    'delay_lowered',
  ],
  [
    'admin delay',
    event('access.default_admin_delay_scheduled', { newDelay: 1, effectSchedule: 2 }),
    { previousDelay: 2n },
    'critical',
    'delay_lowered',
  ],
])

cases('moving control to a single key, or renouncing it, is critical', [
  [
    'to one key',
    moved,
    { previousController: 'contract', nextController: 'single_key' },
    'critical',
    'moved_to_single_key',
  ],
  ['key to key', moved, { previousController: 'single_key', nextController: 'single_key' }, 'critical'],
  ['to a contract of another chain', moved, { previousController: 'contract', nextController: 'l1_alias' }, 'critical'],
  ['before not known', moved, { nextController: 'single_key' }, 'critical'],
  ['renounced', event('ownable.transferred', { previousOwner: BOB, newOwner: ZERO }), {}, 'critical', 'renounced'],
  [
    'burned',
    event('proxy.admin_changed', { previousAdmin: BOB, newAdmin: '0x000000000000000000000000000000000000dead' }),
    {},
    'critical',
    'renounced',
  ],
  ['from the zero address', event('ownable.transferred', { previousOwner: ZERO, newOwner: BOB }), {}, 'critical'],
  ['a high one is raised', event('ownable.primary_transferred', { recipient: ZERO }), {}, 'critical', 'renounced'],
])

cases('an upgrade to the same code is info', [
  ['same address', upgraded, { previousImplementation: ALICE }, 'info', 'same_implementation'],
  ['same code', upgraded, { previousImplementation: BOB, hasSameCode: true }, 'info', 'same_code'],
  ['same address, other code', upgraded, { previousImplementation: ALICE, hasSameCode: false }, 'critical'],
  ['another', upgraded, { previousImplementation: BOB, hasSameCode: false }, 'critical'],
  ['nothing known', upgraded, {}, 'critical'],
  [
    'stated by the event',
    event('proxy.polygon_updated', { _new: ALICE, _old: ALICE }),
    {},
    'info',
    'same_implementation',
  ],
  [
    'stated by the event, changed',
    event('proxy.polygon_updated', { _new: ALICE, _old: BOB }),
    { previousImplementation: ALICE },
    'critical',
  ],
])

const initialized = (version: number | string): DecodedEvent => event('proxy.initialized', { version })

cases('a second initialization is critical', [
  ['version 2 alone', initialized('2'), { isUpgradedHere: false }, 'critical', 'reinitialized'],
  ['version 2 with an upgrade', initialized('2'), { isUpgradedHere: true }, 'high'],
  ['version 2, rest not known', initialized(2), {}, 'high'],
  [
    'second version 1',
    initialized(1),
    { wasInitializedBefore: true, isUpgradedHere: true },
    'critical',
    'reinitialized',
  ],
  ['first version 1', initialized(1), { wasInitializedBefore: false, isUpgradedHere: false }, 'high'],
  ['version 1, past not known', initialized('1'), { isUpgradedHere: false }, 'high'],
])

const call = (signature: string, target: Hex): EventArgs => ({ target, data: `${toFunctionSelector(signature)}00` })
const scheduled = (signature: string, target: Hex): DecodedEvent => event('timelock.scheduled', call(signature, target))
const proxyAdminCall = `${toFunctionSelector('upgrade(address,address)')}${WATCHED.slice(2).padStart(64, '0')}`

cases('scheduling a control function of a watched contract is critical', [
  ...[
    'upgradeTo(address)',
    'upgradeToAndCall(address,bytes)',
    'changeAdmin(address)',
    'transferOwnership(address)',
    'grantRole(bytes32,address)',
    'setOwner(address)',
    'diamondCut((address,uint8,bytes4[])[],address,bytes)',
    'updateDelay(uint256)',
    'setDelay(uint256)',
    'setPendingAdmin(address)',
    'rely(address)',
    'file(bytes32,address)',
  ].map(
    (signature): Case => [signature, scheduled(signature, WATCHED), { isWatched }, 'critical', 'control_scheduled'],
  ),
  ['harmless function', scheduled('transfer(address,uint256)', WATCHED), { isWatched }, 'high'],
  ['not watched', scheduled('upgradeTo(address)', BOB), { isWatched }, 'high'],
  ['nothing known of watching', scheduled('upgradeTo(address)', WATCHED), {}, 'high'],
  [
    'through its admin',
    event('timelock.scheduled', { target: BOB, data: proxyAdminCall }),
    { isWatched },
    'critical',
    'control_scheduled',
  ],
  [
    'by signature',
    event('timelock.queued', { target: WATCHED, signature: 'setPendingAdmin(address)', data: '0x' }),
    { isWatched },
    'critical',
    'control_scheduled',
  ],
  ['queued by id', event('governor.proposal_queued', { proposalId: '1', eta: '2' }), { isWatched }, 'high'],
  [
    'queued by id, calls remembered',
    event('governor.proposal_queued', { proposalId: '1', eta: '2' }),
    {
      isWatched,
      announced: [{ target: WATCHED, isControl: true, affects: [WATCHED], signature: 'setDelay(uint256)' }],
    },
    'critical',
    'control_scheduled',
  ],
  [
    'proposed',
    event('governor.proposal_created', {
      targets: [BOB, WATCHED],
      signatures: ['', ''],
      calldatas: ['0x', '0x12345678'],
    }),
    { isWatched },
    'high',
    'call_proposed',
  ],
  [
    'proposed elsewhere',
    event('governor.proposal_created', { targets: [BOB], signatures: [''], calldatas: ['0x'] }),
    { isWatched },
    'info',
  ],
])

const executed = event('timelock.executed', call('upgradeTo(address)', WATCHED))

const proposed = (signature: string): DecodedEvent =>
  event('governor.proposal_created', { targets: [WATCHED], signatures: [signature], calldatas: ['0x'] })

cases('proposing a control function of a watched contract is critical if no delay follows the vote', [
  ['no delay', proposed('upgradeTo(address)'), { isWatched, delayAfterVote: 0n }, 'critical', 'no_delay_after_vote'],
  ['a delay', proposed('upgradeTo(address)'), { isWatched, delayAfterVote: 1n }, 'high', 'call_proposed'],
  ['delay not known', proposed('upgradeTo(address)'), { isWatched }, 'high', 'call_proposed'],
  ['another function', proposed('set(uint256)'), { isWatched, delayAfterVote: 0n }, 'high', 'call_proposed'],
  ['not watched', proposed('upgradeTo(address)'), { isWatched: () => false, delayAfterVote: 0n }, 'info'],
])

cases('an execution that was not scheduled, or came early, is critical', [
  ['in time', executed, { operation: { readyAt: 100 }, blockTime: 100 }, 'info', 'scheduled_execution'],
  ['too early', executed, { operation: { readyAt: 100 }, blockTime: 99 }, 'critical', 'executed_early'],
  ['unseen', executed, { operation: 'unseen', blockTime: 99 }, 'critical', 'never_scheduled'],
  ['history not known', executed, { blockTime: 99 }, 'info'],
  ['time not known', executed, { operation: { readyAt: 100 } }, 'info'],
  ['no execution', event('timelock.cancelled', { id: '0x00' }), { operation: 'unseen' }, 'info'],
])

cases('a new minter is critical', [
  [
    'new',
    event('fiat.minter_configured', { minter: ALICE, minterAllowedAmount: '1' }),
    { wasMinterBefore: false },
    'critical',
    'new_minter',
  ],
  [
    'known',
    event('fiat.minter_configured', { minter: ALICE, minterAllowedAmount: '1' }),
    { wasMinterBefore: true },
    'high',
  ],
  ['not known', event('fiat.minter_configured', { minter: ALICE, minterAllowedAmount: '1' }), {}, 'high'],
])

test('a log that was not decoded keeps the severity of its key', () => {
  const raw: DecodedEvent = { ...moved, decode: 'mismatch', args: { decode: 'mismatch', topics: [], data: '0x' } }
  const facts = { emitter: EMITTER, previousController: 'contract', nextController: 'single_key' } as const
  assert.deepEqual(assessSeverity(raw, facts), { severity: 'critical', rule: 'not_decoded' })
  assert.equal(assessSeverity(raw, { emitter: EMITTER, isInit: true }).severity, 'info')
})

test('without facts no event has a lower severity than its row', () => {
  for (const row of catalogRows) {
    const { severity } = assessSeverity(event(row.key, {}), { emitter: EMITTER })
    assert.equal(severity, event(row.key, {}).severity, row.key)
  }
})
