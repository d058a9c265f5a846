import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mainnetBlock,
  readHex,
  readJson,
  recordedBlocks,
  recordedOracle,
  staleBranch,
} from '../../../../testing/coins/fixtures.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { litecoinRegtest } from '../networks/litecoin.ts'
import { describeScript } from './address.ts'
import { hashHex, merkleRoot, parseBlock } from './block.ts'

import { ParseError } from './parse-error.ts'
import { sha256d } from './sha256.ts'
import { decodeTransaction, parseTransaction } from './transaction.ts'

const bitcoin = { mweb: false }
const litecoin = { mweb: true }

test('the recorded chain links from its genesis to its tip', () => {
  const oracle = recordedOracle()
  const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, bitcoin))
  assert.equal(hashHex(blocks[0]?.hash ?? Buffer.alloc(0)), bitcoinRegtest.genesisHash)
  for (const [height, block] of blocks.entries()) {
    const before = blocks[height - 1]
    if (before !== undefined) assert.deepEqual(block.prevHash, before.hash)
  }
  assert.equal(hashHex(blocks.at(-1)?.hash ?? Buffer.alloc(0)), oracle.tipHash)
  // Like the UTXO set, the oracle does not count the genesis coinbase.
  const transactions = blocks.reduce((sum, block) => sum + block.txs.count, 0)
  assert.ok(transactions === oracle.transactions || transactions === oracle.transactions + 1)
})

test("blocks of the stale branch have the node's hashes", () => {
  for (const { hash, hex } of staleBranch().blocks) {
    assert.equal(hashHex(parseBlock(Buffer.from(hex, 'hex'), bitcoin).hash), hash)
  }
})

type CoreTx = {
  readonly txid: string
  readonly hash: string
  readonly version: number
  readonly size: number
  readonly vsize: number
  readonly weight: number
  readonly locktime: number
  readonly hex: string
  readonly vin: readonly {
    readonly txid?: string
    readonly vout?: number
    readonly sequence: number
    readonly txinwitness?: readonly string[]
    readonly scriptSig?: { readonly hex: string }
  }[]
  readonly vout: readonly {
    readonly value: number
    readonly scriptPubKey: { readonly hex: string; readonly address?: string; readonly addresses?: readonly string[] }
  }[]
}

function assertSameTx(bytes: Buffer, core: CoreTx, network: typeof bitcoinRegtest): void {
  const tx = parseTransaction(bytes, { mweb: network.mweb !== undefined })
  assert.deepEqual(
    [tx.txid, tx.wtxid, tx.version, tx.size, tx.vsize, tx.weight, tx.lockTime],
    [core.txid, core.hash, core.version, core.size, core.vsize, core.weight, core.locktime],
  )
  assert.equal(tx.inputs.length, core.vin.length)
  for (const [i, input] of tx.inputs.entries()) {
    const expected = core.vin[i]
    assert.deepEqual([input.prevout?.txid, input.prevout?.vout], [expected?.txid, expected?.vout])
    assert.equal(input.sequence, expected?.sequence)
    assert.deepEqual(
      input.witness.map((item) => item.toString('hex')),
      expected?.txinwitness ?? [],
    )
  }
  for (const [i, output] of tx.outputs.entries()) {
    const expected = core.vout[i]
    assert.equal(output.value, Math.round((expected?.value ?? 0) * 1e8))
    assert.equal(output.script.toString('hex'), expected?.scriptPubKey.hex)
    const single = expected?.scriptPubKey.addresses?.length === 1 ? expected.scriptPubKey.addresses[0] : undefined
    assert.equal(describeScript(network, output.script).address, expected?.scriptPubKey.address ?? single ?? null)
  }
}

test('sample transactions decode as in Core', () => {
  for (const core of readJson<readonly CoreTx[]>('btc-regtest', 'tx-samples.json')) {
    assertSameTx(Buffer.from(core.hex, 'hex'), core, bitcoinRegtest)
  }
})

test("unconfirmed transactions have Core's ids and sizes", () => {
  type Entry = { readonly vsize: number; readonly weight: number; readonly wtxid: string }
  const entries = readJson<readonly { txid: string; hex: string; entry: Entry }[]>('btc-regtest', 'mempool.json')
  for (const { txid, hex, entry } of entries) {
    const tx = parseTransaction(Buffer.from(hex, 'hex'), bitcoin)
    assert.deepEqual([tx.txid, tx.wtxid, tx.vsize, tx.weight], [txid, entry.wtxid, entry.vsize, entry.weight])
  }
})

type CoreBlock = {
  readonly hash: string
  readonly size: number
  readonly strippedsize: number
  readonly weight: number
  readonly tx: readonly CoreTx[]
}

