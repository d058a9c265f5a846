/**
 * No interval of the window's length holds more granted requests than the limit, whatever the arrivals: random ones over
 * several processes that crash at random points, for both stores.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { Redis } from 'ioredis'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { redisMissing, startTestRedis } from '../../../../testing/support/redis.ts'
import { monthOf } from '../../lib/clock.ts'
import { openDatabase } from '../database.ts'
import { sql } from '../sql.ts'
import type { CounterStore } from './counters.ts'
import { postgresCounters } from './postgres-counters.ts'
import { redisCounters } from './redis-counters.ts'

const { database, url } = await createTestDatabase()
const NOON = Date.parse('2026-11-15T12:00:00.000Z')
const NOVEMBER = monthOf(NOON)
const MINUTE = 60_000
/** Up to this limit every request is counted at its exact time; docs/decisions/0001 states the rule beyond it. */
const EXACT_UP_TO = 120
const PROCESSES = 3

/** A process: its store, and a crash that breaks its connections while it counts. */
type Process = { readonly store: CounterStore; readonly crash: () => Promise<void>; readonly end: () => Promise<void> }

type Burst = { readonly process: number; readonly count: number; readonly crashes: boolean }
/** Bursts at one instant, and the time since the instant before. */
type Step = { readonly pauseMs: number; readonly bursts: readonly Burst[] }

const burst: fc.Arbitrary<Burst> = fc.record({
  process: fc.nat({ max: PROCESSES - 1 }),
  count: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 1, max: 200 })),
  crashes: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
})
const step: fc.Arbitrary<Step> = fc.record({
  // Pauses near the length of a window are where a count by fixed windows lets twice the limit pass.
  pauseMs: fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: MINUTE / 4 }),
    fc.integer({ min: MINUTE - 20, max: MINUTE + 20 }),
  ),
  bursts: fc.array(burst, { minLength: 1, maxLength: 4 }),
})

type Granted = { readonly at: number; readonly count: number }

/** The most requests granted within any interval `[t, t + MINUTE)`. */
const mostInAnyMinute = (granted: readonly Granted[]): number =>
  Math.max(
    0,
    ...granted.map(({ at: start }) =>
      granted.reduce((sum, { at, count }) => (at >= start && at < start + MINUTE ? sum + count : sum), 0),
    ),
  )

