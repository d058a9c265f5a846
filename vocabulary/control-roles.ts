/** What an account is to the account it controls, as data, and the English text for it. */
import type { Hex } from './accounts.ts'

/** Getters by which a contract names its controllers. */
export type ControllerName =
  | 'owner'
  | 'admin'
  | 'authority'
  | 'governance'
  | 'governor'
  | 'guardian'
  | 'minter'
  | 'master_minter'
  | 'pauser'
  | 'blacklister'
  | 'pending_owner'
  | 'pending_admin'
  | 'pending_default_admin'

/** The function that replaces code, to which the role gives access. */
export type UpgradePath = 'uups' | 'beacon' | 'diamond_cut' | 'call_proxy' | 'proxy_admin' | 'executor'

/** The account that names a controller or has modules. */
export type ControlledAccount = {
  readonly kind:
    | 'contract'
    | 'safe'
    | 'multisig'
    | 'timelock'
    | 'delay_module'
    | 'payloads_controller'
    | 'governor'
    | 'proxy_admin'
    | 'executor'
    | 'compound_delegator'
  readonly address: Hex
}

/** A role of AccessControl: its name where that is known, otherwise its hash. */
export type AccessRole = string

export type ControlRole =
  /** The contract or address that was profiled. */
  | { readonly code: 'contract' | 'address' }
  | { readonly code: 'controller'; readonly name: ControllerName; readonly of: ControlledAccount }
  | { readonly code: 'module'; readonly of: ControlledAccount }
  | { readonly code: 'upgrade_controller'; readonly name: ControllerName; readonly path: UpgradePath }
  | { readonly code: 'upgrade_role_member'; readonly role: AccessRole; readonly path: UpgradePath }
  | { readonly code: 'upgrade_ward'; readonly path: UpgradePath }
  /** The role that an upgrade needs, if it has no member. */
  | { readonly code: 'upgrade_role_holder' }
  /** `source`: where the proxy keeps the address of its admin, if not in the slot of its family. */
  | {
      readonly code: 'proxy_admin'
      readonly family: 'eip1967' | 'zeppelin_os' | 'polygon'
      readonly source?: 'code' | 'erc1967_factory'
    }
  | { readonly code: 'ward' }
  /** In a table of the contract that the code looks its caller up in. */
  | { readonly code: 'listed' }
  /** `grants`: the role that members of this role may grant. */
  | { readonly code: 'role_member'; readonly role: AccessRole; readonly grants?: AccessRole }
  /** Of a timelock in which an operation is pending that the account may have queued. */
  | { readonly code: 'former_proposer' }
  /** Roles of an AccessManager are numbers. */
  | { readonly code: 'manager_role_member'; readonly role: string; readonly grants?: string }
  /** Accounts that the code compares its caller with. */
  | { readonly code: 'caller_in_slot'; readonly slot: Hex }
  | { readonly code: 'caller_in_code' }
  /** Accounts that may make the contract delegatecall to any address. */
  | { readonly code: 'delegatecaller'; readonly name: ControllerName }
  | { readonly code: 'delegatecaller_in_slot'; readonly slot: Hex }
  | { readonly code: 'delegatecaller_in_code' }
  /** The upgrade is open to every account; the address is an example. */
  | { readonly code: 'anyone'; readonly through?: 'access_manager' }
  | { readonly code: 'guardian_set' | 'starkware_governor' | 'own_logic' | 'clone_target' | 'l1_contract' }

const PATHS: Readonly<Record<UpgradePath, string>> = {
  uups: 'UUPS',
  beacon: 'Beacon',
  diamond_cut: 'diamondCut by',
  call_proxy: 'Proxy',
  proxy_admin: 'ProxyAdmin',
  executor: 'Executor',
}

const CONTROLLED: Readonly<Record<ControlledAccount['kind'], string>> = {
  contract: '',
  safe: 'Safe',
  multisig: 'multisig',
  timelock: 'timelock',
  delay_module: 'delay module',
  payloads_controller: 'PayloadsController',
  governor: 'governor',
  proxy_admin: 'ProxyAdmin',
  executor: 'executor',
  compound_delegator: 'Compound delegator',
}

const PROXY_ADMINS = { eip1967: 'Proxy admin', zeppelin_os: 'ZeppelinOS proxy admin', polygon: 'Proxy owner' } as const
const ADMIN_SOURCES = { code: ' (fixed in its code)', erc1967_factory: ' (kept by the ERC1967Factory)' } as const
const MAY_DELEGATECALL = 'who may make it run any code,'

