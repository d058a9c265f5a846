/**
 * Measures response times of the v1 API: every combination of feed filters, the contract view and the protocol view, at
 * one size and at ten times that size.
 *
 *     npm run bench -- api [--small 500000 --large 5000000 --rounds 3 --only protocol]
 *
 * Real HTTP, one request at a time, to the service that `gatewatch start` runs, with a counted key, on the embedded
 * PostgreSQL. Each combination is requested with common and with rare values, as a first page and from a cursor in
 * history, so that the p99 shows a slow variant.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { feedCursor } from '../server/src/control/feed/feed.ts'
import { publicationCursor } from '../server/src/control/feed/publications.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts'
import { sql } from '../server/src/platform/sql.ts'
import { MISSED_LIMIT, report, reportVersions } from '../testing/report/result.ts'
import { postgresVersion } from '../testing/report/versions.ts'
import { freePort } from '../testing/support/port.ts'
import {
  COMMON_CATEGORY,
  COMMON_CHAIN,
  changeContract,
  findAddresses,
  HUGE_PROTOCOL,
  LARGE_PROTOCOL,
  loadContracts,
  loadEvents,
  RARE_CATEGORY,
  RARE_CHAIN,
  RARE_KEY,
  TYPICAL_PROTOCOL,
} from './api-data.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '500000' },
    large: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
const sizes = [Number(values.small), Number(values.large)]
const rounds = Number(values.rounds)
const [TARGET_MS, TARGET_GROWTH] = [20, 1.5]
const LEAST_SAMPLES = 300

const log = createLogger({ level: 'error' })
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
const gatewatch = join(import.meta.dirname, '..', 'server', 'bin', 'gatewatch.mjs')

type Times = { readonly p50: number; readonly p99: number; readonly bytes: number }
type Fetch = (path: string) => Promise<number>
/** One row of the table: a query in all its variants. `change` runs before each request, and is not timed. */
type Case = {
  readonly name: string
  readonly paths: readonly string[]
  readonly change?: (database: Database, n: number) => Promise<unknown>
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/**
 * The p50 is the average of the p50 of each variant: variants have different times, and the median of their mixture would
 * jump from one to the other.
 */
async function measure(fetchSize: Fetch, { paths, change }: Case): Promise<Times> {
  const repeats = Math.max(rounds, Math.ceil(LEAST_SAMPLES / paths.length))
  const times = paths.map((): number[] => [])
  let bytes = 0
  for (let round = 0; round < repeats; round++)
    for (const [n, path] of paths.entries()) {
      await change?.(database, round)
      const startedAt = performance.now()
      bytes += await fetchSize(path)
      times[n]?.push(performance.now() - startedAt)
    }
  const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b)
  return {
    p50: mean(times.map((list) => at(sorted(list), 0.5))),
    p99: at(sorted(times.flat()), 0.99),
    bytes: bytes / repeats / paths.length,
  }
}

const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length

/** All 64 combinations of six filters, each with common and rare values. */
function feedCases(addresses: readonly string[], keys: readonly string[], cursors: readonly string[]): readonly Case[] {
  const filters: readonly (readonly [string, readonly string[]])[] = [
    ['chain', [COMMON_CHAIN, RARE_CHAIN]],
    ['address', addresses],
    ['severity', ['critical', 'high']],
    ['key', keys],
    ['category', [COMMON_CATEGORY, RARE_CATEGORY]],
    ['includeInit', ['true']],
  ]
  return Array.from({ length: 2 ** filters.length }, (_, bits) => {
    const used = filters.filter((_, n) => (bits & (1 << n)) !== 0)
    const queries = used.reduce<readonly string[]>(
      (queries, [name, options]) => queries.flatMap((query) => options.map((option) => `${query}&${name}=${option}`)),
      [''],
    )
    const paths = queries.flatMap((query, n) => [
      `/v1/events?limit=50${query}`,
      `/v1/events?limit=50${query}&cursor=${cursors[n % cursors.length]}`,
    ])
    return { name: `events ${used.map(([name]) => name).join(' ') || '(no filter)'}`, paths }
  })
}

/** Pages in publication order, from the beginning and from the middle of history. */
function forwardCases(addresses: readonly string[], cursors: readonly string[]): readonly Case[] {
  const pathsOf = (query: string) => cursors.map((cursor) => `/v1/events?limit=50${query}&after=${cursor}`)
  return [
    { name: 'events after', paths: pathsOf('&includeInit=true') },
    { name: 'events after, address', paths: addresses.flatMap((address) => pathsOf(`&address=${address}`)) },
    { name: 'events after, rare key', paths: pathsOf(`&key=${RARE_KEY}`) },
    { name: 'events after, rare chain and category', paths: pathsOf(`&chain=${RARE_CHAIN}&category=${RARE_CATEGORY}`) },
  ]
}

