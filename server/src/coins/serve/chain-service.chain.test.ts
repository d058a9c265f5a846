import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Litecoind, missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { systemTiming } from '../../lib/clock.ts'
import { addressSummary, block, history, status, transaction, utxoList } from '../http/schemas.ts'
import { indexTip } from '../index/follow.ts'
import { type RunningWriter, startIndexWriter, type WriterEvent } from '../index/index-writer.ts'
import { verifyIndex } from '../index/verify.ts'
import { connectNode } from '../node/core-node.ts'
import { getAddress, getUtxos } from './address-view.ts'
import { getBlock } from './block-view.ts'
import { type ChainService, startChainService } from './chain-service.ts'
import { getStatus } from './chain-view.ts'
import { getHistory } from './history-view.ts'
import { isSynced, type ServedChain } from './served-chain.ts'
import { getTransaction } from './transaction-view.ts'

describe('a chain service next to its index writer', { skip: missingLitecoind(), timeout: 120_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatewatch-serve-'))
  const events: WriterEvent[] = []
  const servingFaults: string[] = []
  let daemon: Litecoind
  let writer: RunningWriter
  let serving: ChainService
  let a: Litecoind['call']
  let miner = ''

  before(async () => {
    daemon = await startLitecoind()
    await daemon.call('createwallet', 'a')
    a = daemon.wallet('a')
    miner = await a('getnewaddress', '', 'bech32')
    await daemon.call('generatetoaddress', 120, miner)
    const options = { chain: 'ltc', rpcUrl: daemon.url, dataDir, pollMs: 20 } as const
    writer = startIndexWriter(options, (event) => events.push(event))
    serving = startChainService(options, {
      onFault: (_loop, fault) => {
        if (fault === undefined) return
        assert.doesNotMatch(fault.reason, /p@ss|user/)
        servingFaults.push(fault.reason)
      },
    })
  })

  after(async () => {
    await serving.stop()
    await writer.stop()
    await daemon.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** The chain, once index and mempool view are at the node's last block and contain the transactions. */
  const settled = async (): Promise<ServedChain> => {
    const hash = await daemon.call('getbestblockhash')
    const wanted = await daemon.call<readonly string[]>('getrawmempool')
    return eventually(() => {
      const chain = serving.find()
      if (chain === undefined || !isSynced(chain) || indexTip(chain.index)?.hash !== hash) return undefined
      return chain.mempool.blockHash === hash && wanted.every((txid) => chain.mempool.find(txid)) ? chain : undefined
    })
  }

  test('the chain is served after the first sync', async () => {
    const chain = await settled()
    assert.deepEqual(
      [getStatus(chain).blockHeight, getStatus(chain).synced, getStatus(chain).source],
      [120, true, 'LitecoinCore:0.21.2.1'],
    )
    assert.equal(getAddress(chain, miner).balance, 600_000_000_000n)
    assert.ok(events.some(({ type }) => type === 'connected'))
    assert.ok(events.some(({ type }) => type === 'progress'))
  })

  test('a payment appears unconfirmed, confirms, and is unconfirmed again after a reorg', async () => {
    const to = await a<string>('getnewaddress', '', 'p2sh-segwit')
    const txid = await a<string>('sendtoaddress', to, 1.25)
    let chain = await settled()
    assert.deepEqual([getAddress(chain, to).balance, getAddress(chain, to).unconfirmedBalance], [0n, 125_000_000n])
    assert.deepEqual((await getUtxos(chain, to, 10)).utxos[0]?.confirmations, 0)
    const [hash] = await daemon.call<string[]>('generatetoaddress', 1, miner)
    chain = await settled()
    assert.deepEqual([getAddress(chain, to).balance, getAddress(chain, to).unconfirmedBalance], [125_000_000n, 0n])
    assert.equal((await getTransaction(chain, txid)).blockHash, hash)
    await daemon.call('invalidateblock', hash)
    chain = await settled()
    assert.deepEqual([getAddress(chain, to).balance, getAddress(chain, to).unconfirmedBalance], [0n, 125_000_000n])
    // To another address: the same one would produce the block that the node has marked as invalid.
    await daemon.call('generatetoaddress', 2, await a('getnewaddress'))
    chain = await settled()
    assert.equal(getAddress(chain, to).txCount, 1)
    assert.ok(events.some((event) => event.type === 'followed' && event.disconnected.length === 1))
  })

  test('every view matches its schema, also with extension blocks', async () => {
    await daemon.call('generatetoaddress', 431 - (await daemon.call<number>('getblockcount')), miner)
    await a('sendtoaddress', await a('getnewaddress', '', 'mweb'), 2)
    await daemon.call('generatetoaddress', 1, miner)
    const chain = await settled()
    status.parse(getStatus(chain))
    const summary = block.parse(getBlock(chain, '432', true))
    type CoreBlock = {
      tx: { txid: string; hash: string; size: number; weight: number }[]
      weight: number
      size: number
    }
    const core = await daemon.call<CoreBlock>('getblock', summary.hash, 2)
    assert.deepEqual(
      summary.txids,
      core.tx.map(({ txid }) => txid),
    )
    assert.deepEqual([summary.weight, summary.size], [core.weight, core.size])
    assert.equal(summary.mweb?.hogexTxid, core.tx.at(-1)?.txid)
    for (const { txid, hash, size, weight } of core.tx) {
      const tx = transaction.parse(await getTransaction(chain, txid))
      assert.deepEqual([tx.hash, tx.size, tx.weight], [hash, size, weight])
    }
    addressSummary.parse(getAddress(chain, miner))
    assert.equal(utxoList.parse(await getUtxos(chain, miner, 100)).limited, true)
    const page = history.parse(await getHistory(chain, miner, { page: 2, pageSize: 25 }))
    assert.equal(page.txs.length, 25)
    for (const { txid, fee } of page.txs) assert.ok(fee >= 0, txid)
  })

  test('the index matches the node', async () => {
    const { index } = await settled()
    const node = await connectNode(daemon.rpc, 'ltc')
    const random = seededRandom(3)
    const result = await verifyIndex({ index, node, timing: systemTiming, randomBelow: random.below }, { samples: 30 })
    assert.deepEqual([result?.isSame, result?.differing, result?.coins.index], [true, [], result?.coins.node])
    assert.ok((result?.scripts ?? 0) > 0)
  })

  test('while the node is unreachable its last state is served, and it is followed again afterwards', async () => {
    const chain = await settled()
    const before = getAddress(chain, miner)
    await daemon.stop()
    await eventually(() => (events.some((event) => event.type === 'fault' && event.fault) ? true : undefined))
    await eventually(() => (servingFaults.length > 0 ? true : undefined))
    assert.equal(serving.find(), chain)
    assert.deepEqual(getAddress(chain, miner), before)
    assert.doesNotMatch(JSON.stringify(events), /p@ss|p%40ss|user/)
    await daemon.start()
    await daemon.call('generatetoaddress', 1, miner)
    await settled()
  })
})
