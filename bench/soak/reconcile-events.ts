/** Compares the events stored during the faults with the logs that a new service reads from the chains afterwards. */
import { isDeepStrictEqual } from 'node:util'
import { TRANSACTION_EVENTS } from '../../server/src/control/catalog/transaction-events.ts'
import { storedEvents } from '../../testing/evm/watching.ts'
import type { Environment } from '../../testing/support/service.ts'
import { spawnComponent } from './service.ts'
import { untilRead } from './settle.ts'
import type { World } from './world.ts'

/** Not from logs: found by polling state, by the clock, or in the transactions of new blocks. A later reader cannot find them. */
const OF_TRANSACTIONS: ReadonlySet<string> = new Set(TRANSACTION_EVENTS.map(({ key }) => key))
const isFromLog = ({ key }: Row): boolean =>
  !key.startsWith('slot.') && !key.startsWith('pending.') && !OF_TRANSACTIONS.has(key)

type Row = Awaited<ReturnType<typeof storedEvents>>[number]

/** The events of logs, without what their transactions showed. */
const logged = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(isFromLog).map((row) => ({
    ...row,
    args: Object.fromEntries(Object.entries(row.args).filter(([name]) => name !== 'calls')),
  }))

export async function compareEvents(
  { database, evm, openFresh, components }: World,
  env: Environment,
  cwd: string,
): Promise<{ readonly faults: readonly string[]; readonly events: number }> {
  const fresh = await openFresh()
  const reader = spawnComponent(components, ['start'], {
    env: { ...env, DATABASE_URL: fresh.url, ROLES: 'watch' },
    cwd,
  })
  await untilRead(fresh.database, evm.chains).finally(() => reader.child.kill('SIGTERM'))
  await reader.exit
  const faults: string[] = []
  let events = 0
  for (const { slug, chain } of evm.chains) {
    const followed = logged(await storedEvents(database, chain.chainId))
    const expected = logged(await storedEvents(fresh.database, chain.chainId))
    events += followed.length
    const differing = expected.findIndex((row, at) => !isDeepStrictEqual(row, followed[at]))
    if (differing !== -1 || expected.length !== followed.length)
      faults.push(
        `${slug}: ${followed.length} events were stored and ${expected.length} read again; first difference: ${JSON.stringify([followed[differing], expected[differing]])}`,
      )
  }
  return { faults, events }
}
