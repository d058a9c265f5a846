/**
 * Projected blocks against the node's own block template, on a mempool of families.
 *
 * A few hundred transactions and small blocks in the suite; `GATEWATCH_LONG_TESTS=1` makes it 5,000 and whole blocks.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Litecoind, missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { systemClock } from '../../lib/clock.ts'
import { tiersOfBlocks } from '../fees/fee-tiers.ts'
import { miningOrder } from '../fees/mining-order.ts'
import { BLOCK_VSIZE, type Chunk, mergeRising, projectBlocks, ratePercentile } from '../fees/projected-blocks.ts'
import { fees } from '../http/schemas.ts'
import { createFeeService, getFees } from './fee-service.ts'
import { pendingTxs } from './project-mempool.ts'

const isLong = process.env['GATEWATCH_LONG_TESTS'] === '1'
const COUNT = isLong ? 5_000 : 300
/** The node reserves 4,000 weight units of a block template. */
const BLOCK_WEIGHT = isLong ? 400_000 * 4 : 80_000
const within = (actual: number, expected: number): boolean => Math.abs(actual - expected) <= expected * 0.05

type Template = { readonly transactions: { txid: string; fee: number; weight: number; depends: number[] }[] }
type Out = { readonly txid: string; readonly vout: number; readonly value: number }

describe('fees of a real litecoind', { skip: missingLitecoind(), timeout: isLong ? 3_600_000 : 120_000 }, () => {
  const random = seededRandom(11)
  let world: ServedNode
  let peer: Litecoind

  before(async () => {
    const port = await freePort()
    world = await startServedLitecoind([`-blockmaxweight=${BLOCK_WEIGHT}`, '-listen=1', `-bind=127.0.0.1:${port}`])
    await world.mine(110)
    // A node without peers returns no block template.
    peer = await startLitecoind([`-connect=127.0.0.1:${port}`, '-blocksonly=1'])
    await eventually(async () => (await world.daemon.call<number>('getconnectioncount')) > 0 || undefined)
  })
  after(async () => {
    await peer.remove()
    await world.daemon.remove()
  })

  test('with an empty mempool the tiers are the minimum relay rate', async () => {
    const feeService = createFeeService({ clock: systemClock })
    const { low, medium, high, urgent, source, mempoolSize, unit } = fees.parse(
      await getFees(feeService, await world.chain()),
    )
    assert.deepEqual([low, medium, high, urgent, source, mempoolSize, unit], [1, 1, 1, 1, 'mempool', 0, 'sat/vB'])
  })

  async function spend(inputs: readonly Out[], outputs: number, rate: number): Promise<Out[]> {
    const total = inputs.reduce((sum, { value }) => sum + value, 0)
    const vsize = 11 + inputs.length * 68 + outputs * 31
    const each = Math.floor((total - vsize * rate) / outputs)
    const to = await Promise.all(Array.from({ length: outputs }, () => world.a<string>('getnewaddress', '', 'bech32')))
    const raw = await world.daemon.call<string>(
      'createrawtransaction',
      inputs.map(({ txid, vout }) => ({ txid, vout })),
      to.map((address) => ({ [address]: (each / 1e8).toFixed(8) })),
    )
    const { hex } = await world.a<{ hex: string }>('signrawtransactionwithwallet', raw)
    const txid = await world.daemon.call<string>('sendrawtransaction', hex, 0)
    return to.map((_, vout) => ({ txid, vout, value: each }))
  }

  /** Confirmed coins for the first transaction of each family. */
  async function roots(count: number): Promise<Out[]> {
    const found: Out[] = []
    while (found.length < count) {
      const amounts: Record<string, number> = {}
      for (let i = 0; i < Math.min(100, count - found.length); i++)
        amounts[await world.a<string>('getnewaddress', '', 'bech32')] = 0.1
      const txid = await world.a<string>('sendmany', '', amounts)
      await world.mine(1)
      const tx = await world.a<{ details: { vout: number; amount: number; category: string; address: string }[] }>(
        'gettransaction',
        txid,
      )
      const paid = tx.details.filter(
        ({ category, address }) => category === 'receive' && amounts[address] !== undefined,
      )
      found.push(...paid.map(({ vout }) => ({ txid, vout, value: 10_000_000 })))
      // The wallet must not spend these.
      await world.a(
        'lockunspent',
        false,
        paid.map(({ vout }) => ({ txid, vout })),
      )
    }
    return found
  }

  test(`tiers of ${COUNT} transactions with parents and children match the node's block template`, async () => {
    const starts = await roots(Math.ceil(COUNT / 4))
    let made = 0
    while (made < COUNT) {
      const start = starts.pop()
      if (start === undefined) break
      // A family: a chain or a fan of up to eight transactions with different fee rates.
      let open: Out[] = [start]
      const size = Math.min(COUNT - made, 1 + random.below(8))
      for (let i = 0; i < size; i++) {
        const [input, ...others] = open
        if (input === undefined) break
        const isJoin = others.length > 0 && random.chance(0.3)
        const inputs = isJoin ? [input, ...others.slice(0, 1)] : [input]
        const outputs = await spend(inputs, 1 + random.below(3), 1 + random.below(random.pick([5, 30, 120])))
        open = [...others.slice(isJoin ? 1 : 0), ...outputs]
        made++
      }
    }
    assert.ok(made >= COUNT * 0.9)
    const chain = await world.chain()
    const template = await world.daemon.call<Template>('getblocktemplate', { rules: ['mweb', 'segwit'] })
    const capacity = (BLOCK_WEIGHT - 4_000) / 4
    const blocks = projectBlocks(miningOrder(pendingTxs(chain.mempool)), capacity)
    const [first] = blocks
    assert.ok(first !== undefined && blocks.length > 1, 'the mempool is larger than a block')

    const taken = mergeRising(template.transactions.map(({ fee, weight }) => ({ fee, vsize: Math.ceil(weight / 4) })))
    const sum = (chunks: readonly Chunk[], field: keyof Chunk) => chunks.reduce((all, chunk) => all + chunk[field], 0)
    assert.ok(within(first.fee, sum(taken, 'fee')), `fees ${first.fee} and ${sum(taken, 'fee')}`)
    assert.ok(within(first.vsize, sum(taken, 'vsize')), `size ${first.vsize} and ${sum(taken, 'vsize')}`)
    const tiers = tiersOfBlocks(blocks, 1, capacity)
    for (const [tier, share] of [
      ['urgent', 0.75],
      ['high', 0.5],
    ] as const) {
      // With few chunks the rates have large steps, so one percent of the block is tolerated.
      const [least, most] = [ratePercentile(taken, share - 0.01), ratePercentile(taken, share + 0.01)]
      console.log(`${tier}: ${tiers[tier]} projected, ${ratePercentile(taken, share).toFixed(3)} in the node's block`)
      assert.ok(
        tiers[tier] >= least * 0.95 && tiers[tier] <= most * 1.05,
        `${tier} ${tiers[tier]}: ${least} to ${most}`,
      )
    }
    assert.equal(BLOCK_VSIZE, 999_000)
  })
})