function slidingWindow(title: string, open: (name: string) => Promise<Process>, skip: string | false): void {
  describe(title, { skip }, () => {
    let serial = 0
    const running = new Set<Process>()
    const start = async (name: string): Promise<Process> => {
      const opened = await open(name)
      const process = {
        ...opened,
        end: async () => {
          if (running.delete(process)) await opened.end()
        },
      }
      running.add(process)
      return process
    }
    after(() => Promise.all([...running].map(({ end }) => end())))

    test('119 requests within three seconds are not granted across the edge of a minute', async () => {
      const { store, end } = await start(`${title} edge`)
      const take = async (at: number, count: number) => {
        const [grant] = await store.take(
          [{ subject: `${title} edge`, count, perWindow: 60, windowMs: MINUTE, perMonth: null }],
          at,
          NOVEMBER,
        )
        return grant
      }
      assert.equal((await take(NOON, 1))?.granted, 1)
      assert.equal((await take(NOON + 58_000, 59))?.granted, 59)
      const late = await take(NOON + 61_000, 59)
      assert.deepEqual([late?.granted, late?.refusedBy, late?.windowOpensAt], [1, 'window', NOON + 58_000 + MINUTE])
      await end()
    })

    test('no minute holds more than the limit, and a caller that waits for Retry-After is accepted', async () => {
      const arrivals = fc.record({
        limit: fc.constantFrom(1, 5, 60, 150, 1_000),
        steps: fc.array(step, { minLength: 1, maxLength: 25 }),
      })
      await fc.assert(
        fc.asyncProperty(arrivals, async ({ limit, steps }) => {
          const subject = `${title} ${serial++}`
          const nameOf = (index: number) => `${subject.replaceAll(' ', '-')}-${index}-${serial++}`
          const processes = await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(nameOf(index))))
          const demand = (count: number) => ({ subject, count, perWindow: limit, windowMs: MINUTE, perMonth: null })
          const granted: Granted[] = []
          let hasCrashed = false
          let now = NOON
          for (const { pauseMs, bursts } of steps) {
            now += pauseMs
            const before = mostInMinuteUntil(granted, now)
            const counts = await Promise.all(
              bursts.map(async ({ process, count, crashes }) => {
                const taking = processes[process]?.store.take([demand(count)], now, NOVEMBER).catch(() => undefined)
                if (crashes) await processes[process]?.crash()
                // What a crashed process had counted without learning of it stays counted, and grants nothing.
                const grants = await taking
                return crashes ? 0 : (grants?.[0]?.granted ?? 0)
              }),
            )
            for (const count of counts) if (count > 0) granted.push({ at: now, count })
            for (const crashed of new Set(bursts.flatMap(({ process, crashes }) => (crashes ? process : [])))) {
              hasCrashed = true
              await processes[crashed]?.end()
              processes[crashed] = await start(nameOf(crashed))
            }
            if (!hasCrashed && limit <= EXACT_UP_TO) {
              const wanted = bursts.reduce((sum, { count }) => sum + count, 0)
              const total = counts.reduce((sum, count) => sum + count, 0)
              assert.equal(total, Math.min(wanted, limit - before), 'every request that fits is granted')
            }
          }
          const most = mostInAnyMinute(granted)
          assert.equal(most <= limit, true, `a minute holds ${most} of ${limit}`)

          const [{ store }] = processes as [Process, ...Process[]]
          const [full] = await store.take([demand(limit + 1)], now, NOVEMBER)
          assert.equal(full?.refusedBy, 'window')
          const opensAt = full?.windowOpensAt ?? 0
          const [early] = await store.take([demand(1)], opensAt - 1, NOVEMBER)
          assert.deepEqual([early?.granted, early?.windowOpensAt], [0, opensAt])
          const [waited] = await store.take([demand(1)], opensAt, NOVEMBER)
          assert.equal(waited?.granted, 1)
          for (const { end } of processes) await end()
        }),
        { seed: 20_261_116, numRuns: 60, endOnFailure: true },
      )
    })

    test('a statement that started earlier and commits later does not open the window again', async () => {
      const { store, end } = await start(`${title} late`)
      const demand = (count: number) => ({
        subject: `${title} late`,
        count,
        perWindow: 10,
        windowMs: MINUTE,
        perMonth: null,
      })
      await store.take([demand(10)], NOON, NOVEMBER)
      const [next] = await store.take([demand(6)], NOON + MINUTE, NOVEMBER)
      const [late] = await store.take([demand(6)], NOON + MINUTE - 5, NOVEMBER)
      assert.deepEqual([next?.granted, late?.granted, late?.windowOpensAt], [6, 4, NOON + 2 * MINUTE])
      await end()
    })
  })
}

const mostInMinuteUntil = (granted: readonly Granted[], now: number): number =>
  granted.reduce((sum, { at, count }) => (at > now - MINUTE ? sum + count : sum), 0)

slidingWindow(
  'PostgreSQL',
  async () => {
    const pool = openDatabase({ url, log: testLog, connections: 1 })
    const backends: number[] = []
    pool.on('connect', (client) => backends.push((client as unknown as { processID: number }).processID))
    const store = postgresCounters(pool)
    return {
      store,
      crash: async () =>
        void (await database.query(sql`select pg_terminate_backend(p) from unnest($1::int[]) as p`, [backends])),
      end: async () => {
        await store.close()
        await pool.end()
      },
    }
  },
  false,
)

const redis = redisMissing === false ? await startTestRedis() : undefined
const admin = redis === undefined ? undefined : new Redis(redis.url)
after(() => admin?.disconnect())

slidingWindow(
  'Redis',
  async (name) => {
    const connectionName = name.replaceAll(' ', '-')
    const address = `${redis?.url ?? ''}?connectionName=${connectionName}`
    const store = await redisCounters({ url: address, database, log: testLog })
    return {
      store,
      crash: async () => {
        const clients = String(await admin?.client('LIST')).split('\n')
        const id = clients.find((line) => line.includes(` name=${connectionName} `))?.match(/^id=(\d+)/)?.[1]
        if (id !== undefined) await admin?.client('KILL', 'ID', id)
      },
      end: () => store.close(),
    }
  },
  redisMissing,
)
