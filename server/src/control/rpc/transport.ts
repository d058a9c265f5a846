/**
 * How a payload reaches an endpoint and comes back as JSON: over HTTP, or over one websocket.
 *
 * Owns sizes, headers and sockets. Knows neither methods nor pace; whatever it throws is the endpoint's fault.
 */

export type TransportResponse = {
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
  readonly send: (message: Message, signal: AbortSignal) => Promise<TransportResponse>
  readonly close: () => void
}

/** The answer outgrew what we are willing to hold in memory: the question was too wide. */
export class ResponseTooLargeError extends Error {
  constructor(limit: number) {
    super(`the answer is larger than ${Math.round(limit / 1_048_576)} MB`)
  }
}

/** Endpoints are named by host alone: path, query and user carry keys. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'endpoint'
}

/** The parts of a URL that may be a key: texts of the endpoint's own are cleaned of them. */
export function secretsOf(url: string): readonly string[] {
  const parsed = URL.parse(url)
  if (parsed === null) return []
  const { username, password, pathname, searchParams } = parsed
  const parts = [username, password, ...pathname.split('/')]
  return [...parts, ...parts.map(plainOf), ...searchParams.values()].filter((part) => part.length >= 6)
}

/** Without escapes; a percent sign that begins none stands for itself. */
function plainOf(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `fetch` refuses credentials in a URL; nodes behind Basic authentication are given that way. */
export function splitCredentials(url: string): readonly [string, Record<string, string>] {
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return [url, {}]
  const secret = `${plainOf(parsed.username)}:${plainOf(parsed.password)}`
  parsed.username = ''
  parsed.password = ''
  return [parsed.href, { authorization: `Basic ${Buffer.from(secret).toString('base64')}` }]
}

export async function readLimited(response: Response, limit: number): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) {
    await response.body?.cancel()
    throw new ResponseTooLargeError(limit)
  }
  // A length that was announced and not encoded away is kept by the protocol itself: no need to count.
  if (announced >= 0 && response.headers.get('content-encoding') === null) return await response.text()
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > limit) throw new ResponseTooLargeError(limit)
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

type Waiter = {
  readonly maxBytes: number
  readonly resolve: (reply: TransportResponse) => void
  readonly reject: (error: Error) => void
}
type Connection = { readonly opened: Promise<WebSocket>; readonly close: () => void }

/** One socket for all questions, opened when first needed and again after it broke or fell silent. */
export function websocketTransport(url: string, limitBytes: number): Transport {
  /** By the ids of the questions, oldest first. */
  const waiting = new Map<number, Waiter>()
  let current: Connection | undefined
  let heard = 0

  const drop = (reason: Error): void => {
    const dropped = current
    current = undefined
    const lost = [...waiting.values()]
    waiting.clear()
    for (const waiter of lost) waiter.reject(reason)
    dropped?.close()
  }

  const connect = (): Connection => {
    const giveUp = new AbortController()
    const opened = openSocket(url, giveUp.signal).then((socket) => {
      socket.addEventListener('close', () => current === connection && drop(new Error('the websocket closed')))
      socket.addEventListener('message', ({ data }) => current === connection && deliver(data))
      return socket
    })
    opened.catch(() => current === connection && (current = undefined))
    const connection: Connection = { opened, close: () => giveUp.abort() }
    return connection
  }

  const deliver = (data: unknown): void => {
    heard += 1
    if (typeof data !== 'string') return
    const limit = Math.max(limitBytes, ...[...waiting.values()].map((waiter) => waiter.maxBytes))
    if (data.length > limit) return drop(new ResponseTooLargeError(limit))
    const body = jsonOf(data, false)
    // Thrown here it would end the program: nobody stands above a listener.
    if (body === undefined) return drop(new Error('the websocket sent something that is not JSON'))
    waiterOf(body)?.resolve({ status: 200, body })
  }

  const waiterOf = (body: unknown): Waiter | undefined => {
    const ids = (Array.isArray(body) ? body : [body]).map((item) => (item as { id?: unknown } | null)?.id)
    for (const id of ids) {
      const waiter = waiting.get(Number(id ?? Number.NaN))
      if (waiter !== undefined) return waiter
    }
    // A question that could not be read is refused without its id; answers come in the order of questions.
    const isRefusal = (body as { error?: unknown } | null)?.error !== undefined
    return isRefusal ? waiting.values().next().value : undefined
  }

  return {
    send: async ({ payload, ids, maxBytes = 0 }, signal) => {
      const before = heard
      // Nothing at all since the question: the other end is gone, though nobody has said so.
      const doubt = (): void => {
        if (heard === before) drop(new Error('the websocket is silent'))
      }
      signal.addEventListener('abort', doubt, { once: true })
      try {
        current ??= connect()
        const socket = await current.opened
        return await new Promise<TransportResponse>((resolve, reject) => {
          const finish = (): void => ids.forEach((id) => waiting.delete(id))
          const waiter: Waiter = {
            maxBytes,
            resolve: (reply) => (finish(), resolve(reply)),
            reject: (error) => (finish(), reject(error)),
          }
          for (const id of ids) waiting.set(id, waiter)
          signal.addEventListener('abort', () => waiter.reject(new Error('aborted')), { once: true })
          socket.send(payload)
        })
      } finally {
        signal.removeEventListener('abort', doubt)
      }
    },
    close: () => drop(new Error('closed')),
  }
}

/** A socket that is open; aborting closes it, also before. */
export function openSocket(url: string, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const [target, headers] = splitCredentials(url)
    const socket = new WebSocket(target, { headers })
    const end = (): void => {
      reject(new Error('the websocket was given up'))
      socket.close()
    }
    signal.addEventListener('abort', end, { once: true })
    socket.addEventListener('close', () => signal.removeEventListener('abort', end), { once: true })
    socket.addEventListener('open', () => resolve(socket), { once: true })
    socket.addEventListener('error', () => reject(new Error('the websocket could not be opened')), { once: true })
    if (signal.aborted) end()
  })
}

export function transportFor(url: string, limitBytes: number): Transport {
  return /^wss?:/i.test(url) ? websocketTransport(url, limitBytes) : httpTransport(url, limitBytes)
}
