/** A complete service with data in every store, and accounts of every kind. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { recordedBlockFile, recordedOracle } from '../coins/fixtures.ts'
import { addressOf, publish, reportCoinEvent, subscribe, upgradeOf } from '../support/alerts.ts'
import { storeProfile } from '../support/control-records.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Service, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import type { RequestContext } from './environment.ts'
import { prepareRestore, type Restore } from './restore.ts'
import { omittedFields, validValues, WALLET } from './valid-values.ts'

export type World = {
  readonly service: Service
  readonly port: number
  readonly context: RequestContext
  readonly accounts: Accounts
  readonly restore: Restore
}

/** Contracts that requests read, and one that they may rename and subscribe to. */
const [CONTRACTS, FREE] = [[addressOf(1), addressOf(2)], addressOf(3)]

export async function startWorld(): Promise<World> {
  const store = await createTestDatabase()
  const { database } = store
  const blocks = temporaryFolder()
  writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
  // With one trusted proxy the service uses X-Forwarded-For, so this header is hostile input too.
  const service = await startService(store, {
    env: { ROLES: 'serve,index', BTC_BLOCKS_DIR: blocks, TRUST_PROXY: '1' },
  })
  const accounts = await createAccounts(service, database)
  const { operator, v1, v2 } = accounts
  const request = requesterFor(service, accounts)

  for (const address of CONTRACTS) {
    await saveContract(database, { chainId: 1, address }, { name: 'Vault', protocol: 'Example' })
    await storeProfile(database, { chainId: 1, address }, { label: 'multisig' })
  }
  // Far from every id that a random request may contain.
  await database.query(sql`alter table subscription alter column id restart 7000001`)
  const [kept, spare] = [
    await subscribe(database, operator, addressOf(1)),
    await subscribe(database, operator, addressOf(2)),
  ]
  const restore = await prepareRestore(database, accounts, { subscriptions: [kept.id, spare.id] })
  await restore({ method: 'put', path: '/me/channels/webhook', parameters: [] })
  await publish(
    database,
    Array.from({ length: 60 }, (_, n) => upgradeOf(CONTRACTS[n % 2] ?? addressOf(1))),
  )
  while ((await request('/api/v2/block/1')).status === 503) await new Promise((resolve) => setTimeout(resolve, 100))
  await request('/v1/events')
  // Only the rate limits of these keys are lifted.
  await database.query(
    sql`update request_counter set window_used = -2000000000, month_used = -9000000000000 where subject = any($1)`,
    [[v1.id, v2.id]],
  )

  const oracle = recordedOracle()
  const coins = oracle.addresses.filter(({ utxos }) => utxos.length > 0)
  const batch = await request('/api/v2/analyze/batch', { addresses: [coins[0]?.address] })
  const wallet = await request('/api/v2/wallets/keep', { descriptor: WALLET, name: 'a wallet' })
  const coinSubscription = await request('/api/v2/subscriptions', { address: coins[0]?.address })
  await request('/api/v2/subscriptions', { address: coins[1]?.address })
  const coinSubscriptionId = found(coinSubscription.body.data?.id, 'coin subscription')
  for (const kind of ['seen', 'confirmed'] as const)
    await reportCoinEvent(database, {
      accountId: operator.id,
      subscriptionId: coinSubscriptionId,
      kind,
      chain: 'btc',
      target: coins[0]?.address ?? '',
    })
  const notifications = await request('/me/notifications')
  const coinNotifications = await request('/me/coins/notifications')
  const { rows } = await database.query<{ hash: string }>(
    sql`select '0x' || encode(tx_hash, 'hex') as hash from control_event limit 1`,
  )
  const valid = validValues({
    accounts,
    coins,
    tipHash: oracle.tipHash,
    contracts: CONTRACTS,
    free: FREE,
    subscriptions: { kept: kept.id, spare: spare.id },
    deliveryId: found(notifications.body.items?.[0]?.id, 'delivery'),
    transaction: found(rows[0]?.hash, 'transaction'),
    batchId: found(batch.body.data?.batchId, 'batch'),
    walletId: found(wallet.body.data?.walletId, 'wallet'),
    coinDeliveryId: found(coinNotifications.body.items?.[0]?.id, 'coin delivery'),
    coinSubscriptionId,
    cursors: await cursorsOf(request, coins.toSorted((a, b) => b.txCount - a.txCount)[0]?.address ?? ''),
  })
  return {
    service,
    port: Number(new URL(service.url).port),
    accounts,
    restore,
    context: { valid, omittedFields, validHeaders: accounts.validHeaders, callerHeaders: accounts.callerHeaders },
  }
}

/** The fields of any response that are used here. */
type ResponseBody = {
  readonly items?: readonly { readonly id: number }[]
  readonly nextCursor?: string
  readonly data?: {
    readonly batchId?: string
    readonly walletId?: string
    readonly id?: number
    readonly nextCursor?: string
  }
}
type SendRequest = (path: string, body?: object) => Promise<{ readonly status: number; readonly body: ResponseBody }>

const requesterFor =
  ({ url }: Service, { validHeaders }: Accounts): SendRequest =>
  async (path, body) => {
    const headers = new Headers(
      validHeaders({ path, method: 'get', parameters: [] }).map(([name, value]) => [name, value]),
    )
    if (body !== undefined) headers.set('content-type', 'application/json')
    const response = await fetch(
      url + path,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    )
    return { status: response.status, body: (await response.json()) as ResponseBody }
  }

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the service has no ${name}`)
  return value
}

/** Requests the first page of every paginated route and returns its cursor. */
async function cursorsOf(request: SendRequest, busiest: string): Promise<Readonly<Record<string, string>>> {
  const pages: readonly (readonly [path: string, target: string])[] = [
    ['/v1/events', '/v1/events?limit=1'],
    ['/public/control/events', '/public/control/events?limit=1'],
    ['/me/notifications', '/me/notifications?limit=1'],
    ['/v1/me/notifications', '/v1/me/notifications?limit=1'],
    ['/v1/me/subscriptions', '/v1/me/subscriptions?limit=1'],
    ['/api/v2/subscriptions', '/api/v2/subscriptions?limit=1'],
    ['/me/coins/subscriptions', '/me/coins/subscriptions?limit=1'],
    ['/me/coins/notifications', '/me/coins/notifications?limit=1'],
    ['/api/v2/address/{address}/txs', `/api/v2/address/${busiest}/txs?pageSize=1`],
    ['/public/coins/{chain}/address/{address}/txs', `/public/coins/btc/address/${busiest}/txs?pageSize=1`],
    ['/api/v1/analytics/logs', '/api/v1/analytics/logs?pageSize=1'],
  ]
  const cursors: Record<string, string> = {}
  for (const [path, target] of pages) {
    const { body } = await request(target)
    cursors[path] = found(body.nextCursor ?? body.data?.nextCursor, `second page of ${path}`)
  }
  return cursors
}
