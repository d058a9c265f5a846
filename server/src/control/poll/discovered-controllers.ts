/** Controllers in a chain of control, as contracts of their own: what holds the keys is worth watching too. */

import type { Account } from '../profile/account.ts'
import type { ControlNode } from '../profile/control-node.ts'
import type { Place } from '../profile/state.ts'
import type { ContractKind } from '../registry/kinds.ts'

export type Discovered = Place & { readonly kind: ContractKind }

/** Accounts of people, and what could not be judged, are no contracts. */
const KINDS: Readonly<Partial<Record<Account['kind'] | 'unjudged', ContractKind>>> = {
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
  // A Safe that signs for another is as telling as that one.
  const seats = (tree.signers ?? []).flatMap(({ address, kind }) => found({ chainId, address }, kind))
  return [...seats, ...tree.paths.flatMap((path) => [...found(path, path.kind), ...controllersIn(path)])]
}

function found({ chainId, address }: Place, kind: Account['kind'] | 'unjudged'): readonly Discovered[] {
  const known = KINDS[kind]
  return known === undefined ? [] : [{ chainId, address, kind: known }]
}
