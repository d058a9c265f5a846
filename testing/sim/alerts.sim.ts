/**
 * Simulates deliveries with receivers that are down, slow, wrong or gone, and workers that die at any moment.
 *
 * The seed decides which receivers fail, how and for how long, what happens on the chain, and at which call to the database
 * or to a receiver each worker dies: before the call, or after it and before its result is known. The database is real,
 * time is simulated. At the end every due delivery has arrived at least once and has one correct record. A seed uses its
 * own rows and deletes them, so that it gives the same run alone and among others.
 */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { ClaimedMessage } from '../../server/src/control/alerts/alert-messages.ts'
import { createAlertQueue } from '../../server/src/control/alerts/alert-queue.ts'
import { alertAtHead } from '../../server/src/control/alerts/head-alerts.ts'
import { deleteSubscription } from '../../server/src/control/alerts/subscriptions.ts'
import { webhookPayload } from '../../server/src/control/alerts/webhook-payload.ts'
import type { EventRecord } from '../../server/src/control/catalog/catalog.ts'
import { deleteEventsAbove } from '../../server/src/control/feed/events.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { type Database, inTransaction } from '../../server/src/platform/database.ts'
import type { DeliveryQueue } from '../../server/src/platform/deliveries/delivery-queue.ts'
import type { Outcome } from '../../server/src/platform/deliveries/outcome.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { addressOf, CHAIN, hashOf, publish, upgradeOf } from '../support/alerts.ts'
import { testLog } from '../support/log.ts'
import { seededRandom } from '../support/random.ts'

export type AlertsNews = {
  readonly deliveries: number
  readonly tries: number
  readonly kills: number
  readonly retractions: number
  /** A hash of everything that happened, in order. */
  readonly trace: string
}

type Temper = 'good' | 'down' | 'slow' | 'refusing' | 'broken' | 'garbage' | 'gone'

type Receiver = {
  readonly accountId: string
  readonly temper: Temper
  /** The simulated time from which the receiver works. */
  readonly goodFrom: number
  /** Accepted webhooks: id and events. */
  readonly accepted: { readonly id: string; readonly type: string; readonly events: readonly number[] }[]
  /** All requests that arrived. */
  requests: number
}

type Payload = {
  readonly type: string
  readonly data: {
    readonly events: readonly {
      readonly event: { readonly id: number; readonly blockNumber: number; readonly logIndex: number }
    }[]
  }
}

const HOUR = 3_600_000
const TEMPERS: readonly Temper[] = ['good', 'good', 'down', 'slow', 'refusing', 'broken', 'garbage', 'gone']

/** The worker is dead: its further calls have no effect. */
class Killed extends Error {}

