import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { loadConfig } from '../../config/config.ts'
import { dataKeysFile } from '../../platform/platform.ts'
import { sealWithCurrentKey } from '../../platform/sealed-columns.ts'
import { addDataKey } from '../../platform/vault.ts'
import { type Command, RefusedError, withPlatform } from '../command.ts'

export const secretsRotate: Command = {
  name: 'secrets rotate',
  summary: 'Seal stored webhook secrets and recipients with a new key; the service may run',
  run: async () => {
    const config = loadConfig(process.env, process.cwd())
    const file = dataKeysFile(config)
    if (file === undefined && config.dataKeys === undefined)
      throw new RefusedError(
        'The key is derived from AUTH_SECRET. Set DATA_KEYS in all processes, restart them, and run this again.',
      )
    // Opened first: it creates the data folder, and must be able to open what is stored now.
    const before = await withPlatform(({ database }) => sealWithCurrentKey(database))
    if (before.unreadable > 0)
      throw new RefusedError(
        `${before.unreadable} stored secrets cannot be read, because their key is missing. Add it to DATA_KEYS first.`,
      )
    if (file !== undefined) addDataKey(file)
    const { sealed } =
      file === undefined ? before : await withPlatform(({ database }) => sealWithCurrentKey(database), 'read')
    await withPlatform(
      ({ database }) =>
        recordOperatorChange(database, { actor: commandLineActor(), action: 'secrets.rotate', subject: 'all' }),
      'read',
    )
    const source = file === undefined ? 'the first key of DATA_KEYS' : `a new key in ${file}`
    return {
      json: { sealed, source },
      lines: [`All stored secrets are sealed with ${source}.`, 'Keep the older keys: backups from before need them.'],
    }
  },
}
