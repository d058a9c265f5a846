/** The platform of the service and the commands: a reachable, migrated database, and the secret that signs sessions. */
import { accessSync, chmodSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config/config.ts'
import { reasonOf } from '../lib/errors.ts'
import { makeFolders } from '../lib/folders.ts'
import type { Logger } from '../lib/log.ts'
import { type Database, openDatabase, reachDatabase } from './database.ts'
import { DiskFullError, isDiskFull } from './errors.ts'
import { migrate } from './migrate.ts'
import { unprivilegedIdentity } from './postgres/binaries.ts'
import { hasCluster, joinEmbeddedPostgres } from './postgres/embedded.ts'
import { sealWithCurrentKey } from './sealed-columns.ts'
import { readOrCreateSecret } from './secret-file.ts'
import { createVault, derivedKey, readDataKeys, type Vault } from './vault.ts'

export type Platform = {
  readonly url: string
  readonly database: Database
  readonly authSecret: string
  readonly close: () => Promise<void>
}

export const AUTH_SECRET_FILE = 'auth-secret'
export const DATA_KEYS_FILE = 'data-keys'

/** The file of data keys; undefined if the keys come from settings. */
export const dataKeysFile = ({ dataKeys, databaseUrl, dataDir }: Config): string | undefined =>
  dataKeys === undefined && databaseUrl === undefined ? join(dataDir, DATA_KEYS_FILE) : undefined

/** Processes that share an external database may run on several machines, so their keys come from settings. */
function openVault(config: Config, authSecret: string): Vault {
  const file = dataKeysFile(config)
  const own = () => (file === undefined ? (config.dataKeys ?? []) : readDataKeys(file))
  return createVault([...own(), derivedKey(authSecret)], own)
}

/** Whether the configured database exists, as far as a folder shows it. */
export const hasDatabase = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== undefined || hasCluster(dataDir)

export type PlatformOptions = {
  readonly config: Config
  readonly log: Logger
  /** `none` leaves the schema unchanged, for a command that restores a backup or only checks. */
  readonly migrations?: 'all' | 'none'
}

export async function openPlatform({ config, log, migrations = 'all' }: PlatformOptions): Promise<Platform> {
  try {
    if (config.databaseUrl === undefined || config.authSecret === undefined) createDataFolder(config.dataDir)
    const embedded =
      config.databaseUrl === undefined ? await joinEmbeddedPostgres({ folder: config.dataDir, log }) : undefined
    const url = embedded?.urlOf('postgres') ?? config.databaseUrl ?? ''
    const authSecret = config.authSecret ?? readOrCreateSecret(join(config.dataDir, AUTH_SECRET_FILE))
    const database = openDatabase({
      url,
      log,
      connections: config.databaseConnections,
      vault: openVault(config, authSecret),
    })
    const close = async () => {
      await database.end()
      await embedded?.leave()
    }
    try {
      await reachDatabase(database, url)
      if (migrations === 'all') {
        await migrate(database, log)
        const { unreadable } = await sealWithCurrentKey(database)
        if (unreadable > 0)
          log.error(
            { unreadable },
            'stored webhook secrets and recipients cannot be read: their key is not configured; see DATA_KEYS',
          )
      }
      return { url, database, authSecret, close }
    } catch (error) {
      await close()
      throw error
    }
  } catch (error) {
    throw isDiskFull(error) && !(error instanceof DiskFullError) ? new DiskFullError(config.dataDir, error) : error
  }
}

export function createDataFolder(path: string): void {
  try {
    const first = makeFolders(path)
    // Started by root, the embedded PostgreSQL runs as another account, which has to enter the folder.
    if (first !== undefined && unprivilegedIdentity() !== undefined)
      for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o711)
    accessSync(path, constants.W_OK)
  } catch (error) {
    if (isDiskFull(error)) throw error
    throw new ConfigError([`DATA_DIR: ${path} is not a writable folder (${reasonOf(error)})`])
  }
}
