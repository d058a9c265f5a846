/** All rows of the catalog. A new event goes into the file of its category, see docs/adding-an-event.md. */

import type { Category } from '../../../../../vocabulary/categories.ts'
import type { EventEntry, EventRow } from '../event-row.ts'
import { accessEvents } from './access.ts'
import { protocolAccessEvents } from './access-protocols.ts'
import { governanceEvents } from './governance.ts'
import { multisigEvents } from './multisig.ts'
import { ownershipEvents } from './ownership.ts'
import { pauseEvents } from './pause.ts'
import { timelockEvents } from './timelock.ts'
import { tokenAdminEvents } from './token-admin.ts'
import { upgradeEvents } from './upgrade.ts'

/** The rows of one file, which all have the category of the file. */
function inCategory(category: Category, entries: readonly EventEntry[]): readonly EventRow[] {
  return entries.map((entry) => ({ ...entry, category }))
}

export const catalogRows: readonly EventRow[] = [
  ...inCategory('upgrade', upgradeEvents),
  ...inCategory('ownership', ownershipEvents),
  ...inCategory('access', accessEvents),
  ...inCategory('access', protocolAccessEvents),
  ...inCategory('pause', pauseEvents),
  ...inCategory('multisig', multisigEvents),
  ...inCategory('timelock', timelockEvents),
  ...inCategory('governance', governanceEvents),
  ...inCategory('token_admin', tokenAdminEvents),
]
