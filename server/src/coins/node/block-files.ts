/**
 * Reads blocks from the block files of a Core node: `blk00000.dat` and so on, each a sequence of frames (magic, length,
 * block).
 *
 * Blocks are stored in the order of arrival and include stale ones, so the best chain is found by work. Files may be
 * obfuscated with the eight bytes of `xor.dat`, and may end in preallocated zeros or in a partly written block. A running
 * node appends blocks; `refresh` continues where the last scan ended.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../lib/errors.ts'
import type { ChainId, Network } from '../networks/network.ts'
import { networks } from '../networks/networks.ts'
import { HEADER_SIZE, headerHash } from '../parse/block.ts'
import { BestChain, type BlockLocation } from './best-chain.ts'
import type { BlockRef, BlockSource } from './block-source.ts'
import { BlockFilesError } from './node-errors.ts'

const FRAME = 8
/** No block is longer: a weight of four million, plus an extension block. */
const LONGEST_BLOCK = 32 * 1024 * 1024
const WINDOW = 1024 * 1024
/** Bitcoin has thousands of block files. Most blocks are read once, in the order of the files. */
const MAX_OPEN_FILES = 16

export type BlockFiles = BlockSource & {
  /** Scans blocks that were appended since the last call. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openBlockFiles(network: Network, folder: string): Promise<BlockFiles> {
  const mask = readMask(folder)
  const magic = Buffer.from(network.magic, 'hex')
  const chain = new BestChain(network.genesisHash)
  const scannedTo = new Map<string, number>()
  /** Names of the files, by their number in the chain. */
  const names: string[] = []
  const files = openFiles(folder, MAX_OPEN_FILES)

  async function read(file: string, offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length)
    const { bytesRead } = await files.use(file, (handle) => handle.read(bytes, 0, length, offset))
    unmask(bytes, mask, offset, bytesRead)
    return bytes.subarray(0, bytesRead)
  }

  /** Scans the frames of one file from where the last scan ended. */
  async function scan(file: string): Promise<void> {
    const { size } = await files.use(file, (handle) => handle.stat())
    let at = scannedTo.get(file) ?? 0
    if (!scannedTo.has(file)) names.push(file)
    const number = names.lastIndexOf(file)
    while (at + FRAME + HEADER_SIZE <= size) {
      const head = await read(file, at, FRAME + HEADER_SIZE)
      if (!head.subarray(0, 4).equals(magic)) {
        const next = await findMagic(file, at + 1, size)
        if (next === undefined) break
        at = next
        continue
      }
      const length = head.readUInt32LE(4)
      if (length < HEADER_SIZE || length > LONGEST_BLOCK) {
        at += 1
        continue
      }
      // Partly written. The next scan finds it complete or overwritten.
      if (at + FRAME + length > size) break
      const header = head.subarray(FRAME)
      chain.add(headerHash(header), {
        file: number,
        offset: at + FRAME,
        length,
        prev: header.subarray(4, 36),
        work: workOf(header.readUInt32LE(72)),
      })
      at += FRAME + length
    }
    scannedTo.set(file, at)
  }

  /** Finds the start of the next frame; undefined if only zeros or garbage follow. */
  async function findMagic(file: string, from: number, size: number): Promise<number | undefined> {
    for (let at = from; at < size; at += WINDOW - 3) {
      const found = (await read(file, at, Math.min(WINDOW, size - at))).indexOf(magic)
      if (found >= 0) return at + found
    }
    return undefined
  }

  async function refresh(): Promise<void> {
    for (const file of listFiles(folder)) await scan(file)
    if (chain.length === 0) {
      throw new BlockFilesError(folder, `no genesis block of ${network.chainName} ${network.name} found`)
    }
  }

  function locate(hash: string): BlockLocation {
    const location = chain.find(hash)
    if (location === undefined) throw new BlockFilesError(folder, `block ${hash} not found`)
    return location
  }

  try {
    await refresh()
  } catch (error) {
    await files.close()
    throw error
  }
  return {
    refresh,
    getTip: (): Promise<BlockRef> =>
      Promise.resolve({ height: chain.length - 1, hash: chain.hashAt(chain.length - 1) ?? network.genesisHash }),
    findHash: (height) => Promise.resolve(chain.hashAt(height)),
    getBlock: async (hash) => {
      const { file, offset, length } = locate(hash)
      return read(names[file] ?? '', offset, length)
    },
    getTxs: (refs) =>
      Promise.all(
        refs.map(({ blockHash, offset, size }) => {
          const block = locate(blockHash)
          return read(
            names[block.file] ?? '',
            block.offset + offset,
            Math.max(0, Math.min(size, block.length - offset)),
          )
        }),
      ),
    close: files.close,
  }
}

