/** A whole service with something in every store, and people of every kind who ask it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { recordedBlockFile, recordedOracle } from '../coins/fixtures.ts'
import { addressOf, publish, subscribe, upgradeOf } from '../support/alerts.ts'
import { storeProfile } from '../support/control-records.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Service, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { gather, type People } from './accounts.ts'
import type { Ground } from './environment.ts'
import { keepForRestore, type Restore } from './restore.ts'
import { leftOut, rightValues } from './valid-values.ts'

export type World = {
  readonly service: Service
  readonly port: number
  readonly ground: Ground
  readonly people: People
  readonly restore: Restore
}

/** Contracts that are asked about, and one that may be named and subscribed to. */
const [CONTRACTS, FREE] = [[addressOf(1), addressOf(2)], addressOf(3)]

export async function startWorld(): Promise<World> {
  const store = await createTestDatabase()
  const { database } = store
  const blocks = temporaryFolder()
  writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
  // One proxy in front: what a client claims to be its address is then believed, and so is hostile input.
  const service = await startService(store, {
    env: { ROLES: 'serve,index', BTC_BLOCKS_DIR: blocks, TRUST_PROXY: '1' },
  })
  const people = await gather(service, database)
  const { person, v1, v2 } = people
  const ask = askerOf(service, people)

  for (const address of CONTRACTS) {
    await saveContract(database, { chainId: 1, address }, { name: 'Vault', protocol: 'Example' })
    await storeProfile(database, { chainId: 1, address }, { label: 'multisig' })
  }
  // Far from every number that a request comes upon by itself.
  await database.query(sql`alter table subscription alter column id restart 7000001`)
  const [kept, spare] = [
    await subscribe(database, person, addressOf(1)),
    await subscribe(database, person, addressOf(2)),
  ]
  const restore = await keepForRestore(database, people, { subscriptions: [kept.id, spare.id] })
  await restore({ method: 'put', path: '/me/channels/webhook', parameters: [] })
  await publish(
    database,
    Array.from({ length: 60 }, (_, n) => upgradeOf(CONTRACTS[n % 2] ?? addressOf(1))),
  )
  while ((await ask('/api/v2/block/1')).status === 503) await new Promise((resolve) => setTimeout(resolve, 100))
  await ask('/v1/events')
  // What is lifted is only how often these keys may ask.
  await database.query(
    sql`update request_counter set window_opened_at = now() + interval '9 hours', window_used = -2000000000, month_used = -9000000000000 where subject = any($1)`,
    [[v1.id, v2.id]],
  )

  const oracle = recordedOracle()
  const coins = oracle.addresses.filter(({ utxos }) => utxos.length > 0)
  const batch = await ask('/api/v2/analyze/batch', { addresses: [coins[0]?.address] })
  const notifications = await ask('/me/notifications')
  const valid = rightValues({
    people,
    coins,
    tipHash: oracle.tipHash,
    contracts: CONTRACTS,
    free: FREE,
    subscriptions: { kept: kept.id, spare: spare.id },
    deliveryId: found(notifications.told.items?.[0]?.id, 'delivery'),
    batchId: found(batch.told.data?.batchId, 'batch'),
    cursors: await cursorsOf(ask, coins.toSorted((a, b) => b.txCount - a.txCount)[0]?.address ?? ''),
  })
  return {
    service,
    port: Number(new URL(service.url).port),
    people,
    restore,
    ground: { valid, leftOut, proper: people.proper, callers: people.callers },
  }
}

/** Of any answer, what is looked at here. */
type Told = {
  readonly items?: readonly { readonly id: number }[]
  readonly nextCursor?: string
  readonly data?: { readonly batchId?: string; readonly nextCursor?: string }
}
type Ask = (path: string, body?: object) => Promise<{ readonly status: number; readonly told: Told }>

const askerOf =
  ({ url }: Service, { proper }: People): Ask =>
  async (path, body) => {
    const headers = new Headers(proper({ path, method: 'get', parameters: [] }).map(([name, value]) => [name, value]))
    if (body !== undefined) headers.set('content-type', 'application/json')
    const answer = await fetch(
      url + path,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    )
    return { status: answer.status, told: (await answer.json()) as Told }
  }

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the world has no ${name}`)
  return value
}

/** Of the first page of everything that has a second one. */
async function cursorsOf(ask: Ask, busiest: string): Promise<Readonly<Record<string, string>>> {
  const pages: readonly (readonly [path: string, asked: string])[] = [
    ['/v1/events', '/v1/events?limit=1'],
    ['/public/control/events', '/public/control/events?limit=1'],
    ['/me/notifications', '/me/notifications?limit=1'],
    ['/v1/me/notifications', '/v1/me/notifications?limit=1'],
    ['/v1/me/subscriptions', '/v1/me/subscriptions?limit=1'],
    ['/api/v2/address/{address}/txs', `/api/v2/address/${busiest}/txs?pageSize=1`],
    ['/public/coins/{chain}/address/{address}/txs', `/public/coins/btc/address/${busiest}/txs?pageSize=1`],
    ['/api/v1/analytics/logs', '/api/v1/analytics/logs?pageSize=1'],
  ]
  const cursors: Record<string, string> = {}
  for (const [path, asked] of pages) {
    const { told } = await ask(asked)
    cursors[path] = found(told.nextCursor ?? told.data?.nextCursor, `second page of ${path}`)
  }
  return cursors
}
