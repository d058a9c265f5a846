/** Reasons of a control profile: a code with fields, and its English sentence. */
import { accountText, delayText, type Hex, type NamedAccount } from './accounts.ts'
import { type ControlRole, roleText } from './control-roles.ts'
import { FUNCTIONS } from './known-hashes.ts'
import { type Power, powerText } from './powers.ts'

/** Defects without fields, by their code. */
const DEFECTS = {
  safe_interface_missing: 'it has the code of a Safe proxy and not the interface of a Safe',
  threshold_above_owners: 'its threshold is beyond the number of its owners',
  safe_storage_differs: 'its getters and its storage disagree about owners and threshold',
  modules_not_listed: 'its modules could not all be listed',
  owner_slot_differs: 'owner() and the slot of the owner disagree',
  roles_without_members: 'it has roles and lists no members',
  roles_without_events: 'it has roles, and its events show no grant',
  role_calls_revert: 'calls about its roles revert',
  role_event_invalid: 'an event about its roles is malformed',
  role_result_invalid: 'it returns an invalid result about its roles',
  role_members_too_many: 'it lists more members of a role than plausible',
  wards_without_events: 'it has wards, and its events show none',
  ward_calls_revert: 'calls about its wards revert',
} as const satisfies Readonly<Record<string, string>>

/** What a contract returned or stored that contradicts itself or has an unexpected form. */
export type Defect =
  | { readonly code: keyof typeof DEFECTS }
  | { readonly code: 'slot_not_address'; readonly slot: string }
  | { readonly code: 'manager_result_invalid'; readonly manager: Hex }

/** Which read of a contract failed. */
export type ReadItem =
  | { readonly item: 'code' | 'call' | 'roles' | 'all_roles' | 'manager' | 'governors' | 'wards' | 'history' }
  | { readonly item: 'contents' }
  | { readonly item: 'slot'; readonly slot: string }
  | { readonly item: 'getter'; readonly name: string }

/** A read that failed. `cause` is what the node reported; no code depends on it. */
export type FailedRead = { readonly address: Hex; readonly read: ReadItem; readonly cause: string }

/** Accounts with admin functions that cannot upgrade. */
export type AdminPower =
  | 'owner'
  | 'admin'
  | 'pauser'
  | 'minter'
  | 'masterMinter'
  | 'blacklister'
  | 'guardian'
  | 'authority'
  | 'governance'
  | 'governor'

