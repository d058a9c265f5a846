/** Whether a function of a timelock does nothing but cancel what is queued. */
import type { Hex } from 'viem'
import type { Condition, Effect } from '../code/effects.ts'
import type { CodeFacts } from './code-facts.ts'
import type { ProtectedStorage } from './protected-storage.ts'
import { keepsFunction, ownEffects, type Running } from './running-code.ts'

/** `cancel(bytes32)` of OpenZeppelin's timelock. */
const CANCEL: Hex = '0xc4d252f5'

/** Whether all that code on one storage does in a function, if this account calls it, is to remove entries of a queue. */
export const onlyRemoves = (
  running: readonly Running[],
  storage: ProtectedStorage,
  { selector, caller }: { readonly selector: Hex; readonly caller: Hex },
): boolean =>
  running.every(
    (each) =>
      (selector === CANCEL && !each.isRenamed && isReleasedTimelock(each.code)) ||
      ownEffects(each).every(
        (effect) =>
          (effect.selector !== undefined && effect.selector !== selector) ||
          isPassedOn(effect) ||
          isRemoval(effect, storage) ||
          [...each.conditions, ...effect.conditions].some((condition) => isForAnother(condition, caller)),
      ),
  )

const isReleasedTimelock = ({ release }: CodeFacts): boolean =>
  release?.isFixed === true && release.package.startsWith('@openzeppelin/') && release.contract === 'TimelockController'

/** A proxy passes its input on to code that runs on the storage too. */
const isPassedOn = (effect: Effect): boolean =>
  effect.kind === 'delegatecall' &&
  keepsFunction(effect) &&
  (effect.target?.type === 'constant' || effect.target?.type === 'slot')

const isRemoval = ({ kind, position, isClear }: Effect, storage: ProtectedStorage): boolean =>
  kind === 'store' && isClear === true && position !== undefined && storage.isQueueOnly(position)

const isForAnother = (condition: Condition, caller: Hex): boolean =>
  condition.type === 'caller' && condition.is.type === 'constant' && condition.is.address !== caller
