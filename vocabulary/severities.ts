/** The severities of control events: order, tones and texts. */
import type { Tone } from './labels.ts'

/** From least to most urgent. The database stores the position in this list. */
export const SEVERITIES = ['info', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity)

export const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = { info: 'grey', high: 'amber', critical: 'red' }
export const SEVERITY_TEXTS: Readonly<Record<Severity, string>> = { info: 'Info', high: 'High', critical: 'Critical' }
