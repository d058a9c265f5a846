/** Compares the events stored during the faults with the events that a new service reads from the chains afterwards. */
import { isDeepStrictEqual } from 'node:util'
import { storedEvents } from '../../testing/evm/watching.ts'
import type { Environment } from '../../testing/support/service.ts'
import { spawnComponent } from './service.ts'
import { untilRead } from './settle.ts'
import type { World } from './world.ts'

/** Found by polling state or by the clock, not from logs: a later reader cannot find them. */
const isFromState = (key: string): boolean => key.startsWith('slot.') || key.startsWith('pending.')

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
    const followed = (await storedEvents(database, chain.chainId)).filter(({ key }) => !isFromState(key))
    const expected = await storedEvents(fresh.database, chain.chainId)
    events += followed.length
    const differing = expected.findIndex((row, at) => !isDeepStrictEqual(row, followed[at]))
    if (differing !== -1 || expected.length !== followed.length)
      faults.push(
        `${slug}: ${followed.length} events were stored and ${expected.length} read again; first difference: ${JSON.stringify([followed[differing], expected[differing]])}`,
      )
  }
  return { faults, events }
}
