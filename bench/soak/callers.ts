/** Who asks while the soak runs: keys of both interfaces, one that asks too much, and visitors of the web pages. */
import type { Database } from '../../server/src/platform/database.ts'
import { type Customer, type Load, startLoad } from '../../testing/support/load.ts'
import { makeTestKeys, type TestKey } from '../../testing/support/service.ts'
import type { World } from './world.ts'

/** Of the recording: coins of many values, the most of all its addresses. */
const BTC_ADDRESS = 'bcrt1pyxg0sm6a9fcj2ecz02gtt7qeltmf5cs5pvzks7j2399jqdl7levq4v07py'

/** A Team key may ask 60 times a minute: five in turn for a customer that asks four times a second. */
const [V1_EVERY_MS, V1_KEYS] = [250, 5]
const V2_EVERY_MS = 250
const GREEDY_EVERY_MS = 300
/** All of them together stay below what a network may ask for in a minute. */
const VISIT_EVERY_MS = 1_500

export type Crowd = Load & {
  readonly keys: readonly TestKey[]
  /** The key that asks more than it may. */
  readonly greedy: string
}

export async function startCrowd(url: string, database: Database, world: World): Promise<Crowd> {
  const { evm, ltcAddress } = world
  const [{ chain, address } = { chain: '', address: '' }] = evm.known
  const v1Paths = [
    '/v1/events?limit=50',
    '/v1/events?includeInit=true&limit=200',
    `/v1/contracts/${chain}/${address}`,
    '/v1/protocols/harbor-lending',
    '/v1/me/notifications?limit=50',
  ]
  const ofCoins = (coin: string, owner: string) => [
    `/address/${owner}?chain=${coin}`,
    `/address/${owner}/utxos?chain=${coin}&limit=100`,
    `/address/${owner}/txs?chain=${coin}`,
    `/fees?chain=${coin}`,
    `/status?chain=${coin}`,
    `/health/${owner}?chain=${coin}`,
    `/block/1?chain=${coin}&txids=true`,
  ]
  const v2Paths = [
    ...ofCoins('btc', BTC_ADDRESS),
    ...(ltcAddress === undefined ? [] : ofCoins('ltc', ltcAddress)),
    '/usage',
  ]
  const visits = [
    '/',
    '/docs',
    '/public/about',
    '/public/status',
    '/public/control/overview',
    '/public/control/events',
    `/public/control/contracts/${chain}/${address}/control`,
    '/public/control/search?q=harbor',
    '/public/coins/btc/fees',
    '/public/coins/btc/projected-blocks',
    `/public/coins/btc/address/${BTC_ADDRESS}`,
    `/badge/${chain}/${address}.svg`,
  ]
  const v1 = (key: string) => ({ authorization: `Bearer ${key}` })
  const v2 = (key: string) => ({ 'x-api-key': key })
  const v1Keys = await makeTestKeys(database, 'v1', v1Paths.length * V1_KEYS + 1)
  const v2Keys = await makeTestKeys(database, 'v2', v2Paths.length)
  const names = (keys: readonly TestKey[]) => keys.map(({ key }) => key)
  const greedy = v1Keys.at(-1)?.key ?? ''
  const customers: Omit<Customer, 'keepsConnection'>[] = [
    ...v1Paths.map((path, at) => ({
      path,
      keys: names(v1Keys.slice(at * V1_KEYS, (at + 1) * V1_KEYS)),
      header: v1,
      everyMs: V1_EVERY_MS,
    })),
    { path: '/v1/events', keys: [greedy], header: v1, everyMs: GREEDY_EVERY_MS },
    ...v2Paths.map((path, at) => ({
      path: `/api/v2${path}`,
      keys: names(v2Keys.slice(at, at + 1)),
      header: v2,
      everyMs: V2_EVERY_MS,
    })),
    ...visits.map((path) => ({ path, keys: [''], header: () => ({}), everyMs: VISIT_EVERY_MS })),
  ]
  const load = startLoad(
    url,
    customers.map((customer, at) => ({ ...customer, keepsConnection: at % 3 !== 0 })),
  )
  return { ...load, keys: [...v1Keys, ...v2Keys], greedy }
}
