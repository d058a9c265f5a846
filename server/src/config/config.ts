/**
 * Environment → one frozen Config.
 *
 * Owns the names an operator sets (docs/operations.md) and reports every fault at once. Values of secret
 * variables never appear in a message.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { GatewatchError, reasonOf } from '../lib/errors.ts'
import { LOG_LEVELS } from '../lib/log.ts'
import { type EnvFile, parseEnvFile } from './env-file.ts'

export const ROLES = ['serve', 'watch', 'poll', 'index', 'deliver'] as const
export type Role = (typeof ROLES)[number]

/** The chains an operator can switch on; what they are is data of the two products. */
export const EVM_CHAINS = ['ethereum', 'arbitrum', 'base', 'optimism', 'polygon', 'bnb'] as const
export const COIN_CHAINS = ['btc', 'ltc'] as const
export type EvmChain = (typeof EVM_CHAINS)[number]
export type CoinChain = (typeof COIN_CHAINS)[number]

export class ConfigError extends GatewatchError {
  override readonly code = 'config_invalid'
  override readonly retryable = false
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)

const url = (protocols: readonly string[]) =>
  z.string().refine(
    (text) => {
      const parsed = URL.parse(text)
      return parsed !== null && protocols.includes(parsed.protocol.slice(0, -1)) && parsed.hostname !== ''
    },
    `must be a URL starting with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  )

/** Pages, cookies and links of mails all begin at the root. */
function isOrigin(text: string): boolean {
  const parsed = URL.parse(text)
  return parsed === null || parsed.href === `${parsed.origin}/` // what is no URL at all has its own sentence
}

/** PostgreSQL also takes a URL without host (a Unix socket in its query), so only the scheme is checked. */
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a URL starting with postgres://')

const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item).min(1, 'must name at least one'))

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

const evmChain = z.object({
  rpcUrls: listOf(url(['http', 'https', 'ws', 'wss'])),
  startBlock: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  confirmations: integer(0, 10_000).optional(),
})

/** A node's password often has signs that a URL writes otherwise. */
function isDecodable(text: string): boolean {
  const { username = '', password = '' } = URL.parse(text) ?? {}
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

const coinChain = z.object({
  rpcUrl: url(['http', 'https'])
    .refine(isDecodable, 'has a % in its user or password that stands for nothing: write %25 for it')
    .optional(),
  blocksDir: z.string().optional(),
  zmqUrl: url(['tcp', 'ipc']).optional(),
})

const schema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(1, 65_535).default(8080),
  PUBLIC_URL: url(['http', 'https'])
    .refine(isOrigin, 'must be scheme, host and port without a path: give the service a host name of its own')
    .optional(),
  TRUST_PROXY: z
    .union([flag.transform(Number), integer(0, 10)], 'must be true, false or the number of proxies in front, up to 10')
    .default(0),
  DATA_DIR: z.string().min(1).default('./data'),
  SHARE_PORT: flag.default(false),
  METRICS_PORT: integer(1, 65_535).optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  REDIS_URL: url(['redis', 'rediss', 'valkey', 'valkeys']).optional(),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  CHAINWIDE_EVENTS: listOf(
    z.string().regex(/^(none|[a-z0-9_]+(\.[a-z0-9_]+)+)$/, 'must be event keys, or none'),
  ).optional(),
  SLOT_POLL_SECONDS: integer(1, 604_800).default(3600),
  SOURCIFY_URL: url(['http', 'https']).optional(),
  SMTP_URL: url(['smtp', 'smtps']).optional(),
  MAIL_FROM: z.string().regex(/@/, 'must be an e-mail address').optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, "must look like Telegram's 123456:ABC…")
    .optional(),
  TELEGRAM_API_URL: url(['http', 'https']).default('https://api.telegram.org'),
  REQUEST_LOG_DAYS: integer(1, 3_650).default(30),
  ALERT_ALLOW_PRIVATE: flag.default(false),
  ALERT_HISTORY_DAYS: integer(2, 3_650).default(400),
  ROLES: listOf(z.enum(ROLES, `must be among ${ROLES.join(', ')}`)).default([...ROLES]),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

export type EvmChainConfig = z.infer<typeof evmChain>
export type CoinChainConfig = z.infer<typeof coinChain>

export type Config = Readonly<{
  host: string
  port: number
  publicUrl: string
  /** Where our own pages are served from. */
  origins: readonly string[]
  /** Reverse proxies in front of us: that many last entries of X-Forwarded-For are theirs. */
  proxies: number
  /** Nothing is configured to show or to be part of: the demo's own chains are shown. */
  demo: boolean
  /** Everything the program stores locally; while no chain is configured apart from real data, which it must not mix with. */
  dataDir: string
  /** Other processes of this machine listen on the same port. */
  sharePort: boolean
  /** Where a process without the role `serve` tells its health and metrics. */
  metricsPort: number | undefined
  databaseUrl: string | undefined
  /** A replica, for answers that may be a moment old. */
  databaseReadUrl: string | undefined
  redisUrl: string | undefined
  authSecret: string | undefined
  evmChains: Readonly<Partial<Record<EvmChain, EvmChainConfig>>>
  coinChains: Readonly<Partial<Record<CoinChain, CoinChainConfig>>>
  /** Event keys looked for on contracts nobody registered; undefined: the built-in list. */
  chainwideEvents: readonly string[] | undefined
  slotPollSeconds: number
  sourcifyUrl: string | undefined
  mail: { readonly smtpUrl: string; readonly from: string } | undefined
  telegram: { readonly token: string; readonly apiUrl: string } | undefined
  alertAllowPrivate: boolean
  /** Days that settled deliveries are kept. */
  alertHistoryDays: number
  /** Days of the request log that are kept, today included. */
  requestLogDays: number
  roles: readonly Role[]
  logLevel: (typeof LOG_LEVELS)[number]
}>

export type Environment = Readonly<Record<string, string | undefined>>

/** `.env` in the working folder, under what the environment itself says. */
export function loadConfig(env: Environment, folder: string): Config {
  const { values, faults } = environmentOf(env, folder)
  return parseConfig(values, folder, faults)
}

/** What makes a process part of a service: the demo would read from its replica, or answer on its port. */
const OF_A_SERVICE = ['DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'ROLES', 'SHARE_PORT', 'METRICS_PORT']

/** The configuration of the demo, whatever chains and database are configured. */
export function loadDemoConfig(env: Environment, folder: string): Config {
  const { values, faults } = environmentOf(env, folder)
  const chains = [...EVM_CHAINS, ...COIN_CHAINS].map((name) => `${name.toUpperCase()}_`)
  const isReal = (name: string) => OF_A_SERVICE.includes(name) || chains.some((prefix) => name.startsWith(prefix))
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => !isReal(name)))
  return parseConfig(own, folder, faults)
}

function environmentOf(env: Environment, folder: string): { values: Environment; faults: readonly string[] } {
  const path = join(folder, '.env')
  const file = existsSync(path) ? readEnvFile(path) : { values: {}, faults: [] }
  return { values: { ...file.values, ...env }, faults: file.faults }
}

function readEnvFile(path: string): EnvFile {
  try {
    return parseEnvFile(readFileSync(path, 'utf8'))
  } catch (error) {
    return { values: {}, faults: [`.env: cannot be read (${reasonOf(error)})`] }
  }
}

export function parseConfig(env: Environment, folder: string, faultsBefore: readonly string[] = []): Config {
  const faults = [...faultsBefore]
  // An empty variable is an unset one: that is how shells and compose files unset things.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

  const parsed = schema.safeParse(given)
  if (!parsed.success) faults.push(...faultsOf(parsed.error))
  const evmChains = parseChains(EVM_CHAINS, evmChain, EVM_VARIABLES, given, faults)
  const coinChains = parseChains(COIN_CHAINS, coinChain, COIN_VARIABLES, given, faults)
  if (given.DATABASE_URL !== undefined && given.AUTH_SECRET === undefined) {
    faults.push(
      'AUTH_SECRET: is required with DATABASE_URL, so that every process signs alike; make one with: openssl rand -base64 48',
    )
  }
  if (given.DATABASE_READ_URL !== undefined && given.DATABASE_URL === undefined) {
    faults.push('DATABASE_READ_URL: is a replica of DATABASE_URL, which is not set; set both, or neither')
  }
  if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined) {
    faults.push('MAIL_FROM: is required with SMTP_URL; it is the sender of every mail')
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults)

  const { data } = parsed
  const isUnconfigured =
    Object.keys(evmChains).length + Object.keys(coinChains).length === 0 && data.DATABASE_URL === undefined
  const dataDir = resolve(folder, data.DATA_DIR)
  return Object.freeze({
    host: data.HOST,
    port: data.PORT,
    publicUrl: publicUrlOf(data),
    origins: originsOf(data),
    proxies: data.TRUST_PROXY,
    demo: isUnconfigured && given.ROLES === undefined, // who names roles runs a part of something larger
    dataDir: isUnconfigured ? join(dataDir, 'demo') : dataDir,
    sharePort: data.SHARE_PORT,
    metricsPort: data.METRICS_PORT,
    databaseUrl: data.DATABASE_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    redisUrl: data.REDIS_URL,
    authSecret: data.AUTH_SECRET,
    evmChains,
    coinChains,
    chainwideEvents: data.CHAINWIDE_EVENTS?.filter((key) => key !== 'none'),
    slotPollSeconds: data.SLOT_POLL_SECONDS,
    sourcifyUrl: data.SOURCIFY_URL,
    mail:
      data.SMTP_URL !== undefined && data.MAIL_FROM !== undefined
        ? { smtpUrl: data.SMTP_URL, from: data.MAIL_FROM }
        : undefined,
    telegram:
      data.TELEGRAM_BOT_TOKEN === undefined
        ? undefined
        : { token: data.TELEGRAM_BOT_TOKEN, apiUrl: data.TELEGRAM_API_URL },
    alertAllowPrivate: data.ALERT_ALLOW_PRIVATE,
    alertHistoryDays: data.ALERT_HISTORY_DAYS,
    requestLogDays: data.REQUEST_LOG_DAYS,
    roles: [...new Set(data.ROLES)],
    logLevel: data.LOG_LEVEL,
  })
}

type Place = { readonly HOST: string; readonly PORT: number; readonly PUBLIC_URL?: string | undefined }

function publicUrlOf({ HOST, PORT, PUBLIC_URL }: Place): string {
  const shownHost = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
  const bracketed = shownHost.includes(':') ? `[${shownHost}]` : shownHost
  return (PUBLIC_URL ?? `http://${bracketed}:${PORT}`).replace(/\/+$/, '')
}