async function publicationCursors(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query<{ last: number }>(
    sql`select coalesce(max(position), 0) as last from publication`,
  )
  return [0, 0.3, 0.6, 0.9].map((share) => publicationCursor({ position: Math.floor((rows[0]?.last ?? 0) * share) }))
}

async function casesOf(database: Database): Promise<readonly Case[]> {
  const { busy, busyKey, typical } = await findAddresses(database)
  const year = 31_557_600_000
  const cursors = [0.2, 0.9, 1.7, 2.5, 3.3].map((years) => feedCursor({ blockTime: Date.now() - years * year, id: 1 }))
  const [busyOne, typicalOne] = [busy[0], typical[0]]
  return [
    ...feedCases([busyOne?.address ?? '', typicalOne?.address ?? ''], [busyKey, RARE_KEY], cursors),
    ...forwardCases([busyOne?.address ?? '', typicalOne?.address ?? ''], await publicationCursors(database)),
    { name: 'events limit=200', paths: ['/v1/events?limit=200', '/v1/events?limit=200&includeInit=true'] },
    { name: 'contract, typical', paths: typical.map(({ chain, address }) => `/v1/contracts/${chain}/${address}`) },
    { name: 'contract, busiest', paths: busy.map(({ chain, address }) => `/v1/contracts/${chain}/${address}`) },
    { name: 'protocol of 40 contracts', paths: TYPICAL_PROTOCOLS.map((slug) => `/v1/protocols/${slug}`) },
    ...BEYOND_THE_REGISTRY,
  ]
}
/**
 * Protocols ten and two hundred times as large as the largest of the registry, as they are and right after one of their
 * contracts got another label, another event, and another name. The page lists them, and the run does not fail.
 */
const BEYOND_THE_REGISTRY: readonly (Case & { readonly limitMs: number })[] = (
  [
    [500, LARGE_PROTOCOL, 20],
    [10_000, HUGE_PROTOCOL, 100],
  ] as const
).flatMap(([size, slug, limitMs]) => {
  const [name, paths] = [`protocol of ${size.toLocaleString('en')} contracts`, [`/v1/protocols/${slug}`]]
  const change = (database: Database, n: number) => changeContract(database, slug, n)
  return [
    { name, paths, limitMs },
    { name: `${name} after a change`, paths, limitMs, change },
  ]
})
const isOfTheRegistry = (name: string): boolean => BEYOND_THE_REGISTRY.every((other) => other.name !== name)
const TYPICAL_PROTOCOLS = [TYPICAL_PROTOCOL, 'bench-3', 'bench-500', 'bench-901']

