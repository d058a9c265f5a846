/**
 * Parses the environment into one frozen Config.
 *
 * It defines the variables of docs/operations.md and reports all faults at once. Messages never contain values of
 * secret variables.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type DataKey, parseDataKey } from '../lib/data-key.ts'
import { GatewatchError, reasonOf } from '../lib/errors.ts'
import { LOG_LEVELS } from '../lib/log.ts'
import { type ChainDefinition, PRESETS, readChainDefinitions } from './chain-definitions.ts'
import { type EnvFile, parseEnvFile } from './env-file.ts'
import { findUnknownSettings } from './unknown-settings.ts'

export const ROLES = ['serve', 'watch', 'poll', 'index', 'deliver'] as const
export type Role = (typeof ROLES)[number]

/** The built-in chains. Their parameters are in control/chains and coins/networks. */
export const EVM_CHAINS = ['ethereum', 'arbitrum', 'base', 'optimism', 'polygon', 'bnb'] as const
export const COIN_CHAINS = ['btc', 'ltc'] as const
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

/** An e-mail address becomes a `mailto:` link. */
const contact = z
  .string()
  .refine(
    (text) => z.email().safeParse(text).success || url(['http', 'https']).safeParse(text).success,
    'must be an e-mail address, or a URL starting with https:// or http://',
  )
  .transform((text) => (text.includes('://') ? text : `mailto:${text}`))

/** Pages, cookies and links in mails need the service at the root of its host. */
function isOrigin(text: string): boolean {
  const parsed = URL.parse(text)
  return parsed === null || parsed.href === `${parsed.origin}/` // an invalid URL has its own message
}

/** Only the scheme is checked, because PostgreSQL accepts URLs without a host (a Unix socket in the query). */
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
    .pipe(z.array(item).min(1, 'is empty; give at least one value'))

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: ({ input }) => `has the unknown value "${String(input)}"; use ${values.join(', ')}` })

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

/** A password with a bare % is not valid in a URL. */
function isDecodable(text: string): boolean {
  const { username = '', password = '' } = URL.parse(text) ?? {}
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

const evmChain = z.object({
  rpcUrls: listOf(url(['http', 'https', 'ws', 'wss'])),
  startBlock: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  confirmations: integer(0, 10_000).optional(),
  safeServiceUrl: url(['http', 'https'])
    .refine(isDecodable, 'has an invalid % in its key; write %25 for a percent sign')
    .optional(),
  ensRegistry: z
    .string()
    .regex(/^(none|0x[0-9a-fA-F]{40})$/, 'must be 0x and 40 hexadecimal characters, or none')
    .optional(),
})

const hasLogin = (text = ''): boolean => (URL.parse(text)?.username ?? '') !== ''

const coinChain = z
  .object({
    rpcUrl: url(['http', 'https'])
      .refine(isDecodable, 'has an invalid % in its user or password; write %25 for a percent sign')
      .optional(),
    cookieFile: z.string().optional(),
    blocksDir: z.string().optional(),
    zmqUrl: url(['tcp', 'ipc']).optional(),
  })
  .refine(({ rpcUrl, cookieFile }) => cookieFile === undefined || rpcUrl !== undefined, {
    path: ['cookieFile'],
    message: 'is set without the RPC URL of the node; set both',
  })
  .refine(({ rpcUrl, cookieFile }) => cookieFile === undefined || !hasLogin(rpcUrl), {
    path: ['cookieFile'],
    message: 'is set, and the RPC URL has a user and password; remove one of them',
  })

const schema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(1, 65_535).default(8080),
  PUBLIC_URL: url(['http', 'https'])
    .refine(isOrigin, 'must be a scheme, host and port without a path; give the service its own host name')
    .optional(),
  OPERATOR_CONTACT: contact.optional(),
  TRUST_PROXY: z
    .union([flag.transform(Number), integer(0, 10)], 'must be true, false or the number of reverse proxies, at most 10')
    .default(0),
  DATA_KEYS: listOf(
    z
      .string()
      .refine(
        (text) => parseDataKey(text) !== undefined,
        'must be ID:KEY, with 32 bytes as base64; make one with: openssl rand -base64 32',
      ),
  ).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  SHARE_PORT: flag.default(false),
  METRICS_PORT: integer(1, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  DATABASE_CONNECTIONS: integer(4, 500).optional(),
  REDIS_URL: url(['redis', 'rediss', 'valkey', 'valkeys']).optional(),
  AUTH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters; make one with: openssl rand -base64 48')
    .optional(),
  CHAINWIDE_EVENTS: listOf(
    z.string().regex(/^(none|[a-z0-9_]+(\.[a-z0-9_]+)+)$/, 'must be a comma-separated list of event keys, or none'),
  ).optional(),
  SLOT_POLL_SECONDS: integer(1, 604_800).default(3600),
  SOURCIFY_URL: url(['http', 'https']).optional(),
  SMTP_URL: url(['smtp', 'smtps']).optional(),
  MAIL_FROM: z.string().regex(/@/, 'must be an e-mail address, such as Gatewatch <alerts@example.org>').optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must be a bot token as BotFather prints it, such as 123456:ABC…')
    .optional(),
  TELEGRAM_API_URL: url(['http', 'https']).default('https://api.telegram.org'),
  REQUEST_LOG_DAYS: integer(1, 3_650).default(30),
  DEMO_PUBLIC: flag.default(false),
  OPERATOR_TWO_FACTOR: flag.default(false),
  ALERT_ALLOW_PRIVATE: flag.default(false),
  ALERT_HISTORY_DAYS: integer(2, 3_650).default(400),
  ROLES: listOf(oneOf(ROLES)).default([...ROLES]),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  CHAINS_FILE: z.string().optional(),
})