type OpenFiles = {
  readonly use: <T>(file: string, action: (handle: FileHandle) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Opens files on demand and closes the one that was not used for the longest time when there are more than `max`. */
function openFiles(folder: string, max: number): OpenFiles {
  type Opened = { readonly handle: Promise<FileHandle>; users: number }
  const opened = new Map<string, Opened>()

  async function closeOldest(): Promise<void> {
    for (const [file, { handle, users }] of opened) {
      if (opened.size <= max) return
      if (users > 0) continue
      opened.delete(file)
      await (await handle).close()
    }
  }

  return {
    use: async (file, action) => {
      const entry = opened.get(file) ?? { handle: open(join(folder, file), 'r'), users: 0 }
      entry.users++
      // Moved to the end: a Map lists its keys in the order of insertion.
      opened.delete(file)
      opened.set(file, entry)
      try {
        return await action(await entry.handle)
      } catch (error) {
        // A file that could not be opened is tried again next time.
        if (entry.users === 1) opened.delete(file)
        throw error
      } finally {
        entry.users--
        await closeOldest()
      }
    },
    close: async () => {
      const handles = [...opened.values()]
      opened.clear()
      for (const { handle } of handles) await (await handle).close()
    },
  }
}

function listFiles(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    throw new BlockFilesError(folder, reasonOf(error))
  }
  const files = names.filter((name) => /^blk\d+\.dat$/.test(name)).sort()
  if (files.length === 0) throw new BlockFilesError(folder, 'no blk*.dat files found')
  return files
}

/** Opens block files and detects the network to which they belong: the one whose genesis block they contain. */
export async function detectBlockFiles(
  chain: ChainId,
  folder: string,
): Promise<{ readonly network: Network; readonly files: BlockFiles }> {
  const magic = firstMagic(folder)
  const reasons: string[] = []
  for (const network of networks) {
    if (network.chain !== chain || network.magic !== magic) continue
    try {
      return { network, files: await openBlockFiles(network, folder) }
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new BlockFilesError(
    folder,
    `the files do not belong to a network of ${chain}${reasons.map((reason) => `: ${reason}`).join('')}`,
  )
}

function firstMagic(folder: string): string {
  const [first = ''] = listFiles(folder)
  const file = openSync(join(folder, first), 'r')
  const bytes = Buffer.alloc(4)
  readSync(file, bytes, 0, 4, 0)
  closeSync(file)
  unmask(bytes, readMask(folder), 0, 4)
  return bytes.toString('hex')
}

function readMask(folder: string): Buffer | undefined {
  const path = join(folder, 'xor.dat')
  if (!existsSync(path)) return undefined
  const mask = readFileSync(path)
  if (mask.length !== 8) throw new BlockFilesError(folder, `xor.dat has ${mask.length} bytes instead of 8`)
  return mask.every((byte) => byte === 0) ? undefined : mask
}

function unmask(bytes: Buffer, mask: Buffer | undefined, offset: number, length: number): void {
  if (mask === undefined) return
  for (let i = 0; i < length; i++) bytes[i] = (bytes[i] as number) ^ (mask[(offset + i) & 7] as number)
}

/** Returns the expected number of hashes for a target in its compact form (nBits). */
function workOf(bits: number): bigint {
  const exponent = BigInt(bits >>> 24)
  const mantissa = BigInt(bits & 0x7f_ffff)
  const target = exponent <= 3n ? mantissa >> (8n * (3n - exponent)) : mantissa << (8n * (exponent - 3n))
  return target <= 0n ? 0n : (1n << 256n) / (target + 1n)
}
