/** The `gatewatch` command: parses the arguments, runs the command, prints the result. */
import { parseGiven, UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'
import { failureOf } from './failure.ts'
import { helpOf, helpOfAll } from './help.ts'

const exitCleanups: (() => Promise<void>)[] = []

async function runCommand(args: readonly string[]): Promise<void> {
  const typed = args.join(' ')
  const command = COMMANDS.find(({ name }) => typed === name || typed.startsWith(`${name} `))
  if (command === undefined) {
    const [first] = args
    if (first !== undefined && first !== 'help' && first !== '--help')
      throw new UsageError(`Unknown command "${args.slice(0, 2).join(' ')}". List all commands with: gatewatch --help`)
    console.log(helpOfAll(COMMANDS))
    return
  }
  const given = parseGiven(command, args.slice(command.name.split(' ').length))
  if (given.flag('help')) {
    console.log(helpOf(command))
    return
  }
  const printable = await command.run(given, { beforeExit: (cleanup) => exitCleanups.push(cleanup) })
  if (printable === undefined) return
  console.log(given.flag('json') ? JSON.stringify(printable.json, null, 2) : printable.lines.join('\n'))
  if (printable.isFailure === true) process.exitCode = 1
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

// A closed pipe (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 70))
process.once('uncaughtException', (error) => void exitWith(error))

try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  fail(error)
}
