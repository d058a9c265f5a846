/** What a command is: its words, its options, and what it does. Parsing and help are made from this alone. */
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util'
import { loadConfig } from '../config/config.ts'
import { GatewatchError } from '../lib/errors.ts'
import { createLogger } from '../lib/log.ts'
import { type Ground, openGround } from '../platform/ground.ts'

export class UsageError extends GatewatchError {
  override readonly code = 'usage'
  override readonly retryable = false
}

/** The command was understood and cannot be done: there is no such account, the limit is reached. */
export class RefusedError extends GatewatchError {
  override readonly code = 'refused'
  override readonly retryable = false
}

export type Option = { readonly type: 'string' | 'boolean'; readonly value?: string; readonly help: string }

export type Given = {
  readonly positionals: readonly string[]
  readonly text: (name: string) => string | undefined
  readonly flag: (name: string) => boolean
}

export type Command = {
  /** As typed: `account create`. */
  readonly words: string
  /** Names of the values that follow, as shown in the help; one in brackets may be left out. */
  readonly positionals?: readonly string[]
  readonly summary: string
  readonly options?: Readonly<Record<string, Option>>
  readonly run: (given: Given, context: CommandContext) => Promise<Printable | undefined>
}

/** `beforeExit` names what must still happen when an error nobody caught ends the program. */
export type CommandContext = { readonly beforeExit: (cleanup: () => Promise<void>) => void }

/** What a command says: `json` with --json, `lines` for a person otherwise. */
export type Printable = {
  readonly json: unknown
  readonly lines: readonly string[]
  /** The answer is complete and bad news: scripts see it by the exit code. */
  readonly isBad?: boolean
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'answer in JSON' },
  help: { type: 'boolean', help: 'show this help' },
}

export function parseGiven(command: Command, args: readonly string[]): Given {
  const options: Record<string, ParseArgsOptionDescriptor> = {}
  for (const [name, { type }] of Object.entries({ ...COMMON_OPTIONS, ...command.options })) options[name] = { type }
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  if (values.help !== true) checkPositionals(command, positionals)
  return {
    positionals,
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    flag: (name) => values[name] === true,
  }
}

function checkPositionals({ words, positionals: names = [] }: Command, given: readonly string[]): void {
  const missing = names.slice(given.length).find((name) => !name.startsWith('['))
  if (missing !== undefined) throw new UsageError(`gatewatch ${words}: ${missing} is missing`)
  const extra = given[names.length]
  if (extra !== undefined) throw new UsageError(`gatewatch ${words}: "${extra}" was not expected`)
}

/** One of the allowed words, or a refusal that lists them. */
export function chooseFrom<T extends string>(
  option: string,
  given: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (given === undefined) return undefined
  const chosen = allowed.find((word) => word === given)
  if (chosen === undefined) throw new UsageError(`--${option} must be one of ${allowed.join(', ')}`)
  return chosen
}

export function required(option: string, given: string | undefined): string {
  if (given === undefined || given === '') throw new UsageError(`--${option} is missing`)
  return given
}

/**
 * Runs `work` on the database of this checkout, beside a running server or without one. Logs go to standard error.
 * Who only looks leaves `migrations` at `none`: the service that runs may be an older one.
 */
export async function onGround<T>(
  work: (ground: Ground & { readonly publicUrl: string; readonly alertAllowPrivate: boolean }) => Promise<T>,
  migrations: 'all' | 'none' = 'all',
): Promise<T> {
  const config = loadConfig(process.env, process.cwd())
  if (config.demo) console.error("No chain is configured: this is the demo's database.")
  const log = createLogger({ level: 'warn', destination: process.stderr })
  const ground = await openGround({ config, log, migrations })
  try {
    const { publicUrl, alertAllowPrivate } = config
    return await work({ ...ground, publicUrl, alertAllowPrivate })
  } finally {
    await ground.close()
  }
}
