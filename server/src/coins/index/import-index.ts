/**
 * Imports an exported index, so that a machine needs no initial sync.
 *
 * The signature proves who made the export. The blocks are compared with the node one by one, up to the node's tip: the
 * headers must form a chain, and the node must have the same hash at every height. A node that started from a UTXO
 * snapshot also has all hashes; it only lacks the bytes of old blocks.
 *
 * Every file is one commit that also records how many files are done, so an interrupted import continues. The index gets
 * its place in the data directory when it is complete.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { reasonOf } from '../../lib/errors.ts'
import type { Network } from '../networks/network.ts'
import type { BlockSource } from '../node/block-source.ts'
import { BlockUnavailableError } from '../node/node-errors.ts'
import { hashHex } from '../parse/block.ts'
import { sha256d } from '../parse/sha256.ts'
import { findBlockRow, findTip, openCoinIndexToRead } from './coin-index.ts'
import { type ExportManifest, type ExportPart, ExportUnusableError, partName, sha256Hex } from './export-manifest.ts'
import { IndexInUseError } from './index-errors.ts'
import { enterIndex, findIndexUsers, markIndex } from './index-marker.ts'
import { type Kv, type KvRow, type KvWriter, withSnapshot, withSnapshotAsync } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { FORMAT_VERSION } from './layout.ts'
import { RowReader } from './row-bytes.ts'

/** Meta key, while the import runs: the id of the manifest and the number of imported files. */
const IMPORTED = Buffer.from('imported')
/** Block hashes that are requested at the same time. */
const CONCURRENCY = 64

export type ImportOptions = {
  readonly folder: string
  readonly manifest: ExportManifest
  /** The SHA-256 of the manifest. */
  readonly id: string
  /** Where the index is stored, and where it is built until it is complete: on the same disk. */
  readonly path: string
  readonly staging: string
  readonly network: Network
  readonly source: BlockSource
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
}

export type ImportProgress = { readonly step: 'files' | 'blocks'; readonly done: number; readonly total: number }

export type Imported = {
  readonly tip: ExportManifest['tip']
  /** The last block that was compared with the node. */
  readonly comparedTo: number
  /** Files that an earlier, interrupted import had imported. */
  readonly resumedAfter: number
  /** Whether the node has the bytes of the block after the index's tip. True if there is no such block yet. */
  readonly hasNextBlock: boolean
}

export async function importIndex(options: ImportOptions): Promise<Imported> {
  const { path, staging, manifest, network } = options
  checkManifest(manifest, network)
  checkAbsent(path, network)
  await checkTip(options)
  const users = findIndexUsers(staging)
  if (users.length > 0) throw new IndexInUseError(network.chain, users)
  const { kv, done: resumedAfter } = await openStaging(options)
  const leave = enterIndex(staging)
  let comparedTo: number
  try {
    comparedTo = await importParts(kv, options, resumedAfter)
    checkComplete(kv, options)
  } finally {
    await kv.close()
    leave()
  }
  const hasNextBlock = await findNextBlock(options)
  markIndex(staging)
  checkAbsent(path, network)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  renameSync(staging, path)
  return { tip: manifest.tip, comparedTo, resumedAfter, hasNextBlock }
}

function checkManifest({ indexFormat, chain, network, genesis }: ExportManifest, own: Network): void {
  if (indexFormat !== FORMAT_VERSION)
    throw new ExportUnusableError(`The export has index format ${indexFormat}, this version needs ${FORMAT_VERSION}.`)
  if (genesis !== own.genesisHash)
    throw new ExportUnusableError(`The export is of ${chain} ${network}, the node runs ${own.chain} ${own.name}.`)
}

function checkAbsent(path: string, { chain }: Network): void {
  if (existsSync(path))
    throw new ExportUnusableError(
      `There is a ${chain} index at ${path}. To replace it, stop the service and run gatewatch reindex ${chain} first.`,
    )
}

/** Compares the highest common block before anything is imported. */
async function checkTip({ source, manifest: { tip } }: ImportOptions): Promise<void> {
  const own = await source.findHash(tip.height)
  if (own !== undefined && own !== tip.hash)
    throw new ExportUnusableError(
      `The export ends at block ${tip.height} with hash ${tip.hash}, where the node has ${own}. One of them is on another branch: export again, or check the node.`,
    )
}

/** Opens the store of an unfinished import of the same manifest, or an empty one. */
async function openStaging({ staging, id }: ImportOptions): Promise<{ readonly kv: Kv; readonly done: number }> {
  mkdirSync(dirname(staging), { recursive: true, mode: 0o700 })
  const kv = openLmdbKv({ path: staging })
  const state = withSnapshot(kv, (reader) => reader.get('meta', IMPORTED))
  if (state === undefined || state.subarray(0, 32).toString('hex') === id)
    return { kv, done: state?.readUInt32BE(32) ?? 0 }
  await kv.close()
  rmSync(staging, { recursive: true, force: true })
  return { kv: openLmdbKv({ path: staging }), done: 0 }
}

