/**
 * `npm run bench -- subscriptions [addresses]`: what it costs to match transactions with many subscriptions (default
 * 100,000 addresses of one account).
 *
 * A block pays 500 of the addresses, and an unconfirmed transaction pays one. Each pass is measured with the writes to
 * PostgreSQL, and with the longest time that no request could be served.
 */
import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { follow, indexTip } from '../server/src/coins/index/follow.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { MempoolView, scriptMapKey } from '../server/src/coins/mempool/mempool-view.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { describeScript } from '../server/src/coins/parse/address.ts'
import { hashHex } from '../server/src/coins/parse/block.ts'
import { scriptKey } from '../server/src/coins/parse/script.ts'
import type { ServedChain } from '../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../server/src/coins/serve/transaction-loader.ts'
import { createChainFollower } from '../server/src/coins/subscriptions/chain-follower.ts'
import { coinAlerts } from '../server/src/control/alerts/coin-alerts.ts'
import { systemClock } from '../server/src/lib/clock.ts'
import { sql } from '../server/src/platform/sql.ts'
import { buildBlock, buildCoinbase, regtestGenesis } from '../testing/coins/block-builder.ts'
import { type ModelBlock, memorySource } from '../testing/coins/random-chains.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions, postgresVersion } from '../testing/report/versions.ts'
import { accountWithWebhook } from '../testing/support/alerts.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { medianOf } from './median.ts'

const addresses = Number(process.argv[2] ?? 100_000)
const PAID = 500
const ROUNDS = 10
const MOST_MS = 1_000
const MOST_MEMPOOL_MS = 50

const scriptAt = (n: number): Buffer =>
  Buffer.concat([Buffer.from([0, 20]), createHash('sha256').update(`script ${n}`).digest().subarray(0, 20)])

/** Milliseconds of CPU time of this thread, and the longest time without serving others. */
async function timeOf(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly blocked: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(started)
  delay.disable()
  return { ms: (user + system) / 1_000, blocked: delay.max / 1e6 }
}

await test('subscriptions', async () => {
  const { database } = await createTestDatabase()
  console.log(`${cpus().length} cores, Node ${process.version}, ${addresses} addresses`)
  reportVersions({ ...packageVersions(['lmdb']), PostgreSQL: await postgresVersion(database) })
  const genesis: ModelBlock = { ...regtestGenesis(bitcoinRegtest), coins: new Map() }
  const source = memorySource([genesis])
  const kv = openLmdbKv({ path: temporaryFolder() })
  const index = openCoinIndex(kv, bitcoinRegtest, 'bench')
  const mempool = new MempoolView()
  const chain: ServedChain = {
    network: bitcoinRegtest,
    index,
    mempool,
    source,
    sourceName: 'a benchmark',
    loader: createTransactionLoader(source, { mweb: false }),
    state: () => ({ tip: indexTip(index), isDownloading: false, hasSameChain: true, mempoolSize: mempool.size }),
  }
  const addBlock = async (round: number): Promise<void> => {
    const pays = Array.from({ length: PAID }, (_, i) => ({ value: 1_000, script: scriptAt(round * PAID + i) }))
    const last = source.chain.at(-1) ?? genesis
    const block = buildBlock(last.hash, 1_700_000_000 + source.chain.length, [buildCoinbase(source.chain.length, pays)])
    source.chain = [...source.chain, { ...block, coins: new Map() }]
    await follow({ index, source, clock: systemClock })
    mempool.publish(hashHex(block.hash))
  }
  await follow({ index, source, clock: systemClock })
  const account = await accountWithWebhook(database)
  const targets = Array.from({ length: addresses }, (_, n) => describeScript(bitcoinRegtest, scriptAt(n)).address)
  await database.query(
    sql`insert into coin_subscription (account_id, chain, kind, target, events, confirmations, channels, from_height)
     select $1, 'btc', 'address', target, array['seen', 'confirmed', 'replaced', 'spent'], 1, array['webhook'], 0
     from unnest($2::text[]) as target`,
    [account.id, targets],
  )
  const follower = createChainFollower({ database, alerts: coinAlerts }, 'btc')
  const first = await timeOf(() => follower.pass(chain))
  report({
    name: `first pass with ${addresses} subscriptions`,
    value: first.ms,
    unit: 'ms of CPU time',
    peer: `reads all of them; longest time without serving others ${first.blocked.toFixed(0)} ms`,
  })
  const [blocks, payments] = [[], []] as { ms: number; blocked: number }[][]
  for (let round = 0; round < ROUNDS; round++) {
    await addBlock(round)
    blocks?.push(await timeOf(() => follower.pass(chain)))
    const script = scriptMapKey(scriptKey(scriptAt(addresses - 1 - round)))
    const txid = createHash('sha256').update(`tx ${round}`).digest('hex')
    const sizes = { fee: 1, vsize: 100, minedVsize: 100, time: 1 }
    mempool.add({ txid, bytes: Buffer.alloc(0), inputs: [], outputs: [{ script, value: 1_000 }], ...sizes })
    payments?.push(await timeOf(() => follower.pass(chain)))
  }
  const { rows } = await database.query<{ count: number }>(sql`select count(*)::int as count from coin_event`)
  if (rows[0]?.count !== ROUNDS * (PAID + 1)) throw new Error(`${rows[0]?.count} events were reported`)
  for (const [name, times, atMost] of [
    [`a block that pays ${PAID} of ${addresses} watched addresses, median`, blocks ?? [], MOST_MS],
    [`an unconfirmed payment to one of ${addresses} watched addresses, median`, payments ?? [], MOST_MEMPOOL_MS],
  ] as const)
    report({
      name,
      value: medianOf(times.map(({ ms }) => ms)),
      unit: 'ms of CPU time',
      atMost,
      peer: `longest time without serving others ${Math.max(...times.map(({ blocked }) => blocked)).toFixed(0)} ms`,
    })
  await kv.close()
})
