/**
 * A real Litecoin node on regtest: eight days of blocks and payments, then a life that goes on.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../server/src/lib/log.ts'
import { takeTurns } from '../turns.ts'
import { type Ask, startLitecoinNode } from './litecoin-node.ts'

export type Litecoin = {
  readonly url: string
  /** Makes blocks and payments of past days. */
  readonly past: () => Promise<LitecoinPast>
  /** From now on payments and blocks come by themselves. */
  readonly live: () => void
  /** Ends the node in order and starts it again, between two payments. */
  readonly restart: () => Promise<void>
  /** Takes back that many blocks, between two payments, and makes one more in their place. */
  readonly reorganise: (depth: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export type LitecoinPast = {
  /** Has coins of many values and ages. */
  readonly address: string
  readonly height: number
}

const HOUR = 3_600
/** Coinbases ripen after 100 blocks. */
const RIPENING = 101
const PAYING = 90
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
  const [mint, shop] = WALLETS.map(node.wallet) as [Ask, Ask]
  let life: Life | undefined
  const stopping = new AbortController()
  const alone = takeTurns()
  let running: Promise<void> = Promise.resolve()
  const live = async ({ pay, mine }: Life) => {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      await alone(async () => {
        await pay(count)
        if (count % PAYMENTS_PER_BLOCK === 0) await mine(1)
      })
      await pause(PAYMENT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  return {
    url: node.url,
    past: async () => {
      for (const name of WALLETS) await node.ask('createwallet', name)
      life = await makePast(mint, await shop<string>('getnewaddress', '', 'bech32'))
      return { address: life.shop, height: await node.ask<number>('getblockcount') }
    },
    live: () => {
      if (life === undefined) return
      running = live(life).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, "the demo's Litecoin stands still")
      })
    },
    restart: () => alone(() => node.restart(WALLETS)),
    reorganise: (depth) =>
      alone(async () => {
        const height = await node.ask<number>('getblockcount')
        await node.ask('invalidateblock', await node.ask<string>('getblockhash', height - depth + 1))
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
  readonly mine: (blocks: number) => Promise<unknown>
}

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
