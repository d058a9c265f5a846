/** One row an event, with what our own table holds of it. */
import { index, onchainTable } from 'ponder'

export const controlEvent = onchainTable(
  'control_event',
  (t) => ({
    id: t.text().primaryKey(),
    eventKey: t.text().notNull(),
    address: t.hex().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    args: t.json().notNull(),
  }),
  (table) => ({ feed: index().on(table.blockTime, table.id), contract: index().on(table.address, table.blockTime) }),
)
