/** A whole service with something in every store, and people of every kind who ask it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { saveContract } from '../../src/control/store/contracts.ts'
import { recordedBlockFile, recordedOracle } from '../coins/fixtures.ts'
import type { Random } from '../coins/random.ts'
import { addressOf, publish, subscribed, upgradeOf } from '../support/alerts.ts'
import { storeProfile } from '../support/control-records.ts'
import { createTestDatabase } from '../support/database.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { makePerson, makeTestKey, type Service, signIn, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Ground, Operation } from './requests.ts'

export type World = { readonly service: Service; readonly port: number; readonly ground: Ground }

export async function startWorld(): Promise<World> {
  const store = await createTestDatabase()
  const { database } = store
  const blocks = temporaryFolder()
  writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
  // One proxy in front: what a client claims to be its address is then believed, and so is hostile input.
  const service = await startService(store, {
    env: { ROLES: 'serve,index', BTC_BLOCKS_DIR: blocks, TRUST_PROXY: '1' },
  })
  const person = await makePerson(database, { plan: 'team', utxoPlan: 'enterprise', operator: true })
  const poor = await makePerson(database)
  const [v1, v2, poorV2] = [
    await makeTestKey(database, person, 'v1'),
    await makeTestKey(database, person, 'v2'),
    await makeTestKey(database, poor, 'v2'),
  ]
  const spare = [await makeTestKey(database, person, 'v1'), await makeTestKey(database, person, 'v2')]
  const contracts = [addressOf(1), addressOf(2)]
  for (const address of contracts) {
    await saveContract(database, { chainId: 1, address }, { name: 'Vault', protocol: 'Example' })
    await storeProfile(database, { chainId: 1, address }, { label: 'multisig' })
  }
  const subscription = await subscribed(database, person, addressOf(1))
  await publish(
    database,
    Array.from({ length: 60 }, (_, n) => upgradeOf(contracts[n % 2] ?? addressOf(1))),
  )
  const cookie = await signIn(service, person)
  const token = await tokenOf(service, cookie)
  const sessionHeaders = [
    ['cookie', cookie],
    ['origin', service.url],
  ] as const
  const asV1 = [['authorization', `Bearer ${v1.key}`]] as const
  const asV2 = [['x-api-key', v2.key]] as const
  const asToken = [['authorization', `Bearer ${token}`]] as const
  await untilIndexed(service, v2.key)
  await fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${v1.key}` } })
  // What is lifted is only how often these keys may ask.
  await database.query(
    "update request_counter set window_opened_at = now() + interval '9 hours', window_used = -2000000000, month_used = -9000000000000 where subject = any($1)",
    [[v1.id, v2.id]],
  )

  const oracle = recordedOracle()
  const coins = oracle.addresses.filter(({ utxos }) => utxos.length > 0)
  const contractChains = ['ethereum', '1']
  const values: Readonly<Record<string, (random: Random, operation: Operation) => unknown>> = {
    chain: (random, { path }) => (/coins|v2/.test(path) ? 'btc' : random.pick(contractChains)),
    address: (random, { path }) => random.pick(/coins|v2/.test(path) ? coins.map((coin) => coin.address) : contracts),
    slug: () => 'example',
    txid: (random) => random.pick(coins).utxos[0]?.txid,
    hashOrHeight: (random) => random.pick([oracle.tipHash, '1', '100']),
    id: (random, { path }) =>
      path.includes('keys') ? random.pick(spare).id : random.pick([subscription.id, subscription.id + 1, 1]),
    key: (random, { path }) =>
      path.includes('analytics') ? v1.id : random.pick(['proxy.upgraded', 'ownership.transferred']),
    kind: (random) => random.pick(['email', 'webhook', 'telegram']),
    batchId: () => '00000000-0000-4000-8000-000000000000',
    limit: (random) => 1 + random.below(100),
    page: (random) => 1 + random.below(3),
    pageSize: (random) => 1 + random.below(25),
    from: () => '2026-01-01T00:00:00Z',
    to: () => '2026-01-02T00:00:00Z',
    cursor: () => '',
    status: () => '4xx',
    endpoint: () => '/v1/events',
    name: (random) => `key ${random.below(1_000)}`,
    email: () => 'someone@example.org',
    url: () => 'https://198.51.100.7/in',
    fromAddress: (random) => random.pick(coins).address,
    toAddress: (random) => random.pick(coins).address,
    amount: (random) => 1_000 + random.below(1_000_000),
    addresses: (random) => [random.pick(coins).address],
    minSeverity: () => 'high',
    password: () => 'a password that nobody has',
    newPassword: () => 'another that nobody has',
    callbackURL: (random) => random.pick(['/', 'https://evil.example/', '//evil.example', 'javascript:alert(1)']),
    walletAddress: (random) => random.pick(contracts),
    chainId: () => 1,
    rememberMe: () => true,
  }
  const properOf = (path: string) => {
    if (path.startsWith('/v1/')) return asV1
    if (path.startsWith('/api/v2/')) return asV2
    if (path.startsWith('/api/v1/')) return asToken
    return path.startsWith('/me/') || path.startsWith('/api/auth/') ? sessionHeaders : []
  }
  const ground: Ground = {
    valid: (operation, name, random) => values[name]?.(random, operation),
    proper: ({ path }) => properOf(path),
    callers: [
      [],
      asV1,
      asV2,
      asToken,
      sessionHeaders,
      [['x-api-key', poorV2.key]],
      [['cookie', cookie]],
      [['x-api-key', v1.key]],
      [['authorization', 'Bearer']],
      [['authorization', `Bearer gw_live_${'A'.repeat(43)}`]],
      [['authorization', `Basic ${'A'.repeat(8_000)}`]],
      [['authorization', 'Bearer \u00ff\u0080']],
      [['authorization', `Bearer ${token.slice(0, -2)}aa`]],
      [['authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.']],
      [['x-api-key', '__proto__']],
      [...asV1, ...asV2, ...sessionHeaders],
    ],
  }
  return { service, port: Number(new URL(service.url).port), ground }
}

async function tokenOf({ url }: Service, cookie: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/token`, { headers: { cookie } })
  return keepSecretOfTest(((await answer.json()) as { token: string }).token)
}

async function untilIndexed({ url }: Service, key: string): Promise<void> {
  const ask = () => fetch(`${url}/api/v2/block/1`, { headers: { 'x-api-key': key } })
  while ((await ask()).status === 503) await new Promise((resolve) => setTimeout(resolve, 100))
}