for (const name of ['ltc_mweb_block', 'ltc_mweb_pegout_block']) {
  test(`${name}: HogEx and extension block are separated from the canonical part`, () => {
    const core = readJson<CoreBlock>('ltc-regtest', `${name}.json`)
    const block = parseBlock(readHex('ltc-regtest', `${name}.hex`), litecoin)
    assert.equal(hashHex(block.hash), core.hash)
    assert.deepEqual(
      [block.bytes.length, block.strippedSize, block.weight],
      [core.size, core.strippedsize, core.weight],
    )
    assert.equal(block.hogEx, core.tx.length - 1)
    for (const [i, tx] of core.tx.entries()) {
      assert.equal(decodeTransaction(block.txs, i).txid, tx.txid)
      assertSameTx(Buffer.from(tx.hex, 'hex'), tx, litecoinRegtest)
    }
  })

  test(`${name}: without extension data (rpcserialversion=1) it is the same block`, () => {
    const full = parseBlock(readHex('ltc-regtest', `${name}.hex`), litecoin)
    const last = full.hogEx
    const start = full.txs.start[last] ?? 0
    const end = full.txs.end[last] ?? 0
    const { bytes } = full
    // The HogEx without marker, flag and absence mark, and no extension block after it.
    const stripped = Buffer.concat([
      bytes.subarray(0, start + 4),
      bytes.subarray(start + 6, end - 5),
      bytes.subarray(end - 4, end),
    ])
    const block = parseBlock(stripped, litecoin)
    assert.deepEqual(block.hash, full.hash)
    assert.deepEqual(block.txids, full.txids)
    assert.deepEqual([block.hogEx, block.weight], [full.hogEx, full.weight])
  })

  test(`${name}: is not a valid Bitcoin block`, () => {
    assert.throws(() => parseBlock(readHex('ltc-regtest', `${name}.hex`), bitcoin), ParseError)
  })
}

test('extension data in a mempool transaction does not change its ids and weight', () => {
  // A peg-in as a node relays it: flag 8, mark 1, arbitrary data, lock time.
  const plain = Buffer.from(readJson<readonly CoreTx[]>('btc-regtest', 'tx-samples.json')[0]?.hex ?? '', 'hex')
  const canonical = parseTransaction(plain, litecoin)
  const withPayload = Buffer.concat([
    plain.subarray(0, 5),
    Buffer.from([0x09]),
    plain.subarray(6, -4),
    Buffer.from([0x01]),
    Buffer.alloc(700, 0xab),
    plain.subarray(-4),
  ])
  const tx = parseTransaction(withPayload, litecoin)
  assert.deepEqual([tx.txid, tx.wtxid, tx.weight], [canonical.txid, canonical.wtxid, canonical.weight])
  assert.equal(tx.mweb, true)
  assert.throws(() => parseTransaction(withPayload, bitcoin), /unknown flag 9/)
})

test('a transaction that is wholly in the extension block has no inputs and no outputs', () => {
  const stripped = Buffer.from('02000000000000000000', 'hex')
  assert.deepEqual(parseTransaction(stripped, litecoin).inputs, [])
  assert.throws(() => parseTransaction(stripped, bitcoin), ParseError)
})

test('a block that repeats its last transactions is refused although its root matches (CVE-2012-2459)', () => {
  const ids = Buffer.concat([1, 2, 3].map((n) => sha256d(Buffer.from([n]))))
  const repeated = Buffer.concat([ids, ids.subarray(64, 96)])
  assert.ok(merkleRoot(ids, 3).length === 32)
  assert.throws(() => merkleRoot(repeated, 4), /repeats a transaction/)
})

test('a wrong merkle root, a truncated block and trailing bytes are distinct errors', () => {
  const bytes = Buffer.from(recordedBlocks()[200] ?? Buffer.alloc(0))
  assert.throws(() => parseBlock(bytes.subarray(0, -1), bitcoin), /missing/)
  assert.throws(() => parseBlock(Buffer.concat([bytes, Buffer.from([0])]), bitcoin), /1 bytes after the last/)
  bytes[40] = (bytes[40] ?? 0) ^ 1
  assert.throws(() => parseBlock(bytes, bitcoin), /merkle root does not match/)
})

const mainnet = mainnetBlock()
test('a real mainnet block parses and matches its merkle root', {
  skip: mainnet === undefined && 'block413567.raw is not in ../shared/vectors/btc-mainnet',
}, () => {
  const block = parseBlock(mainnet ?? Buffer.alloc(0), bitcoin)
  assert.equal(hashHex(block.hash), '0000000000000000025aff8be8a55df8f89c77296db6198f272d6577325d4069')
  assert.deepEqual([block.txs.count, block.txs.outpoint.length, block.txs.value.length], [1557, 4887, 3581])
})
