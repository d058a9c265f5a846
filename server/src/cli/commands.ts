import type { Command } from './command.ts'
import { accountCreate, accountList, accountPlan } from './commands/account.ts'
import { keyCreate, keyList, keyRevoke } from './commands/key.ts'
import { migrateCommand } from './commands/migrate.ts'
import { startCommand } from './commands/start.ts'

/** Every command there is, in the order the help lists them. */
export const COMMANDS: readonly Command[] = [
  startCommand,
  migrateCommand,
  accountCreate,
  accountPlan,
  accountList,
  keyCreate,
  keyRevoke,
  keyList,
]
