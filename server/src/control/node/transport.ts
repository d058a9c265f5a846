/**
 * How a payload reaches an endpoint and comes back as JSON: over HTTP, or over one websocket.
 *
 * Owns sizes, headers and sockets. Knows neither methods nor pace; whatever it throws is the endpoint's fault.
 */

export type Reply = {
  readonly status: number
  readonly retryAfter?: string | null | undefined
  readonly body: unknown
}

export type Message = {
  readonly payload: string
  readonly ids: readonly number[]
  readonly maxBytes?: number | undefined
}

export type Transport = {
  readonly send: (message: Message, signal: AbortSignal) => Promise<Reply>
  readonly close: () => void
}

/** The answer outgrew what we are willing to hold in memory: the question was too wide. */
export class AnswerTooLargeError extends Error {
  constructor(limit: number) {
    super(`the answer is larger than ${Math.round(limit / 1_048_576)} MB`)
  }
}

/** Endpoints are named by host alone: path, query and user carry keys. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'endpoint'
}

/** `fetch` refuses credentials in a URL; nodes behind Basic authentication are given that way. */
function splitCredentials(url: string): readonly [string, Record<string, string>] {
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return [url, {}]
  const secret = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
  parsed.username = ''
  parsed.password = ''
  return [parsed.href, { authorization: `Basic ${Buffer.from(secret).toString('base64')}` }]
}

async function readLimited(response: Response, limit: number): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) throw new AnswerTooLargeError(limit)
  // A length that was announced and not encoded away is kept by the protocol itself: no need to count.
  if (announced >= 0 && response.headers.get('content-encoding') === null) return await response.text()
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > limit) throw new AnswerTooLargeError(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A gateway's error page is not JSON; its status says enough. */
function jsonOf(text: string, ok: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (ok) throw error
    return undefined
  }
}

export function httpTransport(url: string, limitBytes: number): Transport {
  const [target, authorization] = splitCredentials(url)
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  return {
    send: async ({ payload, maxBytes = limitBytes }, signal) => {
      const response = await fetch(target, { method: 'POST', headers, body: payload, signal, redirect: 'error' })
      const text = await readLimited(response, maxBytes)
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: jsonOf(text, response.ok),
      }
    },
    close: () => {},
  }
}

type Waiter = { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void }

/** One socket for all questions, opened when first needed and again after it broke. */
export function websocketTransport(url: string, limitBytes: number): Transport {
  const waiting = new Map<number, Waiter>()
  let opening: Promise<WebSocket> | undefined

  const drop = (reason: string): void => {
    opening = undefined
    const lost = [...waiting.values()]
    waiting.clear()
    for (const waiter of lost) waiter.reject(new Error(reason))
  }

  const open = (): Promise<WebSocket> => {
    opening ??= openSocket(url).then((socket) => {
      socket.addEventListener('close', () => drop('the websocket closed'))
      socket.addEventListener('message', ({ data }) => deliver(data))
      return socket
    })
    opening.catch(() => (opening = undefined))
    return opening
  }

  const deliver = (data: unknown): void => {
    if (typeof data !== 'string') return
    if (data.length > limitBytes) return drop(new AnswerTooLargeError(limitBytes).message)
    const body = jsonOf(data, false)
    // Thrown here it would end the program: nobody stands above a listener.
    if (body === undefined) return drop('the websocket sent something that is not JSON')
    const ids = (Array.isArray(body) ? body : [body]).map((item) => (item as { id?: unknown } | null)?.id)
    const id = ids.find((candidate): candidate is number => typeof candidate === 'number' && waiting.has(candidate))
    if (id !== undefined) waiting.get(id)?.resolve({ status: 200, body })
  }

  return {
    send: async ({ payload, ids }, signal) => {
      const socket = await open()
      return await new Promise<Reply>((resolve, reject) => {
        const finish = (): void => ids.forEach((id) => waiting.delete(id))
        const waiter: Waiter = {
          resolve: (reply) => (finish(), resolve(reply)),
          reject: (error) => (finish(), reject(error)),
        }
        for (const id of ids) waiting.set(id, waiter)
        signal.addEventListener('abort', () => waiter.reject(new Error('aborted')), { once: true })
        socket.send(payload)
      })
    },
    close: () => {
      const socket = opening
      drop('closed')
      void socket?.then((open) => open.close()).catch(() => {})
    },
  }
}

export function openSocket(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.addEventListener('open', () => resolve(socket), { once: true })
    socket.addEventListener('error', () => reject(new Error('the websocket could not be opened')), { once: true })
  })
}

export function transportFor(url: string, limitBytes: number): Transport {
  return /^wss?:/i.test(url) ? websocketTransport(url, limitBytes) : httpTransport(url, limitBytes)
}
