/** The `gatewatch` command: parses, calls, prints. */
import { parseGiven, UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'
import { failureOf } from './failure.ts'
import { helpOf, helpOfAll } from './help.ts'

const lastWords: (() => Promise<void>)[] = []

async function runCommand(args: readonly string[]): Promise<void> {
  const words = args.join(' ')
  const command = COMMANDS.find((candidate) => words === candidate.words || words.startsWith(`${candidate.words} `))
  if (command === undefined) {
    const [first] = args
    if (first !== undefined && first !== 'help' && first !== '--help')
      throw new UsageError(`There is no command "${args.slice(0, 2).join(' ')}"; gatewatch --help lists them.`)
    console.log(helpOfAll(COMMANDS))
    return
  }
  const given = parseGiven(command, args.slice(command.words.split(' ').length))
  if (given.flag('help')) {
    console.log(helpOf(command))
    return
  }
  const printable = await command.run(given, { beforeExit: (cleanup) => lastWords.push(cleanup) })
  if (printable === undefined) return
  console.log(given.flag('json') ? JSON.stringify(printable.json, null, 2) : printable.lines.join('\n'))
  if (printable.isBad === true) process.exitCode = 1
}

function fail(thrown: unknown): void {
  const { sentences, exitCode } = failureOf(thrown)
  for (const sentence of sentences) console.error(sentence)
  process.exitCode = exitCode
}

async function die(error: unknown): Promise<never> {
  fail(error)
  for (const cleanup of lastWords) await cleanup()
  process.exit()
}

// A reader that stops reading (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 70))
process.once('uncaughtException', (error) => void die(error))

try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  fail(error)
}
