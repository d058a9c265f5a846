/**
 * The manifest of an exported index: which block it ends at, which files it consists of, and who signed it.
 *
 * The files are named after their content, so a second export into the same folder writes only what has changed, and so
 * does a copy of the folder by rsync.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { GatewatchError, reasonOf, systemCodeOf } from '../../lib/errors.ts'
import { readOrCreateSecret } from '../../platform/secret-file.ts'
import { FORMAT_VERSION } from './layout.ts'

/** An exported index is incomplete, damaged, not signed by the expected key, or of another chain. */
export class ExportUnusableError extends GatewatchError {
  override readonly code = 'export_unusable'
  override readonly retryable = false
}

const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.json.sig'
const KEY_FILE = 'index-signing-key'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)

/** The tables of an exported index, in the order of the import: blocks first, because they are compared with the node. */
export const exportedTables = [
  'blocks',
  'hashes',
  'meta',
  'txs',
  'coins',
  'scriptCoins',
  'recentHistory',
  'recentTxids',
  'historyRuns',
  'txidRuns',
  'runTotals',
  'undo',
] as const

const part = z.object({ table: z.enum(exportedTables), bytes: count, rows: count, sha256: hash })

const exportManifest = z.object({
  format: z.literal(FORMAT),
  indexFormat: z.int(),
  chain: z.string(),
  network: z.string(),
  genesis: hash,
  tip: z.object({ height: count, hash }),
  version: z.string(),
  madeAt: z.iso.datetime(),
  parts: z.array(part),
})

export type ExportPart = z.infer<typeof part>
export type ExportManifest = z.infer<typeof exportManifest>

/** Never taken from the manifest, so that it cannot name a file outside of its folder. */
export const partName = ({ table, sha256 }: Pick<ExportPart, 'table' | 'sha256'>): string => `${table}-${sha256}.rows`

export const sha256Hex = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The Ed25519 key that signs the exports of a data directory. Made on first use. */
export function readSigningKey(dataDir: string): string {
  return readOrCreateSecret(join(dataDir, KEY_FILE), () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  )
}

/** The public key of a signing key: 32 bytes in base64. */
export function publicKeyOf(signingKey: string): string {
  const { x = '' } = createPublicKey(createPrivateKey(signingKey)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

/** Writes and signs the manifest. It is written last: a folder without it is an unfinished export. */
export function writeManifest(
  folder: string,
  made: Omit<ExportManifest, 'format' | 'indexFormat'>,
  signingKey: string,
): ExportManifest {
  const manifest: ExportManifest = { format: FORMAT, indexFormat: FORMAT_VERSION, ...made }
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  const signature = sign(null, bytes, createPrivateKey(signingKey)).toString('base64')
  const put = (name: string, content: string | Buffer): void => {
    const unfinished = join(folder, `${name}.unfinished`)
    writeFileSync(unfinished, content)
    renameSync(unfinished, join(folder, name))
  }
  put(SIGNATURE, `${publicKeyOf(signingKey)} ${signature}\n`)
  put(MANIFEST, bytes)
  return manifest
}

/** Reads a manifest. Refuses one that the trusted key has not signed. */
export function readManifest(
  folder: string,
  trustedKey: string | undefined,
): { readonly manifest: ExportManifest; readonly id: string } {
  let bytes: Buffer
  let signedBy: string
  let signature: string
  try {
    bytes = readFileSync(join(folder, MANIFEST))
    ;[signedBy = '', signature = ''] = readFileSync(join(folder, SIGNATURE), 'utf8').trim().split(' ')
  } catch (error) {
    const reason = systemCodeOf(error) === 'ENOENT' ? 'its manifest is missing' : reasonOf(error)
    throw new ExportUnusableError(`${folder} contains no complete export: ${reason}.`)
  }
  if (trustedKey === undefined)
    throw new ExportUnusableError(
      `The export is signed by ${signedBy}. Compare this key with the one that \`gatewatch index export\` printed, and pass it with --key.`,
    )
  if (signedBy !== trustedKey)
    throw new ExportUnusableError(`The export is signed by ${signedBy}, not by the expected key ${trustedKey}.`)
  if (!isSigned(bytes, signature, trustedKey))
    throw new ExportUnusableError(
      'The signature does not match the manifest: the export was changed, or it was interrupted. Copy or export it again.',
    )
  return { manifest: parseManifest(bytes), id: sha256Hex(bytes) }
}

function isSigned(bytes: Buffer, signature: string, publicKey: string): boolean {
  const x = Buffer.from(publicKey, 'base64')
  if (x.length !== 32) throw new ExportUnusableError('The expected key is not an Ed25519 key: 32 bytes in base64.')
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') } })
  return verify(null, bytes, key, Buffer.from(signature, 'base64'))
}

function parseManifest(bytes: Buffer): ExportManifest {
  try {
    return exportManifest.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new ExportUnusableError(
      `The export was made by another version of Gatewatch (${reasonOf(error).split('\n')[0]}).`,
    )
  }
}
