/** Which lines of the log the soak's own faults explain. Every other one is a finding. */

/** A message at warning or above, and the fault that causes it. */
const EXPECTED: readonly (readonly [message: RegExp, because: string])[] = [
  [
    /^(ethereum|base): NODE: (cannot be reached|HTTP (429|500)|no answer)/,
    'its proxy erred, refused, dropped or lagged',
  ],
  [/^(ethereum|base): NODE: eth_call: Resource not found/, 'the block whose state was asked for left the chain'],
  [
    /^request failed: NODE: .*(HTTP (429|500) without JSON|socket hang up)/,
    'the node went away in the middle of an answer',
  ],
  [/^a contract could not be looked at: (ethereum|base): no endpoint/, 'all proxies before the node were away'],
  [
    /^a contract could not be looked at: no node of chain \d+ has the block/,
    'its block had left the chain, or the only endpoint that answered was behind',
  ],
  [/^(btc|ltc): NODE: \S+: HTTP (429|500) without JSON$/, 'its proxy erred or refused'],
  [
    /^(btc|ltc): NODE: \S+: (socket hang up|aborted|.*ECONNRESET)$/,
    'its proxy dropped, or litecoind was started again',
  ],
  [/^ltc: NODE: \S+: (HTTP 503 without JSON|.*ECONNREFUSED.*|.*\(-28\).*)$/, 'litecoind was started again'],
  [/^ltc: \d+ blocks left the chain$/, 'Litecoin was made to reorganise'],
  [
    /^request failed: The index of (btc|ltc) has not reached its node yet\.$/,
    'the node was away, and whoever asked was told so',
  ],
]

/** Nodes stand behind proxies on ports of their own. */
const nameless = (message: string): string => message.replaceAll(/\b127\.0\.0\.1:\d+/g, 'NODE')

export type Told = { readonly message: string; readonly times: number; readonly because: string | undefined }

/** Warnings and worse, by message; a line that is not JSON is a message of its own. */
export function toldIn(lines: readonly string[]): readonly Told[] {
  const messages = lines.flatMap((line) => messageIn(line) ?? []).map(nameless)
  return [...Map.groupBy(messages, (message) => message)].map(([message, all]) => ({
    message,
    times: all.length,
    because: EXPECTED.find(([pattern]) => pattern.test(message))?.[1],
  }))
}

const WARN = 40

type Line = {
  readonly level: number
  readonly msg?: string
  readonly reason?: string
  readonly err?: { readonly message?: string }
}

function messageIn(line: string): string | undefined {
  if (!line.startsWith('{')) return line
  const { level, msg = '', err, reason = err?.message } = JSON.parse(line) as Line
  if (level < WARN) return undefined
  return reason === undefined || msg.includes(reason) ? msg : `${msg}: ${reason}`
}
