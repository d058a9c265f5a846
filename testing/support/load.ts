/**
 * Generates load over kept and new connections, and records every response with the process that sent it, and every
 * request without a response.
 */
import { Agent, get } from 'node:http'

export type SentRequest = {
  readonly key: string
  readonly path: string
  readonly startedAt: number
  readonly endedAt: number
  /** Undefined if there was no response. */
  readonly status: number | undefined
  readonly fault: string | undefined
  /** The process behind this connection, from the beginning of its request ids. */
  readonly process: string | undefined
}

export type Caller = {
  readonly path: string
  /** Requested in turn. */
  readonly keys: readonly string[]
  readonly header: (key: string) => Readonly<Record<string, string>>
  readonly everyMs: number
  readonly keepsConnection: boolean
}

export type Load = { readonly sent: readonly SentRequest[]; readonly stop: () => Promise<void> }

type RequestOptions = {
  readonly path: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  /** Without an agent each request has its own connection. */
  readonly agent?: Agent | undefined
  /** The process behind each kept connection. */
  readonly known?: WeakMap<object, string>
}

export const sendRequest = (
  url: string,
  { path, key, headers, agent, known = new WeakMap() }: RequestOptions,
): Promise<SentRequest> =>
  new Promise<SentRequest>((resolve) => {
    const startedAt = performance.now()
    let connection: object | undefined
    const end = (status: number | undefined, fault?: string, process = connection && known.get(connection)) =>
      resolve({ key, path, startedAt, endedAt: performance.now(), status, fault, process })
    const request = get(url + path, { agent: agent ?? false, headers }, (response) => {
      const process = String(response.headers['x-request-id']).split('-')[0] ?? ''
      if (connection !== undefined) known.set(connection, process)
      response.once('error', (error) => end(undefined, error.message, process))
      response.once('end', () => end(response.statusCode, undefined, process)).resume()
    })
    request.once('socket', (socket) => (connection = socket))
    request.once('error', (error) => end(undefined, error.message))
  })

export function startLoad(url: string, callers: readonly Caller[]): Load {
  const sent: SentRequest[] = []
  const over = new AbortController()

  const run = async ({ path, keys, header, everyMs, keepsConnection }: Caller): Promise<void> => {
    const agent = keepsConnection ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined
    const known = new WeakMap<object, string>()
    for (let turn = 0; !over.signal.aborted; turn++) {
      const key = keys[turn % keys.length] ?? ''
      sent.push(await sendRequest(url, { path, key, headers: header(key), agent, known }))
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    agent?.destroy()
  }

  const running = callers.map(run)
  return {
    sent,
    stop: async () => {
      over.abort()
      await Promise.all(running)
    },
  }
}
