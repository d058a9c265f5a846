/** The balance over time of an address and a wallet, compared with a plain computation over all blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuiltTx, buildTx } from '../../../../testing/coins/block-builder.ts'
import { type MemoryChain, startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import { getBalanceHistory } from './balance-history.ts'
import { getBlockAtTime } from './block-view.ts'

const TPUB =
  'tpubD8eQVK4Kdxg3gHrF62jGP7dKVCoYiEB8dFSpuTawkL5YxTus5j5pf83vaKnii4bc6v2NVEy81P2gYrJczYne3QNNwMTS53p5uzDyHvnw2jm'
const DESCRIPTOR = `wpkh(${TPUB}/0/*)`
const scripts = [0, 1].map(
  (index) => readDescriptor(bitcoinRegtest, DESCRIPTOR).branches[0]?.scriptsAt(index)[0] ?? assert.fail(),
)
const [script = Buffer.alloc(0), other = Buffer.alloc(0)] = scripts
const address = describeScript(bitcoinRegtest, script).address ?? ''
const DAY = 86_400
const BLOCKS = 60

type Random = ReturnType<typeof seededRandom>
type State = {
  readonly times: number[]
  readonly changes: { received: number; sent: number; txCount: number }[]
  readonly coins: { readonly tx: BuiltTx; readonly value: number }[]
}
const newState = (): State => ({ times: [1_296_688_602], changes: [{ received: 0, sent: 0, txCount: 0 }], coins: [] })
const copyOf = ({ times, changes, coins }: State): State => ({
  times: [...times],
  changes: [...changes],
  coins: [...coins],
})

/** Adds blocks about every five hours whose times go back now and then, but are later than the median time before. */
async function addBlocks({ add }: MemoryChain, { times, changes, coins }: State, random: Random, blocks: number) {
  for (let n = 0; n < blocks; n++) {
    const height = times.length
    const median = times.slice(-11).toSorted((a, b) => a - b)[Math.min(times.length, 11) >> 1] ?? 0
    const last = Math.max(...times.slice(-3))
    times.push(height === 1 ? 1_700_000_000 : Math.max(median + 1, last + random.below(12 * 3_600) - 3 * 3_600))
    const change = { received: 0, sent: 0, txCount: 0 }
    const txs: BuiltTx[] = []
    if (coins.length > 0 && random.chance(0.4)) {
      const [{ tx, value }] = coins.splice(random.below(coins.length), 1) as [(typeof coins)[number]]
      const kept = random.chance(0.5) ? 100 : 0
      txs.push(
        buildTx(
          [{ txid: tx.txid, vout: 0 }],
          [{ value: value - kept - 1, script: Buffer.from([0x51]) }, ...(kept > 0 ? [{ value: kept, script }] : [])],
        ),
      )
      change.sent += value
      change.received += kept
      change.txCount++
    }
    const pays = random.chance(0.5)
    const value = 1_000 + random.below(100_000)
    const coinbase = await add(txs, [pays ? { value, script } : { value: 7, script: other }], times[height] ?? 0)
    if (pays) {
      coins.push({ tx: coinbase, value })
      change.received += value
      change.txCount++
    }
    changes.push(change)
  }
}

async function randomChain(seed: number) {
  const chain = await startMemoryChain()
  const state = newState()
  await addBlocks(chain, state, seededRandom(seed), BLOCKS)
  return { ...chain, ...state }
}

test('after a reorg the balance is that of a chain without the other blocks', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const pointsAfter = async (hasReorg: boolean) => {
      const chain = await startMemoryChain()
      const state = newState()
      await addBlocks(chain, state, seededRandom(seed), 40)
      const points = async () => [
        await getBalanceHistory(chain.served, address, { by: 'day', limit: 5_000 }),
        await getBalanceHistory(chain.served, address, { by: 'block', limit: 5_000 }),
      ]
      if (hasReorg) {
        await addBlocks(chain, copyOf(state), seededRandom(seed + 100), 12)
        await points()
        await chain.disconnectTo(40)
      }
      await addBlocks(chain, state, seededRandom(seed + 200), 25)
      return await points()
    }
    assert.deepEqual(await pointsAfter(true), await pointsAfter(false), `seed ${seed}`)
  }
})

test('by block and by day, also if the times of blocks go back', async () => {
  for (const seed of [1, 2, 3]) {
    const { served, times, changes } = await randomChain(seed)
    let balance = 0
    const byBlock = changes.flatMap(({ received, sent, txCount }, height) => {
      balance += received - sent
      return txCount === 0
        ? []
        : [{ height, balance: BigInt(balance), received: BigInt(received), sent: BigInt(sent), txCount }]
    })
    const blocks = await getBalanceHistory(served, address, { by: 'block', limit: 5_000 })
    assert.deepEqual(
      blocks.points.map(({ height, balance, received, sent, txCount }) => ({
        height,
        balance,
        received,
        sent,
        txCount,
      })),
      byBlock,
    )
    const days = await getBalanceHistory(served, address, { by: 'day', limit: 5_000 })
    // The balance at the end of each day is that after the last block up to then.
    let at = -1
    for (let day = Math.floor(1_700_000_000 / DAY); day <= Math.floor(Math.max(...times) / DAY); day++) {
      const end = (day + 1) * DAY - 1
      const { height } = getBlockAtTime(served, end)
      assert.equal(
        height,
        times.findLastIndex((time) => time <= end),
      )
      const point = days.points.find(({ date }) => date === new Date(day * DAY * 1_000).toISOString().slice(0, 10))
      const within = byBlock.filter((block) => block.height > at && block.height <= height)
      assert.equal(
        point?.txCount ?? 0,
        within.reduce((sum, { txCount }) => sum + txCount, 0),
        `seed ${seed}, day ${day}`,
      )
      assert.deepEqual(point?.balance, within.at(-1)?.balance)
      at = height
    }
  }
})

test('pages, a wallet, and wrong starts', async () => {
  const { served } = await randomChain(4)
  const all = await getBalanceHistory(served, address, { by: 'day', limit: 5_000 })
  const paged: typeof all.points = []
  for (let from: string | undefined; ; ) {
    const { points, next } = await getBalanceHistory(served, address, { by: 'day', limit: 3, from })
    paged.push(...points)
    if (next === null) break
    from = next
  }
  assert.deepEqual(paged, all.points)
  const { app, key } = await startV2App({ plan: () => 'pro', btc: () => served })
  const headers = { 'x-api-key': key }
  const get = async (query: string) =>
    app.inject({ url: `/api/v2/address/${address}/balance-history?${query}`, headers })
  assert.equal((await get('by=day')).json<{ data: { points: unknown[] } }>().data.points.length, all.points.length)
  for (const query of [
    'by=block&from=2024-01-01',
    'by=day&from=5',
    'from=2024-13-45',
    'from=2023-02-29',
    'limit=0',
    'by=hour',
  ])
    assert.equal((await get(query)).statusCode, 400, query)
  const wallet = await app.inject({
    method: 'POST',
    url: '/api/v2/wallets/balance-history',
    headers,
    payload: { chain: 'btc', descriptor: DESCRIPTOR, by: 'block' },
  })
  const { points } = wallet.json<{ data: { points: { height: number; balance: number }[] } }>().data
  // The wallet has the other script too, which every other block pays.
  assert.equal(points.length, BLOCKS)
  assert.ok((points.at(-1)?.balance ?? 0) > Number(all.points.at(-1)?.balance))
})