export async function simulateAlerts(database: Database, seed: number): Promise<AlertsNews> {
  const random = seededRandom(seed)
  let now = Date.now()
  const begun = now
  const contracts = [0, 1, 2].map((n) => addressOf(seed * 10 + n)) as [Hex, ...Hex[]]
  const receivers = new Map<string, Receiver>()
  for (let n = 0; n < 4; n++) {
    const target = `https://receiver-${n}.example/`
    const temper = random.pick(TEMPERS)
    const goodFrom = begun + (temper === 'good' ? 0 : random.below(HOUR / 4))
    receivers.set(target, { accountId: randomUUID(), temper, goodFrom, accepted: [], requests: 0 })
  }
  const requested = [...receivers.values()].flatMap(({ accountId }) =>
    contracts.filter(() => random.chance(0.6)).map((contract) => ({ accountId, contract })),
  )
  const subscriptions = await populate(database, receivers, requested)
  const accountIds = [...receivers.values()].map(({ accountId }) => accountId)
  const nameOf = (target: string): number => [...receivers.keys()].indexOf(target)
  const trace = createHash('sha256')
  let firstBlock: number | undefined

  let [tries, kills] = [0, 0]
  let worker = spawn()

  /** Starts a worker that dies after `calls` calls. */
  function spawn(): { readonly queue: DeliveryQueue; readonly isDead: () => boolean } {
    let callsLeft = random.below(120)
    const fate = random.fork()
    let isDead = false
    const takeTurn = createTurns()
    const living: Living = async (call) => {
      if (isDead) throw new Killed()
      callsLeft -= 1
      if (callsLeft >= 0) return await call()
      isDead = true
      if (fate.chance(0.5)) await call()
      throw new Killed()
    }
    const inTurn: Living = async (call) => {
      const done = await takeTurn()
      try {
        return await living(call)
      } finally {
        done()
      }
    }
    const timing = { now: () => now, sleep: () => Promise.resolve() }
    const queue = createAlertQueue(
      {
        database: mortal(database, { takeTurn, inTurn, living }),
        timing,
        clock: timing,
        random: () => fate.next(),
        publicUrl: 'https://gatewatch.example',
        log: testLog,
        mailer: undefined,
        telegram: undefined,
        outbound: { allowPrivate: false },
      },
      'webhook',
      (loaded) => inTurn(() => receive(loaded, `alert_${loaded.id}`, webhookPayload(loaded.alert))),
    )
    return { queue, isDead: () => isDead }
  }

  /** The receiver's handling of a request, and the result that the sender gets. */
  async function receive({ target }: ClaimedMessage, id: string, payload: object): Promise<Outcome> {
    const receiver = receivers.get(target) ?? assert.fail(`a message to ${target}`)
    const isGood = now >= receiver.goodFrom
    tries += 1
    const { type, data } = payload as Payload
    const events = data.events.map(({ event }) => [event.blockNumber - (firstBlock ?? 0), event.logIndex])
    trace.update(JSON.stringify([nameOf(target), now - begun, type, events]))
    if (!isGood && receiver.temper === 'down') return { ok: false, reason: 'connect ECONNREFUSED' }
    receiver.requests += 1
    const accept = (): void =>
      void receiver.accepted.push({ id, type, events: data.events.map(({ event }) => event.id) })
    if (isGood) {
      if (receiver.temper === 'gone') return { ok: false, reason: 'The webhook returned 410 Gone.', isGone: true }
      accept()
      return { ok: true }
    }
    if (receiver.temper === 'slow') {
      accept() // accepted after the sender's timeout
      return { ok: false, reason: 'The operation was aborted due to timeout', isUncertain: true }
    }
    const status = { refusing: 404, broken: 503 }[receiver.temper as 'refusing' | 'broken']
    return {
      ok: false,
      reason: status === undefined ? 'Parse Error: Expected HTTP/' : `The webhook returned status ${status}.`,
    }
  }

  /** Sends due messages, and advances the time when none is due, until all are settled. */
  async function work(until: number): Promise<void> {
    for (;;) {
      if (worker.isDead()) {
        kills += 1
        worker = spawn()
      }
      const taken = await worker.queue.deliverDue().catch(() => -1)
      await worker.queue.settled()
      if (taken !== 0) continue
      const { rows } = await database.query<{ next: Date | null }>(
        sql`select min(next_at) as next from alert_message where account_id = any($1)`,
        [accountIds],
      )
      const next = rows[0]?.next?.getTime()
      if (next === undefined || next > until) {
        now = Math.max(now, until)
        return
      }
      // Advances by minutes, because separate seconds would each cost a round.
      now = Math.max(now + 1, next + random.below(600_000))
    }
  }

  /**
   * In some runs the events are alerted at head: their transactions may move to another block first, leave for a while, or
   * leave for good. Returns whether they stayed.
   */
  async function seeAtHead(burst: readonly EventRecord[]): Promise<boolean> {
    if (atHead.chance(0.65)) return true
    const number = burst[0]?.blockNumber ?? 0
    const stale = burst.map((event) => ({ ...event, blockHash: hashOf(2 * number), logIndex: event.logIndex + 7 }))
    const stays = atHead.chance(0.7)
    const branches = [
      ...(atHead.chance(0.5) ? [{ block: hashOf(2 * number), events: stale }] : []),
      ...(atHead.chance(0.3) ? [{ block: hashOf(3 * number), events: [] }] : []),
      { block: hashOf(number), events: burst },
      ...(stays ? [] : [{ block: hashOf(4 * number), events: [] }]),
    ]
    for (const { block, events } of branches) {
      const blocks = [
        { number, hash: block },
        { number: number + 1, hash: hashOf(7 * number) },
      ]
      await inTransaction(database, (client) => alertAtHead(client, CHAIN, { cursor: number - 1, blocks, events }))
      if (atHead.chance(0.4)) await work(now + atHead.below(HOUR / 4))
    }
    return stays
  }

  const atHead = seededRandom(seed + 0x4ead)
  const published: EventRecord[] = []
  for (let round = 0; round < 2; round++) {
    const first = upgradeOf(random.pick(contracts))
    firstBlock ??= first.blockNumber
    const burst = Array.from({ length: random.between(1, 4) }, (_, logIndex) => ({
      ...first,
      // In one transaction or in two.
      txHash: hashOf(first.blockNumber * 1_000 + random.below(2)),
      logIndex,
      address: random.pick(contracts),
    }))
    if (await seeAtHead(burst)) {
      await publish(database, burst)
      published.push(first)
    }
    await work(now + random.below(HOUR))
    if (subscriptions.length === 0 || !random.chance(0.2)) continue
    const [gone] = subscriptions.splice(random.below(subscriptions.length), 1)
    if (gone !== undefined) await deleteSubscription(database, gone.accountId, gone.id)
  }
  const last = published.at(-1)
  if (last !== undefined && random.chance(0.5))
    await inTransaction(database, (client) =>
      deleteEventsAbove(client, CHAIN, { number: last.blockNumber - 1, time: last.blockTime - 1 }),
    )
  await work(begun + 30 * HOUR)
  const { deliveries, retractions } = await judge(database, seed, [...receivers.values()])
  await database.query(sql`delete from user_account where id = any($1)`, [accountIds])
  return { deliveries, tries, kills, retractions, trace: trace.digest('hex').slice(0, 16) }
}

