/**
 * Each role runs as a separate process on one PostgreSQL and one Redis. The processes are killed in turn under load: no
 * event is lost, every delivery arrives and is recorded once, limits stay exact, and only requests to the killed process
 * fail.
 */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { type Database, openDatabase } from '../../server/src/platform/database.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { missingLitecoind, startLitecoind } from '../coins/litecoind.ts'
import { type Anvil, anvilForTests, anvilMissing } from '../evm/anvil.ts'
import { evmOf } from '../evm/evm.ts'
import { artifact } from '../evm/scenario.ts'
import { accountWithWebhook, subscribe } from '../support/alerts.ts'
import { testVault } from '../support/auth-secret.ts'
import { postgresKind, startExternalPostgres } from '../support/external-postgres.ts'
import { type Caller, type SentRequest, sendRequest, startLoad } from '../support/load.ts'
import { testLog } from '../support/log.ts'
import { freePort } from '../support/port.ts'
import { eventually, type Hook, hookReceiver } from '../support/receivers.ts'
import { redisMissing, startTestRedis } from '../support/redis.ts'
import {
  AUTH_SECRET,
  type Environment,
  hasEnded,
  makeTestKeys,
  spawnGatewatch,
  untilReady,
} from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PER_MINUTE = 60 // of a Team key
const AT_ONCE = 100

test('each process is killed in turn under load', {
  skip: anvilMissing || missingLitecoind() || redisMissing,
  timeout: 600_000,
}, async (t) => {
  t.diagnostic(`on ${postgresKind}`)
  const [postgres, redis, anvil, litecoind] = await Promise.all([
    startExternalPostgres(),
    startTestRedis(),
    anvilForTests(1),
    startLitecoind(),
  ])
  after(litecoind.remove)
  const database = openDatabase({ url: postgres.url, log: testLog, vault: testVault })
  after(() => database.end())
  await migrate(database, testLog)

  const evm = await evmOf(anvil)
  const emitter = await evm.deploy(artifact('Spammer'))
  await saveContract(database, { chainId: 1, address: emitter.address })
  const receiver = await hookReceiver()
  await subscribe(database, await accountWithWebhook(database, receiver.url), emitter.address)
  await litecoind.call('createwallet', 'a')
  const miner = await litecoind.wallet('a')<string>('getnewaddress', '', 'bech32')
  const mine = (count: number) => litecoind.call<string[]>('generatetoaddress', count, miner)
  await mine(3)

  const port = String(await freePort())
  const started: Process[] = []
  const start = processStarter(started, {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    AUTH_SECRET,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: port,
    SHARE_PORT: 'true',
    DATA_DIR: join(temporaryFolder(), 'data'),
    ETHEREUM_RPC_URL: anvil.url,
    ETHEREUM_START_BLOCK: '0',
    ETHEREUM_CONFIRMATIONS: '0',
    LTC_RPC_URL: litecoind.url,
    ALERT_ALLOW_PRIVATE: 'true',
  })
  const url = `http://127.0.0.1:${port}`
  const [one, other, oneWatcher, otherWatcher, indexer, deliverer] = await Promise.all([
    start('serve'),
    start('serve'),
    start('watch'),
    start('watch'),
    start('index'),
    start('deliver,poll'),
  ])
  await readToHead(database, anvil)

  const v1 = (key: string) => ({ authorization: `Bearer ${key}` })
  const v2 = (key: string) => ({ 'x-api-key': key })
  const coinPath = `/api/v2/address/${miner}?chain=ltc`
  const ready = new Set<string | undefined>()
  await eventually(async () => {
    const [key = ''] = await keysOf(database, 'v2', 1)
    const { status, process } = await sendRequest(url, { path: coinPath, key, headers: v2(key) })
    if (status === 200) ready.add(process)
    return ready.size === 2 || undefined
  })
  const [greedy = ''] = await keysOf(database, 'v1', 1)
  const [patient, coins] = [await keysOf(database, 'v1', 50), await keysOf(database, 'v2', 5)]
  const kinds: Omit<Caller, 'keepsConnection'>[] = [
    { path: '/v1/events?includeInit=true', keys: patient.slice(0, 25), header: v1, everyMs: 80 },
    { path: `/v1/contracts/ethereum/${emitter.address}`, keys: patient.slice(25), header: v1, everyMs: 80 },
    { path: coinPath, keys: coins, header: v2, everyMs: 50 },
    { path: '/v1/events', keys: [greedy], header: v1, everyMs: 20 },
  ]
  const load = startLoad(
    url,
    kinds.flatMap((kind) => [true, false].map((keepsConnection) => ({ ...kind, keepsConnection }))),
  )
  after(load.stop)
  let salt = 0n
  const emit = async (transactions: number) => {
    for (let n = 0; n < transactions; n++) await evm.send(emitter, 'spam', [4n, salt++])
  }

  const kill = async ({ child, dead }: Process): Promise<Death> => {
    const killedAt = performance.now()
    child.kill('SIGKILL')
    await dead
    return { killedAt, deadAt: performance.now() }
  }
  /** Deaths of processes with the `serve` role. */
  const deaths: Death[] = []
  const bursts: (readonly SentRequest[])[] = []
  /** Kills a server during a burst of requests above the limit of a new key, and then sends a second burst. */
  const killInBurst = async (server: Process): Promise<void> => {
    const [key = ''] = await keysOf(database, 'v1', 1)
    const burst = () =>
      Array.from({ length: AT_ONCE }, () => sendRequest(url, { path: '/v1/events', key, headers: v1(key) }))
    const first = burst()
    await Promise.race(first)
    deaths.push(await kill(server))
    bursts.push([...(await Promise.all(first)), ...(await Promise.all(burst()))])
  }

  // Kill the watcher that holds the chain; while another takes over, the first server is killed and replaced.
  const holds = async ({ child }: Process) => (await holderOf(database)) === child.pid
  const [first, second] = (await holds(oneWatcher)) ? [oneWatcher, otherWatcher] : [otherWatcher, oneWatcher]
  await emit(2)
  await Promise.all([emit(2), kill(first)])
  await Promise.all([emit(2), killInBurst(one)])
  const [third] = await Promise.all([
    start('watch'),
    start('serve'),
    eventually(async () => !(await holds(first)) || undefined),
  ])
  // Kill the watcher that took over, the other server, and the processes that have no replacement.
  const [successor, last] = (await holds(second)) ? [second, third] : [third, second]
  await Promise.all([emit(2), kill(successor)])
  await Promise.all([emit(2), killInBurst(other)])
  await Promise.all([emit(2), kill(indexer)])
  await Promise.all([emit(2), kill(deliverer)])
  // The killed process still holds claims on messages; expire them instead of waiting.
  await database.query(sql`update alert_message set next_at = now() where claim is not null`)
  await mine(1)
  await Promise.all([start('serve'), start('index'), start('deliver,poll'), emit(2)])
  await readToHead(database, anvil)
  assert.ok(await holds(last))
  const [tip = ''] = await mine(1)
  await eventually(async () => (await coinTip(url)) === (await heightOf(litecoind, tip)) || undefined)
  await load.stop()

  const emitted = await anvil.rpc<readonly Log[]>('eth_getLogs', { fromBlock: '0x0', address: emitter.address })
  assert.equal(emitted.length, Number(salt) * 4)
  const [reader = ''] = await keysOf(database, 'v1', 1)
  assert.deepEqual(
    (await feedOf(url, v1(reader))).map(({ txHash, logIndex }) => `${txHash}:${logIndex}`).sort(),
    emitted.map(({ transactionHash, logIndex }) => `${transactionHash}:${Number(logIndex)}`).sort(),
  )

  await assertAllDelivered(database, emitted, receiver.calls)

  const sent = [...load.sent, ...bursts.flat()]
  t.diagnostic(`${sent.length} requests, ${sent.filter(({ fault }) => fault !== undefined).length} without a response`)
  assertOnlyKilledFail(sent, deaths)
  for (const burst of bursts) {
    const refused = burst.filter(({ status }) => status === 429).length
    const failed = burst.filter(({ fault }) => fault !== undefined).length
    t.diagnostic(`${burst.length - refused - failed} passed, ${refused} refused, ${failed} without a response`)
    assert.ok(refused > 0, 'the limit was reached')
    assertExactLimit(burst, reasonsIn(started))
  }
  assert.deepEqual(
    [...new Set(load.sent.filter(({ key }) => key !== greedy).map(({ status }) => status ?? 200))],
    [200],
    `requests within the limits succeed; ${reasonsIn(started)}`,
  )
  assertExactLimit(load.sent.filter(({ key }) => key === greedy))
})