/** Sentences without fields, by their code. */
const SENTENCES = {
  not_profiled: 'Not profiled yet.',
  several_paths: 'There are several paths of control; the weakest decides the label.',
  circular_control: 'Control runs in a circle: no account outside it has control.',
  no_contract: 'There is no contract at this address.',
  not_a_proxy: 'It is not a proxy: its code is fixed.',
  clone_chain_too_long: 'It is a clone of clones, and the chain of clones is too long to follow.',
  target_change_refused:
    'In simulated calls, no account that it names can change its target. Which account can is not known.',
  code_not_followed: 'Its code could not be analyzed completely.',
  writes_not_followed: 'Not all storage that its code writes could be determined.',
  delegate_outside_slots:
    'Its code also runs code at an address that is not in its known slots. Who can change that address is not known.',
  pointer_open_to_anyone: 'The code of the proxy lets any account change its implementation.',
  pointer_fixed: 'It is a proxy that cannot be upgraded: neither its own code nor its logic can write the pointer.',
  ossified: 'The proxy is ossified: its admin was given up.',
  admin_is_zero: 'Its code lets only the admin upgrade, and the admin is zero.',
  admin_not_readable: 'The proxy can be upgraded, and its admin is not readable.',
  admin_slot_not_checked: 'The code of the proxy does not check the admin in its slot before an upgrade.',
  admin_not_checked: 'Its code does not check the admin it names before it changes its logic.',
  caller_lookup_in_proxy:
    'The code of the proxy reads from a table or another contract who may upgrade. Further accounts may be able to.',
  caller_lookup_in_delegator: 'Its code reads from a table who may change its logic. Further accounts may be able to.',
  caller_slot_packed: 'It compares its caller with a slot that holds something other than an address.',
  implementation_offered:
    'It offers its storage to a pending implementation. Who controls that implementation is not known.',
  uups_upgrader_unknown: 'Its logic can be upgraded (UUPS). Who can upgrade it could not be determined.',
  upgrade_refused: 'In simulated calls, no account that it names can upgrade it. Which account can is not known.',
  governors_unknown: 'Its governors could not be determined.',
  beacon_fixed: 'The beacon cannot change either.',
  beacon_controller_unknown: 'Who controls the beacon could not be determined.',
  beacon_logic_controller_unknown: 'Who controls the logic of the beacon could not be determined.',
  beacon_change_refused: 'In simulated calls, no account that the beacon names can change it.',
  beacon_not_sole_source: 'The code of the proxy does not take its logic from the beacon in its slot alone.',
  beacon_replaceable: 'The code of the proxy can change its beacon.',
  diamond_fixed: 'It is a diamond without diamondCut: its facets are fixed.',
  cut_caller_unknown: 'Who may call diamondCut could not be determined.',
  cut_refused: 'In simulated calls, no account that it names can change its facets. Which account can is not known.',
  facets_not_listed: 'It is a diamond without diamondCut, and it does not list its facets.',
  safe_modules_incomplete: 'Its modules could not all be listed.',
  approvals_unproven:
    'It stores approvals of a transaction that its owners gave in no transaction: one further signer may be enough to execute it.',
  contract_signers:
    'Some of its signers are contracts, or accounts that delegate to one (EIP-7702), and how they sign is not proven: fewer than two keys may be enough.',
  never_signs: 'Too few of its signers have a known key: it can never sign.',
  one_owner: 'It has one signer.',
  no_delay: 'Its signers act with no delay.',
  delay_with_single_key: 'A delay does not replace a second signer: one key alone decides on every change.',
  open_executor: 'Anyone may execute after the delay (open executor).',
  delay_settable: 'A controller of the timelock can set its delay to zero at once: it delays nothing.',
  proposers_unknown: 'Who may propose could not be determined.',
  no_proposer: 'No account can schedule anything in it any more.',
  no_timelock: 'There is no timelock between its vote and the change.',
  no_quorum: 'Its votes need no quorum: any voter decides.',
  short_vote: 'Its votes end so soon that one voter may decide before others have seen the proposal.',
  payloads_from_vote: 'A vote of token holders decides on its payloads.',
  controllers_not_read: 'Its controllers are not read.',
  no_role_members: 'No account has a role that can change anything in it.',
} as const satisfies Readonly<Record<string, string>>

export type Reason =
  | { readonly code: keyof typeof SENTENCES }
  // The profile as a whole
  | { readonly code: 'stale'; readonly failed: readonly FailedRead[] }
  /** The power that makes the tone worse than that of the label. */
  | { readonly code: 'power'; readonly power: Power }
  | ({ readonly code: 'admin_functions'; readonly power: AdminPower } & NamedAccount)
  // One account of the tree
  | ({ readonly code: 'controller'; readonly role: ControlRole } & NamedAccount)
  | ({ readonly code: 'read_failed' } & FailedRead)
  | { readonly code: 'malformed'; readonly address: Hex; readonly defect: Defect }
  | { readonly code: 'not_judged'; readonly address: Hex }
  | { readonly code: 'delayed_actions'; readonly delaySeconds: number }
  // Proxies and their logic
  | { readonly code: 'fixed_clone'; readonly target: Hex }
  | { readonly code: 'clone_without_code'; readonly target: Hex }
  | { readonly code: 'aragon_app'; readonly kernel: Hex }
  | { readonly code: 'call_proxy'; readonly target: Hex }
  | { readonly code: 'implementation_without_code'; readonly implementation: Hex }
  /** `logic`: the implementation that does it, where it is not the contract's own code. */
  | { readonly code: 'arbitrary_delegatecall'; readonly logic?: Hex; readonly isProxy: boolean }
  | { readonly code: 'replaceable_delegate'; readonly slots: readonly string[] }
  | { readonly code: 'pointer_writable_by_logic'; readonly logic?: Hex }
  /** An effect of the code at `address` that is not shown to be reserved to known accounts. */
  | {
      readonly code: 'unproven'
      readonly address: Hex
      readonly effect: UnprovenEffect
      readonly at: number
      readonly selector?: Hex
      readonly exceeded?: ExceededLimit
    }
  | { readonly code: 'activation_delay'; readonly delaySeconds: number }
  // Beacons and diamonds
  | { readonly code: 'beacon'; readonly beacon: Hex }
  | { readonly code: 'diamond'; readonly cutFacet: Hex }
  | { readonly code: 'facet_table_writable'; readonly facet?: Hex }
  // Safes and signers
  | { readonly code: 'unofficial_singleton'; readonly address: Hex }
  | { readonly code: 'safe_not_set_up'; readonly address: Hex }
  | { readonly code: 'safe_modules'; readonly address: Hex; readonly modules: readonly Hex[] }
  | { readonly code: 'open_module'; readonly module: Hex; readonly reach: ModuleReach }
  | { readonly code: 'safe_guard'; readonly guard: Hex }
  | { readonly code: 'safe_module_guard'; readonly guard: Hex }
  | { readonly code: 'safe_fallback_handler'; readonly handler: Hex }
  /** The storage of a Safe may hold entries that no list and no event shows. */
  | {
      readonly code: 'storage_unproven'
      readonly address: Hex
      readonly why: StorageDoubt
    }
  /** `signersNeeded` is missing where the multisig can never sign. */
  | {
      readonly code: 'nested_safes'
      readonly safes: readonly { readonly threshold: number; readonly owners: number }[]
      readonly owners: number
      readonly signersNeeded?: number
    }
  | { readonly code: 'single_signer'; readonly threshold: number }
  | { readonly code: 'below_half'; readonly threshold: number; readonly owners: number }
  | { readonly code: 'signing_contracts' | 'unused_signers'; readonly signers: readonly Hex[] }
  // Timelocks, governors, managers
  | { readonly code: 'permissions_not_read' | 'repeated_proposals' | 'answered_calls'; readonly address: Hex }
  /** The function of a token by which a governor weighs votes. */
  | { readonly code: 'present_votes' | 'past_votes_change'; readonly address: Hex; readonly selector: Hex }
  | { readonly code: 'proxy_admin_refuses_owner'; readonly address: Hex }

