/** Writes what a queued call will do, from its function and arguments. */
import { fillTemplate, type Part, plainText } from './event-sentence.ts'
import { coinText, type Token, tokenText } from './tokens.ts'

export type NamedCall = {
  readonly target: string
  readonly selector?: string | undefined
  readonly signature?: string | undefined
  readonly args?: readonly unknown[] | undefined
  /** Wei, in decimal digits. */
  readonly value?: string | undefined
  /** The target, if it is a token of the registry. */
  readonly token?: Token | undefined
}

/** By signature. `{0}` is the first argument; the formats are those of `event-templates.ts`. */
const CALL_TEMPLATES: Readonly<Record<string, string>> = {
  'upgradeTo(address)': 'Upgrade {target} to {0}',
  'upgradeToAndCall(address,bytes)': 'Upgrade {target} to {0}',
  'upgrade(address,address)': 'Upgrade {0} to {1}',
  'upgradeAndCall(address,address,bytes)': 'Upgrade {0} to {1}',
  'deployAndUpgradeTo(address,address)': 'Upgrade {1}',
  'changeAdmin(address)': 'Change the proxy admin of {target} to {0}',
  'changeProxyAdmin(address,address)': 'Change the proxy admin of {0} to {1}',
  'transferOwnership(address)': 'Transfer the ownership of {target} to {0}',
  'renounceOwnership()': 'Renounce the ownership of {target}',
  'acceptOwnership()': 'Accept the ownership of {target}',
  'setOwner(address)': 'Set the owner of {target} to {0}',
  'grantRole(bytes32,address)': 'Grant {0:role} of {target} to {1}',
  'grantRole(uint64,address,uint32)': 'Grant role {0} of {target} to {1}',
  'revokeRole(bytes32,address)': 'Revoke {0:role} of {target} from {1}',
  'beginDefaultAdminTransfer(address)': 'Schedule the transfer of the default admin role of {target} to {0}',
  'acceptDefaultAdminTransfer()': 'Accept the default admin role of {target}',
  'changeDefaultAdminDelay(uint48)': 'Change the delay of the default admin of {target} to {0:duration}',
  'submitTimelock(uint256)': 'Change the delay of {target} to {0:duration}',
  'submitGuardian(address)': 'Set the guardian of {target} to {0}',
  'setImplementation(address)': 'Upgrade {target} to {0}',
  'changeOwner(address)': 'Set the owner of {target} to {0}',
  'transferProxyOwnership(address)': 'Change the proxy admin of {target} to {0}',
  'setRoleAdmin(uint64,uint64)': 'Make role {1} of {target} the admin of role {0}',
  'updateAuthority(address,address)': 'Set the authority of {0} to {1}',
  'setTargetFunctionRole(address,bytes4[],uint64)': 'Open functions of {0} to role {2}',
  'setAuthority(address)': 'Set the authority of {target} to {0}',
  'setAdmin(address)': 'Set the admin of {target} to {0}',
  'setPendingAdmin(address)': 'Propose {0} as admin of {target}',
  '_setPendingAdmin(address)': 'Propose {0} as admin of {target}',
  'acceptAdmin()': 'Accept the admin role of {target}',
  '_setImplementation(address)': 'Upgrade {target} to {0}',
  '_setImplementation(address,bool,bytes)': 'Upgrade {target} to {0}',
  '_setPendingImplementation(address)': 'Propose {0} as implementation of {target}',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)': 'Change the facets of {target}',
  'updateDelay(uint256)': 'Change the delay of {target} to {0:duration}',
  'setDelay(uint256)': 'Change the delay of {target} to {0:duration}',
  'updateTimelock(address)': 'Change the timelock of {target} to {0}',
  'rely(address)': 'Authorize {0} on {target}',
  'deny(address)': 'Remove the authorization of {0} on {target}',
  'enableModule(address)': 'Enable the module {0} of {target}',
  'setGuard(address)': 'Set the guard of {target} to {0}',
  'addOwnerWithThreshold(address,uint256)': 'Add {0} as owner of {target}, with a threshold of {1}',
  'removeOwner(address,address,uint256)': 'Remove the owner {1} of {target}, with a threshold of {2}',
  'swapOwner(address,address,address)': 'Replace the owner {1} of {target} by {2}',
  'changeThreshold(uint256)': 'Change the threshold of {target} to {0}',
  'pause()': 'Pause {target}',
  'unpause()': 'Unpause {target}',
  'execute()': 'Run {target}',
  'executePayload(uint40)': 'Execute payload {0} of {target}',
  'transfer(address,uint256)': 'Transfer {1:amount} of the token {target} to {0}',
  'approve(address,uint256)': 'Allow {0} to spend {1:amount} of the token {target}',
  'mint(address,uint256)': 'Mint {1:amount} of the token {target} to {0}',
}

/** Plain text with whole addresses, without a full stop at the end. */
export function callText({ target, selector, signature, args = [], value = '0', token }: NamedCall): string {
  const template = signature === undefined ? undefined : CALL_TEMPLATES[signature]
  const filled: readonly Part[] | undefined =
    template === undefined
      ? undefined
      : fillTemplate(template, { ...Object.fromEntries(args.entries()), target }, token)
  const coins = coinText(value)
  const paid = coins === undefined ? '' : `, and send it ${coins}`
  if (filled !== undefined) return `${plainText(filled)}${paid}`
  if (signature === undefined && selector === undefined) return `Send ${coins ?? 'nothing'} to ${target}`
  return `Call ${signature ?? `function ${selector}`} of ${target}${paid}`
}

/** Returns the position and the text of the amount among the arguments of a call to a token. */
export function callAmount({
  signature = '',
  args = [],
  token,
}: NamedCall): { readonly position: number; readonly text: string } | undefined {
  const [, digits] = /\{(\d+):amount\}/.exec(CALL_TEMPLATES[signature] ?? '') ?? []
  if (digits === undefined || token === undefined) return undefined
  const position = Number(digits)
  const text = tokenText(String(args[position]), token)
  return text === undefined ? undefined : { position, text }
}
