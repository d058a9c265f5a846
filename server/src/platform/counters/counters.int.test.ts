/** One suite for every store of counters: whatever holds the counts, the rule is the same. */

import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { redisMissing, startTestRedis } from '../../../../testing/support/redis.ts'
import { monthOf } from '../../lib/clock.ts'
import { sql } from '../sql.ts'
import type { CounterStore, Demand } from './counters.ts'
import { forgetCounters, postgresCounters } from './postgres-counters.ts'
import { createRateLimiter } from './rate-limiter.ts'
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

    test('exactly the allowed number pass in a window that opens at the first request', async () => {
      const { take } = await store()
      const subject = fresh()
      const [first] = await take([demand(subject, 50)], NOON, NOVEMBER)
      assert.deepEqual(first, { granted: 50, refusedByWindow: 0, windowEndsAt: NOON + MINUTE, monthUsed: 50 })
      const [second] = await take([demand(subject, 50)], NOON + MINUTE - 1, NOVEMBER)
      assert.deepEqual(second, { granted: 10, refusedByWindow: 40, windowEndsAt: NOON + MINUTE, monthUsed: 60 })
      const [third] = await take([demand(subject, 1)], NOON + MINUTE, NOVEMBER)
      assert.deepEqual(third, { granted: 1, refusedByWindow: 0, windowEndsAt: NOON + 2 * MINUTE, monthUsed: 61 })
    })

    test('the month refuses after the window, and what it refuses counts against nothing', async () => {
      const { take } = await store()
      const subject = fresh()
      const [grant] = await take([demand(subject, 70, 60, 55)], NOON, NOVEMBER)
      assert.deepEqual(grant, { granted: 55, refusedByWindow: 10, windowEndsAt: NOON + MINUTE, monthUsed: 55 })
      const [richer] = await take([demand(subject, 70, 60, 1_000)], NOON, NOVEMBER)
      assert.equal(richer?.granted, 5, 'the window still held the five the month had refused')
    })

    test('the first instant of the next month admits again; a clock that lags behind does not bring the old month back', async () => {
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

    test('an unlimited month is counted all the same', async () => {
      const { take, usageOf } = await store()
      const [busy, idle] = [fresh(), fresh()]
      await take([demand(busy, 900, 1_000, null)], NOON, NOVEMBER)
      const usage = await usageOf([busy, idle], NOVEMBER)
      assert.deepEqual(usage.get(busy), { monthUsed: 900, lastAt: NOON })
      assert.equal(usage.has(idle), false)
    })

    test('two processes that ask at the same time get exactly the limit together', async () => {
      const processes = [await store(), await store()]
      const subjects = Array.from({ length: 8 }, fresh)
      const asked: Promise<readonly { granted: number }[]>[] = []
      for (let round = 0; round < 50; round++) {
        for (const [index, { take }] of processes.entries()) {
          const order = index === 0 ? subjects : subjects.toReversed() // a circle of waiting, were rows not sorted
          asked.push(
            take(
              order.map((subject) => demand(subject, 2)),
              NOON + round,
              NOVEMBER,
            ),
          )
        }
      }
      const granted = (await Promise.all(asked)).flat().reduce((sum, grant) => sum + grant.granted, 0)
      assert.equal(granted, subjects.length * 60)
    })

    test('a rate limiter allows the first requests and tells the others which limit refused them', async () => {
      const rateLimiter = createRateLimiter({ store: await store(), clock: { now: () => NOON } })
      const subject = fresh()
      const allowance = { perWindow: 60, windowMs: MINUTE, perMonth: 40 }
      const passages = await Promise.all(Array.from({ length: 100 }, () => rateLimiter.take(subject, allowance)))
      const passed = passages.filter((taken) => taken.isAllowed)
      assert.deepEqual(
        passed.map(({ monthUsed }) => monthUsed),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
      const refused = passages.filter((taken) => !taken.isAllowed)
      assert.equal(
        refused.filter(({ by }) => by === 'month').length + refused.filter(({ by }) => by === 'window').length,
        60,
      )
      assert.equal(
        refused.every(({ by, retryAt }) => retryAt === (by === 'month' ? NOVEMBER.end : NOON + MINUTE)),
        true,
      )
    })
  })
}

conformance('PostgreSQL', async () => postgresCounters(database), false)

const redis = redisMissing === false ? await startTestRedis() : undefined
conformance('Redis', () => redisCounters({ url: redis?.url ?? '', database, log: testLog }), redisMissing)