/** Creates the rows in few statements, because setup would take longer than the simulation. */
async function populate(
  database: Database,
  receivers: ReadonlyMap<string, Receiver>,
  requested: readonly { readonly accountId: string; readonly contract: Hex }[],
): Promise<{ readonly accountId: string; readonly id: number }[]> {
  const ids = [...receivers.values()].map(({ accountId }) => accountId)
  await database.query(
    sql`insert into user_account (id, name, email, email_verified) select id, id, id || '@example.org', true from unnest($1::text[]) as id`,
    [ids],
  )
  await database.query(
    sql`insert into alert_channel (account_id, kind, target, webhook_host, token)
     select id, 'webhook', target, substring(target from '://([^/]*)'), id from unnest($1::text[], $2::text[]) as receiver (id, target)`,
    [ids, [...receivers.keys()]],
  )
  const { rows } = await database.query<{ accountId: string; id: number }>(
    sql`insert into subscription (account_id, chain_id, address, min_severity, channels, include_controllers)
     select id, $3, decode(digits, 'hex'), 0, array['webhook'], true
     from unnest($1::text[], $2::text[]) as requested (id, digits) returning account_id as "accountId", id`,
    [requested.map(({ accountId }) => accountId), requested.map(({ contract }) => contract.slice(2)), CHAIN],
  )
  return rows
}

type Living = <T>(call: () => Promise<T>) => Promise<T>
/** Resolves when the caller's turn comes, with the function that ends the turn. */
type TakeTurn = () => Promise<() => void>

/** Runs one caller at a time in order of request, so that the machine does not decide the order. */
function createTurns(): TakeTurn {
  let last: Promise<void> = Promise.resolve()
  return async () => {
    const before = last
    const turn = Promise.withResolvers<void>()
    last = turn.promise
    await before
    return turn.resolve
  }
}

type Life = { readonly takeTurn: TakeTurn; readonly inTurn: Living; readonly living: Living }

/** A pool whose every call may be the worker's last. A connection is held for one turn. */
function mortal(database: Database, { takeTurn, inTurn, living }: Life): Database {
  type Query = (...given: unknown[]) => Promise<unknown>
  return {
    vault: database.vault,
    query: (...args: unknown[]) => inTurn(() => (database.query as Query)(...args)),
    connect: async () => {
      const done = await takeTurn()
      const client = await database.connect()
      return {
        vault: database.vault,
        query: async (...args: unknown[]) => {
          try {
            return await living(() => (client.query as Query)(...args))
          } catch (error) {
            // The server closes the connection of a dead process and rolls back its transaction.
            if (error instanceof Killed) await client.query(sql`rollback`)
            throw error
          }
        },
        release: (error?: Error) => {
          client.release(error)
          done()
        },
      }
    },
  } as unknown as Database
}