export type EvmChainConfig = z.infer<typeof evmChain>
export type CoinChainConfig = z.infer<typeof coinChain>

export type Config = Readonly<{
  host: string
  port: number
  publicUrl: string
  /** Origins that serve our own pages. */
  origins: readonly string[]
  /** A link by which accounts reach the operator, for example to change their plan. */
  contact: string | undefined
  /** Number of reverse proxies: that many last entries of X-Forwarded-For are trusted. */
  proxies: number
  /** No chain, database or role is configured, so the demo runs. */
  demo: boolean
  /** The folder for local data. Demo data is kept in a subfolder, apart from real data. */
  dataDir: string
  /** Whether other processes of this machine listen on the same port. */
  sharePort: boolean
  /** The port for health and metrics of this process alone. */
  metricsPort: number | undefined
  metricsHost: string
  /** Whether `PORT` serves metrics too: only if nothing but this machine can reach it. */
  publicMetrics: boolean
  databaseUrl: string | undefined
  /** A replica for responses that may be slightly stale. */
  databaseReadUrl: string | undefined
  /** The most connections of this process to each database. */
  databaseConnections: number
  redisUrl: string | undefined
  authSecret: string | undefined
  /** Keys of stored secrets: the first seals, all of them open. */
  dataKeys: readonly DataKey[] | undefined
  evmChains: Readonly<Partial<Record<string, EvmChainConfig>>>
  /** The chains that are not built in, whether they are configured or not. */
  definitions: readonly ChainDefinition[]
  /** Those of them that are configured. */
  chains: readonly ChainDefinition[]
  coinChains: Readonly<Partial<Record<CoinChain, CoinChainConfig>>>
  /** Event keys to watch on unregistered contracts. Undefined means the built-in list. */
  chainwideEvents: readonly string[] | undefined
  slotPollSeconds: number
  sourcifyUrl: string | undefined
  mail: { readonly smtpUrl: string; readonly from: string } | undefined
  telegram: { readonly token: string; readonly apiUrl: string } | undefined
  /** Whether an account needs one-time codes to act as an operator. */
  operatorTwoFactor: boolean
  alertAllowPrivate: boolean
  /** Webhook URLs that are allowed although their address is private: the demo's own receiver. */
  ownTargets: readonly string[]
  /** Days for which finished deliveries are kept. */
  alertHistoryDays: number
  /** Days for which the request log is kept, including today. */
  requestLogDays: number
  roles: readonly Role[]
  logLevel: (typeof LOG_LEVELS)[number]
}>

export type Environment = Readonly<Record<string, string | undefined>>

/** Loads `.env` of the working folder and the environment, which takes precedence. */
export function loadConfig(env: Environment, folder: string): Config {
  const { values, faults } = environmentOf(env, folder)
  return parseConfig(values, folder, faults)
}

