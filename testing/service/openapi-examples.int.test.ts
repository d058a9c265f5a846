/**
 * Sends every example of `openapi.json` to a running service. Each must get the described success, with the described
 * headers and a body of the described schema.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAccount } from '../../server/src/accounts/accounts.ts'
import { saveChannel } from '../../server/src/control/alerts/channels.ts'
import { requestCheck } from '../../server/src/control/poll/checks.ts'
import { saveProfileVersion } from '../../server/src/control/poll/profile-versions.ts'
import { unprofiled } from '../../server/src/control/profile/profile.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { publish, reportCoinEvent, subscribe, upgradeOf } from '../support/alerts.ts'
import { hexOf, storeProfile } from '../support/control-records.ts'
import { createTestDatabase } from '../support/database.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { openApiCheck } from '../support/openapi-check.ts'
import {
  bodyOf,
  exampleOf,
  GENESIS_BLOCK,
  hasExamples,
  nameOf,
  type Operation,
  operationAt,
  operations,
  targetOf,
} from '../support/openapi-examples.ts'
import { botServer } from '../support/receivers.ts'
import { makeTestKey, signIn, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** These need a secret that only a mail, a wallet or a session holds, so they have no example. */
const WITHOUT_EXAMPLE = [
  'get /api/auth/verify-email',
  'post /api/auth/request-password-reset',
  'post /api/auth/reset-password',
  'post /api/auth/revoke-session',
  'post /api/auth/send-verification-email',
  'post /api/auth/siwe/verify',
  'post /api/auth/two-factor/generate-backup-codes',
  'post /api/auth/two-factor/verify-backup-code',
  'post /api/auth/two-factor/verify-totp',
]

/** A service whose data has the ids and addresses of the examples, and the headers of an account that may do everything. */
async function startExampleService() {
  const store = await createTestDatabase()
  const { database } = store
  const blocks = temporaryFolder()
  writeFileSync(join(blocks, 'blk00000.dat'), GENESIS_BLOCK)
  const telegram = await botServer()
  const service = await startService(store, {
    env: {
      ROLES: 'serve,index',
      BTC_BLOCKS_DIR: blocks,
      ETHEREUM_RPC_URL: 'http://127.0.0.1:9', // no role reads it
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
    },
  })

  // The account of the sign-in example.
  const { email, password } = (bodyOf(operationAt('/api/auth/sign-in/email', 'post'))?.example ?? {}) as {
    email: string
    password: string
  }
  const ada = await createAccount(database, { email, password, plan: 'team', utxoPlan: 'pro', operator: true })
  await database.query(
    sql`insert into user_account (id, name, email, email_verified) values ($1, 'Managed', 'managed@example.org', true)`,
    [exampleOf('/me/operator/accounts/{id}', 'id', 'patch')],
  )
  const [v1, v2] = [await makeTestKey(database, ada, 'v1'), await makeTestKey(database, ada, 'v2')]
  for (const [path, api] of [
    ['/me/api-keys/{id}', 'v1'],
    ['/me/utxo-keys/{id}', 'v2'],
  ] as const) {
    const { id } = await makeTestKey(database, ada, api)
    await database.query(sql`update api_key set id = $2 where id = $1`, [id, exampleOf(path, 'id', 'delete')])
  }

  const address = exampleOf('/v1/contracts/{chain}/{address}', 'address').toLowerCase() as Hex
  await saveContract(database, { chainId: 1, address }, { name: 'Aave V3 Pool', protocol: 'Aave' })
  await storeProfile(database, { chainId: 1, address }, { label: 'multisig' })
  const profile = unprofiled({ chainId: 1, address })
  await saveProfileVersion(database, { chainId: 1, address, block: { number: 1, hash: hexOf(1, 32) }, profile })
  await requestCheck(database, { chainId: 1, address })
  await saveChannel(database, ada.id, 'webhook', { target: 'https://hooks.example.org/gatewatch' })
  await subscribe(database, ada, address)
  await publish(database, [upgradeOf(address)])
  await database.query(sql`update control_event set tx_hash = decode(substr($1, 3), 'hex')`, [
    exampleOf('/public/control/transactions/{chain}/{hash}', 'hash'),
  ])

  const { newPassword } = (bodyOf(operationAt('/api/auth/change-password', 'post'))?.example ?? {}) as {
    newPassword: string
  }
  const newSession = (current = password) => signIn(service, { id: ada.id, email, password: current })
  const cookie = await newSession()
  const signedToken = await fetch(`${service.url}/api/auth/token`, { headers: { cookie } })
  const { token } = (await signedToken.json()) as { token: string }
  keepSecretOfTest(token)

  const headersFor = async ({ path }: Operation): Promise<Readonly<Record<string, string>>> => {
    if (path === '/api/auth/delete-user') return { cookie: await newSession(newPassword), origin: service.url }
    if (SESSION_ENDINGS.includes(path)) return { cookie: await newSession(), origin: service.url }
    if (path.startsWith('/v1/')) return { authorization: `Bearer ${v1.key}` }
    if (path.startsWith('/api/v2/')) return { 'x-api-key': v2.key }
    if (path.startsWith('/api/v1/')) return { authorization: `Bearer ${token}` }
    return { cookie, origin: service.url }
  }
  const send = async (operation: Operation) =>
    fetch(service.url + targetOf(operation), {
      method: operation.method.toUpperCase(),
      headers: {
        ...(await headersFor(operation)),
        ...(bodyOf(operation) !== undefined && { 'content-type': 'application/json' }),
      },
      body: bodyOf(operation) === undefined ? null : JSON.stringify(bodyOf(operation)?.example),
      signal: AbortSignal.timeout(60_000),
    })
  while ((await send(operationAt('/api/v2/block/{hashOrHeight}'))).status === 503)
    await new Promise((resolve) => setTimeout(resolve, 100))
  // The batch of the example.
  const batch = (await (await send(operationAt('/api/v2/analyze/batch', 'post'))).json()) as {
    data: { batchId: string }
  }
  await database.query(sql`update analysis_batch set id = $2 where id = $1`, [
    batch.data.batchId,
    exampleOf('/api/v2/analyze/batch/{batchId}', 'batchId'),
  ])
  const wallet = (await (await send(operationAt('/api/v2/wallets/keep', 'post'))).json()) as {
    data: { walletId: string }
  }
  await database.query(sql`update kept_wallet set id = $2 where id = $1`, [
    wallet.data.walletId,
    exampleOf('/api/v2/wallets/{walletId}', 'walletId'),
  ])
  const subscription = (await (await send(operationAt('/api/v2/subscriptions', 'post'))).json()) as {
    data: { id: number }
  }
  await database.query(sql`update coin_subscription set id = $2 where id = $1`, [
    subscription.data.id,
    exampleOf('/api/v2/subscriptions/{id}', 'id'),
  ])
  const own = (await (await send(operationAt('/me/coins/subscriptions', 'post'))).json()) as { id: number }
  await database.query(sql`update coin_subscription set id = $2 where id = $1`, [
    own.id,
    exampleOf('/me/coins/subscriptions/{id}', 'id', 'delete'),
  ])
  // Its delivery is the second, which is that of the example.
  await reportCoinEvent(database, {
    accountId: ada.id,
    subscriptionId: Number(exampleOf('/me/coins/subscriptions/{id}', 'id', 'delete')),
    kind: 'seen',
    chain: 'btc',
    target: 'address',
  })
  return { send }
}