/** Without a public URL the machine itself is where the pages are opened, by whichever of its own names. */
function originsOf(place: Place): readonly string[] {
  const ours = new URL(publicUrlOf(place)).origin
  if (place.PUBLIC_URL !== undefined) return [ours]
  return [...new Set([ours, ...['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${place.PORT}`)])]
}

const EVM_VARIABLES = { rpcUrls: 'RPC_URL', startBlock: 'START_BLOCK', confirmations: 'CONFIRMATIONS' }
const COIN_VARIABLES = { rpcUrl: 'RPC_URL', blocksDir: 'BLOCKS_DIR', zmqUrl: 'ZMQ_URL' }

/** A chain is on when any of its variables is set; `variables` maps its fields to their suffixes. */
function parseChains<Name extends string, Shape extends z.ZodType>(
  names: readonly Name[],
  shape: Shape,
  variables: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
  faults: string[],
): Partial<Record<Name, z.infer<Shape>>> {
  const chains: Partial<Record<Name, z.infer<Shape>>> = {}
  for (const name of names) {
    const variableOf = (field: string) => `${name.toUpperCase()}_${variables[field]}`
    const fields = Object.keys(variables).filter((field) => given[variableOf(field)] !== undefined)
    if (fields.length === 0) continue
    const parsed = shape.safeParse(Object.fromEntries(fields.map((field) => [field, given[variableOf(field)]])))
    if (parsed.success) chains[name] = parsed.data
    else faults.push(...faultsOf(parsed.error, variableOf))
  }
  return chains
}

function faultsOf(error: z.ZodError, variableOf: (field: string) => string = String): string[] {
  const sentences = error.issues.map((issue) => {
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    return `${variableOf(String(issue.path[0]))}: ${missing ? 'is required when the chain is configured' : issue.message}`
  })
  return [...new Set(sentences)]
}
