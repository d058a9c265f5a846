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

function categorised(category: Category, entries: readonly EventEntry[]): readonly EventRow[] {
  return entries.map((entry) => ({ ...entry, category }))
}

export const catalogRows: readonly EventRow[] = [
  ...categorised('upgrade', upgradeEvents),
  ...categorised('ownership', ownershipEvents),
  ...categorised('access', accessEvents),
  ...categorised('access', protocolAccessEvents),
  ...categorised('pause', pauseEvents),
  ...categorised('multisig', multisigEvents),
  ...categorised('timelock', timelockEvents),
  ...categorised('governance', governanceEvents),
  ...categorised('token_admin', tokenAdminEvents),
]
