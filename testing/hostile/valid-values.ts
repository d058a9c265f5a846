/** Valid values of the running service, by the name of the parameter or field. */
import type { Random } from '../support/random.ts'
import type { Accounts } from './accounts.ts'
import type { RequestContext } from './environment.ts'
import type { Operation } from './operations.ts'
import { HOOK_URL } from './restore.ts'

/** The first transaction, which is in a block already: without a node, no other one is accepted. */
const A_TRANSACTION =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'

/** The public key of a wallet without coins. */
const TPUB =
  'tpubD8eQVK4Kdxg3gHrF62jGP7dKVCoYiEB8dFSpuTawkL5YxTus5j5pf83vaKnii4bc6v2NVEy81P2gYrJczYne3QNNwMTS53p5uzDyHvnw2jm'

export const WALLET = `pkh(${TPUB}/0/*)`

export type Fixtures = {
  readonly accounts: Accounts
  readonly coins: readonly { readonly address: string; readonly utxos: readonly { readonly txid: string }[] }[]
  readonly tipHash: string
  readonly contracts: readonly string[]
  /** A contract that requests may rename and subscribe to. */
  readonly free: string
  readonly subscriptions: { readonly kept: number; readonly spare: number }
  readonly deliveryId: number
  readonly coinDeliveryId: number
  /** The hash of a transaction with control events. */
  readonly transaction: string
  readonly batchId: string
  readonly walletId: string
  readonly coinSubscriptionId: number
  /** Cursors of second pages, by path. */
  readonly cursors: Readonly<Record<string, string>>
}

const DAY_MS = 86_400_000

type Value = (random: Random, operation: Operation) => unknown

