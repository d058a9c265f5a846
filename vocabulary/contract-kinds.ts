/** The kinds of contracts and their texts. A poll determines the kind; a kind in the registry is what its author expects. */

const CONTRACT_KIND_TEXTS = {
  proxy_transparent: 'Transparent proxy',
  proxy_uups: 'UUPS proxy',
  proxy_beacon: 'Beacon proxy',
  proxy_zos: 'ZeppelinOS proxy',
  proxy_immutable_admin: 'Proxy with immutable admin',
  proxy_polygon: 'Polygon proxy',
  proxy_compound: 'Compound proxy',
  proxy_aragon: 'Aragon proxy',
  proxy_ossifiable: 'Ossifiable proxy',
  proxy_op: 'OP Stack proxy',
  proxy_chugsplash: 'ChugSplash proxy',
  proxy_arbitrum: 'Arbitrum proxy',
  proxy_custom: 'Custom proxy',
  proxy_minimal: 'Minimal proxy',
  beacon: 'Beacon',
  diamond: 'Diamond',
  proxy_admin: 'ProxyAdmin',
  safe: 'Safe',
  multisig: 'Multisig',
  timelock_oz: 'OpenZeppelin timelock',
  timelock_compound: 'Compound timelock',
  timelock_custom: 'Custom timelock',
  governor: 'Governor',
  executor: 'Executor',
  access_control: 'AccessControl',
  access_manager: 'AccessManager',
  access_aragon: 'Aragon ACL',
  authorizer: 'Authorizer',
  wards: 'Maker wards',
  ownable: 'Ownable',
  oracle_proxy: 'Oracle proxy',
  immutable: 'Not upgradeable',
  unknown: 'Unknown',
} as const

export type ContractKind = keyof typeof CONTRACT_KIND_TEXTS

export const isContractKind = (text: string): text is ContractKind => Object.hasOwn(CONTRACT_KIND_TEXTS, text)

export const contractKindText = (kind: string): string => (isContractKind(kind) ? CONTRACT_KIND_TEXTS[kind] : kind)
