/** Backup and restore into an empty database: every response is the same before and after. */

import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EventRecord } from '../../server/src/control/catalog/catalog.ts'
import { insertEvents } from '../../server/src/control/feed/events.ts'
import { BEGINNING, getPublicationPage } from '../../server/src/control/feed/publications.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { recordedBlockFile, recordedOracle } from '../coins/fixtures.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually } from '../support/receivers.ts'
import {
  AUTH_SECRET,
  makeTestAccount,
  makeTestKey,
  type Service,
  signIn,
  spawnGatewatch,
  spawnService,
  type TestAccount,
} from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [full, empty] = [await createTestDatabase(), await createTestDatabase({ migrated: false })]
const cwd = temporaryFolder()
const [backup, blocks] = [join(cwd, 'backup'), join(cwd, 'blocks')]
mkdirSync(blocks)
writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
const oracle = recordedOracle()
const holder = oracle.addresses.find(({ utxos }) => utxos.length > 2) ?? assert.fail()

const environment = (database: { readonly url: string }, data: string) => ({
  DATABASE_URL: database.url,
  AUTH_SECRET,
  DATA_DIR: join(cwd, data),
  BTC_BLOCKS_DIR: blocks,
})

async function runCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { exit, output } = spawnGatewatch(args, { cwd, env })
  return { code: (await exit).code, output: output() }
}

const account = await makeTestAccount(full.database, { plan: 'team', utxoPlan: 'pro' })
const [control, coins] = [
  await makeTestKey(full.database, account, 'v1'),
  await makeTestKey(full.database, account, 'v2'),
]

async function responsesOf(service: Service, account: TestAccount): Promise<readonly (readonly [string, unknown])[]> {
  const cookie = await signIn(service, account)
  const paths = [
    '/v1/events?includeInit=true',
    `/v1/contracts/ethereum/0x${'0a'.repeat(20)}`,
    '/v1/protocols/aave',
    `/api/v2/address/${holder.address}`,
    `/api/v2/address/${holder.address}/utxos`,
    `/api/v2/address/${holder.address}/txs`,
    `/api/v2/block/${oracle.tip}`,
    `/badge/ethereum/0x${'0a'.repeat(20)}.svg`,
    '/me/api-keys',
  ]
  const responses: (readonly [string, unknown])[] = []
  for (const path of paths) {
    const headers = { authorization: `Bearer ${control.key}`, 'x-api-key': coins.key, cookie }
    const response = await fetch(`${service.url}${path}`, { headers })
    const text = await response.text()
    // These requests themselves change the usage of the keys.
    responses.push([
      `${path} ${response.status}`,
      text.replaceAll(/"(requests|usageThisMonth|lastUsedAt)":("[^"]*"|\d+|null)/g, '"$1":0'),
    ])
  }
  return responses
}

const isIndexed = async ({ url }: Service): Promise<true | undefined> => {
  const { coins } = (await (await fetch(`${url}/public/status`)).json()) as {
    coins: { indexHeight: number; state: string }[]
  }
  return (coins[0]?.indexHeight === oracle.tip && coins[0].state === 'in_sync') || undefined
}

const ALL = { includeInit: true }
const EVENT: EventRecord = {
  blockNumber: 7,
  blockTime: Date.parse('2026-11-01T00:00:00Z'),
  blockHash: `0x${'07'.repeat(32)}`,
  txHash: `0x${'08'.repeat(32)}`,
  logIndex: 3,
  address: `0x${'0a'.repeat(20)}`,
  subject: undefined,
  key: 'proxy.upgraded',
  category: 'upgrade',
  severity: 'critical',
  isInit: false,
  args: { text: 'tab\there, line\nend, back\\slash, "quote", null \u0000?'.replace('\u0000', '') },
}

test('a restored service gives the same responses', async () => {
  await insertEvents(full.database, 1, [EVENT], true)
  const env = environment(full, 'data')
  const first = await spawnService(env, cwd)
  await eventually(() => isIndexed(first))
  const before = await responsesOf(first, account)
  assert.ok(
    before.every(([path]) => / (200|404)$/.test(path)),
    JSON.stringify(before),
  )
  assert.ok(before.filter(([path]) => path.endsWith(' 200')).length >= 6, JSON.stringify(before))

  const made = await runCommand(env, 'backup', backup, '--json')
  assert.equal(made.code, 0, made.output)
  assert.deepEqual(JSON.parse(made.output).coinIndexes, ['btc-regtest'])
  assert.equal((await runCommand(env, 'backup', backup)).code, 1, 'a backup is never overwritten')
  await first.stop()
  rmSync(join(cwd, 'data'), { recursive: true })

  const restoredEnv = environment(empty, 'data')
  const restored = await runCommand(restoredEnv, 'restore', backup)
  assert.equal(restored.code, 0, restored.output)
  assert.equal((await runCommand(restoredEnv, 'restore', backup)).code, 1, 'a database with data is never overwritten')
  const second = await spawnService(restoredEnv, cwd)
  await eventually(() => isIndexed(second))
  for (const [at, [path, answer]] of (await responsesOf(second, account)).entries())
    assert.deepEqual([path, answer], before[at])
})

test('a reader of the original continues on the copy without a loss, and no id is used twice', async () => {
  const eventAt = (blockNumber: number): EventRecord => ({ ...EVENT, blockNumber, logIndex: 0 })
  await insertEvents(full.database, 1, [eventAt(8), eventAt(9)], true)
  const { nextCursor } = await getPublicationPage(full, { filter: ALL, limit: 100, after: BEGINNING })
  await insertEvents(empty.database, 1, [eventAt(8)], true)
  const { data } = await getPublicationPage(empty, { filter: ALL, limit: 100, after: nextCursor })
  assert.deepEqual(
    data.map(({ blockNumber }) => blockNumber),
    [8],
    'the copy reads the block again',
  )
  const { rows } = await full.database.query(sql`select from control_event where id = $1`, [data[0]?.id])
  assert.deepEqual(rows, [])
  const later = await insertEvents(empty.database, 1, [eventAt(10)], true).then(() =>
    getPublicationPage(empty, { filter: ALL, limit: 100, after: BEGINNING }),
  )
  assert.deepEqual(
    later.data.map(({ blockNumber }) => blockNumber),
    [7, 8, 10],
  )
})

test('a restore that fails leaves nothing behind, and a second one succeeds', async () => {
  const broken = join(cwd, 'broken')
  cpSync(backup, broken, { recursive: true })
  truncateSync(join(broken, 'tables', 'user_account.copy.gz'), 10)
  const env = { DATA_DIR: join(cwd, 'embedded'), BTC_BLOCKS_DIR: blocks }
  const failed = await runCommand(env, 'restore', broken)
  assert.equal(failed.code, 1, failed.output)
  assert.match(failed.output, /table user_account cannot be read/)
  assert.equal(existsSync(env.DATA_DIR), false)

  const restored = await runCommand(env, 'restore', backup)
  assert.equal(restored.code, 0, restored.output)
  assert.match(restored.output, /gatewatch deliveries resume/)
  assert.deepEqual(readdirSync(join(env.DATA_DIR, 'coins')), ['btc-regtest'])
  const { output } = await runCommand(env, 'deliveries', 'resume', '--discard', '--json')
  assert.deepEqual(JSON.parse(output), { wasHeld: true, discarded: 0 })
})

test('a folder without a complete backup is refused', async () => {
  const { code, output } = await runCommand(environment(empty, 'data'), 'restore', cwd)
  assert.equal(code, 1)
  assert.match(output, /does not contain a complete backup/)
})
