import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { recordedBlocks, recordedOracle, staleBranch } from '../../../../testing/coins/fixtures.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { bitcoinMain, bitcoinRegtest } from '../networks/bitcoin.ts'
import { litecoinRegtest } from '../networks/litecoin.ts'
import { hashHex, parseBlock } from '../parse/block.ts'
import { detectBlockFiles, openBlockFiles } from './block-files.ts'
import { BlockFilesError } from './node-errors.ts'

const root = mkdtempSync(join(tmpdir(), 'gatewatch-blocks-'))
after(() => rmSync(root, { recursive: true, force: true }))
let count = 0

const blocks = recordedBlocks()
const oracle = recordedOracle()

function frame(block: Buffer): Buffer {
  const head = Buffer.from('fabfb5da00000000', 'hex')
  head.writeUInt32LE(block.length, 4)
  return Buffer.concat([head, block])
}

/** Writes block files, obfuscated if a mask is given. */
function writeFolder(files: readonly Buffer[], mask?: Buffer): string {
  const folder = join(root, String(count++))
  mkdirSync(folder)
  if (mask !== undefined) writeFileSync(join(folder, 'xor.dat'), mask)
  for (const [i, bytes] of files.entries()) {
    const masked = Buffer.from(bytes)
    if (mask !== undefined) for (const [at, byte] of masked.entries()) masked[at] = byte ^ (mask[at % 8] ?? 0)
    writeFileSync(join(folder, `blk${String(i).padStart(5, '0')}.dat`), masked)
  }
  return folder
}

async function assertComplete(folder: string): Promise<void> {
  const files = await openBlockFiles(bitcoinRegtest, folder)
  assert.deepEqual(await files.getTip(), { height: oracle.tip, hash: oracle.tipHash })
  for (const height of [0, 1, 200, oracle.tip]) {
    const hash = (await files.findHash(height)) ?? ''
    assert.deepEqual(await files.getBlock(hash), blocks[height])
  }
  assert.equal(await files.findHash(oracle.tip + 1), undefined)
  await files.close()
}

const framed = blocks.map(frame)

test('files with blocks in order', () => assertComplete(writeFolder([Buffer.concat(framed)])))

test('files obfuscated as by Core 28 and later', () =>
  assertComplete(
    writeFolder(
      [Buffer.concat(framed.slice(0, 300)), Buffer.concat(framed.slice(300))],
      Buffer.from('0123456789abcdef', 'hex'),
    ),
  ))

test('a mask of zeros means no obfuscation', () =>
  assertComplete(writeFolder([Buffer.concat(framed)], Buffer.alloc(8))))

test('files with blocks out of order, stale blocks, zeros and garbage', async () => {
  const random = seededRandom(5)
  const stale = staleBranch().blocks.map(({ hex }) => frame(Buffer.from(hex, 'hex')))
  const parts = [...framed, ...stale, Buffer.alloc(5000), Buffer.from('garbage'), Buffer.from('fabfb5da', 'hex')]
  for (let i = parts.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const [a, b] = [parts[i], parts[j]]
    if (a !== undefined && b !== undefined) [parts[i], parts[j]] = [b, a]
  }
  const half = Math.floor(parts.length / 2)
  await assertComplete(
    writeFolder([Buffer.concat([...parts.slice(0, half), Buffer.alloc(1 << 20)]), Buffer.concat(parts.slice(half))]),
  )
})

test('a partly written block is read after it is complete', async () => {
  const folder = writeFolder([Buffer.concat(framed.slice(0, 515))])
  const last = framed[515] ?? Buffer.alloc(0)
  const path = join(folder, 'blk00000.dat')
  const size = Buffer.concat(framed.slice(0, 515)).length
  appendFileSync(path, last.subarray(0, 50))
  const files = await openBlockFiles(bitcoinRegtest, folder)
  assert.equal((await files.getTip()).height, 514)
  truncateSync(path, size)
  appendFileSync(path, last)
  await files.refresh()
  assert.deepEqual(await files.getTip(), { height: 515, hash: oracle.tipHash })
  await files.close()
})

/** Counts Map lookups during an action. */
async function countLookups(action: () => Promise<void>): Promise<number> {
  const { mock: counted } = mock.method(Map.prototype, 'get')
  await action()
  counted.restore()
  return counted.callCount()
}

test('a refresh costs in proportion to the appended blocks, not to the chain', async () => {
  const folder = writeFolder([Buffer.concat(framed.slice(0, 500))])
  const files = await openBlockFiles(bitcoinRegtest, folder)
  assert.ok((await countLookups(files.refresh)) < 10)
  for (let height = 500; height <= 515; height++) {
    appendFileSync(join(folder, 'blk00000.dat'), framed[height] ?? '')
    assert.ok((await countLookups(files.refresh)) < 20, `block ${height}`)
    assert.equal((await files.getTip()).height, height)
  }
  assert.equal((await files.getTip()).hash, oracle.tipHash)
  await files.close()
})

test('after blocks of many files were read, at most 16 of the files are open', async (t) => {
  const folder = writeFolder(framed)
  const files = await openBlockFiles(bitcoinRegtest, folder)
  const hashes = await Promise.all(blocks.map((_, height) => files.findHash(height)))
  const read = await Promise.all(hashes.map((hash) => files.getBlock(hash ?? '')))
  assert.deepEqual(read, blocks)
  if (existsSync('/proc/self/fd')) assert.ok(openIn(folder) <= 16)
  else t.diagnostic('open files cannot be counted on this system')
  await files.close()
  if (existsSync('/proc/self/fd')) assert.equal(openIn(folder), 0)
})

function openIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false
    }
  }).length
}

test('transactions are cut out of their blocks', async () => {
  const files = await openBlockFiles(bitcoinRegtest, writeFolder([Buffer.concat(framed)]))
  const block = parseBlock(blocks[510] ?? Buffer.alloc(0), { mweb: false })
  const refs = block.txs.start.map((offset, i) => ({
    txid: hashHex(block.txids.subarray(i * 32, i * 32 + 32)),
    blockHash: hashHex(block.hash),
    offset,
    size: (block.txs.end[i] ?? 0) - offset,
  }))
  const txs = await files.getTxs(refs)
  assert.deepEqual(
    txs,
    refs.map(({ offset, size }) => block.bytes.subarray(offset, offset + size)),
  )
  await files.close()
})

test('the network is detected from the files, and an empty folder or one of another chain is refused', async () => {
  const folder = writeFolder([Buffer.concat(framed)], Buffer.from('0123456789abcdef', 'hex'))
  const { network, files } = await detectBlockFiles('btc', folder)
  assert.equal(network.name, 'regtest')
  await files.close()
  await assert.rejects(detectBlockFiles('ltc', folder), BlockFilesError)
  await assert.rejects(openBlockFiles(litecoinRegtest, folder), /genesis block of Litecoin regtest/)
  await assert.rejects(openBlockFiles(bitcoinMain, folder), BlockFilesError)
  await assert.rejects(openBlockFiles(bitcoinRegtest, writeFolder([])), /no blk/)
  await assert.rejects(openBlockFiles(bitcoinRegtest, join(root, 'missing')), BlockFilesError)
})
