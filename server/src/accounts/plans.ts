/**
 * What each plan allows, as data. An account carries one plan for each interface.
 */

export const MONITOR_PLANS = ['free', 'team'] as const
export const UTXO_PLANS = ['basic', 'pro', 'enterprise'] as const
export type MonitorPlan = (typeof MONITOR_PLANS)[number]
export type UtxoPlan = (typeof UTXO_PLANS)[number]

export type Api = 'v1' | 'v2'

/** Limits of one key; `perMonth` null is unlimited. */
export type KeyLimits = { readonly perMinute: number; readonly perMonth: number | null }

/** Keys an account may have, for each interface. */
export const KEYS_PER_ACCOUNT = 5

export const V1_LIMITS: KeyLimits = { perMinute: 60, perMonth: 100_000 }

export type UtxoAllowance = KeyLimits & {
  /** Coins returned by one answer; null is unlimited. */
  readonly utxoLimit: number | null
  readonly batchLimit: number
  /** Whether `sync=true` and batches may be used at all. */
  readonly syncCalculation: boolean
}

export const UTXO_ALLOWANCES: Readonly<Record<UtxoPlan, UtxoAllowance>> = {
  basic: { perMinute: 60, perMonth: 10_000, utxoLimit: 100, batchLimit: 10, syncCalculation: false },
  pro: { perMinute: 200, perMonth: 250_000, utxoLimit: 5_000, batchLimit: 100, syncCalculation: true },
  enterprise: { perMinute: 1_000, perMonth: null, utxoLimit: null, batchLimit: 1_000, syncCalculation: true },
}
