/** The operator's maintenance commands, and a node that reindexes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { systemTiming } from '../../lib/clock.ts'
import { litecoinRegtest } from '../networks/litecoin.ts'
import { connectNode } from '../node/core-node.ts'
import { openCoinIndex } from './coin-index.ts'
import { indexPath, type RunningWriter, startIndexWriter, type WriterEvent } from './index-writer.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { dropIndex, exportChain, importChain, verifyChain } from './maintenance.ts'
import { type VerifyDeps, verifyIndex } from './verify.ts'
import { indexLimits } from './write-batch.ts'

describe('maintenance of an index', { skip: missingLitecoind(), timeout: 120_000 }, async () => {
  if (missingLitecoind() !== false) return
  const daemon = await startLitecoind()
  after(daemon.remove)
  await daemon.call('createwallet', 'a')
  const miner = await daemon.wallet('a')<string>('getnewaddress', '', 'bech32')
  const other = await daemon.wallet('a')<string>('getnewaddress', '', 'legacy')
  const mine = (count: number) => daemon.call('generatetoaddress', count, miner)
  await mine(120)
  const options = {
    chain: 'ltc',
    rpcUrl: daemon.url,
    dataDir: temporaryFolder(),
    pollMs: 20,
    samples: 20,
    waitMs: 0,
  } as const
  const path = indexPath(options.dataDir, litecoinRegtest)
  const verify = () => verifyChain(options, { timing: systemTiming, randomBelow: seededRandom(5).below })

  let events: WriterEvent[] = []
  const write = (): RunningWriter => {
    events = []
    return startIndexWriter(options, (event) => events.push(event))
  }
  const reached = (height: number) =>
    eventually(() => events.find((event) => event.type === 'followed' && event.tip?.height === height))

  test('without an index there is nothing to verify, and none is created', async () => {
    assert.equal(await verify(), undefined)
    assert.equal(existsSync(path), false)
  })

  test('a correct index verifies while its writer runs; a node at another block gives no result', async () => {
    const writer = write()
    await reached(120)
    const { isSame, scripts, differing } = (await verify()) ?? {}
    assert.deepEqual([isSame, differing], [true, []])
    assert.ok((scripts ?? 0) > 0)
    await writer.stop()
    await mine(1)
    assert.equal(await verify(), undefined)
  })

  test('blocks that arrive during a verification do not prevent its result', async () => {
    const writer = write()
    await reached(121)
    const node = await connectNode(daemon.rpc, 'ltc')
    const kv = openLmdbKv({ path, readOnly: true })
    const busy: VerifyDeps['node'] = {
      ...node,
      getTxOutSetInfo: async () => {
        const set = await node.getTxOutSetInfo()
        await mine(1)
        return set
      },
      scanTxOutSet: async (descriptors) => {
        const scan = await node.scanTxOutSet(descriptors)
        await mine(1)
        await reached(123)
        return scan
      },
    }
    const index = { network: litecoinRegtest, kv, limits: indexLimits }
    const result = await verifyIndex(
      { index, node: busy, timing: systemTiming, randomBelow: seededRandom(6).below },
      { samples: 5 },
    )
    await kv.close()
    await writer.stop()
    await mine(1)
    assert.deepEqual([result?.height, result?.isSame, result?.scripts], [121, true, 1])
  })

  test('a missing coin is detected by its script', async () => {
    const writer = write()
    await reached(124)
    await writer.stop()
    const kv = openLmdbKv({ path })
    const [key] = Array.from(kv.snapshot().range('scriptCoins', { limit: 1 }), (row) => Buffer.from(row.key))
    kv.write((change) => change.delete('scriptCoins', key ?? Buffer.alloc(0)))
    await kv.close()
    const { isSame, differing, coins } = (await verify()) ?? {}
    assert.equal(isSame, false)
    assert.equal(differing?.length, 1)
    // The count at the tip is stored separately and still correct. Only the sample detects the fault.
    assert.equal(coins?.index, coins?.node)
  })

  test('a deleted index is rebuilt correctly', async () => {
    const user = spawn(process.execPath, [
      '--eval',
      `import(${JSON.stringify(import.meta.resolve('./index-marker.ts'))}).then(({ enterIndex }) => {
         enterIndex(${JSON.stringify(path)}); console.log('entered'); setInterval(() => {}, 1000) })`,
    ])
    after(() => user.kill('SIGKILL'))
    await once(user.stdout, 'data')
    await assert.rejects(dropIndex(options), new RegExp(`in use by process ${user.pid}\\.`))
    assert.equal(existsSync(path), true)
    user.kill('SIGKILL')
    await once(user, 'exit')
    assert.equal(await dropIndex(options), path)
    assert.equal(existsSync(path), false)
    const writer = write()
    await reached(124)
    assert.equal((await verify())?.isSame, true)
    await writer.stop()
  })

  test('the writer waits for a node that reindexes, and disconnects nothing', async () => {
    const writer = write()
    await eventually(() => events.find(({ type }) => type === 'connected'))
    await daemon.stop()
    await eventually(() => events.find((event) => event.type === 'fault' && event.fault !== undefined))
    await daemon.start(['-reindex'])
    await eventually(async () => (await daemon.call<number>('getblockcount')) === 124 || undefined)
    await mine(1)
    await reached(125)
    await writer.stop()
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'followed' ? event.disconnected : [])),
      [],
    )
    assert.equal((await verify())?.isSame, true)
  })

  test('an index exported while its writer runs is imported for a second machine and continues there', async () => {
    await mine(1)
    const writer = write()
    await reached(126)
    const folder = temporaryFolder()
    const { key, tip } = await exportChain({ ...options, folder, version: '1.0.0' })
    await writer.stop()
    assert.equal(tip.height, 126)
    await mine(1)
    const second = { ...options, dataDir: temporaryFolder() }
    const imported = await importChain({ ...second, folder, key })
    assert.deepEqual([imported.tip, imported.comparedTo, imported.hasNextBlock], [tip, 126, true])
    events = []
    const continued = startIndexWriter(second, (event) => events.push(event))
    await reached(127)
    await continued.stop()
    const result = await verifyChain(second, { timing: systemTiming, randomBelow: seededRandom(7).below })
    assert.deepEqual([result?.height, result?.isSame], [127, true])
  })

  test('an export of a branch that the node has left is refused', async () => {
    const folder = temporaryFolder()
    const writer = write()
    await reached(127)
    const { key } = await exportChain({ ...options, folder, version: '1.0.0' })
    await writer.stop()
    await daemon.call('invalidateblock', await daemon.call('getblockhash', 120))
    await daemon.call('generatetoaddress', 9, other)
    await assert.rejects(importChain({ ...options, dataDir: temporaryFolder(), folder, key }), /on another branch/)
  })

  test('verifying against block files only is refused', async () => {
    const { chain, dataDir } = options
    await assert.rejects(
      verifyChain({ chain, dataDir, blocksDir: daemon.blocksFolder }, { timing: systemTiming, randomBelow: () => 0 }),
      /block files have no UTXO set/,
    )
  })

  test('an index of another network is refused with its genesis hash', async () => {
    const kv = openLmdbKv({ path: temporaryFolder() })
    openCoinIndex(kv, { ...litecoinRegtest, genesisHash: 'ab'.repeat(32) }, path)
    assert.throws(() => openCoinIndex(kv, litecoinRegtest, path), /genesis block of the index is (ab){32}/)
    await kv.close()
  })
})
