import { readMigrations } from '../../platform/migrate.ts'
import { type Command, onGround } from '../command.ts'

export const migrateCommand: Command = {
  words: 'migrate',
  summary: 'Brings the database to the schema of this program',
  // Opening the ground migrates: the command exists for those who want it done before a deployment.
  run: () =>
    onGround(async () => {
      const schema = readMigrations().at(-1)?.name ?? ''
      return { json: { schema }, lines: [`The database has schema ${schema}.`] }
    }),
}
