import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyIndexes, restoreIndexes } from '../../coins/index/index-backup.ts'
import { loadConfig } from '../../config/config.ts'
import { reasonOf } from '../../lib/errors.ts'
import { createLogger } from '../../lib/log.ts'
import { ownVersion } from '../../lib/version.ts'
import { dumpDatabase } from '../../platform/backup/dump.ts'
import { loadDatabase } from '../../platform/backup/load.ts'
import { BackupError, FORMAT, type Manifest, manifest } from '../../platform/backup/manifest.ts'
import { AUTH_SECRET_FILE, openGround } from '../../platform/ground.ts'
import { requireKnownSchema } from '../../platform/migrate.ts'
import { type Command, onGround } from '../command.ts'

const MANIFEST = 'manifest.json'

export const backupCommand: Command = {
  words: 'backup',
  positionals: ['FOLDER'],
  summary: 'Copies everything the service stores into a new folder, while it runs',
  run: async ({ positionals: [path = ''] }) => {
    const folder = resolve(path)
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new BackupError(`${folder} is not empty: name a new folder.`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const config = loadConfig(process.env, process.cwd())
    // As it is: the service that runs may be an older program, which could not restore what a newer one migrated.
    const dumped = await onGround(async ({ database }) => {
      await requireKnownSchema(database)
      return dumpDatabase(database, folder)
    }, 'none')
    const secret = join(config.dataDir, AUTH_SECRET_FILE)
    if (config.authSecret === undefined && existsSync(secret)) copyFileSync(secret, join(folder, AUTH_SECRET_FILE))
    const made: Manifest = {
      format: FORMAT,
      version: ownVersion(),
      madeAt: new Date().toISOString(),
      ...dumped,
      coinIndexes: [...(await copyIndexes(config.dataDir, folder))],
    }
    // Last: a folder without it is a backup that was not finished.
    writeFileSync(join(folder, MANIFEST), `${JSON.stringify(made, null, 2)}\n`)
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
    const kept = [`${rows} rows of ${made.tables.length} tables`, ...made.coinIndexes.map((name) => `index ${name}`)]
    const own = config.authSecret === undefined ? [] : ['Keep AUTH_SECRET yourself: it is set in the environment.']
    return { json: { folder, rows, ...made }, lines: [`${folder}: ${kept.join(', ')}.`, ...own] }
  },
}

export const restoreCommand: Command = {
  words: 'restore',
  positionals: ['FOLDER'],
  summary: 'Puts a backup into an empty database and DATA_DIR (stop the service first)',
  run: async ({ positionals: [path = ''] }) => {
    const folder = resolve(path)
    const backup = readManifest(folder)
    const config = loadConfig(process.env, process.cwd())
    const log = createLogger({ level: 'warn', destination: process.stderr })
    if (config.authSecret === undefined) restoreSecret(folder, config.dataDir)
    const { database, close } = await openGround({ config, log, migrations: 'none' })
    try {
      await loadDatabase({ database, log }, folder, backup)
    } finally {
      await close()
    }
    restoreIndexes(folder, config.dataDir, backup.coinIndexes)
    return {
      json: { folder, version: backup.version, madeAt: backup.madeAt },
      lines: [`Restored what Gatewatch ${backup.version} stored on ${backup.madeAt}.`],
    }
  },
}

/** Before the database is opened, which would make a secret of its own. */
function restoreSecret(folder: string, dataDir: string): void {
  const [kept, own] = [join(folder, AUTH_SECRET_FILE), join(dataDir, AUTH_SECRET_FILE)]
  if (!existsSync(kept)) return
  if (existsSync(own)) throw new BackupError(`${dataDir} is in use already: restore into an empty DATA_DIR.`)
  mkdirSync(dataDir, { recursive: true })
  copyFileSync(kept, own)
}

function readManifest(folder: string): Manifest {
  try {
    return manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')))
  } catch (error) {
    throw new BackupError(`${folder} holds no finished backup of this format (${reasonOf(error).split('\n')[0]}).`)
  }
}
