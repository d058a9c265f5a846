import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildTx } from '../../../../testing/coins/block-builder.ts'
import { assertSameAsNode, type Compared, spendableCoins } from '../../../../testing/coins/compare-with-node.ts'
import { digestIndex } from '../../../../testing/coins/index-digest.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { type Litecoind, missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { systemClock } from '../../lib/clock.ts'
import { MempoolView } from '../mempool/mempool-view.ts'
import { openBlockFiles } from '../node/block-files.ts'
import { type CoreNode, connectNode } from '../node/core-node.ts'
import { createCoreRpc } from '../node/core-rpc.ts'
import { NodeRefusedError, NodeUnreachableError, WrongNetworkError } from '../node/node-errors.ts'
import { decodeAddress } from '../parse/address.ts'
import { parseBlock } from '../parse/block.ts'
import { findBlockRow, openCoinIndex } from './coin-index.ts'
import { indexTip } from './follow.ts'
import { syncIndex } from './initial-sync.ts'
import { withSnapshot } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'

const skip = missingLitecoind()

/** Height from which regtest blocks end in a HogEx. */
const MWEB_HEIGHT = 432

describe('a real litecoind', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-ltc-'))
  const scripts = new Set<string>()
  let daemon: Litecoind
  let node: CoreNode
  let compared: Compared
  let a: Litecoind['call']
  let miner = ''

  /** Small limits, so that sorted runs, recent entries and disconnects into runs all occur. */
  const limits = { maxRecentEntries: 600, minRunEntries: 300, mergeWidth: 3, mergeBytes: 4_000 }

  before(async () => {
    daemon = await startLitecoind()
    node = await connectNode(daemon.rpc, 'ltc')
    const kv = openLmdbKv({ path: join(folder, 'index'), noSync: true })
    compared = { node, index: openCoinIndex(kv, node.network, folder, limits), view: new MempoolView() }
    await daemon.call('createwallet', 'a')
    await daemon.call('createwallet', 'b')
    a = daemon.wallet('a')
    miner = await newAddress(a, 'bech32')
  })

  after(async () => {
    await compared.index.kv.close()
    await daemon.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const track = (address: string): string => {
    scripts.add(decodeAddress(node.network, address).script.toString('hex'))
    return address
  }
  async function newAddress(wallet: Litecoind['call'], type: string): Promise<string> {
    return track(await wallet<string>('getnewaddress', '', type))
  }
  const mine = (count: number, to = miner): Promise<string[]> => daemon.call('generatetoaddress', count, to)
  const same = (): ReturnType<typeof assertSameAsNode> => assertSameAsNode(compared, scripts)

  /** Funds, signs and sends a transaction with the given outputs. */
  async function pay(outputs: readonly { readonly value: number; readonly script: Buffer }[]): Promise<string> {
    for (const { script } of outputs) if (script[0] !== 0x6a) scripts.add(script.toString('hex'))
    // Core funds a transaction without inputs; it reads only the outputs.
    const { bytes } = buildTx([], outputs)
    const { hex } = await a<{ hex: string }>('fundrawtransaction', bytes.toString('hex'), { replaceable: true }, false)
    const signed = await a<{ hex: string }>('signrawtransactionwithwallet', hex)
    return a<string>('sendrawtransaction', signed.hex)
  }

  test('its network and features are detected', () => {
    assert.deepEqual([node.network.chain, node.network.name], ['ltc', 'regtest'])
    assert.deepEqual(node.features, { rest: true, blockPart: false })
    assert.match(node.version, /LitecoinCore:0\.21/)
  })

  test('a wrong chain, password or port is refused without naming credentials', async () => {
    await assert.rejects(connectNode(daemon.rpc, 'btc'), WrongNetworkError)
    for (const [url, kind] of [
      [daemon.url.replace('p%40ss', 'wrong'), NodeRefusedError],
      ['http://user:secret@127.0.0.1:1', NodeUnreachableError],
    ] as const) {
      const rpc = createCoreRpc({ url })
      await assert.rejects(connectNode(rpc, 'ltc'), (error) => {
        assert.ok(error instanceof kind)
        assert.doesNotMatch(`${error.message} ${error.stack}`, /wrong|secret|user/)
        return true
      })
      rpc.close()
    }
  })

  test('coins of every address type match its UTXO set', async () => {
    await mine(110)
    await same()
    const addresses: string[] = []
    for (const type of ['legacy', 'p2sh-segwit', 'bech32']) addresses.push(await newAddress(a, type))
    const keys: string[] = []
    for (const address of addresses) {
      keys.push((await a<{ pubkey: string }>('getaddressinfo', address)).pubkey)
    }
    for (const type of ['legacy', 'p2sh-segwit', 'bech32']) {
      addresses.push(track((await a<{ address: string }>('addmultisigaddress', 2, keys, '', type)).address))
    }
    await a('sendmany', '', Object.fromEntries(addresses.map((address, i) => [address, 1 + i / 8])))
    await same()
    await mine(1)
    await same()
    const key = Buffer.from(keys[0] ?? '', 'hex')
    await pay([
      { value: 10_000, script: Buffer.concat([Buffer.from([33]), key, Buffer.from([0xac])]) },
      { value: 20_000, script: Buffer.concat([Buffer.from([0x51, 0x20]), Buffer.alloc(32, 5)]) },
      { value: 30_000, script: Buffer.from('51024e73', 'hex') },
      { value: 0, script: Buffer.concat([Buffer.from([0x6a, 4]), Buffer.from('data')]) },
      { value: 40_000, script: Buffer.concat([Buffer.from([0x51, 33]), key, Buffer.from([0x51, 0xae])]) },
      { value: 50_000, script: Buffer.from([0x51]) },
      { value: 60_000, script: Buffer.concat([Buffer.from([0x60, 5]), Buffer.alloc(5, 9)]) },
    ])
    await same()
    await mine(1)
    await same()
  })

  test('unconfirmed coins, chains of them and replacements match the wallet', async () => {
    const to = await newAddress(a, 'bech32')
    const walletCoins = async (): Promise<string[]> => {
      const unspent = await a<{ txid: string; vout: number; amount: number | string }[]>('listunspent', 0, 9_999_999, [
        to,
      ])
      return unspent.map(({ txid, vout, amount }) => `${txid}:${vout} ${Math.round(Number(amount) * 1e8)}`).sort()
    }
    const script = decodeAddress(node.network, to).script
    /** Spends one coin in a replaceable transaction. */
    const spend = async (outpoint: string, pays: Readonly<Record<string, number>>): Promise<string> => {
      const [txid, vout] = outpoint.split(':')
      const outputs = Object.entries(pays).map(([address, coins]) => ({ [address]: coins }))
      const raw = await a<string>('createrawtransaction', [{ txid, vout: Number(vout) }], outputs, 0, true)
      return a<string>('sendrawtransaction', (await a<{ hex: string }>('signrawtransactionwithwallet', raw)).hex)
    }
    const mature = await a<{ txid: string; vout: number; amount: number | string }[]>('listunspent', 101, 9_999_999, [
      miner,
    ])
    const mined = mature.find(({ amount }) => amount === 50)
    const source = `${mined?.txid}:${mined?.vout}`
    const first = await spend(source, { [to]: 3, [miner]: 46.999 })
    await same()
    assert.deepEqual(spendableCoins(compared, script), await walletCoins())
    assert.equal(spendableCoins(compared, script).length, 1)
    const second = await spend(source, { [to]: 4, [miner]: 45.99 })
    await same()
    assert.equal(compared.view.find(first), undefined, 'the replaced transaction is gone')
    assert.notEqual(compared.view.find(second), undefined)
    assert.deepEqual(spendableCoins(compared, script), await walletCoins())
    // Spends the unconfirmed coin to another address and back.
    const [coin = ''] = spendableCoins(compared, script)
    await spend(coin.split(' ')[0] ?? '', { [await newAddress(a, 'legacy')]: 1, [to]: 2.999 })
    await same()
    assert.deepEqual(spendableCoins(compared, script), await walletCoins())
    // A new view, as after a restart, has the same coins.
    const restarted = { ...compared, view: new MempoolView() }
    await assertSameAsNode(restarted, scripts)
    assert.deepEqual(spendableCoins(restarted, script), await walletCoins())
    await mine(1)
    await same()
    assert.equal(compared.view.size, 0)
    assert.deepEqual(spendableCoins(compared, script), await walletCoins())
  })

  test('stale blocks are disconnected, and their transactions are unconfirmed again', async () => {
    for (const depth of [1, 3, 12]) {
      const to = await newAddress(a, 'p2sh-segwit')
      const txid = await a<string>('sendtoaddress', to, 0.5)
      const [first] = await mine(depth)
      await same()
      await daemon.call('invalidateblock', first)
      const { disconnected } = await same()
      assert.equal(disconnected.length, depth)
      // A node returns the transactions of at most ten disconnected blocks to its mempool.
      if (depth <= 10) assert.notEqual(compared.view.find(txid), undefined)
      await mine(depth + 1, await newAddress(a, 'legacy'))
      await same()
      await daemon.call('reconsiderblock', first)
      await same()
    }
  })

  test('the extension block: activation, peg-ins, peg-outs and reorganizations', async () => {
    // The first HogEx needs a peg-in to spend.
    await mine(MWEB_HEIGHT - 1 - (indexTip(compared.index)?.height ?? 0))
    await same()
    const b = daemon.wallet('b')
    const hidden = await b<string>('getnewaddress', '', 'mweb')
    assert.throws(() => decodeAddress(node.network, hidden), /confidential/)
    await a('sendtoaddress', hidden, 5)
    await same()
    await mine(1)
    await same()
    await a('sendtoaddress', hidden, 7)
    await same()
    const [pegIn] = await mine(1)
    await same()
    const bytes = await node.getBlock(pegIn ?? '')
    assert.ok(parseBlock(bytes, { mweb: true }).hogEx > 0)
    const out = await newAddress(a, 'legacy')
    await b('sendtoaddress', out, 2)
    await same()
    await mine(2)
    await same()
    assert.equal(spendableCoins(compared, decodeAddress(node.network, out).script).length, 1, 'the peg-out arrived')
    const { mweb } = await daemon.call<{ mweb: unknown }>('getblock', pegIn, 2)
    assert.notEqual(mweb, undefined)

    const before = withSnapshot(compared.index.kv, digestIndex)
    await daemon.call('invalidateblock', pegIn)
    await same()
    await daemon.call('reconsiderblock', pegIn)
    await same()
    assert.equal(withSnapshot(compared.index.kv, digestIndex), before)
  })

  test('forty random steps match its UTXO set', async () => {
    const random = seededRandom(20)
    const types = ['legacy', 'p2sh-segwit', 'bech32']
    for (let step = 0; step < 40; step++) {
      const choice = random.below(10)
      if (choice < 4) {
        const to = Object.fromEntries(
          await Promise.all(
            Array.from({ length: 1 + random.below(6) }, async () => [
              await newAddress(a, random.pick(types)),
              (1 + random.below(1000)) / 1000,
            ]),
          ),
        )
        await a('sendmany', '', to)
      } else if (choice < 5) {
        await a('sendtoaddress', await daemon.wallet('b')('getnewaddress', '', 'mweb'), 0.25)
      } else if (choice < 8) {
        await mine(1 + random.below(3))
      } else {
        const height = indexTip(compared.index)?.height ?? 0
        const depth = 1 + random.below(6)
        await daemon.call('invalidateblock', await daemon.call('getblockhash', height - depth + 1))
        if (random.chance(0.5)) await same()
        await mine(depth + 1 + random.below(2), await newAddress(a, random.pick(types)))
      }
      await same()
    }
  })

  test("fees agree with the node's own statistics", async () => {
    for (let i = 0; i < 3; i++) await a('sendtoaddress', await newAddress(a, 'bech32'), 0.1)
    const [hash] = await mine(1)
    await same()
    type Stats = { totalfee: number; height: number; subsidy: number; utxo_increase: number }
    const stats = await daemon.call<Stats>('getblockstats', hash)
    const row = withSnapshot(compared.index.kv, (reader) => findBlockRow(reader, stats.height))
    assert.equal(row?.fees, stats.totalfee)
  })

  test('after a restart of the node the mempool view matches again', async () => {
    await a('sendtoaddress', await newAddress(a, 'bech32'), 0.1)
    await same()
    await daemon.stop()
    await assert.rejects(node.getTip(), NodeUnreachableError)
    await daemon.start()
    await daemon.call('loadwallet', 'a').catch(() => undefined)
    await mine(1)
    await same()
  })

  test('its block files, with stale blocks, give the same index', async () => {
    const files = await openBlockFiles(node.network, daemon.blocksFolder)
    assert.deepEqual(await files.getTip(), await node.getTip())
    const kv = openLmdbKv({ path: join(folder, 'from-files'), noSync: true })
    const index = openCoinIndex(kv, node.network, folder)
    await syncIndex({ index, source: files, clock: systemClock }, { batchBytes: 50_000 })
    assert.equal(withSnapshot(kv, digestIndex), withSnapshot(compared.index.kv, digestIndex))
    await kv.close()
    await files.close()
  })

  test('all blocks with extension blocks are disconnected', async () => {
    // The last test, because this node cannot activate MWEB a second time ("AddUTXO: Consensus Error").
    await daemon.call('invalidateblock', await daemon.call('getblockhash', MWEB_HEIGHT))
    const { disconnected } = await same()
    assert.ok(disconnected.length > 20)
    assert.equal(indexTip(compared.index)?.height, MWEB_HEIGHT - 1)
  })
})

test('a node that omits extension data (rpcserialversion=1) gives the same coins', { skip }, async () => {
  const daemon = await startLitecoind(['-rpcserialversion=1'])
  const kv = openMemoryKv()
  try {
    await daemon.call('createwallet', 'a')
    const a = daemon.wallet('a')
    const scripts = new Set<string>()
    const node = await connectNode(daemon.rpc, 'ltc')
    const compared = { node, index: openCoinIndex(kv, node.network, 'memory'), view: new MempoolView() }
    const miner = await a<string>('getnewaddress')
    scripts.add(decodeAddress(node.network, miner).script.toString('hex'))
    await daemon.call('generatetoaddress', MWEB_HEIGHT - 1, miner)
    const hidden = await a<string>('getnewaddress', '', 'mweb')
    await a('sendtoaddress', hidden, 5)
    await assertSameAsNode(compared, scripts)
    await daemon.call('generatetoaddress', 2, miner)
    await assertSameAsNode(compared, scripts)
    const row = withSnapshot(kv, (reader) => findBlockRow(reader, MWEB_HEIGHT))
    // The wallet's change is in the extension block too.
    assert.ok(row?.hogEx === true && row.mwebAmount >= 500_000_000)
  } finally {
    await daemon.remove()
  }
})
