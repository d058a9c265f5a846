/**
 * The operator commands `gatewatch verify`, `reindex`, `index export`, `index import`, `backup` and `restore`, as far as they
 * concern the coin indexes.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { open } from 'lmdb'
import type { Timing } from '../../lib/clock.ts'
import { BackupError } from '../../platform/backup/manifest.ts'
import { connectSource } from '../node/connect-source.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import { openCoinIndexToRead } from './coin-index.ts'
import { exportIndex } from './export-index.ts'
import {
  type ExportManifest,
  ExportUnusableError,
  publicKeyOf,
  readManifest,
  readSigningKey,
} from './export-manifest.ts'
import { type Imported, type ImportProgress, importIndex } from './import-index.ts'
import { IndexInUseError } from './index-errors.ts'
import { findIndexId, findIndexUsers } from './index-marker.ts'
import { indexPath, type WriterOptions } from './index-writer.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { type Verification, type VerifyLimits, verifyIndex } from './verify.ts'

export type VerifyOptions = WriterOptions & VerifyLimits

/** Verifies the index against its node. Undefined if there is no index, or if it does not reach the block of the node. */
export async function verifyChain(
  options: VerifyOptions,
  deps: { readonly timing: Timing; readonly randomBelow: (bound: number) => number },
): Promise<Verification | undefined> {
  const { network, node, close } = await connectSource(options)
  try {
    if (node === undefined)
      throw new NodeUnreachableError(options.chain, 'block files have no UTXO set to compare with; configure a node')
    const path = indexPath(options.dataDir, network)
    if (findIndexId(path) === undefined) return undefined
    const kv = openLmdbKv({ path, readOnly: true })
    try {
      const index = openCoinIndexToRead(kv, network, path)
      return index === undefined ? undefined : await verifyIndex({ index, node, ...deps }, options)
    } finally {
      await kv.close()
    }
  } finally {
    await close()
  }
}

/** Deletes the index of the source's chain, so that the writer rebuilds it. Refused while a process uses the index. */
export async function dropIndex(options: WriterOptions): Promise<string> {
  const { network, close } = await connectSource(options)
  await close()
  const path = indexPath(options.dataDir, network)
  const users = findIndexUsers(path)
  if (users.length > 0) throw new IndexInUseError(network.chain, users)
  rmSync(path, { recursive: true, force: true })
  return path
}

export type TransferOptions = WriterOptions & {
  /** Where the export is. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
}

/** Exports the index of the source's chain while its writer runs. Returns the manifest and the public key that signed it. */
export async function exportChain(
  options: TransferOptions & { readonly version: string; readonly onProgress?: (done: number, total: number) => void },
): Promise<ExportManifest & { readonly key: string }> {
  const { network, close } = await connectSource(options)
  await close()
  const path = indexPath(options.dataDir, network)
  if (findIndexId(path) === undefined) throw new ExportUnusableError(`There is no ${network.chain} index at ${path}.`)
  const signingKey = readSigningKey(options.dataDir)
  const kv = openLmdbKv({ path, readOnly: true })
  try {
    const index = openCoinIndexToRead(kv, network, path)
    if (index === undefined) throw new ExportUnusableError(`There is no ${network.chain} index at ${path}.`)
    const { size } = statSync(join(path, 'data.mdb'))
    const { folder, version, signal, onProgress } = options
    const manifest = await exportIndex(index, {
      folder,
      signingKey,
      version,
      madeAt: new Date().toISOString(),
      ...(signal === undefined ? {} : { signal }),
      onProgress: (bytes) => onProgress?.(Math.min(bytes, size), size),
    })
    return { ...manifest, key: publicKeyOf(signingKey) }
  } finally {
    await kv.close()
  }
}

/** Imports an export of the source's chain. `key` is the public key that must have signed it. */
export async function importChain(
  options: TransferOptions & {
    readonly key: string | undefined
    readonly onProgress?: (progress: ImportProgress) => void
  },
): Promise<Imported & { readonly path: string }> {
  const { folder, key, signal, onProgress } = options
  const { manifest, id } = readManifest(folder, key)
  const { network, source, close } = await connectSource(options)
  try {
    const path = indexPath(options.dataDir, network)
    const staging = join(options.dataDir, 'coins.importing', basename(path))
    const progress = {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    }
    return { ...(await importIndex({ folder, manifest, id, path, staging, network, source, ...progress })), path }
  } finally {
    await close()
  }
}

const indexesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** Copies all indexes to a folder while their writer runs. Returns their names, such as `btc-main`. */
export async function copyIndexes(dataDir: string, folder: string): Promise<readonly string[]> {
  const names = indexesIn(join(dataDir, 'coins'))
  for (const name of names) {
    const to = join(folder, 'coins', name)
    mkdirSync(to, { recursive: true })
    const store = open({ path: join(dataDir, 'coins', name), readOnly: true })
    try {
      await store.backup(to, false)
    } finally {
      await store.close()
    }
  }
  return names
}

/** An index on its way into a data directory: complete copies only get their final name. */
export type StagedIndexes = {
  /** Moves the copies to their place. */
  readonly place: () => void
  /** Deletes the copies. */
  readonly discard: () => void
}

/** Copies indexes from a backup next to a data directory's own, which must not contain them. */
export function stageIndexes(folder: string, dataDir: string, names: readonly string[]): StagedIndexes {
  const [staging, target] = [join(dataDir, 'coins.restoring'), join(dataDir, 'coins')]
  const present = names.find((name) => existsSync(join(target, name)))
  if (present !== undefined)
    throw new BackupError(`${join(target, present)} already exists. Restore into an empty DATA_DIR.`)
  const discard = (): void => rmSync(staging, { recursive: true, force: true })
  discard() // of a restore that was killed
  try {
    for (const name of names) cpSync(join(folder, 'coins', name), join(staging, name), { recursive: true })
  } catch (error) {
    discard()
    throw error
  }
  return {
    place: () => {
      if (names.length > 0) mkdirSync(target, { recursive: true })
      for (const name of names) renameSync(join(staging, name), join(target, name))
      discard()
    },
    discard,
  }
}