export const reasonTexts = (reasons: readonly Reason[]): readonly string[] => reasons.map(reasonText)

type FixedReason = { readonly code: keyof typeof SENTENCES }
const isFixedReason = (reason: Reason): reason is FixedReason => reason.code in SENTENCES

export function reasonText(reason: Reason): string {
  if (isFixedReason(reason)) return SENTENCES[reason.code]
  switch (reason.code) {
    case 'stale':
      return reason.failed.length === 0
        ? 'Not everything could be read at the last poll.'
        : `Not everything could be read at the last poll: ${reason.failed.map(failedReadText).join('; ')}. What depends on it is from the last complete poll.`
    case 'power':
      return powerText(reason.power)
    case 'admin_functions':
      return `It is not upgradeable; its ${POWERS[reason.power]} keeps admin functions: ${accountText(reason)}.`
    case 'controller':
      return `${roleText(reason.role)} is ${accountText(reason)}.`
    case 'read_failed':
      return `${capitalized(failedReadText(reason))}.`
    case 'malformed':
      return `${reason.address}: ${defectText(reason.defect)}.`
    case 'not_judged':
      return `${reason.address} could not be judged.`
    case 'delayed_actions':
      return `Its actions take effect ${delayText(reason.delaySeconds)}.`
    case 'fixed_clone':
      return `It is a fixed clone (EIP-1167) of ${reason.target}: the pointer is in its code and cannot change.`
    case 'clone_without_code':
      return `It is a clone of ${reason.target}, where there is no code.`
    case 'aragon_app':
      return `It is an Aragon app of kernel ${reason.kernel}: the access lists of the kernel decide who manages apps.`
    case 'call_proxy':
      return `It is a proxy that calls its target ${reason.target}.`
    case 'implementation_without_code':
      return `Its implementation is ${reason.implementation}, where there is no code.`
    case 'arbitrary_delegatecall':
      return `${delegatecallSubject(reason)} delegatecalls to addresses its caller chooses: an account that may do so controls the contract.`
    case 'replaceable_delegate':
      return `Its code runs other code whose address is ${reason.slots.length === 0 ? 'not known' : `in slot ${reason.slots.join(', ')}`}: who can change it is not known.`
    case 'pointer_writable_by_logic':
      return `Its logic${reason.logic === undefined ? '' : ` ${reason.logic}`} can write the pointer to its implementation. Under which conditions is not known.`
    case 'unproven':
      return unprovenText(reason)
    case 'activation_delay':
      return `The activation delay of an upgrade is ${reason.delaySeconds} seconds.`
    case 'beacon':
      return `Its logic comes from beacon ${reason.beacon}.`
    case 'diamond':
      return `It is a diamond (EIP-2535); diamondCut is in facet ${reason.cutFacet}.`
    case 'facet_table_writable':
      return `It is a diamond without diamondCut, and ${reason.facet === undefined ? 'its own code may change its facet table or run other code' : `its facet ${reason.facet} may change its facet table by another function`}.`
    case 'unofficial_singleton':
      return `The code behind ${reason.address} is not a Safe release (unofficial singleton).`
    case 'safe_not_set_up':
      return `Safe ${reason.address} was never set up: the first caller of its setup can take control.`
    case 'safe_modules':
      return `Safe ${reason.address} has ${reason.modules.length === 1 ? '1 module' : `${reason.modules.length} modules`} that can act without signatures: ${reason.modules.join(', ')}.`
    case 'open_module':
      return `Any account can act for the Safe through its module ${reason.module}: ${MODULE_REACHES[reason.reach]}.`
    case 'safe_guard':
      return `Its transactions pass guard ${reason.guard}.`
    case 'safe_module_guard':
      return `Its modules pass guard ${reason.guard}.`
    case 'safe_fallback_handler':
      return `Its fallback handler is ${reason.handler}, which it controls: any account can call the handler as this Safe.`
    case 'storage_unproven':
      return storageText(reason)
    case 'nested_safes':
      return nestedSafesText(reason)
    case 'single_signer':
      return `${reason.threshold === 1 ? 'Its threshold is 1' : 'One key signs for all the owners it needs'}: a single key suffices.`
    case 'below_half':
      return `${reason.threshold} of ${reason.owners} signers suffice, less than half.`
    case 'signing_contracts':
      return `${counted(reason.signers.length, 'of its signers is a contract', 'of its signers are contracts')}: ${reason.signers.join(', ')}.`
    case 'unused_signers':
      return `${counted(reason.signers.length, 'of its signers has', 'of its signers have')} never sent a transaction on this chain: ${reason.signers.join(', ')}.`
    case 'permissions_not_read':
      return `Further accounts that ${reason.address} permits are not read.`
    case 'answered_calls':
      return `${reason.address} asks a contract that it calls after a vote what to pass to it: that need not be what was voted on.`
    case 'repeated_proposals':
      return `A proposal of governor ${reason.address} that has passed may be executed again: that it is marked before is not proven.`
    case 'present_votes':
      return `Votes are weighed by what function ${functionText(reason.selector)} of ${reason.address} returns at the time of the vote: tokens may vote, move to another account, and vote again.`
    case 'past_votes_change':
      return `Votes are weighed by what function ${functionText(reason.selector)} of ${reason.address} returns about a past time, and that it does not change later is not proven: tokens may vote, move to another account, and vote again.`
    case 'proxy_admin_refuses_owner':
    default:
      return `ProxyAdmin ${reason.address} refuses an upgrade from the owner it names.`
  }
}

