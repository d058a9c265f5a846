import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCatalog } from '../../server/src/control/catalog/catalog.ts'
import { catalogRows } from '../../server/src/control/catalog/events/rows.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { createWatcher, type Watcher } from '../../server/src/control/watch/watcher.ts'
import { seededRandom } from '../support/random.ts'
import { memoryStore } from './memory-store.ts'
import { simChain } from './sim-chain.ts'
import { CALM, simNode } from './sim-node.ts'
import { virtualTime } from './virtual-time.ts'
import { simulatedChain } from './watch.sim.ts'

const catalog = buildCatalog(catalogRows)

test('a chain whose process dies at any moment is taken over within 10 seconds', async () => {
  for (let moment = 0; moment < 6_000; moment += 700) {
    const random = seededRandom(moment)
    const time = virtualTime(Date.parse('2026-03-01T00:00:00Z'))
    const chain = simChain({ random, now: time.now })
    const node = simNode({ chain, random, timing: time }, { faults: CALM, chainId: 31_337, quietUntilFinal: 9 })
    const { reorgLimit } = simulatedChain(0)
    const store = memoryStore({ now: time.now, reorgLimit, onViolation: assert.fail })
    let isDead = false
    const start = (name: string, mayDie: boolean): Watcher => {
      const never = new Promise<never>(() => {})
      const leases = store.leasesOf(name)
      const watcher = createWatcher(
        {
          timing: time,
          catalog,
          store,
          pool: createRpcPool(
            { timing: time, report: () => {} },
            { chain: 'simulated', chainId: 31_337, urls: ['http://node'], transport: () => node.transport },
          ),
          leases: { ...leases, take: (ttl) => (mayDie && isDead ? never : leases.take(ttl)) },
          log: { warn: () => {}, info: () => {} },
        },
        { chain: simulatedChain(0) },
      )
      void watcher.run(new AbortController().signal)
      return watcher
    }
    const first = start('first', true)
    assert.ok(await time.run(() => first.status().holdsLease, 5_000))
    const second = start('second', false)
    await time.run(() => false, 3_000 + moment)
    assert.equal(second.status().holdsLease, false)
    isDead = true
    const diedAt = time.now()
    assert.ok(await time.run(() => second.status().holdsLease && second.status().cursor !== undefined, 60_000))
    assert.ok(time.now() - diedAt <= 10_000, `${time.now() - diedAt} ms of simulated time`)
  }
})
