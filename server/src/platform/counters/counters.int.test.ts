/** One suite for both counter stores: the rule is the same. */

import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { redisMissing, startTestRedis } from '../../../../testing/support/redis.ts'
import { monthOf } from '../../lib/clock.ts'
import { sql } from '../sql.ts'
import type { CounterStore, Demand, Return } from './counters.ts'
import { deleteIdleCounters, postgresCounters } from './postgres-counters.ts'
import { createRateLimiter, type UnstoredResult } from './rate-limiter.ts'
import { RedisRefusesError, RedisUnreachableError, redisCounters } from './redis-counters.ts'

const { database } = await createTestDatabase()
const NOON = Date.parse('2026-11-15T12:00:00.000Z')
const NOVEMBER = monthOf(NOON)
const DECEMBER = monthOf(NOVEMBER.end)
const MINUTE = 60_000

const demand = (subject: string, count: number, perWindow = 60, perMonth: number | null = 100_000): Demand => ({
  subject,
  count,
  perWindow,
  perMonth,
  windowMs: MINUTE,
})

function conformance(title: string, open: () => Promise<CounterStore>, skip: string | false): void {
  describe(title, { skip }, () => {
    let serial = 0
    const fresh = () => `${title}-${serial++}`
    const stores: CounterStore[] = []
    const store = async () => {
      const opened = await open()
      stores.push(opened)
      return opened
    }
    after(async () => {
      for (const opened of stores) await opened.close()
    })

    test('exactly the allowed number is granted in a window, and each request occupies it for a minute', async () => {
      const { take } = await store()
      const subject = fresh()
      const [first] = await take([demand(subject, 50)], NOON, NOVEMBER)
      assert.deepEqual(first, { granted: 50, refusedBy: null, windowOpensAt: NOON, monthUsed: 50 })
      const [second] = await take([demand(subject, 50)], NOON + MINUTE - 1, NOVEMBER)
      assert.deepEqual(second, { granted: 10, refusedBy: 'window', windowOpensAt: NOON + MINUTE, monthUsed: 60 })
      const [third] = await take([demand(subject, 51)], NOON + MINUTE, NOVEMBER)
      assert.deepEqual(third, {
        granted: 50,
        refusedBy: 'window',
        windowOpensAt: NOON + 2 * MINUTE - 1,
        monthUsed: 110,
      })
    })

    test('a window with a lower limit than before opens when enough requests have left it', async () => {
      const { take } = await store()
      const subject = fresh()
      for (const second of [0, 1, 2, 3]) await take([demand(subject, 10)], NOON + second * 1_000, NOVEMBER)
      const [lowered] = await take([demand(subject, 1, 15)], NOON + 4_000, NOVEMBER)
      assert.deepEqual([lowered?.granted, lowered?.windowOpensAt], [0, NOON + 2_000 + MINUTE])
    })

    const returned = (subject: string, count: number, grantedAt: number, stepMs = 1): Return => ({
      subject,
      count,
      grantedAt,
      month: NOVEMBER,
      stepMs,
    })

    test('returned requests count toward neither window nor month', async () => {
      const { take, giveBack, usageOf } = await store()
      const subject = fresh()
      await take([demand(subject, 60, 60, 61)], NOON, NOVEMBER)
      assert.equal(await giveBack([returned(subject, 3, NOON)]), true)
      assert.equal((await usageOf([subject], NOVEMBER)).get(subject)?.monthUsed, 57)
      const [grant] = await take([demand(subject, 5, 60, 61)], NOON + 1, NOVEMBER)
      assert.deepEqual(grant, { granted: 3, refusedBy: 'window', windowOpensAt: NOON + MINUTE, monthUsed: 60 })
      const [last] = await take([demand(subject, 5, 60, 61)], NOON + 2 * MINUTE, NOVEMBER)
      assert.deepEqual([last?.granted, last?.refusedBy, last?.monthUsed], [1, 'month', 61])
    })

    test('a returned request leaves the window at its own time, not at that of another', async () => {
      const { take, giveBack } = await store()
      const subject = fresh()
      await take([demand(subject, 1, 2)], NOON, NOVEMBER)
      await take([demand(subject, 1, 2)], NOON + 10_000, NOVEMBER)
      await giveBack([returned(subject, 1, NOON)])
      const [third] = await take([demand(subject, 2, 2)], NOON + 12_000, NOVEMBER)
      assert.deepEqual([third?.granted, third?.windowOpensAt], [1, NOON + 10_000 + MINUTE])
    })

    test('of requests that are counted in steps, the returned ones are found', async () => {
      const { take, giveBack } = await store()
      const subject = fresh()
      for (const ms of [0, 100, 499, 500]) await take([demand(subject, 50, 200)], NOON + ms, NOVEMBER)
      await giveBack([returned(subject, 7, NOON + 100, 500)])
      const [next] = await take([demand(subject, 10, 200)], NOON + 900, NOVEMBER)
      assert.deepEqual([next?.granted, next?.windowOpensAt], [7, NOON + 499 + MINUTE])
    })

    test('a request that has left the window is returned to its month, and one of a past month to nothing', async () => {
      const { take, giveBack, usageOf } = await store()
      const subject = fresh()
      await take([demand(subject, 2)], NOON, NOVEMBER)
      await take([demand(subject, 60)], NOON + 2 * MINUTE, NOVEMBER)
      await giveBack([returned(subject, 1, NOON)])
      assert.equal((await usageOf([subject], NOVEMBER)).get(subject)?.monthUsed, 61)
      const [full] = await take([demand(subject, 1)], NOON + 2 * MINUTE, NOVEMBER)
      assert.equal(full?.granted, 0)
      await take([demand(subject, 4)], DECEMBER.start, DECEMBER)
      await giveBack([returned(subject, 1, NOON)])
      assert.equal((await usageOf([subject], DECEMBER)).get(subject)?.monthUsed, 4)
      await giveBack([returned(fresh(), 1, NOON)]) // an unknown subject
    })

    test('the rate limiter returns requests that failed', async () => {
      const opened = await store()
      const limiter = createRateLimiter({ store: opened, clock: { now: () => NOON }, log: testLog })
      const subject = fresh()
      const limits = { perWindow: 3, windowMs: MINUTE, perMonth: 10 }
      const taken = await Promise.all([1, 2, 3, 4].map(() => limiter.take(subject, limits)))
      assert.deepEqual(
        taken.map(({ isAllowed }) => isAllowed),
        [true, true, true, false],
      )
      for (const result of taken.slice(0, 2)) if (result.isAllowed) await result.giveBack()
      assert.equal((await opened.usageOf([subject], NOVEMBER)).get(subject)?.monthUsed, 1)
      assert.deepEqual(
        (await Promise.all([1, 2, 3].map(() => limiter.take(subject, limits)))).map(({ isAllowed }) => isAllowed),
        [true, true, false],
      )
    })

    test('the month limit applies after the window limit, and refused requests count toward neither', async () => {
      const { take } = await store()
      const subject = fresh()
      const [grant] = await take([demand(subject, 70, 60, 55)], NOON, NOVEMBER)
      assert.deepEqual(grant, { granted: 55, refusedBy: 'month', windowOpensAt: NOON, monthUsed: 55 })
      const [richer] = await take([demand(subject, 70, 60, 1_000)], NOON, NOVEMBER)
      assert.equal(richer?.granted, 5, 'the window still has room for the five that the month refused')
    })

    test('the next month starts at zero, and a clock that lags does not return to the old month', async () => {
      const { take, usageOf } = await store()
      const subject = fresh()
      await take([demand(subject, 10, 60, 10)], NOVEMBER.end - 1, NOVEMBER)
      const [last] = await take([demand(subject, 1, 60, 10)], NOVEMBER.end - 1, NOVEMBER)
      assert.equal(last?.granted, 0)
      const [next] = await take([demand(subject, 4, 60, 10)], DECEMBER.start, DECEMBER)
      assert.equal(next?.granted, 4)
      const [lagging] = await take([demand(subject, 1, 60, 10)], NOVEMBER.end - 5, NOVEMBER)
      assert.deepEqual([lagging?.granted, lagging?.monthUsed], [1, 5])
      assert.equal((await usageOf([subject], DECEMBER)).get(subject)?.monthUsed, 5)
    })

    test('requests without a month limit are counted too', async () => {
      const { take, usageOf } = await store()
      const [busy, idle] = [fresh(), fresh()]
      await take([demand(busy, 900, 1_000, null)], NOON, NOVEMBER)
      const usage = await usageOf([busy, idle], NOVEMBER)
      assert.deepEqual(usage.get(busy), { monthUsed: 900, lastAt: NOON })
      assert.equal(usage.has(idle), false)
    })

    test('two processes that count at the same time grant exactly the limit together', async () => {
      const processes = [await store(), await store()]
      const subjects = Array.from({ length: 8 }, fresh)
      const grants: Promise<readonly { granted: number }[]>[] = []
      for (let round = 0; round < 50; round++) {
        for (const [index, { take }] of processes.entries()) {
          const order = index === 0 ? subjects : subjects.toReversed() // unsorted rows would deadlock
          grants.push(
            take(
              order.map((subject) => demand(subject, 2)),
              NOON + round,
              NOVEMBER,
            ),
          )
        }
      }
      const granted = (await Promise.all(grants)).flat().reduce((sum, grant) => sum + grant.granted, 0)
      assert.equal(granted, subjects.length * 60)
    })

    test('a rate limiter allows the first requests and reports to the others which limit refused them', async () => {
      const rateLimiter = createRateLimiter({ store: await store(), clock: { now: () => NOON }, log: testLog })
      const subject = fresh()
      const limits = { perWindow: 60, windowMs: MINUTE, perMonth: 40 }
      const results = await Promise.all(Array.from({ length: 100 }, () => rateLimiter.take(subject, limits)))
      const allowed = results.filter((result) => result.isAllowed)
      assert.deepEqual(
        allowed.map(({ monthUsed }) => monthUsed),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
      const refused = results.filter((result) => !result.isAllowed)
      assert.equal(refused.length, 60)
      assert.equal(
        refused.every(({ by, retryAt }) => by === 'month' && retryAt === NOVEMBER.end),
        true,
      )
      const later = await Promise.all(
        Array.from({ length: 30 }, () => rateLimiter.take(subject, { ...limits, perMonth: null })),
      )
      const beyond = later.slice(20).map((result) => (result.isAllowed ? undefined : [result.by, result.retryAt]))
      assert.deepEqual(
        beyond,
        Array.from({ length: 10 }, () => ['window', NOON + MINUTE]),
      )
    })
  })
}

conformance('PostgreSQL', async () => postgresCounters(database), false)

const redis = redisMissing === false ? await startTestRedis() : undefined
conformance('Redis', () => redisCounters({ url: redis?.url ?? '', database, log: testLog }), redisMissing)

describe('Redis with its copy in PostgreSQL', { skip: redisMissing }, () => {
  test('a Redis that lost its data starts from the copy in PostgreSQL', async () => {
    const first = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    await first.take([demand('survivor', 42)], NOON, NOVEMBER)
    await first.close() // writes the copy
    await redis?.restart()
    const second = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    const [grant] = await second.take([demand('survivor', 1)], NOON + 1, NOVEMBER)
    assert.equal(grant?.monthUsed, 43)
    await second.close()
  })

  test('a Redis that lost its data keeps what was returned', async () => {
    const { url } = await startTestRedis()
    const subject = 'returned'
    const first = await redisCounters({ url, database, log: testLog })
    await first.take([demand(subject, 9)], NOON, NOVEMBER)
    await first.giveBack([{ subject, count: 4, grantedAt: NOON, month: NOVEMBER, stepMs: 1 }])
    await first.close()
    const redis = new Redis(url)
    await redis.flushall()
    redis.disconnect()
    const second = await redisCounters({ url, database, log: testLog })
    assert.equal((await second.usageOf([subject], NOVEMBER)).get(subject)?.monthUsed, 5)
    const [grant] = await second.take([demand(subject, 1)], NOON, NOVEMBER)
    assert.equal(grant?.monthUsed, 6)
    await second.close()
  })

  test('a Redis that restarts from an old snapshot takes the newer count from PostgreSQL, also of the next month', async () => {
    const admin = new Redis(redis?.url ?? '')
    const first = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    const [subject, later] = ['snapshot', 'snapshot, next month']
    await first.take([demand(subject, 10), demand(later, 10)], NOON, NOVEMBER)
    await admin.save()
    admin.disconnect()
    await first.take([demand(subject, 32)], NOON + 1, NOVEMBER)
    await first.take([demand(later, 7)], DECEMBER.start, DECEMBER)
    await first.close() // writes the copy
    await redis?.restart()
    const second = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    assert.equal((await second.usageOf([subject], NOVEMBER)).get(subject)?.monthUsed, 42)
    const grants = await second.take([demand(subject, 1), demand(later, 1)], NOON + MINUTE, NOVEMBER)
    assert.deepEqual(
      grants.map(({ monthUsed }) => monthUsed),
      [43, 8],
    )
    const [next] = await second.take([demand(subject, 1)], NOON + MINUTE, NOVEMBER)
    assert.equal(next?.monthUsed, 44)
    await second.close()
  })

  test('a Redis with a higher count than PostgreSQL keeps its count', async () => {
    const admin = new Redis(redis?.url ?? '')
    const first = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    await first.take([demand('higher count', 42)], NOON, NOVEMBER)
    await admin.save()
    admin.disconnect()
    await first.close()
    await database.query(sql`update request_counter set month_used = 5 where subject = 'higher count'`)
    await redis?.restart()
    const second = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    const [grant] = await second.take([demand('higher count', 1)], NOON + 1, NOVEMBER)
    assert.equal(grant?.monthUsed, 43)
    await second.close()
  })

  test('a demand whose reply is lost is counted once', async () => {
    let isLost = false
    const proxy = createServer((client) => {
      const upstream = connect(Number(new URL(redis?.url ?? '').port), '127.0.0.1')
      let hasSentScript = false
      for (const socket of [client, upstream]) socket.on('error', () => {})
      client.on('data', (data) => {
        hasSentScript ||= /eval/i.test(data.toString())
        upstream.write(data)
      })
      upstream.on('data', (data) => {
        if (!hasSentScript || isLost) {
          client.write(data)
          return
        }
        isLost = true
        client.destroy()
      })
      client.on('close', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const direct = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    await direct.take([demand('lost reply', 1)], NOON, NOVEMBER)
    const store = await redisCounters({ url: `redis://127.0.0.1:${port}`, database, log: testLog })
    await assert.rejects(store.take([demand('lost reply', 10)], NOON, NOVEMBER))
    assert.equal((await direct.usageOf(['lost reply'], NOVEMBER)).get('lost reply')?.monthUsed, 11)
    const [grant] = await store.take([demand('lost reply', 1)], NOON, NOVEMBER)
    assert.equal(grant?.monthUsed, 12, 'the connection is opened again')
    for (const opened of [store, direct]) await opened.close()
    proxy.close()
  })

  for (const [state, refuse, recover] of [
    ['is out of memory', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']],
    ['became a replica', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one']],
  ] as const) {
    test(`a Redis that ${state} refuses known and unknown subjects at once, and counts again later`, async () => {
      const admin = new Redis(redis?.url ?? '')
      const store = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
      const [known, unknown] = [`known, ${state}`, `unknown, ${state}`]
      const refused = (error: unknown) => error instanceof RedisRefusesError && error.retryable
      try {
        await store.take([demand(known, 1)], NOON, NOVEMBER)
        await admin.call(refuse[0], ...refuse.slice(1))
        await assert.rejects(store.take([demand(unknown, 1)], NOON, NOVEMBER), refused)
        await assert.rejects(store.take([demand(known, 1)], NOON, NOVEMBER), refused)
        await admin.call(recover[0], ...recover.slice(1))
        const grants = await store.take([demand(known, 1), demand(unknown, 1)], NOON, NOVEMBER)
        assert.deepEqual(
          grants.map(({ monthUsed }) => monthUsed),
          [2, 1],
        )
      } finally {
        await admin.call(recover[0], ...recover.slice(1))
        admin.disconnect()
        await store.close()
      }
    })
  }

  test('a Redis that loses counters that were just stored is not retried forever', async () => {
    // Every script replies that the subject is unknown, also after it was seeded.
    const server = createServer((client) =>
      client.on('data', (data) => {
        for (const [, name = ''] of data.toString().matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)/gm))
          client.write(name.startsWith('eval') ? '*1\r\n$-1\r\n' : '$9\r\nloading:0\r\n')
      }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const store = await redisCounters({ url: `redis://127.0.0.1:${port}`, database, log: testLog })
    await assert.rejects(store.take([demand('lost counter', 1)], NOON, NOVEMBER), RedisRefusesError)
    await store.close()
    server.close()
  })

  test('the error of an unreachable Redis names its host and not its password', async () => {
    const attempt = redisCounters({ url: 'redis://:hunter2@127.0.0.1:1', database, log: testLog })
    await assert.rejects(
      attempt,
      (error) =>
        error instanceof RedisUnreachableError &&
        /127\.0\.0\.1:1/.test(error.message) &&
        !/hunter2/.test(error.message),
    )
  })
})

test('counters that were idle for a day are deleted, except those that are locked', async () => {
  const { take, close } = postgresCounters(database)
  const [past, now] = [NOON - 90 * 24 * 60 * MINUTE, Date.now()]
  for (const [subject, at] of [
    ['visit:old', past],
    ['visit:held', past],
    ['visit:new', now],
    ['other:old', past],
  ] as const)
    await take([demand(subject, 1)], at, monthOf(at))
  await close()
  const holder = await database.connect()
  await holder.query(sql`begin; select from request_counter where subject = 'visit:held' for update`)
  await deleteIdleCounters(database, 'visit:')
  await holder.query(sql`commit`)
  holder.release()
  const { rows } = await database.query<{ subject: string }>(
    sql`select subject from request_counter where subject like '%:%' order by 1`,
  )
  assert.deepEqual(
    rows.map(({ subject }) => subject),
    ['other:old', 'visit:held', 'visit:new'],
  )
})

describe('a request that is counted in PostgreSQL', () => {
  const limits = { perWindow: 3, windowMs: MINUTE, perMonth: 10 }
  const store = postgresCounters(database)
  const limiter = createRateLimiter({ store, clock: { now: () => NOON }, log: testLog })
  after(() => store.close())
  const SLOW_COMMIT = 4_711
  before(() =>
    database.query(
      sql`create function commit_slowly() returns trigger language plpgsql as $$ begin
            perform pg_advisory_xact_lock(4711);
            if new.subject like '%void' then raise exception 'not stored' using errcode = '53100'; end if;
            return null;
          end $$;
          create constraint trigger commit_slowly after insert or update on request_counter deferrable initially deferred
            for each row when (new.subject like 'slow %') execute function commit_slowly()`,
    ),
  )

  /** Returns the result that is known while the commit waits, and what became of it. */
  async function takeSlowly(subject: string) {
    const client = await database.connect()
    await client.query(sql`select pg_advisory_lock($1)`, [SLOW_COMMIT])
    const taken = await new Promise<UnstoredResult>((resolve, reject) =>
      limiter.takeAhead(subject, limits, resolve, reject),
    )
    const order: string[] = []
    const stored = taken.stored.then(
      () => order.push('stored'),
      () => order.push('void'),
    )
    const waiting = limiter.take(`slow ${subject} next`, limits).then(() => order.push('next'))
    const { rows } = await client.query(sql`select 1 from request_counter where subject = $1`, [subject])
    assert.deepEqual(rows, [], 'not committed')
    order.push('free')
    await client.query(sql`select pg_advisory_unlock($1)`, [SLOW_COMMIT])
    client.release()
    await Promise.all([stored, waiting])
    return { taken, order }
  }

  test('is allowed before it is stored, and the next ones wait for that', async () => {
    const { taken, order } = await takeSlowly('slow one')
    assert.equal(taken.isAllowed, true)
    assert.deepEqual(order, ['free', 'stored', 'next'])
    assert.equal((await limiter.take('slow one', limits)).monthUsed, 2)
  })

  test('reports that it could not be stored, and counts nothing', async () => {
    const { taken, order } = await takeSlowly('slow void')
    assert.equal(taken.isAllowed, true)
    assert.deepEqual(order, ['free', 'void', 'next'])
    await assert.rejects(limiter.take('slow void', limits), { code: '53100' })
    const { rows } = await database.query(sql`select 1 from request_counter where subject = 'slow void'`)
    assert.deepEqual(rows, [])
  })
})
