import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  buildTx,
  outputScriptOf,
  regtestGenesis,
} from '../../../../testing/coins/block-builder.ts'
import { logicalRows } from '../../../../testing/coins/index-digest.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { simNetwork } from '../../../../testing/coins/random-chains.ts'
import { assertEnd, openSimIndex, simulateIndex } from '../../../../testing/sim/index.sim.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { type Block, parseBlock } from '../parse/block.ts'
import { connectBlocks, disconnectBlocks } from './coin-index.ts'
import { withSnapshot } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { findCoin } from './lookup.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-chains-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('20 random chains with reorganizations agree with a simple model at every step', async () => {
  for (let seed = 1; seed <= 20; seed++) await simulateIndex(seed, { crashes: false })
})

test('75 random chains with reorganizations and crashes at random operations end in the rows of a fresh build', async () => {
  for (let seed = 1001; seed <= 1075; seed++) await simulateIndex(seed)
})

test('10 random chains with reorganizations and crashes, on disk', async () => {
  for (let seed = 2001; seed <= 2010; seed++) {
    const kv = openLmdbKv({ path: join(folder, String(seed)), noSync: true })
    await simulateIndex(seed, { kv })
    await kv.close()
  }
})

/** Runs a writer in a process and kills it at its `killAt`-th commit. */
function runKilledWriter(path: string, seed: number, killAt: number): Promise<'finished' | 'killed'> {
  const script = join(import.meta.dirname, '../../../../testing/coins/killed-writer.ts')
  const child: ChildProcess = fork(script, [path, String(seed)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let commits = 0
  child.on('message', () => {
    if (++commits === killAt) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed')
      else if (code === 0) resolve('finished')
      else reject(new Error(`the child ended with ${code}`))
    })
  })
}

test('4 writer processes that are killed repeatedly end in the rows of a fresh build', async () => {
  let totalKills = 0
  for (let seed = 3001; seed <= 3004; seed++) {
    const random = seededRandom(seed)
    const path = join(folder, `killed-${seed}`)
    let kills = 0
    while ((await runKilledWriter(path, seed, kills < 4 ? 1 + random.below(30) : -1)) === 'killed') kills++
    totalKills += kills
    const kv = openLmdbKv({ path, readOnly: true })
    assertEnd(kv, seed)
    await kv.close()
  }
  // A process may finish before the signal arrives.
  assert.ok(totalKills >= 4)
})

test('txids that share a prefix keep their coins separate, connecting and disconnecting', () => {
  const index = openSimIndex(openMemoryKv())
  const rows = (): string[] => withSnapshot(index.kv, (reader) => [...logicalRows(reader)])
  const values = (): string[] =>
    withSnapshot(index.kv, (reader) => Array.from(reader.range('coins', {}), ({ value }) => value.toString('hex')))
  const collidingTxid = (last: number): Buffer => Buffer.concat([Buffer.alloc(31, 0xab), Buffer.from([last])])
  const parse = (bytes: Buffer): Block => parseBlock(bytes, { mweb: false })
  /** Such txids are infeasible to compute here, so they are set in parsed blocks. */
  const withTxid = (block: Block, last: number): Block => ({
    ...block,
    txids: Buffer.concat([collidingTxid(last), block.txids.subarray(32)]),
  })
  const coinbase = (height: number, value: number): BuiltTx =>
    buildCoinbase(height, [{ value, script: outputScriptOf(height) }])

  const genesis = regtestGenesis(simNetwork)
  connectBlocks(index, [parse(genesis.bytes)])
  const one = buildBlock(genesis.hash, 1, [coinbase(1, 111)])
  const two = buildBlock(one.hash, 2, [coinbase(2, 222)])
  const spend = buildTx([{ txid: collidingTxid(1), vout: 0 }], [{ value: 100, script: outputScriptOf(3) }])
  const three = buildBlock(two.hash, 3, [coinbase(3, 333), spend])
  const states = [rows()]
  const blocks = [withTxid(parse(one.bytes), 1), withTxid(parse(two.bytes), 2), parse(three.bytes)]
  for (const block of blocks) {
    connectBlocks(index, [block])
    states.push(rows())
  }
  const [, alone, both] = [1, 2, 3].map((height) => {
    disconnectBlocks(index, 3 - height)
    assert.deepEqual(rows(), states[3 - height])
    return values()
  })
  assert.deepEqual([both?.length, alone?.length], [0, 1])
  connectBlocks(index, blocks)
  assert.deepEqual(rows(), states[3])
  withSnapshot(index.kv, (reader) => {
    const left = findCoin(reader, collidingTxid(2), 0)
    assert.equal(left?.value, 222)
    assert.equal(findCoin(reader, collidingTxid(1), 0), undefined)
  })
})