describe('Redis beside PostgreSQL', { skip: redisMissing }, () => {
  test('a Redis that lost its memory starts from the copy in PostgreSQL', async () => {
    const first = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    await first.take([demand('survivor', 42)], NOON, NOVEMBER)
    await first.close() // a clean stop writes the copy
    await redis?.restart()
    const second = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    const [grant] = await second.take([demand('survivor', 1)], NOON + 1, NOVEMBER)
    assert.equal(grant?.monthUsed, 43)
    await second.close()
  })

  test('a Redis that comes back with an old snapshot takes the newer count from PostgreSQL, also of the next month', async () => {
    const admin = new Redis(redis?.url ?? '')
    const first = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    const [subject, later] = ['snapshot', 'snapshot, next month']
    await first.take([demand(subject, 10), demand(later, 10)], NOON, NOVEMBER)
    await admin.save()
    admin.disconnect()
    await first.take([demand(subject, 32)], NOON + 1, NOVEMBER)
    await first.take([demand(later, 7)], DECEMBER.start, DECEMBER)
    await first.close() // a clean stop writes the copy
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

  test('a Redis that kept more than PostgreSQL is believed', async () => {
    const admin = new Redis(redis?.url ?? '')
    const first = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    await first.take([demand('kept more', 42)], NOON, NOVEMBER)
    await admin.save()
    admin.disconnect()
    await first.close()
    await database.query(sql`update request_counter set month_used = 5 where subject = 'kept more'`)
    await redis?.restart()
    const second = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    const [grant] = await second.take([demand('kept more', 1)], NOON + 1, NOVEMBER)
    assert.equal(grant?.monthUsed, 43)
    await second.close()
  })

  test('a demand whose answer is lost on the line is counted once', async () => {
    let isLost = false
    const cable = createServer((client) => {
      const upstream = connect(Number(new URL(redis?.url ?? '').port), '127.0.0.1')
      let hasTaken = false
      for (const socket of [client, upstream]) socket.on('error', () => {})
      client.on('data', (data) => {
        hasTaken ||= /eval/i.test(data.toString())
        upstream.write(data)
      })
      upstream.on('data', (data) => {
        if (!hasTaken || isLost) {
          client.write(data)
          return
        }
        isLost = true
        client.destroy()
      })
      client.on('close', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve))
    const { port } = cable.address() as AddressInfo
    const direct = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
    await direct.take([demand('lost answer', 1)], NOON, NOVEMBER)
    const store = await redisCounters({ url: `redis://127.0.0.1:${port}`, database, log: testLog })
    await assert.rejects(store.take([demand('lost answer', 10)], NOON, NOVEMBER))
    assert.equal((await direct.usageOf(['lost answer'], NOVEMBER)).get('lost answer')?.monthUsed, 11)
    const [grant] = await store.take([demand('lost answer', 1)], NOON, NOVEMBER)
    assert.equal(grant?.monthUsed, 12, 'and the line is opened again')
    for (const opened of [store, direct]) await opened.close()
    cable.close()
  })

  for (const [words, refuse, relent] of [
    ['has no memory left', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']],
    ['became a replica', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one']],
  ] as const) {
    test(`a Redis that ${words} refuses at once, a subject it knows and one it does not, and counts again later`, async () => {
      const admin = new Redis(redis?.url ?? '')
      const store = await redisCounters({ url: redis?.url ?? '', database, log: testLog })
      const [known, unknown] = [`known, ${words}`, `unknown, ${words}`]
      const refused = (error: unknown) => error instanceof RedisRefusesError && error.retryable
      try {
        await store.take([demand(known, 1)], NOON, NOVEMBER)
        await admin.call(refuse[0], ...refuse.slice(1))
        await assert.rejects(store.take([demand(unknown, 1)], NOON, NOVEMBER), refused)
        await assert.rejects(store.take([demand(known, 1)], NOON, NOVEMBER), refused)
        await admin.call(relent[0], ...relent.slice(1))
        const grants = await store.take([demand(known, 1), demand(unknown, 1)], NOON, NOVEMBER)
        assert.deepEqual(
          grants.map(({ monthUsed }) => monthUsed),
          [2, 1],
        )
      } finally {
        await admin.call(relent[0], ...relent.slice(1))
        admin.disconnect()
        await store.close()
      }
    })
  }

  test('a Redis that forgets what it was just told is not asked for ever', async () => {
    // Every script answers that it knows nobody, whatever it was told before.
    const server = createServer((client) =>
      client.on('data', (data) => {
        for (const [, name = ''] of data.toString().matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)/gm))
          client.write(name.startsWith('eval') ? '*1\r\n$-1\r\n' : '$9\r\nloading:0\r\n')
      }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const store = await redisCounters({ url: `redis://127.0.0.1:${port}`, database, log: testLog })
    await assert.rejects(store.take([demand('forgotten', 1)], NOON, NOVEMBER), RedisRefusesError)
    await store.close()
    server.close()
  })

  test('an unreachable Redis is one sentence without its password', async () => {
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

test('counters of yesterday are forgotten, but for one that is being counted, which nobody waits for', async () => {
  const { take } = postgresCounters(database)
  const [past, now] = [NOON - 90 * 24 * 60 * MINUTE, Date.now()]
  for (const [subject, at] of [
    ['visit:old', past],
    ['visit:held', past],
    ['visit:new', now],
    ['other:old', past],
  ] as const)
    await take([demand(subject, 1)], at, monthOf(at))
  const holder = await database.connect()
  await holder.query(sql`begin; select from request_counter where subject = 'visit:held' for update`)
  await forgetCounters(database, 'visit:')
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
