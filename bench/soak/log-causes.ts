/** Finds the injected fault that caused each warning in the log. A warning without a cause fails the soak. */
import { findChain } from '../../server/src/control/chains/chains.ts'
import { type Fault, isDuringFault, isInFaultWindow, type Span } from './fault-windows.ts'

/** The timeout of an RPC request (`pool.ts`): a request that never gets a response is logged after it. */
const CALL_TIMEOUT_MS = 20_000
/** The longest poll: one that began before a reorg fails after it. */
const POLL_MS = 15_000

/** A message at level warn or above, and the fault that causes it. */
type ExpectedMessage = {
  /** The first group is the part, or its chain id. */
  readonly pattern: RegExp
  readonly cause: string
  readonly isExplained: (faults: readonly Fault[], part: string, when: Span) => boolean
}

const ofKind = (kind: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.filter((fault) => fault.kind === kind)

const duringFault: ExpectedMessage['isExplained'] = (faults, part, when) => isDuringFault(faults, part, when)
const untilRecovery: ExpectedMessage['isExplained'] = (faults, part, when) => isInFaultWindow(faults, part, when)
const afterReorg: ExpectedMessage['isExplained'] = (faults, part, when) =>
  isDuringFault(ofKind('reorganizes', faults), part, when, POLL_MS)

/** The messages come from `endpoint-log.ts`, `poller.ts`, `run-coins.ts` and `core-rpc.ts`. A request that gets 503 is logged below warn. */
const EXPECTED: readonly ExpectedMessage[] = [
  {
    pattern: /^(ethereum|base): NODE of \1: (refuses a batch: )?(cannot be reached|HTTP (429|500))/,
    cause: 'the proxy returned 500 or 429, or closed the connection',
    isExplained: duringFault,
  },
  {
    pattern: /^(ethereum|base): NODE of \1: no response within/,
    cause: 'the proxy delayed responses',
    isExplained: (faults, part, when) => isDuringFault(faults, part, when, CALL_TIMEOUT_MS),
  },
  {
    pattern: /^(ethereum|base): NODE of \1: eth_call: Resource not found/,
    cause: 'a reorg removed the block whose state was requested',
    isExplained: afterReorg,
  },
  {
    pattern:
      /^(?:contract could not be polled|(?:ethereum|base) (?:queued changes|simulation of queued changes)): (ethereum|base): no endpoint responded/,
    cause: 'all proxies of the node failed',
    isExplained: untilRecovery,
  },
  {
    pattern: /^contract could not be polled: No endpoint of chain (\d+) has the required block/,
    cause: 'a reorg removed the block, or the only endpoint that responded was behind',
    isExplained: (faults, part, when) => afterReorg(faults, part, when) || untilRecovery(faults, part, when),
  },
  {
    pattern: /^(btc|ltc) \w+: (?:\1: )?NODE of \1: (\d+ × )?\S+: HTTP (429|500) without valid JSON; trying again$/,
    cause: 'the proxy returned 500 or 429',
    isExplained: duringFault,
  },
  {
    pattern: /^(btc|ltc) \w+: (?:\1: )?NODE of \1: (\d+ × )?\S+: (socket hang up|aborted|.*ECONNRESET); trying again$/,
    cause: 'the proxy closed the connection, or litecoind restarted',
    isExplained: duringFault,
  },
  {
    pattern:
      /^(ltc) \w+: (?:\1: )?NODE of \1: (\d+ × )?\S+: (HTTP 503 without valid JSON|the node is starting up|.*ECONNREFUSED.*|.*\(-28\).*); trying again$/,
    cause: 'litecoind restarted',
    isExplained: (faults, part, when) => isDuringFault(ofKind('restarts', faults), part, when),
  },
  {
    pattern: /^(ltc): reorg of depth \d+$/,
    cause: 'the soak caused a reorg',
    isExplained: (faults, part, when) => isInFaultWindow(faults, part, when, 'reorganizes'),
  },
]

/** All log entries with one message and one cause. */
export type LoggedMessage = {
  readonly message: string
  readonly count: number
  /** Undefined if no fault explains it. */
  readonly cause: string | undefined
  /** Time of the first entry, from `performance.now()`. */
  readonly at: number | undefined
}

export type LogContext = {
  readonly faults: readonly Fault[]
  /** Names of nodes by the hosts of their proxies. */
  readonly nodes: ReadonlyMap<string, string>
}

/** Groups the entries at level warn or above by message and cause. A line that is not JSON counts as a message. */
export function summarizeLog(lines: readonly string[], { faults, nodes }: LogContext): readonly LoggedMessage[] {
  // Every run has other ports.
  const withNames = (message: string) =>
    message.replaceAll(/\b127\.0\.0\.1:\d+/g, (host) => `NODE of ${nodes.get(host) ?? 'an unknown host'}`)
  const entries = lines
    .flatMap((line) => parseLine(line) ?? [])
    .map(({ message, when }) => ({
      message: withNames(message),
      cause: causeOf(withNames(message), when, faults),
      at: when?.to,
    }))
  return [...Map.groupBy(entries, ({ message, cause }) => JSON.stringify([message, cause])).values()].flatMap(
    ([first, ...others]) => (first === undefined ? [] : [{ ...first, count: 1 + others.length }]),
  )
}

function causeOf(message: string, when: Span | undefined, faults: readonly Fault[]): string | undefined {
  if (when === undefined) return undefined
  return EXPECTED.find(({ pattern, isExplained }) => {
    const [, name] = pattern.exec(message) ?? []
    return name !== undefined && isExplained(faults, findChain(name)?.slug ?? name, when)
  })?.cause
}

const WARN = 40
/** Repeated lines are counted for a minute after the first one, and written within the next minute. */
const REPEATED_WITHIN_MS = 120_000

type LogEntry = {
  readonly level: number
  /** Milliseconds since the epoch. */
  readonly time?: number
  readonly msg?: string
  /** How often the line was repeated, if it stands for several (`repeated-lines.ts`). */
  readonly repeated?: number
  readonly reason?: string
  readonly err?: { readonly message?: string }
}

/** Undefined below level warn. `when` is on the clock of `performance.now()`, which faults use. */
function parseLine(line: string): { readonly message: string; readonly when: Span | undefined } | undefined {
  if (!line.startsWith('{')) return { message: line, when: undefined }
  const { level, time, msg = '', repeated, err, reason = err?.message } = JSON.parse(line) as LogEntry
  if (level < WARN) return undefined
  const text = repeated === undefined ? msg : msg.replace(/ \(\d+ more times\)$/, '')
  const message = reason === undefined || text.includes(reason) ? text : `${text}: ${reason}`
  if (time === undefined) return { message, when: undefined }
  const to = time - performance.timeOrigin
  return { message, when: { from: repeated === undefined ? to : to - REPEATED_WITHIN_MS, to } }
}