/** Returns a function that picks a valid value for a parameter or field. */
export function validValues({
  accounts: { operator, freeAccount, managed, disposable, disposableSessions, v1, spare },
  coins,
  tipHash,
  contracts,
  free,
  subscriptions,
  deliveryId,
  coinDeliveryId,
  transaction,
  batchId,
  walletId,
  coinSubscriptionId,
  cursors,
}: Fixtures): RequestContext['valid'] {
  const now = Date.now()
  const isCoinPath = ({ path }: Operation) => /coins|v2/.test(path)
  const coinAddress: Value = (random) => random.pick(coins).address
  const passwords: Readonly<Record<string, string>> = {
    '/api/auth/sign-in/email': freeAccount.password,
    '/api/auth/verify-password': operator.password,
    '/api/auth/delete-user': disposable.password,
    '/api/auth/two-factor/enable': disposable.password,
    '/api/auth/two-factor/disable': disposable.password,
  }

  const idOf: Value = (random, { method, path }) => {
    if (path.startsWith('/me/api-keys')) return spare.v1.id
    if (path.startsWith('/me/utxo-keys')) return spare.v2.id
    if (path.startsWith('/me/notifications') || path.startsWith('/api/v2/notifications')) return deliveryId
    if (path.startsWith('/me/coins/notifications')) return coinDeliveryId
    if (path.startsWith('/me/operator')) return managed.id
    if (/^\/(api\/v2|me\/coins)\/subscriptions/.test(path)) return coinSubscriptionId
    return method === 'delete' ? subscriptions.spare : random.pick(Object.values(subscriptions))
  }
  const addressOf: Value = (random, operation) => {
    if (isCoinPath(operation)) return coinAddress(random, operation)
    if (operation.path === '/me/channels/email') return operator.email
    return operation.path.startsWith('/me/') ? free : random.pick(contracts)
  }

  const values: Readonly<Record<string, Value>> = {
    chain: (random, operation) => {
      if (isCoinPath(operation)) return 'btc'
      return operation.path.includes('analytics') ? undefined : random.pick(['ethereum', '1'])
    },
    address: addressOf,
    slug: () => 'example',
    protocol: (_, { method }) => (method === 'put' ? 'Another' : 'example'),
    txid: (random) => random.pick(coins).utxos[0]?.txid,
    hash: () => transaction,
    hashOrHeight: (random) => random.pick([tipHash, '1', '100']),
    id: idOf,
    key: (random, { path }) =>
      path.includes('analytics') ? v1.id : random.pick(['proxy.upgraded', 'ownership.transferred']),
    kind: (random) => random.pick(['email', 'webhook']),
    batchId: () => batchId,
    outpoints: (random) => [`${random.pick(coins).utxos[0]?.txid}:0`],
    bip329: () => '{"type":"tx","ref":"4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b","label":"a"}',
    walletId: (_, { path }) => (path.includes('{walletId}') ? walletId : undefined),
    limit: (random) => 1 + random.below(100),
    page: (random) => 1 + random.below(3),
    pageSize: (random) => 1 + random.below(25),
    from: (_, { path }) => {
      if (path.endsWith('/headers')) return 1
      return path.endsWith('/balance-history') ? '2024-04-20' : new Date(now - DAY_MS).toISOString()
    },
    // `from` is a day.
    by: (_, { path }) => (path.endsWith('/balance-history') ? 'day' : undefined),
    to: (_, { path }) => (path.endsWith('/blocks') ? 100 : new Date(now).toISOString()),
    cursor: (_, { path }) => cursors[path],
    at: (random) => random.pick(['1000000000', new Date(now).toISOString()]),
    expiresInDays: () => 30,
    status: (random) => random.pick(['4xx', '200']),
    endpoint: () => '/v1/events',
    search: () => 'a',
    q: () => 'vault',
    name: (random) => `key ${random.below(1_000)}`,
    url: () => HOOK_URL,
    webhookUrl: () => HOOK_URL,
    template: () => '{"text": "{{headline}}"}',
    integrationKey: () => '0123456789abcdef0123456789abcdef',
    apiKey: () => 'a key',
    signingSecret: () => 'a secret',
    authorization: () => 'Bearer a',
    digest: () => ({ minutes: 60, maxSeverity: 'info' }),
    quietHours: () => ({ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', maxSeverity: 'high' }),
    fromAddress: coinAddress,
    toAddress: coinAddress,
    changeAddress: coinAddress,
    // A payment of everything has no amount.
    sendAll: () => false,
    amount: (random) => 1_000 + random.below(1_000_000),
    feeRate: (random) => 1 + random.below(50),
    addresses: (random) => [random.pick(coins).address],
    email: (random, { path }) =>
      path.endsWith('/sign-up/email') ? `a${random.below(1_000_000_000)}@example.org` : freeAccount.email,
    password: (_, { path }) => passwords[path] ?? 'a password of no account',
    currentPassword: () => disposable.password,
    newPassword: (_, { path }) =>
      path.endsWith('/change-password') ? disposable.password : 'a password of no account',
    newEmail: (random) => `b${random.below(1_000_000_000)}@example.org`,
    token: (_, { path }) => (path.endsWith('/revoke-session') ? disposableSessions[1] : 'an unknown token'),
    message: () => 'not a signed message',
    signature: () => `0x${'1b'.repeat(65)}`,
    accountId: (_, { endsSession }) => (endsSession === true ? disposable.id : operator.id),
    callbackURL: () => '/',
    redirectTo: () => '/',
    image: () => 'https://hooks.invalid/a.png',
    provider: () => 'google',
    providerId: () => 'credential',
    walletAddress: () => '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    chainId: () => 1,
    time: (_, { path }) => (path.endsWith('/blocks/at') ? '4102444800' : undefined),
    transactions: () => [A_TRANSACTION],
    descriptor: (_, { path }) => (path.includes('/wallets') ? WALLET : undefined),
  }
  return (operation, name, random) => values[name]?.(random, operation)
}

/** A subscription names a contract or a protocol; a batch may have no callback; a nonce needs no wallet; a payment has a rate or a target. */
export const omittedFields: RequestContext['omittedFields'] = ({ method, path }, random) => {
  if (path.includes('nonce')) return ['walletAddress', 'chainId']
  if (path.endsWith('/simulate') || path.endsWith('/bump')) return [random.pick(['feeRate', 'confTarget'])]
  if (`${method} ${path}` === 'post /me/subscriptions') return random.pick([['protocol'], ['chain', 'address']])
  if (/^\/(api\/v2|me\/coins)\/subscriptions$/.test(path)) return [random.pick(['address', 'txid'])]
  return path === '/api/v2/analyze/batch' && random.chance(0.5) ? ['webhookUrl'] : []
}
