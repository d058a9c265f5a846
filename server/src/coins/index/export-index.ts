/**
 * Exports an index as files that another machine can import (`import-index.ts`), while its writer runs.
 *
 * All rows come from one snapshot. A file contains rows of one table in the order of their keys: the lengths of key and
 * value as varints, then both.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { makeFolders } from '../../lib/folders.ts'
import { hashHex } from '../parse/block.ts'
import { type CoinIndex, findTip } from './coin-index.ts'
import { hasCoinLog } from './coin-log.ts'
import {
  type ExportManifest,
  type ExportPart,
  ExportUnusableError,
  exportedTables,
  MANIFEST,
  partName,
  SIGNATURE,
  sha256Hex,
  writeManifest,
} from './export-manifest.ts'
import { type KvReader, type Table, withSnapshotAsync } from './kv.ts'
import { RowWriter } from './row-bytes.ts'

/** Bytes of a file. Import writes each in one commit. */
const PART_BYTES = 32_000_000
/** Keys begin with the number of a run, whose rows never change. It gets files of its own, equal in every export. */
const RUN_TABLES: ReadonlySet<Table> = new Set(['historyRuns', 'txidRuns', 'runTotals'])
const RUN_ID_SIZE = 4

export type ExportOptions = {
  readonly folder: string
  readonly signingKey: string
  readonly version: string
  readonly madeAt: string
  readonly partBytes?: number
  readonly signal?: AbortSignal
  /** Called after each file with the bytes of all files so far. */
  readonly onProgress?: (bytes: number) => void
}

export async function exportIndex(index: CoinIndex, options: ExportOptions): Promise<ExportManifest> {
  const { folder, signingKey, version, madeAt } = options
  makeFolders(folder)
  const other = readdirSync(folder).find((name) => !isOfExport(name))
  if (other !== undefined)
    throw new ExportUnusableError(
      `${folder} holds other files, such as ${other}. Name a new folder, or one of an export.`,
    )
  return withSnapshotAsync(index.kv, async (reader) => {
    const tip = findTip(reader)
    if (tip === undefined || hasCoinLog(reader))
      throw new ExportUnusableError('The index is still in its initial sync. Export it when that is complete.')
    const { chain, name: network, genesisHash: genesis } = index.network
    const parts = await exportTables(reader, options)
    const manifest = writeManifest(
      folder,
      { chain, network, genesis, tip: { height: tip.height, hash: hashHex(tip.hash) }, version, madeAt, parts },
      signingKey,
    )
    deleteOtherParts(folder, parts)
    return manifest
  })
}

async function exportTables(reader: KvReader, options: ExportOptions): Promise<ExportPart[]> {
  const { folder, partBytes = PART_BYTES, signal, onProgress } = options
  const parts: ExportPart[] = []
  let total = 0
  for (const table of exportedTables) {
    const rows = new RowWriter(partBytes + 65_536)
    let count = 0
    let last: Buffer | undefined
    const flush = async (): Promise<void> => {
      if (count === 0) return
      const part = putPart(folder, table, rows.take(), count)
      parts.push(part)
      total += part.bytes
      count = 0
      onProgress?.(total)
      // Lets a signal arrive.
      await setImmediate()
      signal?.throwIfAborted()
    }
    for (const { key, value } of reader.range(table, {})) {
      const isOtherRun =
        RUN_TABLES.has(table) && last !== undefined && key.compare(last, 0, RUN_ID_SIZE, 0, RUN_ID_SIZE) !== 0
      if (isOtherRun || rows.at >= partBytes) await flush()
      rows.varint(key.length)
      rows.varint(value.length)
      rows.slice(key, 0, key.length)
      rows.slice(value, 0, value.length)
      count++
      last = Buffer.from(key)
    }
    await flush()
  }
  return parts
}

/** Writes a file, unless an earlier export has written the same one. */
function putPart(folder: string, table: ExportPart['table'], bytes: Buffer, rows: number): ExportPart {
  const part = { table, bytes: bytes.length, rows, sha256: sha256Hex(bytes) }
  const path = join(folder, partName(part))
  if (existsSync(path)) return part
  writeFileSync(`${path}.unfinished`, bytes, { flush: true })
  renameSync(`${path}.unfinished`, path)
  return part
}

const isPart = (name: string): boolean => /^[a-zA-Z]+-[0-9a-f]{64}\.rows(\.unfinished)?$/.test(name)

function isOfExport(name: string): boolean {
  return isPart(name) || [MANIFEST, SIGNATURE].includes(name.replace(/\.unfinished$/, ''))
}

/** Deletes the files of earlier and interrupted exports. */
function deleteOtherParts(folder: string, parts: readonly ExportPart[]): void {
  const used = new Set(parts.map(partName))
  for (const name of readdirSync(folder)) if (isPart(name) && !used.has(name)) rmSync(join(folder, name))
}
