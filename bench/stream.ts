/**
 * Measures `GET /v1/stream` with many readers of one process: the time from storing an event to its arrival at each
 * reader, and the memory of the process. Some readers never read.
 *
 *     npm run bench -- stream [--readers 1000 --events 200 --idle 50]
 *
 * The service is a process of its own, on the embedded PostgreSQL. All readers run in this process, so a figure includes
 * the time in which this process takes the events of all readers from its sockets.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { insertEvents } from '../server/src/control/feed/events.ts'
import { MISSED_LIMIT, report, reportVersions } from '../testing/report/result.ts'
import { postgresVersion } from '../testing/report/versions.ts'
import { hexOf } from '../testing/support/control-records.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { freePort } from '../testing/support/port.ts'
import { AUTH_SECRET, GATEWATCH, makeTestKeys, untilReady } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'

const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '1000' },
    events: { type: 'string', default: '200' },
    idle: { type: 'string', default: '50' },
  },
})
const [readerCount, eventCount, idleCount] = [Number(values.readers), Number(values.events), Number(values.idle)]
const EVENTS_A_SECOND = 10
const MOST_P99_MS = 1_000
/** An account can keep twenty streams open and has five keys. */
const STREAMS_PER_KEY = 4

const store = await createTestDatabase()
const { database } = store
reportVersions({ PostgreSQL: await postgresVersion(database) })
const keys = await makeTestKeys(database, 'v1', Math.ceil((readerCount + idleCount) / STREAMS_PER_KEY))
const port = await freePort()
const service = spawn(process.execPath, [GATEWATCH, 'start'], {
  cwd: temporaryFolder(),
  env: { ...process.env, PORT: String(port), DATABASE_URL: store.url, AUTH_SECRET, ROLES: 'serve', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const url = `http://127.0.0.1:${port}`

/** The resident memory of the service in megabytes. */
const memory = (): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

const times: number[] = []
let arrivedTwice = 0
const storedAt = new Map<number, number>()

/** Opens a stream. An idle one takes nothing from its socket. */
function open(n: number, isIdle: boolean): Promise<void> {
  const key = keys[Math.floor(n / STREAMS_PER_KEY)]?.key ?? ''
  return new Promise((resolve, reject) => {
    get(`${url}/v1/stream`, { agent: false, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream got ${response.statusCode}`))
      response.on('error', () => undefined)
      resolve()
      if (isIdle) return
      const seen = new Set<number>()
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const [, number] = /"blockNumber":(\d+),/.exec(block) ?? []
          if (number === undefined) continue
          if (seen.has(Number(number))) arrivedTwice++
          seen.add(Number(number))
          times.push(performance.now() - (storedAt.get(Number(number)) ?? 0))
        }
      })
    }).once('error', reject)
  })
}

// As a test, so that the test database is dropped at the end.
void test('stream', async () => {
  try {
    await untilReady(url, () => service.exitCode !== null && 'it ended')
    const before = memory()
    const startedAt = performance.now()
    for (let n = 0; n < readerCount + idleCount; n += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, readerCount + idleCount - n) }, (_, k) => open(n + k, n + k >= readerCount)),
      )
    const openMs = performance.now() - startedAt
    const withReaders = memory()
    for (let number = 1; number <= eventCount; number++) {
      const event = {
        blockNumber: number,
        blockTime: Date.now(),
        blockHash: hexOf(number, 32),
        txHash: hexOf(number, 32),
        logIndex: 0,
        address: hexOf(number, 20),
        subject: undefined,
        key: 'proxy.upgraded',
        category: 'upgrade',
        severity: 'critical',
        isInit: false,
        args: { implementation: hexOf(number, 20) },
      } as const
      storedAt.set(number, performance.now())
      await insertEvents(database, 1, [event], true)
      await pause(1_000 / EVENTS_A_SECOND)
    }
    const expected = readerCount * eventCount
    const giveUpAt = Date.now() + 120_000
    while (times.length < expected && Date.now() < giveUpAt) await pause(100)
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    console.log(
      `${readerCount} readers and ${idleCount} that never read opened in ${openMs.toFixed(0)} ms; ${EVENTS_A_SECOND} events a second`,
    )
    console.log(`p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, longest ${at(1).toFixed(0)} ms`)
    console.log(
      `memory ${before.toFixed(0)} MB, with readers ${withReaders.toFixed(0)} MB, after ${memory().toFixed(0)} MB`,
    )
    const held = [
      report({
        name: `events that did not arrive once at ${readerCount} readers`,
        value: Math.abs(expected - times.length) + arrivedTwice,
        unit: `of ${expected}`,
        atMost: 0,
      }),
      report({
        name: `from storing to each of ${readerCount} readers, p99`,
        value: at(0.99),
        unit: 'ms',
        atMost: MOST_P99_MS,
        peer: `p50 ${at(0.5).toFixed(0)} ms, longest ${at(1).toFixed(0)} ms`,
      }),
      report({
        name: 'memory of one stream',
        value: ((withReaders - before) * 1_024) / (readerCount + idleCount),
        unit: 'kB',
      }),
    ]
    process.exitCode = held.every(Boolean) ? 0 : MISSED_LIMIT
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  }
})
