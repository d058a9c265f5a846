/** The definition of a command, and the arguments and options that commands share. */
import { readFileSync } from 'node:fs'
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util'
import { type Config, loadConfig, variablePrefix } from '../config/config.ts'
import { CHAINS, type Chain, findChain, parseAddress } from '../control/chains/chains.ts'
import { withoutByteOrderMark } from '../lib/byte-order-mark.ts'
import { fetchFault, GatewatchError, reasonOf, systemCodeOf } from '../lib/errors.ts'
import type { Hex } from '../lib/hex.ts'
import { createLogger } from '../lib/log.ts'
import { YamlFaults } from '../lib/yaml-file.ts'
import { hasDatabase, openPlatform, type Platform } from '../platform/platform.ts'

export class UsageError extends GatewatchError {
  override readonly code = 'usage'
  override readonly retryable = false
}

/** A valid command cannot be carried out: the account does not exist, a limit is reached. */
export class RefusedError extends GatewatchError {
  override readonly code = 'refused'
  override readonly retryable = false
}

export type Option = { readonly type: 'string' | 'boolean'; readonly value?: string; readonly help: string }

/** The arguments and options that the operator typed. */
export type Arguments = {
  readonly positionals: readonly string[]
  readonly text: (name: string) => string | undefined
  readonly flag: (name: string) => boolean
}

export type Command = {
  /** As typed: `account create`. */
  readonly name: string
  /** Names of the positional arguments. Brackets mark an optional argument. */
  readonly positionals?: readonly string[]
  readonly summary: string
  readonly options?: Readonly<Record<string, Option>>
  readonly run: (args: Arguments, context: CommandContext) => Promise<Printable | undefined>
}

/** `beforeExit` registers a cleanup for the case that an uncaught error ends the program. */
export type CommandContext = { readonly beforeExit: (cleanup: () => Promise<void>) => void }

/** The output of a command: `json` with --json, otherwise `lines`. */
export type Printable = {
  readonly json: unknown
  readonly lines: readonly string[]
  /** The command worked and reports a failure: the exit code is 1. */
  readonly isFailure?: boolean
  /** An exit code of its own. */
  readonly exitCode?: number
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'print JSON' },
  help: { type: 'boolean', help: 'print this help' },
}

export function parseArguments(command: Command, typed: readonly string[]): Arguments {
  const options: Record<string, ParseArgsOptionDescriptor> = {}
  for (const [name, { type }] of Object.entries({ ...COMMON_OPTIONS, ...command.options })) options[name] = { type }
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...typed], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${optionFault(error, command)} See: gatewatch ${command.name} --help`)
  }
  const { values, positionals } = parsed
  if (values.help !== true) checkPositionals(command, positionals)
  return {
    positionals,
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    flag: (name) => values[name] === true,
  }
}

/** Node adds advice about positional arguments that start with a hyphen, which no command has. */
function optionFault(error: unknown, { name }: Command): string {
  const [first = `The options of ${name} are not valid`] = reasonOf(error).split(/\.\s/)
  const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(first) ?? []
  if (option !== undefined) return `${option} needs a value that does not begin with a hyphen.`
  return `${first.replace(/\.$/, '')}.`
}

function checkPositionals({ name: command, positionals: names = [] }: Command, given: readonly string[]): void {
  const missing = names.slice(given.length).find((name) => !name.startsWith('['))
  if (missing !== undefined) throw new UsageError(`${missing} is missing. See: gatewatch ${command} --help`)
  const extra = given[names.length]
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}". See: gatewatch ${command} --help`)
}

/** Returns the option's value; throws a usage error that lists the allowed values. */
export function chooseFrom<T extends string>(
  option: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined
  const chosen = allowed.find((known) => known === value)
  if (chosen === undefined) throw new UsageError(`Unknown value "${value}" for --${option}. Use ${allowed.join(', ')}.`)
  return chosen
}

export function required(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${option} is missing.`)
  return value
}

/** Returns the EVM chain with this slug or chain id. */
export function chainArgument(text: string): Chain {
  const chain = findChain(text)
  if (chain === undefined)
    throw new UsageError(`Unknown chain "${text}". Use ${CHAINS.map(({ slug }) => slug).join(', ')} or a chain id.`)
  return chain
}

const DEMO_CHAINS = ['ethereum', 'base']

/** A note for a chain that the configured service does not read. */
export function noteIfUnread({ slug }: Chain): readonly string[] {
  const { demo, evmChains } = loadConfig(process.env, process.cwd())
  if (demo ? DEMO_CHAINS.includes(slug) : evmChains[slug] !== undefined) return []
  if (demo) return [`The demo does not read ${slug}. Its own chains are ${DEMO_CHAINS.join(' and ')}.`]
  const setting = `${variablePrefix(slug)}_RPC_URL`
  return [`No endpoint of ${slug} is configured here: nothing is read from it. Set ${setting} where the service runs.`]
}

/** Returns an EVM address in lower case. */
export function addressArgument(text: string): Hex {
  const parsed = parseAddress(text)
  if ('refusal' in parsed) throw new UsageError(`ADDRESS ${parsed.refusal}.`)
  return parsed.address
}

const MAX_FILE_BYTES = 10_000_000
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this account may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
}

/** Why a file or a URL could not be read or parsed. The message of Node repeats its path. */
export const fileFault = (error: unknown): string =>
  FILE_FAULTS[systemCodeOf(error) ?? ''] ?? fetchFault(error).replaceAll(/\s+/g, ' ')

/** Reads a file that the operator named. */
export function readText(file: string): string {
  let text: string
  try {
    text = withoutByteOrderMark(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new RefusedError(`Cannot read ${file}: ${fileFault(error)}.`)
  }
  if (text.length > MAX_FILE_BYTES) throw new RefusedError(`${file} is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`)
  return text
}

export function parseOrRefuse<T>(file: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof YamlFaults)) throw error
    throw new RefusedError(
      [`${file} is not valid:`, ...error.faults.slice(0, 20).map((fault) => `  ${fault}`)].join('\n'),
    )
  }
}

/** Returns the URLs of an option, which are separated by commas. */
export function endpointUrls(text: string): readonly string[] {
  const urls = text.split(',').map((part) => part.trim())
  if (urls.some((url) => !/^(https?|wss?):$/.test(URL.parse(url)?.protocol ?? '')))
    throw new UsageError(`Invalid URL in --rpc. Use http, https, ws or wss.`)
  return urls
}

/**
 * `change` applies the migrations. `read` leaves the schema unchanged, because the running service may be an older
 * version, and needs a database that exists; `check` makes an empty one where there is none.
 */
type Access = 'change' | 'read' | 'check'

/** Runs `work` with the configured database. The service may run at the same time. Logs go to standard error. */
export async function withPlatform<T>(
  work: (platform: Platform & Pick<Config, 'publicUrl' | 'alertAllowPrivate' | 'mail'>) => Promise<T>,
  access: Access = 'change',
): Promise<T> {
  const config = loadConfig(process.env, process.cwd())
  if (config.demo) console.error('No chain is configured: using the database of the demo.')
  if (access === 'read' && !hasDatabase(config))
    throw new RefusedError(
      `There is no database in ${config.dataDir}. Run this where the service runs, or set DATA_DIR to its data folder.`,
    )
  const log = createLogger({ level: 'warn', destination: process.stderr })
  const platform = await openPlatform({ config, log, migrations: access === 'change' ? 'all' : 'none' })
  try {
    const { publicUrl, alertAllowPrivate, mail } = config
    return await work({ ...platform, publicUrl, alertAllowPrivate, mail })
  } finally {
    await platform.close()
  }
}