export const controllerText = (name: ControllerName): string => name.replaceAll('_', ' ')

const accessRoleText = (role: AccessRole): string => (role.startsWith('0x') ? `role ${role}` : role)
const managerRoleText = (role: string): string => (role === '0' ? 'ADMIN_ROLE' : `role ${role}`)
const controlledText = ({ kind, address }: ControlledAccount): string =>
  CONTROLLED[kind] === '' ? address : `${CONTROLLED[kind]} ${address}`

/** The role with what it belongs to, as the subject of a sentence: `The owner of ProxyAdmin 0x…`. */
export function roleText(role: ControlRole): string {
  switch (role.code) {
    case 'controller':
      return `The ${controllerText(role.name)} of ${controlledText(role.of)}`
    case 'module':
      return `A module of ${controlledText(role.of)}`
    case 'role_member': {
      if (role.grants !== undefined)
        return `${capitalized(accessRoleText(role.role))} member, who may grant ${accessRoleText(role.grants)},`
      return roleTitle(role)
    }
    case 'manager_role_member':
      return role.grants === undefined
        ? roleTitle(role)
        : `${roleTitle(role)}, who may grant ${managerRoleText(role.grants)},`
    case 'delegatecaller':
      return `The ${controllerText(role.name)}, ${MAY_DELEGATECALL}`
    case 'delegatecaller_in_slot':
      return `Address in slot ${slotText(role.slot)}, ${MAY_DELEGATECALL}`
    case 'delegatecaller_in_code':
      return `Address in the code, ${MAY_DELEGATECALL}`
    case 'caller_in_slot':
      return `Address in slot ${slotText(role.slot)}`
    case 'anyone':
      return role.through === 'access_manager'
        ? 'An AccessManager opens the upgrade to anyone; one example'
        : 'The upgrade is open to anyone; one example'
    case 'contract':
      return 'The contract'
    case 'address':
      return 'The address'
    case 'caller_in_code':
    case 'clone_target':
    case 'former_proposer':
    case 'guardian_set':
    case 'l1_contract':
    case 'listed':
    case 'own_logic':
    case 'proxy_admin':
    case 'starkware_governor':
    case 'upgrade_controller':
    case 'upgrade_role_holder':
    case 'upgrade_role_member':
    case 'upgrade_ward':
    case 'ward':
    default:
      return roleTitle(role)
  }
}

/** The role alone, as a drawing or a list shows it: `Owner`. */
export function roleTitle(role: ControlRole): string {
  switch (role.code) {
    case 'controller':
    case 'delegatecaller':
      return capitalized(controllerText(role.name))
    case 'module':
      return 'Module'
    case 'upgrade_controller':
      return `${PATHS[role.path]} ${controllerText(role.name)}`
    case 'upgrade_role_member':
      return `${PATHS[role.path]} ${accessRoleText(role.role)} member`
    case 'upgrade_ward':
      return `${PATHS[role.path]} ward`
    case 'upgrade_role_holder':
      return 'Holder of the role that may upgrade'
    case 'proxy_admin':
      return `${PROXY_ADMINS[role.family]}${role.source === undefined ? '' : ADMIN_SOURCES[role.source]}`
    case 'ward':
      return 'A ward'
    case 'listed':
      return 'Listed account'
    case 'role_member':
      return role.role === 'PROPOSER_ROLE' && role.grants === undefined
        ? 'Proposer'
        : `${capitalized(accessRoleText(role.role))} member`
    case 'former_proposer':
      return 'Former proposer of a pending operation'
    case 'manager_role_member':
      return `AccessManager ${managerRoleText(role.role)} member`
    case 'caller_in_slot':
    case 'delegatecaller_in_slot':
      return 'Stored address'
    case 'caller_in_code':
      return 'Address in the code of the logic'
    case 'delegatecaller_in_code':
      return 'Address in the code'
    case 'anyone':
      return 'Anyone'
    case 'guardian_set':
      return 'Upgrade authority'
    case 'starkware_governor':
      return 'Governor of the StarkWare proxy'
    case 'own_logic':
      return 'Its own logic'
    case 'clone_target':
      return 'The account it is a clone of'
    case 'l1_contract':
      return 'The L1 contract behind the alias'
    case 'address':
      return 'Address'
    case 'contract':
    default:
      return 'Contract'
  }
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The number of a storage slot. A compiler counts slots from 0; larger ones are hashes. */
const slotText = (slot: Hex): string => (BigInt(slot) < 10_000n ? String(BigInt(slot)) : slot)
