/** The plans and their limits. An account has one plan for each API. */

export const MONITOR_PLANS = ['free', 'team'] as const
export const UTXO_PLANS = ['basic', 'pro', 'enterprise'] as const
export type MonitorPlan = (typeof MONITOR_PLANS)[number]
export type UtxoPlan = (typeof UTXO_PLANS)[number]

export const APIS = ['v1', 'v2'] as const
export type Api = (typeof APIS)[number]

/** The page of the web app that compares the plans: the `upgradeUrl` of errors about a plan or a quota. */
export const PLANS_PAGE = '/plans'

/** Request limits of one key. `perMonth` is null if unlimited. */
export type KeyLimits = { readonly perMinute: number; readonly perMonth: number | null }

/** The maximum number of active keys of an account for each API. */
export const KEYS_PER_ACCOUNT = 5

/**
 * Contracts that an account may add to the watched ones by subscribing. Contracts that are watched anyway do not count,
 * nor those that expired.
 */
export const NEW_CONTRACTS: Readonly<Record<MonitorPlan, number>> = { free: 50, team: 1_000 }

export const V1_LIMITS: KeyLimits = { perMinute: 60, perMonth: 100_000 }

export type UtxoAllowance = KeyLimits & {
  /** Maximum number of coins in one response; null is unlimited. */
  readonly utxoLimit: number | null
  readonly batchLimit: number
  /** Whether the plan includes `sync=true`, batches and wallets. */
  readonly syncCalculation: boolean
  /** Wallets that an account keeps. */
  readonly walletLimit: number
  /** Subscriptions of an account to addresses, wallets and transactions. */
  readonly subscriptionLimit: number
}

export const UTXO_ALLOWANCES: Readonly<Record<UtxoPlan, UtxoAllowance>> = {
  basic: {
    perMinute: 60,
    perMonth: 10_000,
    utxoLimit: 100,
    batchLimit: 10,
    syncCalculation: false,
    walletLimit: 0,
    subscriptionLimit: 10,
  },
  pro: {
    perMinute: 200,
    perMonth: 250_000,
    utxoLimit: 5_000,
    batchLimit: 100,
    syncCalculation: true,
    walletLimit: 20,
    subscriptionLimit: 1_000,
  },
  enterprise: {
    perMinute: 1_000,
    perMonth: null,
    utxoLimit: null,
    batchLimit: 1_000,
    syncCalculation: true,
    walletLimit: 500,
    subscriptionLimit: 10_000,
  },
}
