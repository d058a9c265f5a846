import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputScriptOf } from '../../../../testing/coins/block-builder.ts'
import { readJson, recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { recordedChain, recordedMempool } from '../../../../testing/coins/recorded-chain.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { addressSummary, block, history, status, transaction, utxoList } from '../http/schemas.ts'
import { litecoinMain } from '../networks/litecoin.ts'
import { getAddress, getUtxos } from './address-view.ts'
import { difficultyOf, formatAmount, formatHashRate } from './amounts.ts'
import { getBlock } from './block-view.ts'
import { getStatus } from './chain-view.ts'
import { getHistory } from './history-view.ts'
import { getTransaction } from './transaction-view.ts'

const chain = await recordedChain()
const recorded = recordedOracle()
const unconfirmed = recordedMempool()

test('every address has the totals and coins that the node reports', async () => {
  for (const expected of recorded.addresses) {
    const view = addressSummary.parse(getAddress(chain, expected.address))
    assert.deepEqual(
      [view.address, view.balance, view.totalReceived, view.totalSent, view.txCount, view.calculating],
      [
        expected.address,
        BigInt(expected.balance),
        BigInt(expected.totalReceived),
        BigInt(expected.totalSent),
        expected.txCount,
        false,
      ],
    )
    assert.equal(view.balanceFormatted, (expected.balance / 1e8).toFixed(8))
    const { utxos, count, limited } = utxoList.parse(await getUtxos(chain, expected.address, undefined))
    assert.deepEqual([count, limited], [utxos.length, false])
    const left = expected.utxos.filter(({ txid, vout }) => chain.mempool.findSpender(txid, vout) === undefined)
    const confirmed = utxos.filter(({ confirmations }) => confirmations > 0)
    assert.deepEqual(
      confirmed.map(({ txid, vout, value }) => `${txid}:${vout} ${value}`).sort(),
      left.map(({ txid, vout, value }) => `${txid}:${vout} ${value}`).sort(),
    )
  }
})

test('coins are ordered by value, then txid, and a limit sets limited', async () => {
  const [richest] = recorded.addresses.toSorted((a, b) => b.utxos.length - a.utxos.length)
  assert.ok(richest !== undefined && richest.utxos.length > 5)
  const { utxos: all } = await getUtxos(chain, richest.address, undefined)
  const key = ({ value, txid, vout }: { value: number; txid: string; vout: number }): string =>
    `${String(9e15 - value).padStart(16, '0')} ${txid} ${String(vout).padStart(6, '0')}`
  assert.deepEqual(all.map(key), all.map(key).sort())
  for (const limit of [1, 3, all.length - 1]) {
    const cut = await getUtxos(chain, richest.address, limit)
    assert.deepEqual([cut.utxos, cut.limited, cut.count], [all.slice(0, limit), true, limit])
  }
  assert.equal((await getUtxos(chain, richest.address, all.length)).limited, false)
})

test('unconfirmed transactions change only the unconfirmed balance', () => {
  let change = 0n
  for (const { address } of recorded.addresses) change += getAddress(chain, address).unconfirmedBalance
  assert.ok(chain.mempool.size === unconfirmed.length && chain.mempool.size > 0)
  assert.ok(change < 0n, 'unconfirmed transactions spend from confirmed addresses')
})

type CoreTx = {
  readonly txid: string
  readonly hash: string
  readonly size: number
  readonly vsize: number
  readonly weight: number
  readonly locktime: number
  readonly version: number
  readonly blockhash: string
  readonly fee?: number
  readonly vin: readonly {
    readonly prevout?: { readonly value: number; readonly scriptPubKey: { address?: string } }
  }[]
  readonly vout: readonly { readonly value: number; readonly scriptPubKey: { address?: string } }[]
}

test('transactions have the fields of the node, with the outputs they spend', async () => {
  const samples = readJson<readonly CoreTx[]>('btc-regtest', 'tx-samples.json')
  for (const core of samples) {
    const tx = transaction.parse(await getTransaction(chain, core.txid))
    assert.deepEqual(
      [tx.hash, tx.version, tx.size, tx.vsize, tx.weight, tx.locktime, tx.blockHash],
      [core.hash, core.version, core.size, core.vsize, core.weight, core.locktime, core.blockhash],
    )
    assert.equal(tx.fee, Math.round((core.fee ?? 0) * 1e8))
    assert.deepEqual(
      tx.inputs.map((input) => (input.isCoinbase ? 'coinbase' : `${input.address} ${input.value}`)),
      core.vin.map(({ prevout }) =>
        prevout === undefined
          ? 'coinbase'
          : `${prevout.scriptPubKey.address ?? null} ${Math.round(prevout.value * 1e8)}`,
      ),
    )
    assert.deepEqual(
      tx.outputs.map(({ n, address, value }) => [n, address, value]),
      core.vout.map(({ value, scriptPubKey }, n) => [n, scriptPubKey.address ?? null, Math.round(value * 1e8)]),
    )
  }
})

test('an unconfirmed transaction has no block, and the fee that the node reports', async () => {
  for (const { txid, entry } of unconfirmed) {
    const tx = transaction.parse(await getTransaction(chain, txid))
    assert.deepEqual([tx.blockHash, tx.blockHeight, tx.confirmations], [null, null, 0])
    assert.deepEqual([tx.fee, tx.vsize], [Math.round(entry.fees.base * 1e8), entry.vsize])
  }
})

test('history by page and by cursor: unconfirmed first, newest first, every entry once', async () => {
  const touched = recorded.addresses.filter(({ address }) => getAddress(chain, address).unconfirmedBalance !== 0n)
  const [busy] = recorded.addresses.toSorted((a, b) => b.txCount - a.txCount)
  for (const { address, txCount } of [...touched.slice(0, 3), ...(busy === undefined ? [] : [busy])]) {
    const pageSize = 7
    const first = history.parse(await getHistory(chain, address, { page: 1, pageSize: 100 }))
    assert.ok(first.totalItems >= txCount)
    const byPage: string[] = []
    for (let page = 1; page <= Math.ceil(first.totalItems / pageSize); page++) {
      const view = history.parse(await getHistory(chain, address, { page, pageSize }))
      assert.equal(view.totalPages, Math.ceil(first.totalItems / pageSize))
      byPage.push(...view.txs.map(({ txid }) => txid))
    }
    const byCursor: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const view: Awaited<ReturnType<typeof getHistory>> = await getHistory(chain, address, {
        page: 1,
        pageSize,
        cursor,
      })
      byCursor.push(...view.txs.map(({ txid }) => txid))
      cursor = view.nextCursor
    }
    assert.equal(new Set(byPage).size, first.totalItems)
    assert.deepEqual(byCursor, byPage)
    const net = first.txs.reduce((sum, tx) => sum + BigInt(tx.net), 0n)
    if (first.totalItems <= 100) {
      const { balance, unconfirmedBalance } = getAddress(chain, address)
      assert.equal(net, balance + unconfirmedBalance)
    }
  }
  await assert.rejects(getHistory(chain, busy?.address ?? '', { page: 1, pageSize: 7, cursor: 'x' }), ApiError)
})