/** Variables of a real service. The demo ignores them, so that it does not use its replica or its port. */
const SERVICE_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'ROLES',
  'SHARE_PORT',
  'METRICS_PORT',
  'METRICS_HOST',
]

/** Loads the configuration of the demo, without the configured chains and database. */
export function loadDemoConfig(env: Environment, folder: string): Config {
  const { values, faults } = environmentOf(env, folder)
  const chains = [...EVM_CHAINS, ...PRESETS.map(({ slug }) => slug), ...COIN_CHAINS].map(
    (name) => `${variablePrefix(name)}_`,
  )
  const isReal = (name: string) => SERVICE_VARIABLES.includes(name) || chains.some((prefix) => name.startsWith(prefix))
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => !isReal(name)))
  const config = parseConfig(own, folder, faults)
  if (!isLoopback(config.host) && own.DEMO_PUBLIC !== 'true')
    throw new ConfigError([
      `HOST: the demo does not listen on ${config.host}, because its login is an operator and its data is invented; remove HOST, configure a chain, or set DEMO_PUBLIC=true`,
    ])
  return config
}

/** Whether only this machine reaches a listener on `host`. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)

function environmentOf(env: Environment, folder: string): { values: Environment; faults: readonly string[] } {
  const path = join(folder, '.env')
  const file = existsSync(path) ? readEnvFile(path) : { values: {}, faults: [] }
  return { values: { ...file.values, ...env }, faults: file.faults }
}

function readEnvFile(path: string): EnvFile {
  try {
    return parseEnvFile(readFileSync(path, 'utf8'))
  } catch (error) {
    return { values: {}, faults: [`.env: cannot be read (${reasonOf(error)}); fix its permissions, or remove it`] }
  }
}

export function parseConfig(env: Environment, folder: string, faultsBefore: readonly string[] = []): Config {
  const faults = [...faultsBefore]
  // Shells and compose files unset a variable by setting it to an empty text.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

  const { definitions, faults: definitionFaults } = definitionsOf(given, folder)
  faults.push(...definitionFaults, ...findUnknownSettings(Object.keys(given), settingsOf(definitions)))
  const parsed = schema.safeParse(given)
  if (!parsed.success) faults.push(...faultsOf(parsed.error))
  const evmChains = parseChains<string, typeof evmChain>(
    [...EVM_CHAINS, ...definitions.map(({ slug }) => slug)],
    evmChain,
    EVM_VARIABLES,
    given,
    faults,
  )
  const coinChains = parseChains(COIN_CHAINS, coinChain, COIN_VARIABLES, given, faults)
  if (given.DATABASE_URL !== undefined && given.AUTH_SECRET === undefined) {
    faults.push(
      'AUTH_SECRET: is required with DATABASE_URL, because all processes must share it; make one with: openssl rand -base64 48',
    )
  }
  if (given.DATABASE_READ_URL !== undefined && given.DATABASE_URL === undefined) {
    faults.push('DATABASE_READ_URL: is set without DATABASE_URL; set both, or neither')
  }
  if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined) {
    faults.push(
      'MAIL_FROM: is required with SMTP_URL; set the sender of all mails, such as Gatewatch <alerts@example.org>',
    )
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
    contact: data.OPERATOR_CONTACT,
    proxies: data.TRUST_PROXY,
    demo: isUnconfigured && given.ROLES === undefined, // a process with roles is part of a larger service
    dataDir: isUnconfigured ? join(dataDir, 'demo') : dataDir,
    sharePort: data.SHARE_PORT,
    metricsPort: data.METRICS_PORT,
    metricsHost: data.METRICS_HOST,
    publicMetrics: isLoopback(data.HOST) && isLoopback(new URL(publicUrlOf(data)).hostname),
    databaseUrl: data.DATABASE_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    databaseConnections: data.DATABASE_CONNECTIONS ?? connectionsFor(data.ROLES),
    redisUrl: data.REDIS_URL,
    authSecret: data.AUTH_SECRET,
    dataKeys: data.DATA_KEYS?.map(parseDataKey).filter((key) => key !== undefined),
    evmChains,
    definitions,
    chains: definitions.filter(({ slug }) => evmChains[slug] !== undefined),
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
    operatorTwoFactor: data.OPERATOR_TWO_FACTOR,
    alertAllowPrivate: data.ALERT_ALLOW_PRIVATE,
    ownTargets: [],
    alertHistoryDays: data.ALERT_HISTORY_DAYS,
    requestLogDays: data.REQUEST_LOG_DAYS,
    roles: [...new Set(data.ROLES)],
    logLevel: data.LOG_LEVEL,
  })
}

/** What each role needs under load. Ten processes with one role each fit into PostgreSQL's default of 100. */
const CONNECTIONS: Readonly<Record<Role, number>> = { serve: 12, watch: 6, poll: 6, deliver: 6, index: 4 }
const MOST_CONNECTIONS = 20

