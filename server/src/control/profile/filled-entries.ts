/**
 * Whether code filled the tables of queued operations and counted votes by rules that hold now.
 *
 * A check of the caller is not enough: another account may have passed it before. Nor is a rule that reads a slot, such as the
 * least delay or the token that weighs votes: entries that were stored when the slot had another value stay as they are.
 */
import type { Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Condition, Effect } from '../code/effects.ts'
import { mayHit } from '../code/hits.ts'
import type { Gates } from './gates.ts'
import type { ProtectedStorage } from './protected-storage.ts'
import { isExcludedAt } from './running-code.ts'

/** Events that name an operation whose time is compared with the present delay. */
export const CALL_SCHEDULED = toEventSelector('CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)')
export const TRANSACTION_QUEUED = toEventSelector('QueueTransaction(bytes32,address,uint256,string,bytes,uint256)')

type Rules = { readonly address: Hex; readonly storage: ProtectedStorage; readonly gates: Gates }

/** `effects`: those of all code that runs or ran. */
export function isFilledByRules(effects: readonly Effect[], { address, storage, gates }: Rules): boolean {
  // A condition is excluded for all times only if it depends on no storage.
  const isNever = ({ conditions }: Effect): boolean =>
    conditions.some((condition: Condition) => isExcludedAt(address, condition))
  const possible = effects.filter((effect) => !isNever(effect))
  if (possible.some((effect) => storage.isSilent(effect))) return false
  const added = possible.filter((effect) => storage.addsEntry(effect))
  if (!added.every((effect) => gates.lets(effect, effect.conditions))) return false
  // A counter that was set back would give the number of an old proposal to a new one.
  if (possible.some((effect) => storage.rewinds(effect))) return false
  return added.every((effect) => isNamed(effect, storage)) || !possible.some((effect) => storage.changesRule(effect))
}

/** Whether an event names the entry, so that its time is known. */
const isNamed = ({ position, reportedBy }: Effect, storage: ProtectedStorage): boolean =>
  (reportedBy === CALL_SCHEDULED || reportedBy === TRANSACTION_QUEUED) &&
  position !== undefined &&
  storage.queues.some(({ table }) => mayHit(position, table))
