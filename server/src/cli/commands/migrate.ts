import { readMigrations } from '../../platform/migrate.ts'
import { type Command, withPlatform } from '../command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Update the database schema to this version',
  // `withPlatform` applies the migrations. The command is for operators who migrate before a deployment.
  run: () =>
    withPlatform(async () => {
      const schema = readMigrations().at(-1)?.name ?? ''
      return { json: { schema }, lines: [`The database schema is up to date (${schema}).`] }
    }),
}
