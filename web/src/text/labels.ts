/** The six labels in the words of the interface, and their order from weakest to strongest. */
import type { Schemas } from 'gatewatch-client'

export type Label = Schemas['ControlProfile']['label']
export type Tone = Schemas['ControlProfile']['tone']

export const LABEL_TEXTS: Readonly<Record<Label, string>> = {
  single_key: 'Upgradeable by a single key',
  unknown: 'Not profiled yet',
  multisig: 'Multisig, no delay',
  short_timelock: 'Timelock under 24h',
  timelocked: 'Multisig + 24h+ timelock',
  immutable: 'Not upgradeable',
}

export const LABEL_TONES: Readonly<Record<Label, Tone>> = {
  single_key: 'red',
  unknown: 'grey',
  multisig: 'amber',
  short_timelock: 'amber',
  timelocked: 'green',
  immutable: 'green',
}

/** The names of the counts in a summary, weakest first. */
export const SUMMARY_LABELS = [
  ['singleKey', 'single_key'],
  ['unknown', 'unknown'],
  ['multisig', 'multisig'],
  ['shortTimelock', 'short_timelock'],
  ['timelocked', 'timelocked'],
  ['immutable', 'immutable'],
] as const satisfies readonly (readonly [string, Label])[]