/** Imports the files from number `done` on. Returns the last block that was compared with the node. */
async function importParts(kv: Kv, options: ImportOptions, done: number): Promise<number> {
  const { manifest, id, folder, signal, onProgress } = options
  const { parts } = manifest
  const blockParts = parts.filter(({ table }) => table === 'blocks').length
  let comparedTo = done >= blockParts ? await compareBlocks(kv, options) : -1
  for (const [i, part] of parts.entries()) {
    if (i < done) continue
    signal?.throwIfAborted()
    const bytes = readPart(folder, part)
    const state = Buffer.alloc(36)
    state.write(id, 'hex')
    state.writeUInt32BE(i + 1, 32)
    kv.write((writer) => {
      putRows(writer, part, bytes)
      writer.put('meta', IMPORTED, state)
    })
    onProgress?.({ step: 'files', done: i + 1, total: parts.length })
    if (i + 1 === blockParts) comparedTo = await compareBlocks(kv, options)
    // Lets a signal arrive.
    await setImmediate()
  }
  return comparedTo
}

function readPart(folder: string, part: ExportPart): Buffer {
  const name = partName(part)
  let bytes: Buffer
  try {
    bytes = readFileSync(join(folder, name))
  } catch (error) {
    throw new ExportUnusableError(`${name} cannot be read (${reasonOf(error)}). Copy it again; the import continues.`)
  }
  if (sha256Hex(bytes) !== part.sha256)
    throw new ExportUnusableError(`${name} is damaged. Copy it again; the import continues.`)
  return bytes
}

function putRows(writer: KvWriter, { table, rows }: ExportPart, bytes: Buffer): void {
  let count = 0
  for (const { key, value } of rowsOf(bytes)) {
    writer.put(table, key, value)
    count++
  }
  if (count !== rows)
    throw new ExportUnusableError(`A file of the table ${table} has ${count} rows instead of ${rows}.`)
}

function* rowsOf(bytes: Buffer): Generator<KvRow> {
  const reader = new RowReader(bytes)
  while (reader.at < bytes.length) {
    const keySize = reader.varint()
    const valueSize = reader.varint()
    yield { key: reader.slice(keySize), value: reader.slice(valueSize) }
  }
}

/** Checks that the headers form a chain, and compares their hashes with the node. Returns the last common height. */
async function compareBlocks(kv: Kv, options: ImportOptions): Promise<number> {
  const { source, network, manifest, signal, onProgress } = options
  const last = Math.min(manifest.tip.height, (await source.getTip()).height)
  await withSnapshotAsync(kv, async (reader) => {
    let prev = Buffer.alloc(32)
    for (let from = 0; from <= manifest.tip.height; from += CONCURRENCY) {
      signal?.throwIfAborted()
      const heights = Array.from({ length: Math.min(CONCURRENCY, manifest.tip.height + 1 - from) }, (_, i) => from + i)
      const known = await Promise.all(heights.filter((height) => height <= last).map(source.findHash))
      for (const [i, height] of heights.entries()) {
        const row = findBlockRow(reader, height)
        if (row === undefined) throw new ExportUnusableError(`The export lacks block ${height}.`)
        const hash = hashHex(row.hash)
        const isNext = height === 0 ? hash === network.genesisHash : row.header.subarray(4, 36).equals(prev)
        if (!isNext || !sha256d(row.header).equals(row.hash))
          throw new ExportUnusableError(`Block ${height} of the export does not follow the block before it.`)
        if (known[i] !== undefined && known[i] !== hash)
          throw new ExportUnusableError(`Block ${height} of the export is ${hash}, but the node has ${known[i]}.`)
        prev = Buffer.from(row.hash)
      }
      onProgress?.({ step: 'blocks', done: heights.at(-1) ?? 0, total: manifest.tip.height })
    }
  })
  return last
}

/** Checks what the files state about themselves, and removes the state of the import. */
function checkComplete(kv: Kv, { manifest, network, path }: ImportOptions): void {
  const { tip, parts } = manifest
  withSnapshot(kv, (reader) => {
    const own = openCoinIndexToRead(kv, network, path) === undefined ? undefined : findTip(reader)
    if (own?.height !== tip.height || hashHex(own.hash) !== tip.hash)
      throw new ExportUnusableError('The export does not end at the block that its manifest names.')
    const coins = parts.reduce((sum, { table, rows }) => (table === 'scriptCoins' ? sum + rows : sum), 0)
    const expected = findBlockRow(reader, tip.height)?.coins
    if (coins !== expected)
      throw new ExportUnusableError(`The export has ${coins} coins, but its last block states ${expected}.`)
  })
  kv.write((writer) => writer.delete('meta', IMPORTED))
}

async function findNextBlock({ source, manifest }: ImportOptions): Promise<boolean> {
  const next = await source.findHash(manifest.tip.height + 1)
  if (next === undefined) return true
  try {
    await source.getBlock(next)
    return true
  } catch (error) {
    if (error instanceof BlockUnavailableError) return false
    throw error
  }
}
