/** Help texts, derived from the command definitions. */
import { COMMON_OPTIONS, type Command } from './command.ts'

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
  return ['Usage: gatewatch COMMAND [OPTIONS]', '', ...pad(rows), '', 'Every command accepts --json and --help.'].join(
    '\n',
  )
}

export function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS })
  const rows = options.map(([name, { value, help }]): [string, string] => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
  return [`Usage: ${usageOf(command)} [OPTIONS]`, '', command.summary, '', ...pad(rows)].join('\n')
}
