/**
 * People who ask all the time, over connections that stay and over new ones, and remember every answer: who gave it,
 * and what became of the requests that got none.
 */
import { Agent, get } from 'node:http'

export type Asked = {
  readonly key: string
  readonly path: string
  readonly startedAt: number
  readonly endedAt: number
  /** Undefined where there was no answer. */
  readonly status: number | undefined
  readonly fault: string | undefined
  /** The process that answered on this connection, this time or before: ids of requests begin with it. */
  readonly process: string | undefined
}

export type Customer = {
  readonly path: string
  /** In turn. */
  readonly keys: readonly string[]
  readonly header: (key: string) => Readonly<Record<string, string>>
  readonly everyMs: number
  readonly keepsConnection: boolean
}

export type Load = { readonly asked: readonly Asked[]; readonly stop: () => Promise<void> }

type Question = {
  readonly path: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  /** Without one the connection is this request's own. */
  readonly agent?: Agent | undefined
  /** Who answered on which connection; only needed where connections stay. */
  readonly known?: WeakMap<object, string>
}

export const askOnce = (url: string, { path, key, headers, agent, known = new WeakMap() }: Question): Promise<Asked> =>
  new Promise<Asked>((resolve) => {
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

export function startLoad(url: string, customers: readonly Customer[]): Load {
  const asked: Asked[] = []
  const over = new AbortController()

  const come = async ({ path, keys, header, everyMs, keepsConnection }: Customer): Promise<void> => {
    const agent = keepsConnection ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined
    const known = new WeakMap<object, string>()
    for (let turn = 0; !over.signal.aborted; turn++) {
      const key = keys[turn % keys.length] ?? ''
      asked.push(await askOnce(url, { path, key, headers: header(key), agent, known }))
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    agent?.destroy()
  }

  const coming = customers.map(come)
  return {
    asked,
    stop: async () => {
      over.abort()
      await Promise.all(coming)
    },
  }
}
