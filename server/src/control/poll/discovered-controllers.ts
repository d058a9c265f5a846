/** Controllers in a control tree as contracts to watch. */

import type { AccountKind } from '../../../../vocabulary/accounts.ts'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import type { ControlNode } from '../profile/control-node.ts'
import type { ContractRef } from '../registry/contracts.ts'

export type Discovered = ContractRef & { readonly kind: ContractKind }

/** Kinds without an entry are not contracts, or were not judged. */
const KINDS: Readonly<Partial<Record<AccountKind, ContractKind>>> = {
  safe: 'safe',
  multisig: 'multisig',
  timelock_oz: 'timelock_oz',
  timelock_compound: 'timelock_compound',
  timelock_other: 'timelock_custom',
  zodiac_delay: 'timelock_custom',
  payloads_controller: 'timelock_custom',
  governor: 'governor',
  proxy_admin: 'proxy_admin',
  executor: 'executor',
  access_manager: 'access_manager',
  wards: 'wards',
  aragon_app: 'access_aragon',
  lido_timelock: 'timelock_custom',
  ownable_contract: 'ownable',
  unknown_contract: 'unknown',
}

export function controllersIn(tree: ControlNode): readonly Discovered[] {
  const { chainId } = tree
  // A Safe that signs for another Safe is watched like that one.
  const signers = (tree.signers ?? []).flatMap(({ address, account }) => found({ chainId, address }, account.kind))
  return [...signers, ...tree.paths.flatMap((path) => [...found(path, path.account.kind), ...controllersIn(path)])]
}

function found({ chainId, address }: ContractRef, kind: AccountKind): readonly Discovered[] {
  const known = KINDS[kind]
  return known === undefined ? [] : [{ chainId, address, kind: known }]
}
