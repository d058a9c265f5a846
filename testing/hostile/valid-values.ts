/** Values that are right in this world, by the name of the parameter or field. */
import type { Random } from '../support/random.ts'
import type { People } from './accounts.ts'
import type { Ground } from './environment.ts'
import type { Operation } from './operations.ts'
import { HOOK_URL } from './restore.ts'

export type Belongings = {
  readonly people: People
  readonly coins: readonly { readonly address: string; readonly utxos: readonly { readonly txid: string }[] }[]
  readonly tipHash: string
  readonly contracts: readonly string[]
  /** One that may be named anew, and subscribed to. */
  readonly free: string
  readonly subscriptions: { readonly kept: number; readonly spare: number }
  readonly deliveryId: number
  readonly batchId: string
  /** By path. */
  readonly cursors: Readonly<Record<string, string>>
}

const DAY_MS = 86_400_000

type Value = (random: Random, operation: Operation) => unknown

export function rightValues({
  people: { person, poor, guest, leaver, leaverSessions, v1, spare },
  coins,
  tipHash,
  contracts,
  free,
  subscriptions,
  deliveryId,
  batchId,
  cursors,
}: Belongings): Ground['valid'] {
  const now = Date.now()
  const isOfCoins = ({ path }: Operation) => /coins|v2/.test(path)
  const coinAddress: Value = (random) => random.pick(coins).address
  const passwords: Readonly<Record<string, string>> = {
    '/api/auth/sign-in/email': poor.password,
    '/api/auth/verify-password': person.password,
    '/api/auth/delete-user': leaver.password,
  }

  const idOf: Value = (random, { method, path }) => {
    if (path.startsWith('/me/api-keys')) return spare.v1.id
    if (path.startsWith('/me/utxo-keys')) return spare.v2.id
    if (path.startsWith('/me/notifications')) return deliveryId
    if (path.startsWith('/me/operator')) return guest.id
    return method === 'delete' ? subscriptions.spare : random.pick(Object.values(subscriptions))
  }
  const addressOf: Value = (random, operation) => {
    if (isOfCoins(operation)) return coinAddress(random, operation)
    if (operation.path === '/me/channels/email') return person.email
    return operation.path.startsWith('/me/') ? free : random.pick(contracts)
  }

  const values: Readonly<Record<string, Value>> = {
    chain: (random, operation) => {
      if (isOfCoins(operation)) return 'btc'
      return operation.path.includes('analytics') ? undefined : random.pick(['ethereum', '1'])
    },
    address: addressOf,
    slug: () => 'example',
    protocol: (_, { method }) => (method === 'put' ? 'Another' : 'example'),
    txid: (random) => random.pick(coins).utxos[0]?.txid,
    hashOrHeight: (random) => random.pick([tipHash, '1', '100']),
    id: idOf,
    key: (random, { path }) =>
      path.includes('analytics') ? v1.id : random.pick(['proxy.upgraded', 'ownership.transferred']),
    kind: (random) => random.pick(['email', 'webhook']),
    batchId: () => batchId,
    limit: (random) => 1 + random.below(100),
    page: (random) => 1 + random.below(3),
    pageSize: (random) => 1 + random.below(25),
    from: () => new Date(now - DAY_MS).toISOString(),
    to: () => new Date(now).toISOString(),
    cursor: (_, { path }) => cursors[path],
    status: (random) => random.pick(['4xx', '200']),
    endpoint: () => '/v1/events',
    search: () => 'a',
    q: () => 'vault',
    name: (random) => `key ${random.below(1_000)}`,
    url: () => HOOK_URL,
    webhookUrl: () => HOOK_URL,
    fromAddress: coinAddress,
    toAddress: coinAddress,
    amount: (random) => 1_000 + random.below(1_000_000),
    feeRate: (random) => 1 + random.below(50),
    addresses: (random) => [random.pick(coins).address],
    email: (random, { path }) =>
      path.endsWith('/sign-up/email') ? `a${random.below(1_000_000_000)}@example.org` : poor.email,
    password: (_, { path }) => passwords[path] ?? 'a password that nobody has',
    currentPassword: () => leaver.password,
    newPassword: (_, { path }) => (path.endsWith('/change-password') ? leaver.password : 'a password that nobody has'),
    newEmail: (random) => `b${random.below(1_000_000_000)}@example.org`,
    token: (_, { path }) => (path.endsWith('/revoke-session') ? leaverSessions[1] : 'a token that nobody has'),
    message: () => 'not a message that anybody signed',
    signature: () => `0x${'1b'.repeat(65)}`,
    accountId: (_, { isLeaving }) => (isLeaving === true ? leaver.id : person.id),
    callbackURL: () => '/',
    redirectTo: () => '/',
    image: () => 'https://hooks.invalid/a.png',
    provider: () => 'google',
    providerId: () => 'credential',
    walletAddress: () => '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    chainId: () => 1,
  }
  return (operation, name, random) => values[name]?.(random, operation)
}

/** A subscription is to a contract or to a protocol; a batch with a callback is answered later; a nonce is for anyone. */
export const leftOut: Ground['leftOut'] = ({ method, path }, random) => {
  if (path.includes('nonce')) return ['walletAddress', 'chainId']
  if (`${method} ${path}` === 'post /me/subscriptions') return random.pick([['protocol'], ['chain', 'address']])
  return path === '/api/v2/analyze/batch' && random.chance(0.5) ? ['webhookUrl'] : []
}
