/**
 * What kind of contract something is: the vocabulary of registry, catalog and profile.
 *
 * A kind in the registry is what its author expects; what the chain shows decides.
 */

export const CONTRACT_KINDS = [
  'proxy_transparent',
  'proxy_uups',
  'proxy_beacon',
  'proxy_zos',
  'proxy_immutable_admin',
  'proxy_polygon',
  'proxy_compound',
  'proxy_aragon',
  'proxy_ossifiable',
  'proxy_op',
  'proxy_chugsplash',
  'proxy_arbitrum',
  'proxy_custom',
  'proxy_minimal',
  'beacon',
  'diamond',
  'proxy_admin',
  'safe',
  'multisig',
  'timelock_oz',
  'timelock_compound',
  'timelock_custom',
  'governor',
  'executor',
  'access_control',
  'access_manager',
  'access_aragon',
  'authorizer',
  'wards',
  'ownable',
  'oracle_proxy',
  'immutable',
  'unknown',
] as const
export type ContractKind = (typeof CONTRACT_KINDS)[number]

const kinds: ReadonlySet<string> = new Set(CONTRACT_KINDS)

export function isContractKind(text: string): text is ContractKind {
  return kinds.has(text)
}