test('blocks by height and by hash', () => {
  const byHeight = block.parse(getBlock(chain, '510', true))
  assert.deepEqual(getBlock(chain, byHeight.hash, true), byHeight)
  assert.equal(byHeight.txids?.length, byHeight.txCount)
  assert.deepEqual([byHeight.confirmations, byHeight.bits], [6, '207fffff'])
  assert.equal(getBlock(chain, '511', false).previousBlockHash, byHeight.hash)
  assert.deepEqual(
    [getBlock(chain, '0', false).previousBlockHash, getBlock(chain, String(recorded.tip), false).nextBlockHash],
    [null, null],
  )
  // Heights 150 and 300 halve the subsidy on regtest.
  assert.deepEqual([byHeight.subsidy, byHeight.reward], [625_000_000, 625_000_000 + Number(byHeight.totalFees)])
  for (const missing of ['516', 'ab'.repeat(32), '999999999']) {
    assert.throws(
      () => getBlock(chain, missing, false),
      (error) => error instanceof ApiError && error.code === 'BLOCK_NOT_FOUND',
    )
  }
})

test('unknown blocks and transactions are not found, and an invalid address is rejected with a reason', async () => {
  await assert.rejects(
    getTransaction(chain, 'ab'.repeat(32)),
    (error) => error instanceof ApiError && error.code === 'TX_NOT_FOUND',
  )
  const never = getAddress(chain, 'bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9')
  assert.deepEqual([never.balance, never.txCount], [0n, 0])
  assert.throws(
    () => getAddress(chain, '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo'),
    (error) => error instanceof ApiError && error.code === 'INVALID_ADDRESS',
  )
  const mweb =
    'ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf'
  assert.throws(() => getAddress({ ...chain, network: litecoinMain }, mweb), /confidential/)
})

test('the status of the chain', () => {
  const view = status.parse(getStatus(chain))
  assert.deepEqual(
    [view.chain, view.blockHeight, view.synced, view.mempoolSize],
    ['btc', recorded.tip, true, unconfirmed.length],
  )
  const behind = {
    tip: { height: recorded.tip + 3, hash: '' },
    isDownloading: false,
    hasSameChain: true,
    mempoolSize: 0,
  }
  assert.equal(getStatus({ ...chain, state: () => behind }).synced, false)
})

test('amounts, hash rates and difficulties are written exactly', () => {
  assert.equal(formatAmount(1n), '0.00000001')
  assert.equal(formatAmount(-150_000_000), '-1.50000000')
  assert.equal(formatAmount(12_345_678_901_234_567_890n), '123456789012.34567890')
  assert.equal(formatHashRate(6.5e20), '650.00 EH/s')
  assert.equal(difficultyOf(0x1d00ffff), 1)
  assert.ok(Math.abs(difficultyOf(0x1b0404cb) - 16_307.420938523983) < 1e-6)
})

test('the reward of a block is what its coinbase pays, also if the miner claims less than allowed', async () => {
  const chain = await startMemoryChain()
  await chain.add([], [{ value: 7, script: outputScriptOf(1) }])
  const { reward, subsidy, totalFees } = getBlock(chain.served, '1', false)
  assert.deepEqual([reward, subsidy, totalFees], [7, 5_000_000_000, 0])
  assert.equal(getBlock(chain.served, '0', false).reward, 5_000_000_000)
})
