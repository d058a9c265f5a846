/** Exports an index of a random chain and imports it next to a source with the same or another chain. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { digestIndex } from '../../../../testing/coins/index-digest.ts'
import { memorySource, randomScenario, simNetwork } from '../../../../testing/coins/random-chains.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { systemClock } from '../../lib/clock.ts'
import { BlockUnavailableError } from '../node/node-errors.ts'
import { hashHex } from '../parse/block.ts'
import { type CoinIndex, openCoinIndex } from './coin-index.ts'
import { exportIndex } from './export-index.ts'
import { partName, publicKeyOf, readManifest, readSigningKey } from './export-manifest.ts'
import { follow } from './follow.ts'
import { type ImportOptions, importIndex } from './import-index.ts'
import { findIndexId } from './index-marker.ts'
import { withSnapshot } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { indexLimits } from './write-batch.ts'

const limits = { ...indexLimits, maxRecentEntries: 24, minRunEntries: 12, mergeWidth: 2 }
const chain = randomScenario(11, 60).chains.at(-1) ?? []
const origin = temporaryFolder()
const signingKey = readSigningKey(origin)
const key = publicKeyOf(signingKey)

async function indexed(length: number): Promise<CoinIndex> {
  const path = temporaryFolder()
  const kv = openLmdbKv({ path, noSync: true })
  const index = openCoinIndex(kv, simNetwork, path, limits)
  for (let end = 4; end < length + 4; end += 4)
    await follow({ index, source: memorySource(chain.slice(0, Math.min(end, length))), clock: systemClock })
  return index
}

const made = { signingKey, version: '1.0.0', madeAt: '2026-01-01T00:00:00.000Z', partBytes: 2_000 }
const original = await indexed(chain.length - 2)
const exported = join(temporaryFolder(), 'export')
await exportIndex(original, { ...made, folder: exported })
const digest = withSnapshot(original.kv, digestIndex)

function copyOfExport(): string {
  const folder = temporaryFolder()
  for (const name of readdirSync(exported)) copyFileSync(join(exported, name), join(folder, name))
  return folder
}

function importing(folder: string, overrides: Partial<ImportOptions> = {}): ImportOptions {
  const dataDir = temporaryFolder()
  const [path, staging] = [join(dataDir, 'coins', 'sim'), join(dataDir, 'coins.importing', 'sim')]
  return {
    folder,
    ...readManifest(folder, key),
    path,
    staging,
    network: simNetwork,
    source: memorySource(chain),
    ...overrides,
  }
}

async function digestAt(path: string): Promise<string> {
  const kv = openLmdbKv({ path, readOnly: true })
  const result = withSnapshot(kv, digestIndex)
  await kv.close()
  return result
}

test('an imported index has all rows, a marker, and continues with the next blocks', async () => {
  const options = importing(exported)
  const result = await importIndex(options)
  const { tip } = options.manifest
  assert.deepEqual(result, { tip, comparedTo: tip.height, resumedAfter: 0, hasNextBlock: true })
  assert.equal(await digestAt(options.path), digest)
  assert.notEqual(findIndexId(options.path), undefined)
  assert.equal(existsSync(options.staging), false)
  const kv = openLmdbKv({ path: options.path, noSync: true })
  const index = openCoinIndex(kv, simNetwork, options.path, limits)
  const { connected } = await follow({ index, source: memorySource(chain), clock: systemClock })
  assert.equal(connected, 2)
  const whole = await indexed(chain.length)
  assert.equal(withSnapshot(kv, digestIndex), withSnapshot(whole.kv, digestIndex))
  await kv.close()
})

test('an interrupted import continues after its last file, and begins again with another export', async () => {
  const stopping = new AbortController()
  const options = importing(exported, {
    signal: stopping.signal,
    onProgress: ({ step, done }) => {
      if (step === 'files' && done === 7) stopping.abort(new Error('interrupted'))
    },
  })
  await assert.rejects(importIndex(options), /interrupted/)
  assert.equal(existsSync(options.path), false)
  const { signal: _, onProgress: __, ...again } = options
  assert.equal((await importIndex(again)).resumedAfter, 7)
  assert.equal(await digestAt(options.path), digest)

  rmSync(options.path, { recursive: true })
  await assert.rejects(importIndex({ ...options, signal: AbortSignal.abort(new Error('interrupted')) }), /interrupted/)
  const other = temporaryFolder()
  await exportIndex(original, { ...made, folder: other, madeAt: '2026-01-02T00:00:00.000Z' })
  const { manifest, id } = readManifest(other, key)
  assert.equal((await importIndex({ ...again, folder: other, manifest, id })).resumedAfter, 0)
})

test('an export is not mixed with other files', async () => {
  const folder = copyOfExport()
  writeFileSync(join(folder, 'notes.txt'), 'of another program')
  const before = readdirSync(folder)
  await assert.rejects(exportIndex(original, { ...made, folder }), /holds other files, such as notes\.txt/)
  assert.deepEqual(readdirSync(folder), before)
})

test('a second export into the same folder writes only what changed', async () => {
  const folder = copyOfExport()
  const before = new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]))
  writeFileSync(join(folder, `coins-${'0'.repeat(64)}.rows.unfinished`), 'of an interrupted export')
  const longer = await indexed(chain.length)
  const { parts } = await exportIndex(longer, { ...made, folder })
  const names = new Set(readdirSync(folder))
  assert.deepEqual(names, new Set([...parts.map(partName), 'manifest.json', 'manifest.json.sig']))
  const kept = parts.filter((part) => before.get(partName(part)) === statSync(join(folder, partName(part))).ino)
  assert.ok(kept.length > parts.length / 4, `${kept.length} of ${parts.length} files were kept`)
  await longer.kv.close()
})

test('a key that did not sign, a changed manifest and a changed file are refused', async () => {
  const folder = copyOfExport()
  assert.throws(() => readManifest(folder, undefined), new RegExp(`signed by ${key.replaceAll('+', '\\+')}.*--key`))
  const otherKey = publicKeyOf(readSigningKey(temporaryFolder()))
  assert.throws(() => readManifest(folder, otherKey), /not by the expected key/)

  const options = importing(folder)
  const damaged = options.manifest.parts.at(-1)
  assert.ok(damaged)
  const file = join(folder, partName(damaged))
  const intact = readFileSync(file)
  writeFileSync(file, Buffer.concat([intact.subarray(0, -1), Buffer.from([(intact.at(-1) ?? 0) ^ 1])]))
  await assert.rejects(importIndex(options), /is damaged\. Copy it again; the import continues/)
  rmSync(file)
  await assert.rejects(importIndex(options), /cannot be read/)
  writeFileSync(file, intact)
  assert.equal((await importIndex(options)).resumedAfter, options.manifest.parts.length - 1)

  const manifest = join(folder, 'manifest.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"rows": 1', '"rows": 2'))
  assert.throws(() => readManifest(folder, key), /signature does not match/)
  rmSync(manifest)
  assert.throws(() => readManifest(folder, key), /contains no complete export/)
})

test('a node with another block is refused with its height, and an existing index is kept', async () => {
  const blocks = memorySource(chain)
  const forked: ImportOptions['source'] = {
    ...blocks,
    findHash: async (height) => (height === 9 ? 'ab'.repeat(32) : blocks.findHash(height)),
  }
  await assert.rejects(importIndex(importing(exported, { source: forked })), /Block 9 of the export is .*node has abab/)
  const tip = chain.length - 3
  const other: ImportOptions['source'] = {
    ...blocks,
    findHash: async (height) => (height === tip ? 'ab'.repeat(32) : blocks.findHash(height)),
  }
  const options = importing(exported, { source: other })
  await assert.rejects(importIndex(options), /on another branch/)
  assert.equal(existsSync(options.staging), false)
  await assert.rejects(importIndex(importing(exported, { path: origin })), /There is a btc index at/)
  const litecoin = { ...simNetwork, genesisHash: 'cd'.repeat(32) }
  await assert.rejects(importIndex(importing(exported, { network: litecoin })), /The export is of btc/)
})

test('a node that is behind, or started from a UTXO snapshot, is used as far as its blocks reach', async () => {
  const behind = await importIndex(importing(exported, { source: memorySource(chain.slice(0, 20)) }))
  assert.equal(behind.comparedTo, 19)
  const blocks = memorySource(chain)
  const lacking: ImportOptions['source'] = {
    ...blocks,
    getBlock: (hash) => Promise.reject(new BlockUnavailableError('node', hash, false)),
  }
  const fromSnapshot = await importIndex(importing(exported, { source: lacking }))
  assert.deepEqual([fromSnapshot.comparedTo, fromSnapshot.hasNextBlock], [chain.length - 3, false])
  assert.equal(fromSnapshot.tip.hash, hashHex(chain.at(-3)?.hash ?? Buffer.alloc(32)))
})

test('an index in its initial sync is not exported', async () => {
  const path = temporaryFolder()
  const kv = openLmdbKv({ path, noSync: true })
  const index = openCoinIndex(kv, simNetwork, path)
  await assert.rejects(exportIndex(index, { ...made, folder: temporaryFolder() }), /still in its initial sync/)
  await kv.close()
})
