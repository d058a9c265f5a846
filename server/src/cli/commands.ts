/** All commands, and their help. */
import { COMMON_OPTIONS, type Command } from './command.ts'
import { accountCreate, accountList, accountPlan, accountRemoveCodes } from './commands/account.ts'
import { applyCommand, monitorImport } from './commands/apply.ts'
import { backfillCommand } from './commands/backfill.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { chainList, chainTest } from './commands/chain.ts'
import { checkCommand } from './commands/check.ts'
import { indexExportCommand, indexImportCommand, reindexCommand, verifyCommand } from './commands/coins.ts'
import { contractAdd, registryImport } from './commands/contract.ts'
import { deliveriesHold, deliveriesResume } from './commands/deliveries.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCreate, keyList, keyRevoke } from './commands/key.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { pollCommand } from './commands/poll.ts'
import { probeCommand } from './commands/probe.ts'
import { secretsRotate } from './commands/secrets.ts'
import { demoCommand, startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { subscribeCommand } from './commands/subscribe.ts'

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  startCommand,
  demoCommand,
  migrateCommand,
  statusCommand,
  doctorCommand,
  chainList,
  chainTest,
  probeCommand,
  checkCommand,
  pollCommand,
  accountCreate,
  accountPlan,
  accountRemoveCodes,
  accountList,
  keyCreate,
  keyRevoke,
  keyList,
  contractAdd,
  registryImport,
  backfillCommand,
  subscribeCommand,
  applyCommand,
  monitorImport,
  mcpCommand,
  reindexCommand,
  verifyCommand,
  indexExportCommand,
  indexImportCommand,
  secretsRotate,
  backupCommand,
  restoreCommand,
  deliveriesHold,
  deliveriesResume,
]

const usageOf = ({ name, positionals = [] }: Command): string => ['gatewatch', name, ...positionals].join(' ')

const pad = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [
    [command.name, ...(command.positionals ?? [])].join(' '),
    command.summary,
  ])
  return [
    'Usage: gatewatch COMMAND [OPTIONS]',
    '',
    ...pad(rows),
    '',
    'Every command accepts --json and --help. `gatewatch --version` prints the version.',
  ].join('\n')
}

export function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS })
  const rows = options.map(([name, { value, help }]): [string, string] => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
  return [`Usage: ${usageOf(command)} [OPTIONS]`, '', command.summary, '', ...pad(rows)].join('\n')
}
