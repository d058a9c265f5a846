/**
 * Code at accounts that had only a key: a new EIP-7702 delegation, or a contract at the address of an EOA.
 *
 * The walk reads the code of every account with control and of every signer, so a comparison of two control trees costs
 * no request.
 */
import type { AccountSummary } from '../../../../vocabulary/accounts.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { DELEGATE_CHANGED } from '../catalog/slot-events.ts'
import type { ControlNode } from '../profile/control-node.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type DerivedEvent, derivedHash } from './derived-events.ts'

type Found = ContractRef & {
  readonly account: AccountSummary
  /** Whether this key alone is enough on its path. */
  readonly isLastKey: boolean
}

/** Every account of a tree by chain and address. An account on several paths counts as a last key if one path says so. */
function accountsIn(root: ControlNode): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  const add = (one: Found): void => {
    const key = `${one.chainId}:${one.address}`
    found.set(key, { ...one, isLastKey: one.isLastKey || found.get(key)?.isLastKey === true })
  }
  const visit = ({ chainId, address, account, paths, signers = [], signersNeeded = 1 }: ControlNode): void => {
    // An account that another path judges has no summary of its own here.
    if (account.kind !== 'unjudged') add({ chainId, address, account, isLastKey: true })
    for (const signer of signers) add({ ...signer, chainId, isLastKey: signersNeeded <= 1 })
    for (const path of paths) visit(path)
  }
  for (const path of root.paths) visit(path)
  for (const signer of root.signers ?? [])
    add({ ...signer, chainId: root.chainId, isLastKey: (root.signersNeeded ?? 1) <= 1 })
  return found
}

/** The delegate of an account with a key, `code` for a contract, null for neither. Undefined if it was not judged. */
function codeAt({ kind, ...account }: AccountSummary): Hex | 'code' | null | undefined {
  if (kind === 'eoa') return ('delegatedTo' in account ? account.delegatedTo : undefined) ?? null
  if (kind === 'unjudged' || kind === 'none' || kind === 'l1_alias') return undefined
  return 'code'
}

/** The events for accounts that are in both trees. Accounts that were contracts before have events of their own. */
export function delegateChanges(
  ref: ContractRef,
  block: { readonly number: number },
  previous: ControlNode,
  current: ControlNode,
): readonly DerivedEvent[] {
  const before = accountsIn(previous)
  return [...accountsIn(current)].flatMap(([key, { address, account, isLastKey, chainId }]) => {
    const earlier = before.get(key)
    const [from, to] = [earlier === undefined ? undefined : codeAt(earlier.account), codeAt(account)]
    if (from === undefined || to === undefined || from === 'code' || from === to) return []
    const severity: Severity = to === null ? 'info' : isLastKey ? 'critical' : 'high'
    const event: DerivedEvent = {
      ...DELEGATE_CHANGED,
      severity,
      txHash: derivedHash('slot', ref, { field: `delegate:${key}`, block: block.number }),
      logIndex: 0,
      args: { field: 'delegate', account: address, accountChainId: chainId, previous: from, current: to },
    }
    return [event]
  })
}