const functionText = (selector: Hex): string => FUNCTIONS[selector] ?? selector

/** What any account can make a module execute, as a trial showed. */
export type ModuleReach = 'any_code' | 'any_call' | 'some_calls'

const MODULE_REACHES: Readonly<Record<ModuleReach, string>> = {
  any_code: 'the module makes the Safe run code by a delegatecall',
  any_call: 'the module makes the Safe call an address that the account chooses',
  some_calls: 'the module makes the Safe call addresses that the module chooses',
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const POWERS: Readonly<Record<AdminPower, string>> = {
  owner: 'owner',
  admin: 'admin',
  pauser: 'pauser',
  minter: 'minter',
  masterMinter: 'master minter',
  blacklister: 'blacklister',
  guardian: 'guardian',
  authority: 'authority',
  governance: 'governance',
  governor: 'governor',
}

/** What code may do without a check that could be followed; `code`: it could not be followed at all. */
export type UnprovenEffect = 'store' | 'delegatecall' | 'call' | 'selfdestruct' | 'code' | 'silent_store' | 'entries'

const UNPROVEN_EFFECTS: Readonly<Record<UnprovenEffect, string>> = {
  store: 'writes storage that decides who controls the contract',
  delegatecall: 'runs code at an address that is not fixed',
  call: 'makes a call in the name of the contract',
  selfdestruct: 'can destroy the contract',
  code: 'could not be analyzed completely',
  entries: 'may have entries in its lists or its queue that no event reports',
  silent_store: 'adds accounts to a list without the event that reports them',
}

/** A limit of the analysis of one code. */
export type ExceededLimit = 'steps' | 'time' | 'memory' | 'result'

const EXCEEDED_LIMITS: Readonly<Record<ExceededLimit, string>> = {
  steps: 'steps',
  time: 'CPU time',
  memory: 'memory',
  result: 'results',
}

function unprovenText({ address, effect, at, selector, exceeded }: Reason & { readonly code: 'unproven' }): string {
  if (exceeded !== undefined)
    return `The code at ${address} is too complex: its analysis exceeds the limit of ${EXCEEDED_LIMITS[exceeded]}.`
  if (effect === 'entries')
    return `${address} ${UNPROVEN_EFFECTS[effect]}: neither its storage root (eth_getProof) nor the code that created it excludes them.`
  const subject = selector === undefined ? `The code at ${address}` : `Function ${selector} of ${address}`
  const check =
    effect === 'code' || effect === 'silent_store'
      ? ''
      : ', and no check of the caller that names known accounts is proven'
  return `${subject} ${UNPROVEN_EFFECTS[effect]} (program counter ${at})${check}.`
}

/**
 * Why storage is not proven to hold what is listed alone. `others`: it holds more. `too_many`: there are more entries than
 * are read. `approved`: a transaction is approved by enough owners.
 */
export type StorageDoubt = 'others' | 'too_many' | 'approved'

function storageText({ address, why }: Reason & { readonly code: 'storage_unproven' }): string {
  const excluded = 'another owner, module or approval of it cannot be excluded'
  switch (why) {
    case 'approved':
      return `Enough owners of ${address} approved a transaction on chain that is not known to be executed: any account may execute it.`
    case 'too_many':
      return `${address} has more entries in its storage than are read: ${excluded}.`
    case 'others':
    default:
      return `The storage of ${address} holds more than its lists and events show: ${excluded}. To resolve this, use a new Safe without a custom setup.`
  }
}

const delegatecallSubject = ({ logic, isProxy }: { readonly logic?: Hex; readonly isProxy: boolean }): string =>
  logic !== undefined ? `Its logic ${logic}` : isProxy ? 'It' : 'It is not a proxy, but it'

function nestedSafesText({ safes, owners, signersNeeded }: Reason & { readonly code: 'nested_safes' }): string {
  const sizes = `(${safes.map((safe) => `${safe.threshold} of ${safe.owners}`).join(', ')})`
  const count = safes.length === 2 ? 'two' : safes.length
  const subject =
    safes.length === 1
      ? 'One of its owners is a nested Safe'
      : `${safes.length < owners ? 'Among its owners' : 'Its owners'} are ${count} nested Safes`
  const needed =
    signersNeeded === undefined ? '' : `; ${signersNeeded} ${signersNeeded === 1 ? 'key is' : 'keys are'} enough`
  return `${subject} ${sizes}${needed}.`
}

const failedReadText = ({ address, read, cause }: FailedRead): string =>
  `${readItemText(read)} of ${address} could not be read (${cause})`

function readItemText(read: ReadItem): string {
  switch (read.item) {
    case 'slot':
      return `slot ${read.slot}`
    case 'getter':
      return `${read.name}()`
    case 'code':
      return 'the code'
    case 'call':
      return 'a simulated call'
    case 'contents':
      return 'the proof of its storage'
    case 'roles':
      return 'the role members'
    case 'all_roles':
      return 'every role'
    case 'manager':
    case 'governors':
    case 'wards':
    case 'history':
    default:
      return `the ${read.item}`
  }
}

type FixedDefect = { readonly code: keyof typeof DEFECTS }
const isFixedDefect = (defect: Defect): defect is FixedDefect => defect.code in DEFECTS

function defectText(defect: Defect): string {
  if (isFixedDefect(defect)) return DEFECTS[defect.code]
  switch (defect.code) {
    case 'slot_not_address':
      return `slot ${defect.slot} holds something other than an address`
    case 'manager_result_invalid':
    default:
      return `AccessManager ${defect.manager} returns an invalid result about its roles`
  }
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
