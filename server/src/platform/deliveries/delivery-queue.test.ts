import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLog } from '../../../../testing/support/log.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createDeliveryQueue, type Delivery, type DeliverySource, type Settled } from './delivery-queue.ts'
import { retryAfterPauses, retryUntil } from './outcome.ts'
import { postWebhook } from './webhook.ts'

const LIMITS = { recipient: { initial: 1, max: 1, failing: 1 }, total: 1, claimMs: 60_000 }
/** The schedules of alerts and of batch callbacks. */
const SCHEDULES: Readonly<Record<string, DeliverySource<Delivery>['nextAttempt']>> = {
  alerts: (_, failure, now) => retryUntil({ attempts: 1, giveUpAt: now + 86_400_000 }, failure, now, 0.5),
  callbacks: (_, failure, now) => retryAfterPauses([30_000], 1, failure, now),
}

/** Attempts one delivery to `url`, where every name resolves to a private address. */
async function deliverTo(
  url: string,
  nextAttempt: DeliverySource<Delivery>['nextAttempt'],
): Promise<Settled<Delivery>> {
  const due: Delivery[] = [{ recipient: 1, host: null }]
  const settled: Settled<Delivery>[] = []
  const outbound = {
    allowPrivate: false,
    lookup: (_: string, done: (error: null, found: { address: string; family: number }[]) => void) =>
      done(null, [{ address: '10.0.0.1', family: 4 }]),
  }
  const queue = createDeliveryQueue(
    { timing: systemTiming, log: testLog },
    {
      name: 'test',
      claim: async () => due.splice(0),
      load: async (claimed) => claimed,
      send: () => postWebhook({ clock: systemTiming, outbound }, url, { id: 'a', body: '{}', secrets: [] }),
      nextAttempt,
      settle: async (outcomes) => void settled.push(...outcomes),
    },
    LIMITS,
  )
  await queue.deliverDue()
  await queue.settled()
  return settled[0] as Settled<Delivery>
}

for (const [queue, nextAttempt] of Object.entries(SCHEDULES)) {
  test(`${queue}: a URL with a private address fails at once, a name that resolves to one is retried`, async () => {
    const forbidden = await deliverTo('http://10.0.0.1/hook', nextAttempt)
    assert.deepEqual([forbidden.status, forbidden.nextAt], ['failed', null])
    const resolved = await deliverTo('http://hook.example/', nextAttempt)
    assert.equal(resolved.status, 'retrying')
    assert.match(resolved.outcome?.ok === false ? resolved.outcome.reason : '', /hook\.example is not a public address/)
  })
}