type JudgedDelivery = {
  account_id: string
  event_id: number
  subscription_id: number
  /** Its block and log index. */
  event: string
  status: string
  attempts: number
  last_error: string | null
  sent_at: Date | null
  retracted: boolean
  confirmed: boolean
  /** The subscription was deleted. */
  ended: boolean
  message_id: number
}
type JudgedMessage = {
  account_id: string
  id: number
  attempts: number
  retracts: number | null
  events: number[]
  status: string
}

async function judge(
  database: Database,
  seed: number,
  receivers: readonly Receiver[],
): Promise<Pick<AlertsNews, 'deliveries' | 'retractions'>> {
  const ids = receivers.map(({ accountId }) => accountId)
  const { rows: deliveries } = await database.query<JudgedDelivery>(
    sql`select d.account_id, d.event_id, d.message_id, d.subscription_id, s.id is null as ended,
       e.block_number || ' ' || e.log_index as event,
       case when d.cancelled_at is null then m.status else 'cancelled' end as status,
       m.attempts, m.last_error, m.sent_at, e.retracted_at is not null as retracted, e.confirmed_at is not null as confirmed
     from delivery d join alert_message m on m.id = d.message_id join alert_event e on e.id = d.event_id
       left join subscription s on s.id = d.subscription_id
     where d.account_id = any($1)`,
    [ids],
  )
  const { rows: messages } = await database.query<JudgedMessage>(
    sql`select account_id, id, attempts, retracts, to_json(events) as events, status from alert_message where account_id = any($1)`,
    [ids],
  )
  const valid = deliveries.filter(({ retracted }) => !retracted).map((row) => `${row.subscription_id} ${row.event}`)
  assert.equal(new Set(valid).size, valid.length, `seed ${seed}: an event has two deliveries`)
  for (const receiver of receivers) {
    const isOurs = (row: { account_id: string }): boolean => row.account_id === receiver.accountId
    judgeReceiver(
      `seed ${seed}, a receiver that is ${receiver.temper}`,
      receiver,
      deliveries.filter(isOurs),
      messages.filter(isOurs),
    )
  }
  return { deliveries: deliveries.length, retractions: messages.filter(({ retracts }) => retracts !== null).length }
}

function judgeReceiver(
  where: string,
  { temper, accepted, requests }: Receiver,
  rows: readonly JudgedDelivery[],
  messages: readonly JudgedMessage[],
): void {
  for (const row of rows) {
    const got = accepted.some(({ id, events }) => id === `alert_${row.message_id}` && events.includes(row.event_id))
    assert.ok(row.confirmed || row.retracted, `${where}: an alert at head is still open`)
    assert.notEqual(row.status, 'pending', where)
    assert.notEqual(row.status, 'retrying', `${where}: ${row.last_error}`)
    if (row.status === 'sent') {
      assert.ok(got, `${where}: recorded as sent, never arrived`)
      assert.ok(row.attempts >= 1 && row.sent_at !== null, where)
    }
    if (row.status === 'cancelled') assert.ok(row.retracted || row.ended, `${where}: cancelled for no reason`)
    if (row.status === 'failed') {
      assert.equal(temper, 'gone', `${where}: given up (${row.last_error})`)
      assert.match(row.last_error ?? '', /410/, where)
    }
  }
  assert.ok(messages.reduce((sum, { attempts }) => sum + attempts, 0) >= requests, `${where}: more tries than recorded`)
  for (const message of messages.filter(({ retracts }) => retracts !== null && temper !== 'gone')) {
    assert.equal(message.status, 'sent', `${where}: a retraction is ${message.status}`)
    assert.ok(
      accepted.some(({ id, type }) => id === `alert_${message.id}` && type === 'control.retracted'),
      where,
    )
  }
  const retracted = messages.flatMap(({ retracts, events }) =>
    retracts === null ? [] : events.map((id) => `${retracts} ${id}`),
  )
  assert.equal(new Set(retracted).size, retracted.length, `${where}: an event was retracted twice`)
  // A receiver that accepted a retracted event gets the retraction, even if its acceptance was never recorded.
  for (const row of rows.filter(({ retracted }) => retracted && temper !== 'gone'))
    assert.ok(
      !accepted.some(({ id }) => id === `alert_${row.message_id}`) ||
        messages.some(({ retracts }) => retracts === row.message_id),
      `${where}: not retracted`,
    )
}
