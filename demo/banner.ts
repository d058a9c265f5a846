/** The text that the demo prints when it is ready. */
import type { Login } from './account.ts'
import { BITCOIN } from './coins/recorded-chains.ts'
import type { KnownContract } from './evm/world.ts'
import { SUBSCRIBED } from './subscriptions.ts'

export type Shown = {
  readonly url: string
  readonly login: Login
  readonly known: readonly KnownContract[]
  readonly ltcAddress: string | undefined
  /** Sentences about the parts that cannot run on this machine. */
  readonly missing: readonly string[]
}

export function banner({ url, login, known, ltcAddress, missing }: Shown): string {
  const v1 = (path: string) => `  curl -s -H 'Authorization: Bearer ${login.keys.v1}' '${url}${path}'`
  const v2 = (path: string) => `  curl -s -H 'X-API-Key: ${login.keys.v2}' '${url}${path}'`
  const pool = known.find(({ name }) => name === 'Harbor Pool')
  const contracts =
    pool === undefined
      ? []
      : [
          'Contract control (v1 API):',
          v1('/v1/events?limit=5'),
          v1(`/v1/contracts/${pool.chain}/${pool.address}`),
          v1('/v1/protocols/harbor-lending'),
          `  curl -s '${url}/badge/${pool.chain}/${pool.address}.svg'`,
          `Alerts of the login's subscriptions (${SUBSCRIBED.protocol}, ${SUBSCRIBED.contract}):`,
          v1('/v1/me/notifications?limit=5'),
          '',
        ]
  return [
    '',
    'Gatewatch demo: local chains and invented protocols. No data is real.',
    '',
    `  Open      ${url}`,
    `  Sign in   ${login.email}   ${login.password}`,
    '',
    ...contracts,
    'Coin data (v2 API):',
    v2(`/api/v2/address/${BITCOIN.showcase}?chain=btc`),
    v2('/api/v2/fees?chain=btc'),
    ...(ltcAddress === undefined ? [] : [v2(`/api/v2/health/${ltcAddress}?chain=ltc`)]),
    '',
    ...missing.flatMap((sentence) => [sentence, '']),
    'To use real chains, set one in .env, such as ETHEREUM_RPC_URL (docs/operations.md). Ctrl-C stops the demo.',
    '',
  ].join('\n')
}
