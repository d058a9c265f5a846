/**
 * A real Litecoin node on regtest: eight days of blocks and payments, then a life that goes on.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type CoreRpc, createCoreRpc } from '../../server/src/coins/node/core-rpc.ts'
import type { Logger } from '../../server/src/lib/log.ts'
import { freePort } from '../evm/chain.ts'
import { startLeashed } from '../leash.ts'

/** The one on PATH may be Debian's wrapper, which writes to the home folder. */
const PROGRAMS = ['/usr/lib/litecoin/litecoind', '/usr/local/bin/litecoind', '/opt/homebrew/bin/litecoind']
const program = PROGRAMS.find((path) => existsSync(path))

/** Why there is no Litecoin here, or false. */
export const litecoinMissing: string | false =
  program === undefined ? 'litecoind is not installed (Debian: apt-get install litecoind)' : false

export type Litecoin = {
  readonly url: string
  /** Makes blocks and payments of past days, and gives an address with coins of many values and ages. */
  readonly past: () => Promise<string>
  /** From now on payments and blocks come by themselves. */
  readonly live: () => void
  readonly stop: () => Promise<void>
}

const HOUR = 3_600
/** Coinbases ripen after 100 blocks. */
const RIPENING = 101
const PAYING = 90
const PAYMENT_MS = 7_000
const PAYMENTS_PER_BLOCK = 5

export async function startLitecoin({
  folder,
  log,
}: {
  readonly folder: string
  readonly log: Logger
}): Promise<Litecoin> {
  if (program === undefined) throw new Error('litecoind is not installed')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const options = {
    datadir: folder,
    rpcport: port,
    rpcuser: 'demo',
    rpcpassword: 'demo',
    server: 1,
    listen: 0,
    dnsseed: 0,
    rest: 1,
    fallbackfee: 0.0001,
    keypool: 10,
    mintxfee: 0.00001,
    // What pays less stays in the mempool for good, which is so never empty.
    blockmintxfee: 0.00003,
  }
  const child = startLeashed(program, [
    '-regtest',
    ...Object.entries(options).map(([name, value]) => `-${name}=${value}`),
  ])
  const url = `http://demo:demo@127.0.0.1:${port}`
  const [node, mint, shop] = ['', '/wallet/mint', '/wallet/shop'].map((path) => createCoreRpc({ url: url + path })) as [
    CoreRpc,
    CoreRpc,
    CoreRpc,
  ]
  const ask = askerOf(node)
  while ((await ask('getblockcount').catch(() => undefined)) === undefined) {
    if (child.hasEnded()) throw new Error('litecoind ended before it was ready')
    await pause(50)
  }
  let life: Life | undefined
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const live = async ({ pay, mine }: Life) => {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      await pay(count)
      if (count % PAYMENTS_PER_BLOCK === 0) await mine(1)
      await pause(PAYMENT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  return {
    url,
    past: async () => {
      for (const name of ['mint', 'shop']) await ask('createwallet', name)
      life = await makePast(askerOf(mint), await askerOf(shop)<string>('getnewaddress', '', 'bech32'))
      return life.shop
    },
    live: () => {
      if (life === undefined) return
      running = live(life).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, "the demo's Litecoin stands still")
      })
    },
    stop: async () => {
      stopping.abort()
      await child.stop()
      await running
      for (const rpc of [node, mint, shop]) rpc.close()
    },
  }
}

type Life = {
  readonly shop: string
  readonly pay: (count: number) => Promise<void>
  readonly mine: (blocks: number) => Promise<unknown>
}

type Ask = <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>

const askerOf =
  (rpc: CoreRpc): Ask =>
  async <T>(method: string, ...params: readonly unknown[]) =>
    (await rpc.call(method, params, z.unknown())) as T

/** A block an hour, paid to a mint; once its coins are ripe, it pays a shop and others. */
async function makePast(ask: Ask, shop: string): Promise<Life> {
  const addresses: string[] = []
  for (const type of ['bech32', 'legacy', 'p2sh-segwit', 'bech32'])
    addresses.push(await ask<string>('getnewaddress', '', type))
  const [mint = '', ...others] = addresses
  const mine = (count: number) => ask('generatetoaddress', count, mint)
  const payTo = (amounts: Readonly<Record<string, number>>, rate: number) =>
    // Named arguments end with the rate, in litoshi per virtual byte; no fee estimate is needed then.
    ask('sendmany', '', amounts, 1, '', [], true, null, 'unset', rate)
  const pay = async (count: number): Promise<void> => {
    const other = others[count % others.length] ?? mint
    const amount = Number((0.01 * (1 + (count % 37))).toFixed(8))
    await payTo({ [shop]: amount, [other]: Number((amount * 3).toFixed(8)) }, 4 + ((count * 7) % 40))
  }
  const start = Math.floor(Date.now() / 1_000)
  const total = RIPENING + PAYING
  for (let block = 1; block <= total; block += 1) {
    await ask('setmocktime', start - (total - block + 1) * HOUR)
    if (block > RIPENING && block % 3 === 0) await pay(block)
    await mine(1)
  }
  await ask('setmocktime', 0)
  for (let n = 0; n < 3; n += 1) await payTo({ [others[n % others.length] ?? mint]: 0.5 }, 1 + n * 0.5)
  for (let n = 0; n < 4; n += 1) await pay(n)
  return { shop, pay, mine }
}
