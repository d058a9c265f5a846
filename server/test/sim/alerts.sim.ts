/**
 * Alerts under a bad star: receivers that are down, slow, confused or gone, and workers that die at any moment.
 *
 * One seed decides who fails how and for how long, what happens on the chain, and at which call to the database or to
 * a receiver each worker dies: before it was made, or after it was made and before anyone heard. The database is real,
 * time is not. In the end every delivery that was due has arrived at least once, is recorded once, and its record tells
 * the truth.
 */
import assert from 'node:assert/strict'
import { createLine, type Line } from '../../src/control/alerts/delivery-line.ts'
import type { Outcome } from '../../src/control/alerts/send.ts'
import { LINE_KINDS } from '../../src/control/alerts/senders.ts'
import { webhookId, webhookPayload } from '../../src/control/alerts/webhook-payload.ts'
import type { ClaimedMessage } from '../../src/control/store/alert-messages.ts'
import { deleteEventsAbove } from '../../src/control/store/events.ts'
import { deleteSubscription } from '../../src/control/store/subscriptions.ts'
import { type Database, inTransaction } from '../../src/platform/database.ts'
import { type Account, addressOf, CHAIN, hashOf, hooked, publish, subscribed, upgradeOf } from '../support/alerts.ts'
import { testLog } from '../support/log.ts'
import { type Random, randomFrom } from './random.ts'

export type AlertsNews = {
  readonly deliveries: number
  readonly tries: number
  readonly kills: number
  readonly retractions: number
}

type Temper = 'good' | 'down' | 'slow' | 'refusing' | 'broken' | 'garbage' | 'gone'

type Receiver = {
  readonly account: Account
  readonly temper: Temper
  /** Virtual instant from which it behaves. */
  readonly goodFrom: number
  /** What it accepted: the id of each webhook, and the events in it. */
  readonly accepted: { readonly id: string; readonly type: string; readonly events: readonly number[] }[]
  /** Every request that reached it. */
  requests: number
}

const HOUR = 3_600_000
const TEMPERS: readonly Temper[] = ['good', 'good', 'down', 'slow', 'refusing', 'broken', 'garbage', 'gone']

/** The worker is dead: nothing it still wanted happens. */
class Killed extends Error {}

export const IN_ONE_WORLD = 25

/** Several seeds share one world, its hour and its workers: each try then costs the database a fraction. */
export async function simulateAlerts(database: Database, seeds: readonly number[]): Promise<AlertsNews> {
  const seed = seeds[0] ?? 0
  const random = randomFrom(seed)
  let now = Date.now()
  const begun = now
  const contracts = seeds.flatMap((of) => [0, 1, 2].map((n) => addressOf(of * 10 + n)))
  const receivers = new Map<string, Receiver>()
  const subscriptions: { readonly receiver: Receiver; readonly id: number }[] = []
  for (const of of seeds) {
    const draw = randomFrom(of)
    const ours = [0, 1, 2].map((n) => addressOf(of * 10 + n))
    for (let n = 0; n < 4; n++) {
      const target = `https://receiver-${n}.seed-${of}.example/`
      const account = await hooked(database, target)
      const temper = draw.pick(TEMPERS)
      const goodFrom = begun + (temper === 'good' ? 0 : draw.int(HOUR / 2))
      const receiver: Receiver = { account, temper, goodFrom, accepted: [], requests: 0 }
      receivers.set(target, receiver)
      for (const contract of ours)
        if (draw.chance(0.6)) subscriptions.push({ receiver, id: (await subscribed(database, account, contract)).id })
    }
  }

  let [tries, kills] = [0, 0]
  let worker = spawn()

  /** A worker with the hour of its death: so many calls from now. */
  function spawn(): { readonly line: Line; readonly isDead: () => boolean } {
    // Long enough for most to get something done: all of a world's messages may be due at once.
    let callsLeft = random.int(400)
    const fate = random.fork()
    let isDead = false
    const living = async <T>(call: () => Promise<T>): Promise<T> => {
      if (isDead) throw new Killed()
      callsLeft -= 1
      if (callsLeft >= 0) return await call()
      isDead = true
      if (fate.chance(0.5)) await call()
      throw new Killed()
    }
    const line = createLine(
      {
        database: mortal(database, living),
        timing: { now: () => now, sleep: () => Promise.resolve() },
        chance: () => fate.next(),
        publicUrl: 'https://gatewatch.example',
        log: testLog,
        prepare: async () => (message, alert) =>
          living(() => receive(message, webhookId(alert), webhookPayload(alert))),
      },
      LINE_KINDS.webhook,
    )
    return { line, isDead: () => isDead }
  }

  /** What the receiver makes of a request, and what the sender learns of it. */
  async function receive({ target }: ClaimedMessage, id: string, payload: object): Promise<Outcome> {
    const receiver = receivers.get(target) ?? assert.fail(`a message to ${target}`)
    const isGood = now >= receiver.goodFrom
    tries += 1
    if (!isGood && receiver.temper === 'down') return { ok: false, reason: 'connect ECONNREFUSED' }
    receiver.requests += 1
    const { type, data } = payload as { type: string; data: { events: { event: { id: number } }[] } }
    const accept = (): void =>
      void receiver.accepted.push({ id, type, events: data.events.map(({ event }) => event.id) })
    if (isGood) {
      if (receiver.temper === 'gone') return { ok: false, reason: 'the receiver answered 410', isGone: true }
      accept()
      return { ok: true }
    }
    if (receiver.temper === 'slow') {
      accept() // it did its work, only too late for us
      return { ok: false, reason: 'The operation was aborted due to timeout' }
    }
    const status = { refusing: 404, broken: 503 }[receiver.temper as 'refusing' | 'broken']
    return {
      ok: false,
      reason: status === undefined ? 'Parse Error: Expected HTTP/' : `the receiver answered ${status}`,
    }
  }

  /** As long as something is due: pump, and when nothing is, let time pass to the next one. */
  async function work(until: number): Promise<void> {
    for (;;) {
      if (worker.isDead()) {
        kills += 1
        worker = spawn()
      }
      const taken = await worker.line.pump().catch(() => -1)
      await worker.line.settled()
      if (taken !== 0) continue
      const { rows } = await database.query<{ next: Date | null }>(
        'select min(next_at) as next from alert_message where account_id = any($1)',
        [[...receivers.values()].map(({ account }) => account.id)],
      )
      const next = rows[0]?.next?.getTime()
      if (next === undefined || next > until) {
        now = Math.max(now, until)
        return
      }
      // Minutes' worth at once: those that wait for different seconds would each cost a round.
      now = Math.max(now + 1, next + random.int(300_000))
    }
  }

  const published = []
  for (let round = 0; round < 3; round++) {
    const first = upgradeOf(random.pick(contracts))
    const burst = seeds.flatMap((of, at) =>
      Array.from({ length: random.between(1, 4) }, (_, n) => ({
        ...first,
        txHash: hashOf(first.blockNumber * 1_000 + at),
        logIndex: at * 10 + n,
        address: addressOf(of * 10 + random.int(3)),
      })),
    )
    await publish(database, burst)
    published.push(first)
    await work(now + random.int(HOUR))
    for (let n = 0; n < seeds.length; n++) {
      if (!random.chance(0.2)) continue
      const [gone] = subscriptions.splice(random.int(subscriptions.length), 1)
      if (gone !== undefined) await deleteSubscription(database, gone.receiver.account.id, gone.id)
    }
  }
  const last = published.at(-1)
  if (last !== undefined && random.chance(0.5))
    await inTransaction(database, (client) =>
      deleteEventsAbove(client, CHAIN, { number: last.blockNumber - 1, time: last.blockTime - 1 }),
    )
  await work(begun + 30 * HOUR)
  return await judge(database, seed, [...receivers.values()], { tries, kills, random })
}

