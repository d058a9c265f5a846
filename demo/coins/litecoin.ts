/** Litecoin of the demo where litecoind is installed: a regtest node with eight days of blocks and payments, then new ones. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../server/src/lib/log.ts'
import { createMutex } from '../mutex.ts'
import { type RpcCall, startLitecoinNode } from './litecoin-node.ts'

export type Litecoin = {
  readonly url: string
  /** Creates blocks and payments of past days. */
  readonly past: () => Promise<LitecoinPast>
  /** Starts payments and blocks. */
  readonly live: () => void
  /** Restarts the node between two payments. */
  readonly restart: () => Promise<void>
  /** Replaces that many blocks by one more, between two payments. */
  readonly reorganize: (depth: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export type LitecoinPast = {
  /** An address with coins of many values and ages. */
  readonly address: string
  readonly height: number
}

const HOUR = 3_600
/** Coinbase outputs mature after 100 blocks. */
const MATURITY = 101
const PAYING = 90
/** MWEB activates with this block on regtest. It is valid only if it contains a peg-in. */
const MWEB_HEIGHT = 432
const PAYMENT_MS = 7_000
const PAYMENTS_PER_BLOCK = 5
const WALLETS = ['mint', 'shop']

export async function startLitecoin({
  folder,
  log,
}: {
  readonly folder: string
  readonly log: Logger
}): Promise<Litecoin> {
  const node = await startLitecoinNode(folder)
  const [mint, shop] = WALLETS.map(node.wallet) as [RpcCall, RpcCall]
  let life: Life | undefined
  const stopping = new AbortController()
  const exclusive = createMutex()
  let running: Promise<void> = Promise.resolve()
  const live = async ({ pay, mine }: Life) => {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      await exclusive(async () => {
        await pay(count)
        if (count % PAYMENTS_PER_BLOCK === 0) await mine(1)
      })
      await pause(PAYMENT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  return {
    url: node.url,
    past: async () => {
      for (const name of WALLETS) await node.call('createwallet', name)
      life = await makePast(mint, await shop<string>('getnewaddress', '', 'bech32'))
      return { address: life.shop, height: await node.call<number>('getblockcount') }
    },
    live: () => {
      if (life === undefined) return
      running = live(life).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, "the demo's Litecoin chain stopped")
      })
    },
    restart: () => exclusive(() => node.restart(WALLETS)),
    reorganize: (depth) =>
      exclusive(async () => {
        const height = await node.call<number>('getblockcount')
        await node.call('invalidateblock', await node.call<string>('getblockhash', height - depth + 1))
        await life?.mine(depth + 1)
      }),
    stop: async () => {
      stopping.abort()
      await node.stop()
      await running
    },
  }
}

type Life = {
  readonly shop: string
  readonly pay: (count: number) => Promise<void>
  readonly mine: (blocks: number) => Promise<void>
}

/** Mines one block an hour to the mint; once its coins are mature, it pays the shop and others. */
async function makePast(call: RpcCall, shop: string): Promise<Life> {
  const addresses: string[] = []
  for (const type of ['bech32', 'legacy', 'p2sh-segwit', 'bech32'])
    addresses.push(await call<string>('getnewaddress', '', type))
  const [mint = '', ...others] = addresses
  const mine = async (count: number): Promise<void> => {
    for (let mined = 0; mined < count; mined += 1) {
      if ((await call<number>('getblockcount')) === MWEB_HEIGHT - 1)
        await call('sendtoaddress', await call<string>('getnewaddress', '', 'mweb'), 1)
      await call('generatetoaddress', 1, mint)
    }
  }
  const payTo = (amounts: Readonly<Record<string, number>>, rate: number) =>
    // The last argument is the fee rate in litoshi per virtual byte, so that no fee estimate is needed.
    call('sendmany', '', amounts, 1, '', [], true, null, 'unset', rate)
  const pay = async (count: number): Promise<void> => {
    const other = others[count % others.length] ?? mint
    const amount = Number((0.01 * (1 + (count % 37))).toFixed(8))
    await payTo({ [shop]: amount, [other]: Number((amount * 3).toFixed(8)) }, 4 + ((count * 7) % 40))
  }
  const start = Math.floor(Date.now() / 1_000)
  const total = MATURITY + PAYING
  for (let block = 1; block <= total; block += 1) {
    await call('setmocktime', start - (total - block + 1) * HOUR)
    if (block > MATURITY && block % 3 === 0) await pay(block)
    await mine(1)
  }
  await call('setmocktime', 0)
  for (let n = 0; n < 3; n += 1) await payTo({ [others[n % others.length] ?? mint]: 0.5 }, 1 + n * 0.5)
  for (let n = 0; n < 4; n += 1) await pay(n)
  return { shop, pay, mine }
}