type Process = ReturnType<typeof spawnGatewatch> & { readonly dead: Promise<unknown> }
type Death = { readonly killedAt: number; readonly deadAt: number }
type Log = { readonly transactionHash: string; readonly logIndex: string }

/** Returns a function that starts a process with the given roles and waits until it is ready. */
function processStarter(started: Process[], env: Environment): (roles: string) => Promise<Process> {
  const cwd = temporaryFolder()
  return async (roles) => {
    const monitor = String(await freePort())
    const spawned = spawnGatewatch(['start'], {
      cwd,
      env: { ...env, ROLES: roles, METRICS_PORT: monitor, LOG_LEVEL: 'info' },
    })
    const { child, output } = spawned
    const dead = new Promise((resolve) => child.once('exit', resolve))
    after(async () => {
      child.kill('SIGKILL')
      await dead
    })
    const endedReason = () => hasEnded(child) && `the process ended: ${output()}`
    // On a shared port another process may respond, so wait for the output instead.
    if (roles === 'serve') await eventually(() => endedReason() || output().includes('listening on') || undefined)
    else await untilReady(`http://127.0.0.1:${monitor}`, endedReason)
    assert.equal(child.exitCode, null, output())
    const running = { ...spawned, dead }
    started.push(running)
    return running
  }
}

