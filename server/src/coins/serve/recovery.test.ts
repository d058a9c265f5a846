/** Faults of a node, and what is served and reported until it works again. With a fake node. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildBlock, buildCoinbase, outputScriptOf } from '../../../../testing/coins/block-builder.ts'
import { type FakeFault, startFakeCore } from '../../../../testing/coins/fake-core.ts'
import { recordedBlocks, recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedMempool } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { systemTiming } from '../../lib/clock.ts'
import type { LoopFault } from '../../lib/supervise.ts'
import { indexPath, runIndexWriter } from '../index/index-writer.ts'
import { withSnapshot } from '../index/kv.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import { metaKeys } from '../index/layout.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { parseBlock } from '../parse/block.ts'
import { type ChainServiceOptions, startChainService } from './chain-service.ts'
import { isSynced } from './served-chain.ts'

const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, { mweb: false }))

type WorldOptions = Partial<ChainServiceOptions> & {
  readonly height?: number
  /** A fault from the start. The world is not synced then. */
  readonly fault?: FakeFault
}

/** A fake node with its index writer and chain service, synced. */
async function start({ height = 30, fault, ...options }: WorldOptions = {}) {
  const core = await startFakeCore()
  core.chain = blocks.slice(0, height + 1)
  core.fault = fault
  const source = { chain: 'btc', rpcUrl: core.url, dataDir: temporaryFolder(), pollMs: 20, ...options } as const
  const stopping = new AbortController()
  const faults: { writer: LoopFault | undefined } = { writer: undefined }
  const sources: string[] = []
  const onEvent: Parameters<typeof runIndexWriter>[1]['onEvent'] = (event) => {
    if (event.type === 'fault' && event.loop === 'writer') faults.writer = event.fault
    if (event.type === 'connected') sources.push(event.source)
  }
  const writing = runIndexWriter(source, { timing: systemTiming, signal: stopping.signal, onEvent })
  const service = startChainService({ readOnly: true, ...source })
  after(async () => {
    await core.stop()
    await service.stop()
    stopping.abort()
    await writing
  })
  const isServed = (): boolean => {
    const chain = service.find()
    return chain !== undefined && isSynced(chain)
  }
  const world = {
    core,
    service,
    faults,
    /** The node at each connection of the writer. */
    sources,
    isServed,
    dataDir: source.dataDir,
    /** Waits until all loops work and the chain is served. */
    recovered: () =>
      eventually(() => {
        const down = [faults.writer, service.findFault('reader'), service.findFault('mempool')]
        return down.every((each) => each === undefined) && isServed() ? true : undefined
      }),
  }
  if (fault === undefined) await world.recovered()
  return world
}

const FAULTS: readonly (readonly [name: string, fault: FakeFault, code: string])[] = [
  ['a wrong password', { status: 401 }, 'node_refused'],
  ['a forbidden address', { status: 403 }, 'node_refused'],
  ['an internal RPC error', { code: -32_603, message: 'oops' }, 'node_rpc_error'],
  ['any other RPC error', { code: -1, message: 'Work in progress' }, 'node_rpc_error'],
  ['a node that starts', { code: -28, message: 'Loading block index…' }, 'node_rpc_error'],
  ['text instead of JSON', { status: 500, body: '<html>' }, 'node_unreachable'],
  ['results of another shape', { result: { blocks: 'many' } }, 'node_response_invalid'],
]

test('every fault of a node is reported with its reason and time, and ends when the node works again', async () => {
  const { core, service, faults, recovered } = await start()
  for (const [name, fault, code] of FAULTS) {
    const began = Date.now()
    core.fault = fault
    // A slow machine may first report a call of the time before the fault.
    const find = (fault: LoopFault | undefined) => (fault?.code === code ? fault : undefined)
    const reader = await eventually(() => find(service.findFault('reader')))
    const writer = await eventually(() => find(faults.writer))
    for (const { since, reason } of [reader, writer]) {
      assert.ok(since >= began && since <= Date.now(), name)
      assert.doesNotMatch(reason, /secret|someone/)
    }
    core.fault = undefined
    await recovered()
  }
})

test('a node that is faulty from the start is used as soon as it works', async () => {
  const { core, service, faults, recovered } = await start({ fault: { status: 401 } })
  await service.firstAttempt
  await eventually(() => faults.writer)
  assert.equal(service.find(), undefined)
  core.fault = undefined
  await recovered()
})

test('the last state of a node that hangs is served for the allowed time, and not longer', async () => {
  const { core, service, isServed, recovered } = await start({
    serveWithoutNodeMs: 2_000,
    heartbeatMs: 100,
    timeoutMs: 500,
  })
  core.fault = 'hangs'
  await eventually(() => service.findFault('reader'))
  await eventually(() => !isServed() || undefined)
  assert.equal(service.find(), undefined)
  core.fault = undefined
  await recovered()
})

