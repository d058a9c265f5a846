/**
 * Builds transactions that need no signatures, and linked blocks with correct merkle roots.
 *
 * Outputs pay to the hash of a script that anyone can satisfy (push a number, drop it, true), so every number gives a
 * distinct address. Blocks have no proof of work, because the parser does not check it.
 */
import type { Network } from '../../server/src/coins/networks/network.ts'
import { hashFromHex, headerHash, merkleRoot } from '../../server/src/coins/parse/block.ts'
import { sha256, sha256dInto } from '../../server/src/coins/parse/sha256.ts'

/** Returns the witness script: push of four bytes, OP_DROP, OP_TRUE. */
export function witnessScriptOf(nonce: number): Buffer {
  const script = Buffer.from([4, 0, 0, 0, 0, 0x75, 0x51])
  script.writeUInt32LE(nonce, 1)
  return script
}

/** Returns the P2WSH output script. */
export function outputScriptOf(nonce: number): Buffer {
  return Buffer.concat([Buffer.from([0x00, 0x20]), sha256(witnessScriptOf(nonce))])
}

export type BuiltInput = {
  readonly txid: Buffer
  readonly vout: number
  readonly script?: Buffer
  /** One item, or several. */
  readonly witness?: Buffer | readonly Buffer[]
}
export type BuiltOutput = { readonly value: number; readonly script: Buffer }
export type BuiltTx = { readonly bytes: Buffer; readonly txid: Buffer }

function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  if (value < 0x1_0000) return Buffer.from([0xfd, value & 0xff, value >> 8])
  const bytes = Buffer.from([0xfe, 0, 0, 0, 0])
  bytes.writeUInt32LE(value, 1)
  return bytes
}

// Grows with the longest transaction. Building never yields, so one buffer is enough.
let scratch = Buffer.allocUnsafe(1 << 16)

export function buildTx(inputs: readonly BuiltInput[], outputs: readonly BuiltOutput[], coinbase?: Buffer): BuiltTx {
  const hasWitness = inputs.some((input) => input.witness !== undefined)
  let need = 100
  for (const input of inputs) need += 50 + (input.script?.length ?? 0) + (coinbase?.length ?? 0)
  for (const output of outputs) need += 20 + output.script.length
  if (scratch.length < need * 2) scratch = Buffer.allocUnsafe(need * 2)
  const out = scratch
  let at = out.writeUInt32LE(2, 0)
  at += compactSize(inputs.length).copy(out, at)
  for (const input of inputs) {
    at += input.txid.copy(out, at)
    at = out.writeUInt32LE(input.vout, at)
    const script = coinbase ?? input.script ?? Buffer.alloc(0)
    at += compactSize(script.length).copy(out, at)
    at += script.copy(out, at)
    at = out.writeUInt32LE(0xffff_fffd, at)
  }
  at += compactSize(outputs.length).copy(out, at)
  for (const output of outputs) {
    at = out.writeUInt32LE(output.value % 0x1_0000_0000, at)
    at = out.writeUInt32LE(Math.floor(output.value / 0x1_0000_0000), at)
    at += compactSize(output.script.length).copy(out, at)
    at += output.script.copy(out, at)
  }
  const body = at
  at = out.writeUInt32LE(0, at)
  const txid = Buffer.allocUnsafe(32)
  sha256dInto(out, 0, at, txid, 0)
  if (!hasWitness) return { bytes: Buffer.from(out.subarray(0, at)), txid }
  const witness: Buffer[] = []
  for (const { witness: item } of inputs) {
    if (item === undefined) witness.push(Buffer.from([0]))
    else {
      const items = Buffer.isBuffer(item) ? [item] : item
      witness.push(compactSize(items.length), ...items.flatMap((each) => [compactSize(each.length), each]))
    }
  }
  const bytes = Buffer.concat([
    out.subarray(0, 4),
    Buffer.from([0, 1]),
    out.subarray(4, body),
    ...witness,
    out.subarray(body, at),
  ])
  return { bytes, txid }
}

const NULL_TXID = Buffer.alloc(32)

export function buildCoinbase(height: number, outputs: readonly BuiltOutput[], extra = 0): BuiltTx {
  const script = Buffer.from([4, 0, 0, 0, 0, 4, 0, 0, 0, 0])
  script.writeUInt32LE(height, 1)
  script.writeUInt32LE(extra, 6)
  return buildTx([{ txid: NULL_TXID, vout: 0xffff_ffff }], outputs, script)
}

export type BuiltBlock = { readonly bytes: Buffer; readonly hash: Buffer }

export function buildBlock(prevHash: Buffer, time: number, txs: readonly BuiltTx[]): BuiltBlock {
  const header = Buffer.alloc(80)
  header.writeUInt32LE(0x2000_0000, 0)
  prevHash.copy(header, 4)
  merkleRoot(Buffer.concat(txs.map((tx) => tx.txid)), txs.length).copy(header, 36)
  header.writeUInt32LE(time, 68)
  header.writeUInt32LE(0x207f_ffff, 72)
  const bytes = Buffer.concat([header, compactSize(txs.length), ...txs.map((tx) => tx.bytes)])
  return { bytes, hash: headerHash(bytes) }
}

const COMMITMENT = Buffer.from('6a24aa21a9ed', 'hex')
const RESERVED = Buffer.alloc(32)

const doubleHash = (...parts: readonly Buffer[]): Buffer => sha256(sha256(Buffer.concat(parts)))

/** A minimal push of the height, as BIP 34 requires it. */
function heightPush(height: number): Buffer {
  if (height <= 16) return Buffer.from([0x50 + height])
  const bytes: number[] = []
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0)
  return Buffer.from([bytes.length, ...bytes])
}

/** A block with everything that Core checks except scripts: height, witness commitment and regtest's proof of work. */
export function buildValidBlock(
  prevHash: Buffer,
  time: number,
  content: { readonly height: number; readonly rewards: readonly BuiltOutput[]; readonly txs: readonly BuiltTx[] },
): BuiltBlock & { readonly coinbase: BuiltTx } {
  const { height, rewards, txs } = content
  // The witness id of the coinbase counts as zero.
  const witnessIds = [NULL_TXID, ...txs.map(({ bytes }) => doubleHash(bytes))]
  const root = merkleRoot(Buffer.concat(witnessIds), witnessIds.length)
  const commitment = { value: 0, script: Buffer.concat([COMMITMENT, doubleHash(root, RESERVED)]) }
  const input = { txid: NULL_TXID, vout: 0xffff_ffff, witness: RESERVED }
  const coinbase = buildTx(
    [input],
    [...rewards, commitment],
    Buffer.concat([heightPush(height), Buffer.alloc(2, 0x51)]),
  )
  const { bytes } = buildBlock(prevHash, time, [coinbase, ...txs])
  for (let nonce = 0; ; nonce++) {
    bytes.writeUInt32LE(nonce, 76)
    const hash = headerHash(bytes)
    if ((hash.at(-1) ?? 0) < 0x80) return { bytes, hash, coinbase }
  }
}

/** Returns the genesis block of Bitcoin regtest. */
export function regtestGenesis(network: Network): BuiltBlock {
  const coinbase = Buffer.from(
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
    'hex',
  )
  const header = Buffer.from(
    '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000',
    'hex',
  )
  const bytes = Buffer.concat([header, Buffer.from([1]), coinbase])
  const hash = headerHash(bytes)
  if (!hash.equals(hashFromHex(network.genesisHash))) throw new Error('the network is not Bitcoin regtest')
  return { bytes, hash }
}
