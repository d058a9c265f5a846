/** The `gatewatch` command: parses the arguments, runs the command, prints the result. */
import { ConfigError, loadConfig } from '../config/config.ts'
import { addChains } from '../control/chains/chains.ts'
import { GatewatchError, reasonOf } from '../lib/errors.ts'
import { scrub } from '../lib/log.ts'
import { ownVersion } from '../lib/version.ts'
import { parseArguments, UsageError } from './command.ts'
import { findCommand, helpOf, helpOfAll, loadCommands, unknownCommandText } from './commands.ts'

// Every file that the program makes is readable by its own account only: data, backups, logs.
process.umask(0o077)

const exitCleanups: (() => Promise<void>)[] = []

async function runCommand(typed: readonly string[]): Promise<void> {
  if (typed.length === 1 && typed[0] === '--version') {
    console.log(`gatewatch ${ownVersion()}`)
    return
  }
  const command = await findCommand(typed)
  if (command === undefined) {
    const [first] = typed
    if (first !== undefined && first !== 'help' && first !== '--help')
      throw new UsageError(await unknownCommandText(typed))
    console.log(helpOfAll(await loadCommands()))
    return
  }
  const args = parseArguments(command, typed.slice(command.name.split(' ').length))
  if (args.flag('help')) {
    console.log(helpOf(command))
    return
  }
  addConfiguredChains()
  const printable = await command.run(args, { beforeExit: (cleanup) => exitCleanups.push(cleanup) })
  if (printable === undefined) return
  console.log(args.flag('json') ? JSON.stringify(printable.json, null, 2) : printable.lines.join('\n'))
  process.exitCode = printable.exitCode ?? (printable.isFailure === true ? 1 : 0)
}

/** Commands name chains before they read the configuration. Those that need it report its faults. */
function addConfiguredChains(): void {
  try {
    addChains(loadConfig(process.env, process.cwd()).chains)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
  }
}

/** From sysexits.h where it has a matching code. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  refused: 1,
  account_refused: 1,
  backup_unusable: 1,
  demo_running: 1,
  export_unusable: 1,
  index_in_use: 1,
  usage: 64,
  schema_newer: 65,
  schema_older: 65,
  migration_edited: 65,
  database_unreachable: 69,
  database_silent: 69,
  database_pooled: 78,
  redis_unreachable: 69,
  redis_refuses: 69,
  embedded_database_failed: 69,
  node_unreachable: 69,
  cannot_listen: 71,
  disk_full: 74,
  config_invalid: 78,
}
const UNEXPECTED = 70

/** Returns the message and the exit code for an error (docs/errors.md). Stack traces are never printed. */
function failureOf(thrown: unknown): { readonly lines: readonly string[]; readonly exitCode: number } {
  if (thrown instanceof ConfigError) {
    return {
      lines: ['The configuration is invalid:', ...thrown.faults.map((fault) => `  ${fault}`)].map(scrub),
      exitCode: EXIT_CODES[thrown.code] ?? UNEXPECTED,
    }
  }
  if (thrown instanceof GatewatchError)
    return { lines: [scrub(thrown.message)], exitCode: EXIT_CODES[thrown.code] ?? UNEXPECTED }
  return { lines: [scrub(`Unexpected error: ${reasonOf(thrown)}`)], exitCode: UNEXPECTED }
}

function fail(thrown: unknown): void {
  const { lines, exitCode } = failureOf(thrown)
  for (const line of lines) console.error(line)
  process.exitCode = exitCode
}

async function exitWith(error: unknown): Promise<never> {
  fail(error)
  for (const cleanup of exitCleanups) await cleanup()
  process.exit()
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0) // A closed pipe (`| head`) is not an error.
  console.error(`The output cannot be written: ${reasonOf(error)}.`)
  process.exit(error.code === 'ENOSPC' ? EXIT_CODES.disk_full : UNEXPECTED)
})
process.once('uncaughtException', (error) => void exitWith(error))

try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  fail(error)
}