const connectionsFor = (roles: readonly Role[]): number =>
  Math.min(
    MOST_CONNECTIONS,
    [...new Set(roles)].reduce((sum, role) => sum + CONNECTIONS[role], 0),
  )

type Address = { readonly HOST: string; readonly PORT: number; readonly PUBLIC_URL?: string | undefined }

function publicUrlOf({ HOST, PORT, PUBLIC_URL }: Address): string {
  const visibleHost = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
  const bracketed = visibleHost.includes(':') ? `[${visibleHost}]` : visibleHost
  return (PUBLIC_URL ?? `http://${bracketed}:${PORT}`).replace(/\/+$/, '')
}

/** Without a public URL, the pages may be opened by any local name of this machine. */
function originsOf(address: Address): readonly string[] {
  const ours = new URL(publicUrlOf(address)).origin
  if (address.PUBLIC_URL !== undefined) return [ours]
  return [...new Set([ours, ...['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${address.PORT}`)])]
}

const EVM_VARIABLES = {
  rpcUrls: 'RPC_URL',
  startBlock: 'START_BLOCK',
  confirmations: 'CONFIRMATIONS',
  safeServiceUrl: 'SAFE_TX_SERVICE_URL',
  ensRegistry: 'ENS_REGISTRY',
}
const COIN_VARIABLES = { rpcUrl: 'RPC_URL', cookieFile: 'COOKIE_FILE', blocksDir: 'BLOCKS_DIR', zmqUrl: 'ZMQ_URL' }

/** The beginning of the variables of a chain: WORLD_CHAIN for world-chain. */
export const variablePrefix = (slug: string): string => slug.toUpperCase().replaceAll('-', '_')

/** The names of all settings. */
const settingsOf = (definitions: readonly ChainDefinition[]): readonly string[] => {
  const of = (slugs: readonly string[], variables: Readonly<Record<string, string>>) =>
    slugs.flatMap((slug) => Object.values(variables).map((name) => `${variablePrefix(slug)}_${name}`))
  const evm = [...EVM_CHAINS, ...definitions.map(({ slug }) => slug)]
  return [...Object.keys(schema.shape), ...of(evm, EVM_VARIABLES), ...of(COIN_CHAINS, COIN_VARIABLES)]
}

const definitionsOf = (given: Readonly<Record<string, unknown>>, folder: string) =>
  readChainDefinitions(given.CHAINS_FILE as string | undefined, {
    folder,
    builtIn: [...EVM_CHAINS, ...COIN_CHAINS],
  })

/** Parses the chains that have a variable set. `variables` maps the fields to the suffixes of their variables. */
function parseChains<Name extends string, Shape extends z.ZodType>(
  names: readonly Name[],
  shape: Shape,
  variables: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
  faults: string[],
): Partial<Record<Name, z.infer<Shape>>> {
  const chains: Partial<Record<Name, z.infer<Shape>>> = {}
  for (const name of names) {
    const variableOf = (field: string) => `${variablePrefix(name)}_${variables[field]}`
    const fields = Object.keys(variables).filter((field) => given[variableOf(field)] !== undefined)
    if (fields.length === 0) continue
    const parsed = shape.safeParse(Object.fromEntries(fields.map((field) => [field, given[variableOf(field)]])))
    if (parsed.success) chains[name] = parsed.data
    else faults.push(...faultsOf(parsed.error, variableOf))
  }
  return chains
}

function faultsOf(error: z.ZodError, variableOf: (field: string) => string = String): string[] {
  const faults = error.issues.map((issue) => {
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    return `${variableOf(String(issue.path[0]))}: ${missing ? 'is required, because other variables of the chain are set; set it, or remove the others' : issue.message}`
  })
  return [...new Set(faults)]
}