/** They use a session of their own. The last two change the password and delete the account. */
const SESSION_ENDINGS = [
  '/api/auth/sign-out',
  '/api/auth/two-factor/disable',
  '/api/auth/revoke-sessions',
  '/api/auth/change-password',
  '/api/auth/delete-user',
]
/** Requests that end what others use come last. */
const rankOf = ({ method, path }: Operation): number =>
  method === 'delete' ? 0 : SESSION_ENDINGS.indexOf(path) + 1 || -1
const sendable = operations
  .filter(hasExamples)
  .toSorted((a, b) => rankOf(a) - rankOf(b) || operations.indexOf(a) - operations.indexOf(b))

test('every operation has an example, unless it needs a secret', () => {
  assert.deepEqual(
    operations
      .filter((operation) => !hasExamples(operation))
      .map(nameOf)
      .sort(),
    WITHOUT_EXAMPLE,
  )
})

const { send } = await startExampleService()
const check = openApiCheck()

for (const operation of sendable)
  test(`example: ${nameOf(operation)}`, async () => {
    const response = await send(operation)
    const type = (response.headers.get('content-type') ?? '').split(';')[0]
    const isStream = type === 'text/event-stream'
    const text = isStream ? '' : await response.text()
    if (isStream) await response.body?.cancel()
    const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
    assert.ok(successes.includes(String(response.status)), `got ${response.status}: ${text.slice(0, 300)}`)
    const body: unknown = type === 'application/json' ? JSON.parse(text) : text
    check(operation.path, { status: response.status, headers: response.headers, body }, operation.method)
    for (const name of Object.keys(operation.responses[response.status]?.headers ?? {}))
      assert.notEqual(response.headers.get(name), null, `the header ${name} is missing`)
  })
