/**
 * Measures the round trips of one poll of a contract, at ten thousand contracts.
 *
 *     npm run bench -- poll [--contracts 10000] [--rounds 2]
 *
 * A round trip is one HTTP request, counted by a proxy between the poller and a real node. A quarter each of the contracts
 * are clones, UUPS proxies, transparent proxies and beacon proxies. Owners and admins are Safes, timelocks and
 * ProxyAdmins, one per hundred contracts.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { createCodeAnalyzer } from '../server/src/control/poll/code-analyzer.ts'
import { createPoller } from '../server/src/control/poll/poller.ts'
import { POLL_BATCHES } from '../server/src/control/poll/run-poll.ts'
import { SLOTS } from '../server/src/control/profile/slots.ts'
import { createRpcPool } from '../server/src/control/rpc/pool.ts'
import { systemTiming } from '../server/src/lib/clock.ts'
import { createLogger } from '../server/src/lib/log.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts'
import { sql } from '../server/src/platform/sql.ts'
import { type Anvil, startAnvil } from '../testing/evm/anvil.ts'
import { openZeppelin4, openZeppelin5 } from '../testing/evm/compile.ts'
import { controlContracts, FREE, own, signers, wordOf } from '../testing/evm/control.ts'
import { evmOf } from '../testing/evm/evm.ts'
import { catalog } from '../testing/evm/watching.ts'
import { MISSED_LIMIT, report, reportVersions } from '../testing/report/result.ts'
import { anvilVersion, postgresVersion } from '../testing/report/versions.ts'
import { sendBatch } from './node-batch.ts'

const LIMIT = 0.2
const SHARE_A_CONTROLLER = 100

const { values } = parseArgs({
  options: { contracts: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '2' } },
})
const [count, rounds] = [Number(values.contracts), Number(values.rounds)]
const log = createLogger({ level: 'warn' })
const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
const postgres = await joinEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
const database = openDatabase({ url: postgres.urlOf('postgres'), log })
await migrate(database, log)
const node = await startAnvil(1, FREE)
const counter = await countingProxy(node.url)
const verdicts: boolean[] = []
try {
  reportVersions({ PostgreSQL: await postgresVersion(database), anvil: await anvilVersion(node) })
  await register(database, await makeContracts(node, count))
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [counter.url], ...POLL_BATCHES },
  )
  const poller = createPoller({
    database,
    catalog,
    codes: createCodeAnalyzer(),
    log,
    poolOf: () => pool,
    confirmationsOf: () => 0,
  })
  for (let round = 1; round <= rounds; round += 1) {
    const [before, began] = [counter.count(), Date.now()]
    const { polled, failed, silent } = await poller.round(1, new Date())
    const [trips, seconds] = [counter.count() - before, (Date.now() - began) / 1_000]
    console.log(
      `round ${round}: ${polled} contracts, ${failed} failed, ${silent} silent changes, ${trips} round trips in ${seconds.toFixed(1)} s: ${(trips / polled).toFixed(3)} a contract (limit ${LIMIT})`,
    )
    verdicts.push(
      report({
        name: `polls missing, failed, or with a false change, round ${round}`,
        value: Math.max(0, count - polled) + failed + silent,
        unit: 'polls',
        atMost: 0,
        peer: `${polled} polls`,
      }),
      report({
        name: `round trips of a poll, round ${round}`,
        value: trips / polled,
        unit: 'a contract',
        atMost: LIMIT,
      }),
    )
  }
  const { rows } = await database.query<{ label: string; n: number }>(
    sql`select label, count(*)::int as n from control_profile group by label order by label`,
  )
  console.log(rows.map(({ label, n }) => `${label} ${n}`).join(', '))
  pool.close()
} finally {
  await node.stop()
  counter.close()
  await database.end()
  await postgres.leave()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = verdicts.every((held) => held) ? 0 : MISSED_LIMIT

/** Sets code and storage directly, many per request. Ten thousand deployments would take an hour. */
async function makeContracts(anvil: Anvil, wanted: number): Promise<readonly Hex[]> {
  const evm = await evmOf(anvil)
  const made = controlContracts(anvil, evm)
  await made.deployMulticall()
  const codeOf = async (address: Hex): Promise<Hex> => await anvil.rpc<Hex>('eth_getCode', address, 'latest')
  const logic = await made.plain()
  const owned = (await evm.deploy(own('OwnedUups'))).address
  const minimal: Hex = `0x363d3d373d3d3d363d73${logic.slice(2)}5af43d82803e903d91602b57fd5bf3`
  const uups = await codeOf((await made.uups('OwnedUups', evm.accounts[0])).address)
  const transparent = await codeOf((await made.transparent4(evm.accounts[1] as Hex)).address)
  const beacon = await evm.deploy(openZeppelin4('UpgradeableBeacon'), logic)
  const beaconProxy = await codeOf((await evm.deploy(openZeppelin4('BeaconProxy'), beacon.address, '0x')).address)
  const controllers: { readonly owner: Hex; readonly admin: Hex; readonly beacon: Hex }[] = []
  for (let n = 0; n < Math.ceil(wanted / SHARE_A_CONTROLLER); n += 1) {
    const council = (await made.safe(2 + (n % 3), signers(5, n * 10))).address
    const owner = n % 2 === 0 ? council : (await made.timelock(172_800n, [council])).address
    const admin = (await evm.deploy(openZeppelin5('ProxyAdmin'), owner)).address
    controllers.push({
      owner,
      admin,
      beacon: (await evm.deploy(openZeppelin5('UpgradeableBeacon'), logic, owner)).address,
    })
  }
  const calls: (readonly [string, ...unknown[]])[] = []
  const addresses = Array.from(
    { length: wanted },
    (_, n): Hex => `0x${(0xbe0000000000 + n).toString(16).padStart(40, '0')}`,
  )
  for (const [n, address] of addresses.entries()) {
    const {
      owner,
      admin,
      beacon: upgraded,
    } = controllers[Math.floor(n / SHARE_A_CONTROLLER)] as (typeof controllers)[number]
    const put = (code: Hex, slots: Readonly<Record<Hex, Hex>> = {}) => {
      calls.push(['anvil_setCode', address, code])
      for (const [slot, value] of Object.entries(slots))
        calls.push(['anvil_setStorageAt', address, slot, wordOf(value)])
    }
    if (n % 4 === 0) put(minimal)
    if (n % 4 === 1) put(uups, { [SLOTS.implementation]: owned, [SLOTS.ownable5]: owner })
    if (n % 4 === 2) put(transparent, { [SLOTS.implementation]: logic, [SLOTS.admin]: admin })
    if (n % 4 === 3) put(beaconProxy, { [SLOTS.beacon]: upgraded })
  }
  await sendBatch(anvil.url, calls)
  await evm.mine()
  return addresses
}

async function register(db: Database, addresses: readonly Hex[]): Promise<void> {
  await db.query(
    sql`insert into contract (chain_id, address, source)
     select 1, decode(digits, 'hex'), 'manual' from unnest($1::text[]) as given (digits)`,
    [addresses.map((address) => address.slice(2))],
  )
}

async function countingProxy(target: string) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.concat(chunks) })
        .then(async (reply) =>
          response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text()),
        )
        .catch(() => response.writeHead(502).end())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, count: () => requests, close: () => server.close() }
}
