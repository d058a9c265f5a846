/**
 * Seals values that the service must read again but a copy of the database must not reveal: webhook secrets and the
 * recipients of alerts.
 *
 * AES-256-GCM with keys from outside the database: the setting DATA_KEYS, a file of the data folder, or a key derived
 * from AUTH_SECRET. A sealed text names its key, so that keys can be rotated, and is bound to its row, so that it cannot be
 * moved to another one.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type DataKey, KEY_BYTES, parseDataKey } from '../lib/data-key.ts'
import { GatewatchError, systemCodeOf } from '../lib/errors.ts'
import { readOrCreateSecret } from './secret-file.ts'

export class SealError extends GatewatchError {
  override readonly code = 'data_key_missing'
  override readonly retryable = false
}

export type Vault = {
  /** `context` names the row. The same is needed to open the text. */
  readonly seal: (text: string, context: string) => string
  /** A text that is not sealed, from before there were keys, is returned as it is. */
  readonly open: (text: string, context: string) => string
  readonly isSealedWithCurrentKey: (text: string) => boolean
  /** A digest that only the holder of the key can compute, for values that are only compared. */
  readonly digest: (text: string) => string
}

const PREFIX = 'sealed:'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The first key seals; all of them open. `reload` is called for an unknown key: another process may have added it. */
export function createVault(keys: readonly DataKey[], reload?: () => readonly DataKey[]): Vault {
  const [current] = keys
  if (current === undefined) throw new SealError('There is no key for stored secrets.')
  let known = keys
  const find = (id: string): DataKey | undefined => known.find((each) => each.id === id)
  const keyOf = (id: string): Buffer => {
    if (find(id) === undefined && reload !== undefined) known = [...reload(), ...keys]
    const found = find(id)
    if (found === undefined)
      throw new SealError(
        `A stored secret was sealed with the key "${id}", which is not configured. Add it to DATA_KEYS, or restore the file of data keys.`,
      )
    return found.key
  }
  return {
    seal: (text, context) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${PREFIX}${current.id}:${body.toString('base64url')}`
    },
    open: (text, context) => {
      if (!text.startsWith(PREFIX)) return text
      const [id = '', encoded = ''] = text.slice(PREFIX.length).split(':')
      const body = Buffer.from(encoded, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(id), body.subarray(0, IV_BYTES))
      decipher.setAAD(Buffer.from(context)).setAuthTag(body.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new SealError(`A stored secret was changed, or sealed with another key named "${id}".`, { cause: error })
      }
    },
    isSealedWithCurrentKey: (text) => text.startsWith(`${PREFIX}${current.id}:`),
    digest: (text) => createHmac('sha256', current.key).update(text).digest('base64url').slice(0, 22),
  }
}

/** The key that is used if none is configured: it changes with AUTH_SECRET. */
export function derivedKey(authSecret: string): DataKey {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'gatewatch stored secrets', KEY_BYTES))
  return { id: `auth-${createHmac('sha256', key).update('id').digest('hex').slice(0, 8)}`, key }
}

const newKeyLine = (): string => `key-${randomBytes(4).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64url')}`

/** Reads the keys of a file, the newest first, and creates it with one key if it is missing. */
export function readDataKeys(path: string): readonly DataKey[] {
  const lines = readOrCreateSecret(path, newKeyLine).split('\n')
  return lines.map((line) => {
    const key = parseDataKey(line)
    if (key === undefined) throw new SealError(`${path} is damaged: a line is not a key. Restore it from a backup.`)
    return key
  })
}

/** Adds a new first key to the file. The others stay, for backups and for processes that have not read the new one. */
export function addDataKey(path: string): void {
  const draft = `${path}.${process.pid}.new`
  writeFileSync(draft, `${newKeyLine()}\n${readFileIfExists(path)}`, { mode: 0o600 })
  renameSync(draft, path)
}

function readFileIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return ''
    throw error
  }
}