/** Every call of the pool, and of the connections it lends, may be the last. */
function mortal(database: Database, living: <T>(call: () => Promise<T>) => Promise<T>): Database {
  const query = (on: { query: Database['query'] }) =>
    ((...args: unknown[]) => living(() => (on.query as (...given: unknown[]) => Promise<unknown>)(...args))) as never
  return {
    query: query(database),
    connect: async () => {
      const client = await database.connect()
      return {
        query: query(client),
        // A connection whose process died is closed by the server, and what it had not committed is undone.
        release: (error?: Error) => client.release(error),
      } as never
    },
  } as unknown as Database
}

async function judge(
  database: Database,
  seed: number,
  receivers: readonly Receiver[],
  { tries, kills }: { readonly tries: number; readonly kills: number; readonly random: Random },
): Promise<AlertsNews> {
  let [deliveries, retractions] = [0, 0]
  for (const { account, temper, accepted, requests } of receivers) {
    const where = `seed ${seed}, a receiver that is ${temper}`
    const { rows } = await database.query<{
      id: number
      event_id: number
      status: string
      attempts: number
      last_error: string | null
      sent_at: Date | null
      retracted: boolean
      message_id: number
    }>(
      `select d.id, d.event_id, d.message_id, case when d.cancelled_at is null then m.status else 'cancelled' end as status,
         m.attempts, m.last_error, m.sent_at, e.retracted_at is not null as retracted
       from delivery d join alert_message m on m.id = d.message_id join alert_event e on e.id = d.event_id
       where d.account_id = $1`,
      [account.id],
    )
    deliveries += rows.length
    for (const row of rows) {
      const got = accepted.some(({ id, events }) => id === `alert_${row.message_id}` && events.includes(row.event_id))
      assert.notEqual(row.status, 'pending', where)
      assert.notEqual(row.status, 'retrying', where)
      if (row.status === 'sent') {
        assert.ok(got, `${where}: recorded as sent, never arrived`)
        assert.ok(row.attempts >= 1 && row.sent_at !== null, where)
      }
      if (row.status === 'failed') {
        assert.equal(temper, 'gone', `${where}: given up (${row.last_error})`)
        assert.match(row.last_error ?? '', /410/, where)
      }
    }
    const { rows: messages } = await database.query<{
      attempts: number
      retracts: number | null
      status: string
      id: number
    }>('select id, attempts, retracts, status from alert_message where account_id = $1', [account.id])
    assert.ok(
      messages.reduce((sum, { attempts }) => sum + attempts, 0) >= requests,
      `${where}: more tries than recorded`,
    )
    for (const message of messages.filter(({ retracts }) => retracts !== null)) {
      retractions += 1
      if (temper === 'gone') continue
      assert.equal(message.status, 'sent', `${where}: a retraction is ${message.status}`)
      assert.ok(
        accepted.some(({ id, type }) => id === `alert_${message.id}` && type === 'control.retracted'),
        where,
      )
    }
    // Whoever accepted what left the chain is told so, and whoever was told had it.
    for (const row of rows.filter(({ retracted, status }) => retracted && status === 'sent' && temper !== 'gone'))
      assert.ok(
        messages.some(({ retracts }) => retracts === row.message_id),
        `${where}: not taken back`,
      )
  }
  return { deliveries, tries, kills, retractions }
}
