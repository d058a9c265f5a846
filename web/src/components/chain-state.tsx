import type { Tone } from '../../../vocabulary/labels.ts'
import { TonePill } from './tone-pill.tsx'

const STATES = {
  in_sync: ['green', 'Up to date'],
  reading_history: ['green', 'Up to date, backfilling history'],
  behind: ['amber', 'Behind'],
  unreachable: ['red', 'Unreachable'],
  not_watched: ['red', 'Not watched'],
  not_indexed: ['grey', 'Not indexed yet'],
} as const satisfies Readonly<Record<string, readonly [Tone, string]>>

/** The state of a watched or indexed chain as a pill. */
export function ChainState({ state }: { readonly state: keyof typeof STATES }) {
  const [tone, text] = STATES[state]
  return <TonePill tone={tone}>{text}</TonePill>
}
