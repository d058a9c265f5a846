/** Which lines of the log the soak's own faults explain. Every other one is a finding. */
import { findChain } from '../../server/src/control/chains/chains.ts'
import { type Fault, isDuring, isInTrouble, type Span } from './explain.ts'

/** Node faults are told when a call fails; one that waits in vain is told when its time is over (`pool.ts`: 20 s). */
const CALL_TIMEOUT_MS = 20_000
/** Looks at a contract that had begun at a block that then left the chain. */
const LOOK_MS = 15_000

/** A message at warning or above, and the fault of the part it names that causes it. */
type Expected = {
  /** Its first group names the part, or its chain id. */
  readonly message: RegExp
  readonly because: string
  readonly isExplained: (faults: readonly Fault[], part: string, when: Span) => boolean
}

const ofKind = (kind: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.filter((fault) => fault.kind === kind)

const whileAway: Expected['isExplained'] = (faults, part, when) => isDuring(faults, part, when)
const untilOver: Expected['isExplained'] = (faults, part, when) => isInTrouble(faults, part, when)
const onReorganisation: Expected['isExplained'] = (faults, part, when) =>
  isDuring(ofKind('reorganises', faults), part, when, LOOK_MS)

const EXPECTED: readonly Expected[] = [
  {
    message: /^(ethereum|base): NODE of \1: (refuses a batch: )?(cannot be reached|HTTP (429|500))/,
    because: 'its proxy erred, refused or dropped',
    isExplained: whileAway,
  },
  {
    message: /^(ethereum|base): NODE of \1: no answer/,
    because: 'its proxy lagged',
    isExplained: (faults, part, when) => isDuring(faults, part, when, CALL_TIMEOUT_MS),
  },
  {
    message: /^(ethereum|base): NODE of \1: eth_call: Resource not found/,
    because: 'the block whose state was asked for left the chain',
    isExplained: onReorganisation,
  },
  {
    message: /^request failed: NODE of (btc|ltc): .*(HTTP (429|500) without JSON|socket hang up)/,
    because: 'the node went away in the middle of an answer',
    isExplained: whileAway,
  },
  {
    message: /^a contract could not be looked at: (ethereum|base): no endpoint/,
    because: 'all proxies before the node were away',
    isExplained: untilOver,
  },
  {
    message: /^a contract could not be looked at: no node of chain (\d+) has the block/,
    because: 'its block had left the chain, or the only endpoint that answered was behind',
    isExplained: (faults, part, when) => onReorganisation(faults, part, when) || untilOver(faults, part, when),
  },
  {
    message: /^(btc|ltc): NODE of \1: (\d+ × )?\S+: HTTP (429|500) without JSON that can be read$/,
    because: 'its proxy erred or refused',
    isExplained: whileAway,
  },
  {
    message: /^(btc|ltc): NODE of \1: (\d+ × )?\S+: (socket hang up|aborted|.*ECONNRESET)$/,
    because: 'its proxy dropped, or litecoind was started again',
    isExplained: whileAway,
  },
  {
    message: /^(ltc): NODE of \1: (\d+ × )?\S+: (HTTP 503 without JSON that can be read|.*ECONNREFUSED.*|.*\(-28\).*)$/,
    because: 'litecoind was started again',
    isExplained: (faults, part, when) => isDuring(ofKind('restarts', faults), part, when),
  },
  {
    message: /^(ltc): reorg of depth \d+$/,
    because: 'Litecoin was made to reorganize',
    isExplained: (faults, part, when) => isInTrouble(faults, part, when, 'reorganises'),
  },
  {
    message: /^request failed: The index of (btc|ltc) is still catching up with its node\./,
    because: 'the node was away, and whoever asked was told so',
    isExplained: untilOver,
  },
]

export type Told = {
  readonly message: string
  readonly times: number
  readonly because: string | undefined
  /** The first of them, on the clock of `performance.now()`. */
  readonly at: number | undefined
}

export type Circumstances = {
  readonly faults: readonly Fault[]
  /** Names of nodes by the hosts of their proxies. */
  readonly nodes: ReadonlyMap<string, string>
}

/** Warnings and worse, by message and cause; a line that is not JSON is a message of its own. */
export function toldIn(lines: readonly string[], { faults, nodes }: Circumstances): readonly Told[] {
  // Nodes stand behind proxies on ports of their own.
  const named = (message: string) =>
    message.replaceAll(/\b127\.0\.0\.1:\d+/g, (host) => `NODE of ${nodes.get(host) ?? 'nobody'}`)
  const told = lines
    .flatMap((line) => lineOf(line) ?? [])
    .map(({ message, at }) => ({ message: named(message), because: causeOf(named(message), at, faults), at }))
  return [...Map.groupBy(told, ({ message, because }) => JSON.stringify([message, because])).values()].flatMap(
    ([first, ...others]) => (first === undefined ? [] : [{ ...first, times: 1 + others.length }]),
  )
}

function causeOf(message: string, at: number | undefined, faults: readonly Fault[]): string | undefined {
  if (at === undefined) return undefined
  return EXPECTED.find(({ message: pattern, isExplained }) => {
    const [, name] = pattern.exec(message) ?? []
    return name !== undefined && isExplained(faults, findChain(name)?.slug ?? name, { from: at, to: at })
  })?.because
}

const WARN = 40

type Line = {
  readonly level: number
  /** Milliseconds since the epoch. */
  readonly time?: number
  readonly msg?: string
  readonly reason?: string
  readonly err?: { readonly message?: string }
}

/** `at` is on the clock of `performance.now()`, as faults are. */
function lineOf(line: string): { readonly message: string; readonly at: number | undefined } | undefined {
  if (!line.startsWith('{')) return { message: line, at: undefined }
  const { level, time, msg = '', err, reason = err?.message } = JSON.parse(line) as Line
  if (level < WARN) return undefined
  const message = reason === undefined || msg.includes(reason) ? msg : `${msg}: ${reason}`
  return { message, at: time === undefined ? undefined : time - performance.timeOrigin }
}
