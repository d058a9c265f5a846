/** Queued changes: the families of contracts that queue them, and the states of a change. */

/** The contracts that queue changes, by the events they emit. */
export const PENDING_FAMILIES = {
  oz_timelock: 'OpenZeppelin timelock',
  solady_timelock: 'Solady timelock',
  compound_timelock: 'Compound timelock',
  aave_executor: 'Aave executor',
  aave_governance: 'Aave governance',
  aave_payloads: 'Aave payloads controller',
  access_manager: 'OpenZeppelin access manager',
  default_admin: 'OpenZeppelin default admin rules',
  zodiac_delay: 'Zodiac delay module',
  axelar_governance: 'Axelar governance',
  maker_pause: 'Maker pause',
  morpho_vault: 'Morpho vault',
  governor: 'Governor',
  lido_governance: 'Lido dual governance',
  zksync_governance: 'ZKsync governance',
  safe: 'Safe',
} as const satisfies Readonly<Record<string, string>>

export type PendingFamily = keyof typeof PENDING_FAMILIES

export const PENDING_STATES = [
  'proposed',
  'queued',
  'ready',
  'executed',
  'failed',
  'canceled',
  'replaced',
  'expired',
  'defeated',
] as const
export type PendingState = (typeof PENDING_STATES)[number]

export const PENDING_STATE_TEXTS: Readonly<Record<PendingState, string>> = {
  proposed: 'Proposed',
  queued: 'Queued',
  ready: 'Ready',
  executed: 'Executed',
  failed: 'Failed',
  canceled: 'Canceled',
  replaced: 'Replaced',
  expired: 'Expired',
  defeated: 'Defeated',
}

type Call<C> = { readonly isControl: boolean; readonly calls: readonly C[] }

/** The call that the summary of a change names: the first that changes control, at any depth, or else the first. */
export const mainCallOf = <C extends Call<C>>(calls: readonly C[]): C | undefined => controlCallIn(calls) ?? calls[0]

function controlCallIn<C extends Call<C>>(calls: readonly C[]): C | undefined {
  for (const call of calls) {
    const found = call.isControl ? call : controlCallIn(call.calls)
    if (found !== undefined) return found
  }
  return undefined
}

/** Why there is no simulation of a change. */
export const SIMULATION_PROBLEM_TEXTS = {
  reverts: 'It would fail if it were executed now.',
  roles: 'It changes roles, whose members cannot be simulated.',
  unknown_calls: 'Its calls are not known, or run with the rights of the queue.',
  unavailable: 'The node of this chain cannot simulate changes.',
} as const satisfies Readonly<Record<string, string>>

export type SimulationProblem = keyof typeof SIMULATION_PROBLEM_TEXTS