const keysOf = async (database: Database, api: 'v1' | 'v2', count: number): Promise<readonly string[]> =>
  (await makeTestKeys(database, api, count)).map(({ key }) => key)

/** Returns the id of the process that holds the lease of the chain; it is part of the holder's name. */
async function holderOf(database: Database): Promise<number> {
  const { rows } = await database.query<{ holder: string }>(sql`select holder from lease where name = 'watch:1'`)
  return Number(rows[0]?.holder.split(':').at(-2))
}

/** Waits until the watcher is at the head. Does not wait for the second pass. */
const readToHead = (database: Database, { chainId, rpc }: Anvil) =>
  eventually(async () => {
    const head = Number(await rpc('eth_blockNumber'))
    const { rowCount } = await database.query(
      sql`select from chain_cursor where chain_id = $1 and number = $2
         and not exists (select from contract where chain_id = $1 and watch_state <> 'watched')`,
      [chainId, head],
    )
    return rowCount === 1 || undefined
  })

async function coinTip(url: string): Promise<number | undefined> {
  const { coins } = (await (await fetch(`${url}/public/status`)).json()) as { coins: { indexHeight: number | null }[] }
  return coins[0]?.indexHeight ?? undefined
}

const heightOf = async ({ call }: Pick<Awaited<ReturnType<typeof startLitecoind>>, 'call'>, hash: string) =>
  (await call<{ height: number }>('getblockheader', hash)).height

type FeedPage = { data: { txHash: string; logIndex: number }[]; nextCursor: string | null }

async function feedOf(url: string, headers: Readonly<Record<string, string>>): Promise<FeedPage['data']> {
  const events: FeedPage['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const response = await fetch(`${url}/v1/events?includeInit=true&limit=200${next}`, { headers })
    const page = (await response.json()) as FeedPage
    events.push(...page.data)
    cursor = page.nextCursor
  }
  return events
}

/** Checks that each event has one delivery record, and that each message arrived. */
async function assertAllDelivered(database: Database, emitted: readonly Log[], calls: readonly Hook[]): Promise<void> {
  const records = await eventually(async () => {
    const { rows } = await database.query<{ tx: string; log: number; message: number; status: string }>(
      sql`select encode(e.tx_hash, 'hex') as tx, e.log_index as log, m.uid as message, m.status
       from delivery d join alert_event e on e.id = d.event_id join alert_message m on m.id = d.message_id`,
    )
    return rows.every(({ status }) => status === 'sent') ? rows : undefined
  })
  assert.deepEqual(
    records.map(({ tx, log }) => `0x${tx}:${log}`).sort(),
    emitted.map(({ transactionHash, logIndex }) => `${transactionHash}:${Number(logIndex)}`).sort(),
  )
  const arrived = new Set(calls.map(({ headers }) => headers['webhook-id']))
  assert.deepEqual(arrived, new Set(records.map(({ message }) => `alert_${message}`)))
}

/** Checks that requests without a response were in flight while a process died, and not sent to another process. */
function assertOnlyKilledFail(sent: readonly SentRequest[], deaths: readonly Death[]): void {
  const respondsAfter = (process: string, time: number) =>
    sent.some((other) => other.process === process && other.status !== undefined && other.startedAt > time)
  for (const request of sent.filter(({ fault }) => fault !== undefined)) {
    const { startedAt, endedAt, process } = request
    const death = deaths.find(({ killedAt, deadAt }) => startedAt <= deadAt && endedAt >= killedAt)
    assert.ok(death !== undefined, `failed while no process died: ${JSON.stringify(request)}`)
    if (process !== undefined)
      assert.ok(
        !respondsAfter(process, death.deadAt),
        `failed on a process that was not killed: ${JSON.stringify(request)}`,
      )
  }
}

/** Returns the reasons of failed requests from the logs of the processes. */
function reasonsIn(processes: readonly Process[]): string {
  const lines = processes
    .flatMap(({ output }) => output().split('\n'))
    .filter((line) => /request (failed|refused)/.test(line))
  const reasons = lines.map((line) => {
    const { err, reason } = JSON.parse(line) as { err?: { message?: string }; reason?: string }
    return err?.message ?? reason ?? line
  })
  return [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => `${all.length} × ${reason}`).join('; ')
}

/** The window opens after the first request is sent, so responses within a minute from then are in the same window. */
function assertExactLimit(sent: readonly SentRequest[], reasons = ''): void {
  const opened = sent[0]?.startedAt ?? 0
  const inWindow = sent.filter(({ endedAt }) => endedAt < opened + 60_000)
  const passed = inWindow.filter(({ status }) => status === 200).length
  const unknown = inWindow.filter(({ fault }) => fault !== undefined).length
  assert.ok(passed <= PER_MINUTE, `${passed} requests passed in a minute`)
  if (inWindow.some(({ status }) => status === 429))
    assert.ok(passed + unknown >= PER_MINUTE, `requests were refused although only ${passed} had passed`)
  assert.deepEqual(
    sent.map(({ status = 200 }) => status).filter((status) => status !== 200 && status !== 429),
    [],
    reasons,
  )
}
