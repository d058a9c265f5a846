/**
 * Structured logs: readable lines on a terminal, JSON lines elsewhere.
 *
 * Every line, also one that a library logs, is scrubbed of secrets just before it is written.
 */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { PinoPretty, prettyFactory } from 'pino-pretty'
import { collapseRepeatedLines } from './repeated-lines.ts'

export type Logger = PinoLogger
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Patterns of secrets and their replacements, which keep what helps to find a cause: a key's public prefix, a URL's
 * host. A line may contain long text of a client, so a pattern that can start anywhere matches a limited length.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(gw_live_[\w-]{4}|utxo_live_[\w-]{2})[\w-]+/g, '$1…'],
  [/(\/\/)[^/\s"@]+@/g, '$1***@'],
  [/\b(Bearer|Basic) [\w\-.~+/]+=*/gi, '$1 ***'],
  [/("[^"]{0,64}(?:token|secret|password)[^"]{0,64}"\s*:\s*")(?:[^"\\]|\\.)+/gi, '$1***'],
  [
    /\b([A-Za-z]*(?:token|secret|password|passwd|session_token|apikey|api_key)["\\]*\s*[=:]\s*["\\]*)[^"\\&;,\s}]+/gi,
    '$1***',
  ],
  [/(\/bot)\d+:[\w-]+/g, '$1***'],
  // Extended private keys of coin wallets.
  [/([xyzYZtuvUV]prv|[LMt]tpv)[1-9A-HJ-NP-Za-km-z]{20,}/g, '$1***'],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '***'],
]

export function scrub(text: string): string {
  let clean = text
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement)
  return clean
}

type Destination = DestinationStream & { readonly isTTY?: boolean }

export type LogOptions = {
  readonly level: LogLevel
  readonly destination?: Destination
  /** Facts of every line, in addition to the process id. */
  readonly base?: { readonly roles: string; readonly version: string }
  /** Counts repeated lines instead of writing them, by this clock. */
  readonly collapse?: () => number
}

export function createLogger({ level, destination, base, collapse }: LogOptions): Logger {
  const stream =
    destination === undefined ? standardOutput() : destination.isTTY === true ? readable(destination) : destination
  const logMethod = collapse === undefined ? undefined : collapseRepeatedLines(collapse)
  const hooks = { streamWrite: scrub, ...(logMethod !== undefined && { logMethod }) }
  return pino({ level, hooks, base: base === undefined ? null : { pid: process.pid, ...base } }, stream)
}

const PRETTY = { ignore: 'pid,hostname,roles,version' }

const standardOutput = (): DestinationStream =>
  process.stdout.isTTY ? PinoPretty({ ...PRETTY, sync: true }) : pino.destination({ sync: true })

/** Writes each line at once: a command may end right after it. */
function readable(terminal: Destination): DestinationStream {
  const pretty = prettyFactory(PRETTY)
  return { write: (line) => terminal.write(pretty(line)) }
}
