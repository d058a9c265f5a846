/** All commands, and their help. A command is loaded when it is needed, because all of them need most of the program. */
import { editDistance } from '../lib/edit-distance.ts'
import { COMMON_OPTIONS, type Command } from './command.ts'

type Family = {
  /** The first words of the commands. */
  readonly words: readonly string[]
  readonly load: () => Promise<readonly Command[]>
}

/** The modules of commands, in the order of the help. */
export const FAMILIES: readonly Family[] = [
  {
    words: ['start', 'demo'],
    load: () => import('./commands/start.ts').then((all) => [all.startCommand, all.demoCommand]),
  },
  {
    words: ['migrate'],
    load: () => import('./commands/migrate.ts').then((all) => [all.migrateCommand]),
  },
  {
    words: ['status'],
    load: () => import('./commands/status.ts').then((all) => [all.statusCommand]),
  },
  {
    words: ['doctor'],
    load: () => import('./commands/doctor.ts').then((all) => [all.doctorCommand]),
  },
  {
    words: ['chain'],
    load: () => import('./commands/chain.ts').then((all) => [all.chainList, all.chainTest]),
  },
  {
    words: ['probe'],
    load: () => import('./commands/probe.ts').then((all) => [all.probeCommand]),
  },
  {
    words: ['check'],
    load: () => import('./commands/check.ts').then((all) => [all.checkCommand]),
  },
  {
    words: ['poll'],
    load: () => import('./commands/poll.ts').then((all) => [all.pollCommand]),
  },
  {
    words: ['account'],
    load: () =>
      import('./commands/account.ts').then((all) => [
        all.accountCreate,
        all.accountPlan,
        all.accountRemoveCodes,
        all.accountList,
      ]),
  },
  {
    words: ['key'],
    load: () => import('./commands/key.ts').then((all) => [all.keyCreate, all.keyRevoke, all.keyList]),
  },
  {
    words: ['contract', 'registry'],
    load: () => import('./commands/contract.ts').then((all) => [all.contractAdd, all.registryImport]),
  },
  {
    words: ['backfill'],
    load: () => import('./commands/backfill.ts').then((all) => [all.backfillCommand]),
  },
  {
    words: ['subscribe'],
    load: () => import('./commands/subscribe.ts').then((all) => [all.subscribeCommand]),
  },
  {
    words: ['apply', 'monitor'],
    load: () => import('./commands/apply.ts').then((all) => [all.applyCommand, all.monitorImport]),
  },
  {
    words: ['mcp'],
    load: () => import('./commands/mcp.ts').then((all) => [all.mcpCommand]),
  },
  {
    words: ['reindex', 'verify', 'index'],
    load: () =>
      import('./commands/coins.ts').then((all) => [
        all.reindexCommand,
        all.verifyCommand,
        all.indexExportCommand,
        all.indexImportCommand,
      ]),
  },
  {
    words: ['secrets'],
    load: () => import('./commands/secrets.ts').then((all) => [all.secretsRotate]),
  },
  {
    words: ['backup', 'restore'],
    load: () => import('./commands/backup.ts').then((all) => [all.backupCommand, all.restoreCommand]),
  },
  {
    words: ['deliveries'],
    load: () => import('./commands/deliveries.ts').then((all) => [all.deliveriesHold, all.deliveriesResume]),
  },
]

/** Loads all commands, in the order of the help. */
export async function loadCommands(): Promise<readonly Command[]> {
  return (await Promise.all(FAMILIES.map(({ load }) => load()))).flat()
}

/** Returns the command that `typed` begins with. */
export async function findCommand(typed: readonly string[]): Promise<Command | undefined> {
  const line = typed.join(' ')
  const family = FAMILIES.find(({ words }) => words.includes(typed[0] ?? ''))
  return (await family?.load())?.find(({ name }) => line === name || line.startsWith(`${name} `))
}

/** Reports what was typed instead of a command, and the commands that may be meant. */
export async function unknownCommandText(typed: readonly string[]): Promise<string> {
  const [first = ''] = typed
  const words = FAMILIES.flatMap((family) => family.words)
  const word = words.find((known) => known === first) ?? words.find((known) => editDistance(known, first) <= 1)
  const names = (await loadCommands()).flatMap(({ name }) => (name.split(' ')[0] === word ? [name] : []))
  const meant = names.length === 0 ? '' : ` Use ${names.join(', ').replace(/, ([^,]+)$/, ' or $1')}.`
  return `Unknown command "${typed.slice(0, 2).join(' ')}".${meant} List all commands with: gatewatch --help`
}

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
