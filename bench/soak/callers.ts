/** The callers during the soak: keys of both APIs, one of which exceeds its limit, and visitors of the web pages. */
import type { Database } from '../../server/src/platform/database.ts'
import { type Caller, type Load, startLoad } from '../../testing/support/load.ts'
import { makeTestKeys, type TestKey } from '../../testing/support/service.ts'
import type { World } from './world.ts'

/** The address of the recording with the most coins, of many values. */
const BTC_ADDRESS = 'bcrt1pyxg0sm6a9fcj2ecz02gtt7qeltmf5cs5pvzks7j2399jqdl7levq4v07py'

/** A Team key has 60 requests a minute: a caller with four requests a second uses five keys in turn. */
const [V1_EVERY_MS, V1_KEYS] = [250, 5]
const V2_EVERY_MS = 250
const EXCEEDING_EVERY_MS = 300
/** All visits together stay below the limit of one network. */
const VISIT_EVERY_MS = 1_500

export type Callers = Load & {
  readonly keys: readonly TestKey[]
  /** The key that exceeds its limit. */
  readonly exceedingKey: string
}

export async function startCallers(url: string, database: Database, world: World): Promise<Callers> {
  const { evm, ltcAddress } = world
  const [{ chain, address } = { chain: '', address: '' }] = evm.known
  const v1Paths = [
    '/v1/events?limit=50',
    '/v1/events?includeInit=true&limit=200',
    `/v1/contracts/${chain}/${address}`,
    '/v1/protocols/harbor-lending',
    '/v1/me/notifications?limit=50',
  ]
  const coinPaths = (coin: string, holder: string) => [
    `/address/${holder}?chain=${coin}`,
    `/address/${holder}/utxos?chain=${coin}&limit=100`,
    `/address/${holder}/txs?chain=${coin}`,
    `/fees?chain=${coin}`,
    `/status?chain=${coin}`,
    `/health/${holder}?chain=${coin}`,
    `/block/1?chain=${coin}&txids=true`,
  ]
  const v2Paths = [
    ...coinPaths('btc', BTC_ADDRESS),
    ...(ltcAddress === undefined ? [] : coinPaths('ltc', ltcAddress)),
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
  const secretsOf = (keys: readonly TestKey[]) => keys.map(({ key }) => key)
  const exceedingKey = v1Keys.at(-1)?.key ?? ''
  const callers: Omit<Caller, 'keepsConnection'>[] = [
    ...v1Paths.map((path, at) => ({
      path,
      keys: secretsOf(v1Keys.slice(at * V1_KEYS, (at + 1) * V1_KEYS)),
      header: v1,
      everyMs: V1_EVERY_MS,
    })),
    { path: '/v1/events', keys: [exceedingKey], header: v1, everyMs: EXCEEDING_EVERY_MS },
    ...v2Paths.map((path, at) => ({
      path: `/api/v2${path}`,
      keys: secretsOf(v2Keys.slice(at, at + 1)),
      header: v2,
      everyMs: V2_EVERY_MS,
    })),
    ...visits.map((path) => ({ path, keys: [''], header: () => ({}), everyMs: VISIT_EVERY_MS })),
  ]
  const load = startLoad(
    url,
    callers.map((caller, at) => ({ ...caller, keepsConnection: at % 3 !== 0 })),
  )
  return { ...load, keys: [...v1Keys, ...v2Keys], exceedingKey }
}
