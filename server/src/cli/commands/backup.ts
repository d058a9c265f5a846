import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyIndexes, stageIndexes } from '../../coins/index/maintenance.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { reasonOf } from '../../lib/errors.ts'
import { makeFolders } from '../../lib/folders.ts'
import { createLogger } from '../../lib/log.ts'
import { ownVersion } from '../../lib/version.ts'
import { dumpDatabase } from '../../platform/backup/dump.ts'
import { loadDatabase } from '../../platform/backup/load.ts'
import { BackupError, FORMAT, type Manifest, manifest } from '../../platform/backup/manifest.ts'
import { requireKnownSchema } from '../../platform/migrate.ts'
import {
  AUTH_SECRET_FILE,
  createDataFolder,
  DATA_KEYS_FILE,
  dataKeysFile,
  openPlatform,
} from '../../platform/platform.ts'
import { type Command, fileFault, withPlatform } from '../command.ts'

const MANIFEST = 'manifest.json'

export const backupCommand: Command = {
  name: 'backup',
  positionals: ['FOLDER'],
  summary: 'Back up everything the service stores into a new folder; the service may run',
  run: async ({ positionals: [path = ''] }) => {
    const folder = resolve(path)
    if (namesIn(folder).length > 0) throw new BackupError(`${folder} is not empty. Name a new folder.`)
    const config = loadConfig(process.env, process.cwd())
    // Without migrations: the running service may be an older version, which could not restore a newer schema.
    const dumped = await withPlatform(async ({ database }) => {
      await requireKnownSchema(database)
      createFolder(folder)
      return dumpDatabase(database, folder)
    }, 'read')
    for (const name of generatedFiles(config)) {
      const secret = join(config.dataDir, name)
      if (existsSync(secret)) copyFileSync(secret, join(folder, name))
    }
    const made: Manifest = {
      format: FORMAT,
      version: ownVersion(),
      madeAt: new Date().toISOString(),
      ...dumped,
      coinIndexes: [...(await copyIndexes(config.dataDir, folder))],
    }
    // Written last: a folder without it is an unfinished backup.
    writeFileSync(join(folder, MANIFEST), `${JSON.stringify(made, null, 2)}\n`)
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
    const parts = [
      `${rows} rows of ${made.tables.length} tables`,
      ...made.coinIndexes.map((name) => `coin index ${name}`),
    ]
    const kept = [
      ...(config.authSecret === undefined ? [] : ['AUTH_SECRET']),
      ...(config.dataKeys === undefined ? [] : ['DATA_KEYS']),
    ]
    const reminder = kept.map((name) => `${name} is not in the backup. Keep a copy.`)
    return { json: { folder, rows, ...made }, lines: [`Backed up to ${folder}: ${parts.join(', ')}.`, ...reminder] }
  },
}

function namesIn(folder: string): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : []
  } catch (error) {
    throw new BackupError(`Cannot use ${folder}: ${fileFault(error)}. Name a new folder.`)
  }
}

function createFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    throw new BackupError(`Cannot create ${folder}: ${reasonOf(error)}.`)
  }
}

export const restoreCommand: Command = {
  name: 'restore',
  positionals: ['FOLDER'],
  summary: 'Restore a backup into an empty database and DATA_DIR (stop the service first)',
  run: async ({ positionals: [path = ''] }) => {
    const folder = resolve(path)
    const backup = readManifest(folder)
    const config = loadConfig(process.env, process.cwd())
    const log = createLogger({ level: 'warn', destination: process.stderr })
    await leavingNothingOnFailure(config.dataDir, async () => {
      const indexes = stageIndexes(folder, config.dataDir, backup.coinIndexes)
      try {
        for (const name of generatedFiles(config)) restoreSecret(folder, config.dataDir, name)
        const { database, close } = await openPlatform({ config, log, migrations: 'none' })
        try {
          await loadDatabase(database, folder, backup)
        } finally {
          await close()
        }
        indexes.place()
      } finally {
        indexes.discard()
      }
    })
    return {
      json: { folder, version: backup.version, madeAt: backup.madeAt, deliveriesHeld: true },
      lines: [
        `Restored the backup of ${backup.madeAt}, made by Gatewatch ${backup.version}.`,
        'Alerts and callbacks are held, because the original may still send them. Once it has stopped for good, run',
        '`gatewatch deliveries resume` (with --discard, what already waits is not sent).',
      ],
    }
  },
}

/** Runs `work`. If it fails, deletes what it added to the data folder, so that a second restore can start over. */
async function leavingNothingOnFailure(dataDir: string, work: () => Promise<void>): Promise<void> {
  const before = existsSync(dataDir) ? new Set(readdirSync(dataDir)) : undefined
  try {
    await work()
  } catch (error) {
    const added = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => before?.has(name) !== true) : []
    for (const name of added) rmSync(join(dataDir, name), { recursive: true, force: true })
    if (before === undefined) rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}

/** The secrets that the program generated, because no setting has them. */
const generatedFiles = (config: Config): readonly string[] => [
  ...(config.authSecret === undefined ? [AUTH_SECRET_FILE] : []),
  ...(dataKeysFile(config) === undefined ? [] : [DATA_KEYS_FILE]),
]

/** Runs before the database is opened, because opening it creates a new secret. */
function restoreSecret(folder: string, dataDir: string, name: string): void {
  const [saved, target] = [join(folder, name), join(dataDir, name)]
  if (!existsSync(saved)) return
  if (existsSync(target) && readFileSync(target, 'utf8') !== readFileSync(saved, 'utf8'))
    throw new BackupError(`${dataDir} is already in use. Restore into an empty DATA_DIR.`)
  createDataFolder(dataDir)
  copyFileSync(saved, target)
  chmodSync(target, 0o600)
}

function readManifest(folder: string): Manifest {
  try {
    return manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')))
  } catch (error) {
    throw new BackupError(
      `${folder} does not contain a complete backup of this version (manifest.json: ${fileFault(error)}).`,
    )
  }
}
