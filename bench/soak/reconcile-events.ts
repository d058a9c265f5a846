/** The events that were followed through all faults, beside those of a reader who never saw any. */
import { isDeepStrictEqual } from 'node:util'
import { storedEvents } from '../../testing/evm/watching.ts'
import type { Environment } from '../../testing/support/service.ts'
import { spawnKept } from './service.ts'
import { untilRead } from './settle.ts'
import type { World } from './world.ts'

/** Read from state, not from logs: whoever was not there at the time cannot find them. */
const isFromState = (key: string): boolean => key.startsWith('slot.')

export async function compareEvents(
  { database, evm, openFresh, components }: World,
  env: Environment,
  cwd: string,
): Promise<{ readonly faults: readonly string[]; readonly events: number }> {
  const fresh = await openFresh()
  const reader = spawnKept(components, ['start'], { env: { ...env, DATABASE_URL: fresh.url, ROLES: 'watch' }, cwd })
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
        `${slug}: ${followed.length} events were followed and ${expected.length} read anew; the first that differs: ${JSON.stringify([followed[differing], expected[differing]])}`,
      )
  }
  return { faults, events }
}
