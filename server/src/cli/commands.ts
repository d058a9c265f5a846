import type { Command } from './command.ts'
import { accountCreate, accountList, accountPlan } from './commands/account.ts'
import { backfillCommand } from './commands/backfill.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { reindexCommand, verifyCommand } from './commands/coins.ts'
import { contractAdd, registryImport } from './commands/contract.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCreate, keyList, keyRevoke } from './commands/key.ts'
import { migrateCommand } from './commands/migrate.ts'
import { pollCommand } from './commands/poll.ts'
import { probeCommand } from './commands/probe.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { subscribeCommand } from './commands/subscribe.ts'

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  startCommand,
  demoCommand,
  migrateCommand,
  statusCommand,
  doctorCommand,
  probeCommand,
  pollCommand,
  accountCreate,
  accountPlan,
  accountList,
  keyCreate,
  keyRevoke,
  keyList,
  contractAdd,
  registryImport,
  backfillCommand,
  subscribeCommand,
  reindexCommand,
  verifyCommand,
  backupCommand,
  restoreCommand,
]