test('an unexpected error of the writer is reported and retried, and the writer continues after it', async () => {
  const { core, faults, dataDir, recovered } = await start()
  const path = indexPath(dataDir, bitcoinRegtest)
  const kv = openLmdbKv({ path })
  after(() => kv.close()) // not before: in one process LMDB closes the index for the writer too
  const intact = withSnapshot(kv, (reader) => Buffer.from(reader.get('meta', metaKeys.tip) ?? assert.fail()))
  // Reading the tip throws a RangeError, which is no error that the code expects.
  kv.write((writer) => writer.put('meta', metaKeys.tip, Buffer.alloc(1)))
  core.chain = blocks.slice(0, 34)
  const fault = await eventually(() => faults.writer)
  assert.equal(fault.code, 'internal_error')
  kv.write((writer) => writer.put('meta', metaKeys.tip, intact))
  await recovered()
})

test('version and features of a node are read again after a restart that no call noticed', async () => {
  const { core, service, sources } = await start({ heartbeatMs: 50 })
  assert.deepEqual([service.find()?.sourceName, sources], ['Fake', ['Fake']])
  core.version = '/Newer/'
  core.restart()
  await eventually(() => service.find()?.sourceName === 'Newer' || undefined)
  await eventually(() => sources.at(-1) === 'Newer' || undefined)
})

test('a mempool that cannot be read does not keep confirmed data from being served', async () => {
  const { core, service, isServed, recovered } = await start({ serveWithoutNodeMs: 500 })
  core.mempool = recordedMempool().slice(0, 1)
  core.fault = { result: 'ffff', method: 'getrawtransaction' }
  const fault = await eventually(() => service.findFault('mempool'))
  assert.equal(service.findFault('reader'), undefined)
  assert.ok(fault.reason.length > 0)
  core.chain = blocks.slice(0, 35)
  await eventually(() => {
    const chain = service.find()
    return chain !== undefined && isServed() && chain.state().tip?.height === 34 ? chain : undefined
  })
  core.mempool = []
  core.fault = undefined
  await recovered()
})

test('a pruned node: its reason is reported, a new index waits, and a request gets 503', async () => {
  const pruned = { code: -1, message: 'Block not available (pruned data)', method: 'getblock' }
  const fresh = await start({ fault: pruned })
  const fault = await eventually(() => fresh.faults.writer)
  assert.equal(fault.code, 'node_lacks_block')
  assert.match(fault.reason, /block [0-9a-f]{64} is pruned: .*prune=0/)
  fresh.core.fault = undefined
  await fresh.recovered()

  const { core, service } = await start({ height: 200 })
  core.fault = pruned
  const { app, key } = await startV2App({ plan: () => 'pro', btc: service.find })
  const { txid = '' } = recordedOracle().addresses.flatMap(({ utxos }) => utxos)[0] ?? {}
  const chain = service.find()
  assert.ok(chain !== undefined)
  const block = await app.inject({ url: '/api/v2/block/5?txids=true', headers: { 'x-api-key': key } })
  const [first = txid] = block.json<{ data: { txids: string[] } }>().data.txids
  const response = await app.inject({ url: `/api/v2/tx/${first}`, headers: { 'x-api-key': key } })
  assert.equal(response.statusCode, 503)
  assert.deepEqual(response.json(), {
    success: false,
    error: 'The node of this chain is pruned: it has deleted the block that contains this data.',
    code: 'UNAVAILABLE',
  })
})

test('a node that downloads another chain is reported, and the index keeps its blocks', async () => {
  const { core, faults, recovered } = await start()
  const other = [blocks[0] ?? assert.fail()].map(({ hash, bytes }) => ({ hash, bytes }))
  for (let height = 1; height <= 5; height++) {
    const coinbase = buildCoinbase(height, [{ value: 5_000, script: outputScriptOf(height) }])
    other.push(buildBlock(other.at(-1)?.hash ?? Buffer.alloc(32), 1_700_000_000 + height, [coinbase]))
  }
  // The writer waits while the node changes, so that it does not see one half of the change.
  core.fault = { status: 401 }
  await eventually(() => faults.writer)
  core.isDownloading = true
  core.chain = other
  core.fault = undefined
  const fault = await eventually(() => (faults.writer?.code === 'node_refused' ? undefined : faults.writer))
  assert.equal(fault.code, 'other_chain')
  assert.match(fault.reason, /downloading another chain .* height 5 .*reindex btc/)
  core.chain = blocks.slice(0, 10)
  await eventually(() => faults.writer === undefined || undefined)
  core.isDownloading = false
  core.chain = blocks.slice(0, 32)
  await recovered()
})