function startService(url: string, port: number): ChildProcess {
  return spawn(process.execPath, [gatewatch, 'start'], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      AUTH_SECRET: randomBytes(32).toString('hex'),
      ROLES: 'serve',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** A plain client that returns the size of a response. `fetch` itself would take a third of the shortest response time. */
function createFetch(base: string, key: string): Fetch {
  const options = { agent: new Agent({ keepAlive: true }), headers: { authorization: `Bearer ${key}` } }
  return (path) =>
    new Promise((resolve, reject) => {
      const request = get(base + path, options, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.once('error', reject).once('end', () => resolve(bytes))
        if (response.statusCode !== 200) reject(new Error(`${path} returned ${response.statusCode}`))
      })
      request.once('error', reject)
    })
}

async function output(args: readonly string[], url: string): Promise<string> {
  const child = spawn(process.execPath, [gatewatch, ...args], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(32), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return text
}

const postgres = await joinEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
const url = postgres.urlOf('postgres')
const database = openDatabase({ url, log })
let service: ChildProcess | undefined
try {
  await migrate(database, log)
  reportVersions({ PostgreSQL: await postgresVersion(database) })
  await loadContracts(database)
  const email = 'bench@example.org'
  await output(
    ['account', 'create', '--email', email, '--password', randomBytes(12).toString('hex'), '--plan', 'team'],
    url,
  )
  const { key, id } = JSON.parse(
    await output(['key', 'create', email, '--api', 'v1', '--name', 'b', '--json'], url),
  ) as {
    key: string
    id: string
  }
  const port = await freePort()
  service = startService(url, port)
  const base = `http://127.0.0.1:${port}`
  while ((await fetch(`${base}/readyz`).catch(() => undefined))?.ok !== true)
    await new Promise((resolve) => setTimeout(resolve, 100))
  const fetchSize = createFetch(base, key)
  const results = new Map<string, Times[]>()
  let loaded = 0
  for (const size of sizes) {
    const startedAt = performance.now()
    await loadEvents(database, loaded + 1, size)
    loaded = size
    console.log(`${size} events loaded in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    // Limits are enforced and counted as usual; only the allowance of this key is raised.
    await fetchSize('/v1/me/subscriptions')
    await database.query(
      sql`update request_counter set window_used = -2000000000, month_used = -9000000000000 where subject = $1`,
      [id],
    )
    const cases = (await casesOf(database)).filter(({ name }) => name.includes(values.only))
    // Warm-up: each query once prepares statements, reads pages from disk and compiles the code.
    for (const { paths } of cases) for (const path of paths) await fetchSize(path)
    for (const one of cases) {
      const times = await measure(fetchSize, one)
      results.set(one.name, [...(results.get(one.name) ?? []), times])
    }
  }
  print(results)
} finally {
  if (service !== undefined) {
    service.kill('SIGTERM')
    await new Promise((resolve) => service?.once('exit', resolve))
  }
  await database.end()
  await postgres.leave()
  rmSync(folder, { recursive: true, force: true })
}

/** If a response grew with the history it contains, its time has no limit. */
function isAlike([small, large]: readonly [Times, Times]): boolean {
  return large.bytes <= small.bytes * TARGET_GROWTH
}

function print(results: ReadonlyMap<string, readonly Times[]>): void {
  const pairs = [...results].map(([name, times]) => ({ name, pair: [times[0], times.at(-1)] as [Times, Times] }))
  const shown = (value: number): string => value.toFixed(1).padStart(8)
  console.log(`${''.padEnd(56)}${sizes.map((size) => `${size} events`.padStart(26)).join('')}  growth`)
  console.log(`${'milliseconds'.padEnd(56)}${sizes.map(() => '       p50     p99      kB').join('')}     p50`)
  let missed = 0
  const growthOf = ([small, large]: readonly [Times, Times]): number => large.p50 / small.p50
  for (const { name, pair } of pairs) {
    const holds = pair[1].p99 <= TARGET_MS && (growthOf(pair) <= TARGET_GROWTH || !isAlike(pair))
    if (!holds && isOfTheRegistry(name)) missed += 1
    console.log(
      `${name.padEnd(56)}${pair.map(({ p50, p99, bytes }) => `  ${shown(p50)}${shown(p99)}${shown(bytes / 1_000)}`).join('')}${shown(growthOf(pair))}${holds || !isOfTheRegistry(name) ? '' : '   MISSED'}`,
    )
  }
  const held = pairs.filter(({ name }) => isOfTheRegistry(name))
  report({
    name: `slowest of ${held.length} v1 queries at ${sizes.at(-1)} events, p99`,
    value: Math.max(...held.map(({ pair }) => pair[1].p99)),
    unit: 'ms',
    atMost: TARGET_MS,
  })
  report({
    name: 'largest growth of a p50 at ten times the events, same response size',
    value: Math.max(...held.filter(({ pair }) => isAlike(pair)).map(({ pair }) => growthOf(pair))),
    unit: 'times',
    atMost: TARGET_GROWTH,
  })
  const [grown] = held.filter(({ pair }) => !isAlike(pair)).sort((a, b) => growthOf(b.pair) - growthOf(a.pair))
  if (grown !== undefined)
    report({
      name: 'largest growth of a p50 at ten times the events, larger response',
      value: growthOf(grown.pair),
      unit: 'times',
      peer: `${grown.name}, whose response grew ${(grown.pair[1].bytes / grown.pair[0].bytes).toFixed(1)} times`,
    })
  for (const { name, limitMs } of BEYOND_THE_REGISTRY)
    for (const { pair } of pairs.filter((each) => each.name === name))
      report({
        name: `${name}, p99`,
        value: pair[1].p99,
        unit: 'ms',
        atMost: limitMs,
        peer: `a response of ${(pair[1].bytes / 1_000).toFixed(0)} kB`,
      })
  console.log(
    `target: p99 at most ${TARGET_MS} ms at the larger size, p50 at most ${TARGET_GROWTH} times that of the smaller: ${missed === 0 ? 'held' : `MISSED by ${missed} of ${held.length}`}`,
  )
  process.exitCode = missed === 0 ? 0 : MISSED_LIMIT
}
