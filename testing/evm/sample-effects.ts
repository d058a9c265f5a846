/** Effects of code, and storage, of systems that tests describe. */
import type { Hex } from 'viem'
import type { CodeEffects, Condition, Effect } from '../../server/src/control/code/effects.ts'
import type { Position } from '../../server/src/control/code/positions.ts'
import type { Target } from '../../server/src/control/code/targets.ts'
import { toWord } from '../../server/src/control/profile/abi-values.ts'
import { slotKey } from '../../server/src/control/profile/state.ts'
import type { Described } from './sample-world.ts'

export const slot = (number: number): Position => ({ type: 'slot', slot: toWord(number) })
export const inSlot = (number: number): Target => ({ type: 'slot', slot: toWord(number), shift: 0 })
export const by = (is: Target): Condition => ({ type: 'caller', is })
export const constant = (address: Hex): Target => ({ type: 'constant', address })
export const effects = (...list: readonly Effect[]): CodeEffects => ({
  effects: list,
  asks: [],
  answers: [],
  settled: true,
})
export const store = (position: Position, ...conditions: readonly Condition[]): Effect => ({
  kind: 'store',
  at: 1,
  position,
  conditions,
})

export const call = (target: Target, ...conditions: readonly Condition[]): Effect => ({
  kind: 'call',
  at: 2,
  target,
  conditions,
})

export const run = (target: Target, more: Partial<Effect> = {}): Effect => ({
  kind: 'delegatecall',
  at: 3,
  target,
  isForwarded: true,
  conditions: [],
  ...more,
})

export const stored = (...words: readonly (readonly [number, Hex | number])[]): Described['more'] =>
  Object.fromEntries(words.map(([number, word]) => [slotKey(toWord(number)), toWord(word)]))
