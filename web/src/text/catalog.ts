/** The words of the two scales events are sorted by. */

import type { ControlEvent } from '../api/service.ts'
import type { Tone } from '../components/tone-pill.tsx'

export type Severity = ControlEvent['severity']
export type Category = ControlEvent['category']

export const SEVERITIES: readonly Severity[] = ['info', 'high', 'critical']
export const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = { info: 'grey', high: 'amber', critical: 'red' }
export const SEVERITY_TEXTS: Readonly<Record<Severity, string>> = { info: 'Info', high: 'High', critical: 'Critical' }

export const CATEGORY_TEXTS: Readonly<Record<Category, string>> = {
  upgrade: 'Upgrade',
  ownership: 'Ownership',
  access: 'Access',
  pause: 'Pause',
  multisig: 'Multisig',
  timelock: 'Timelock',
  governance: 'Governance',
  token_admin: 'Token admin',
}
export const CATEGORIES = Object.keys(CATEGORY_TEXTS) as readonly Category[]
