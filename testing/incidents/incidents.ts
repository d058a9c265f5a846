/** All published incidents that are replayed. */
import type { Incident } from './incident.ts'
import { ROLES_AND_QUEUES } from './roles-and-queues.ts'
import { UPGRADES_AND_SIGNERS } from './upgrades-and-signers.ts'

export const INCIDENTS: readonly Incident[] = [...UPGRADES_AND_SIGNERS, ...ROLES_AND_QUEUES]

/** Losses that no watch of control could have announced. */
export const OUT_OF_SCOPE: readonly (readonly [name: string, why: string])[] = [
  ['KiloEx 2025, faults of code in general', 'no control changed, and no account held a power that was used.'],
]
