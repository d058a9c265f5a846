/** Stands before a node or a receiver and passes on what comes, unless it is told to misbehave. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What whoever asks gets: an answer, HTTP 500, HTTP 429, a broken connection, an answer that takes its time. */
export const MOODS = ['errs', 'refuses', 'drops', 'lags'] as const
export type Mood = 'well' | (typeof MOODS)[number]

const LAG_MS = 3_000

export type FaultProxy = {
  /** As the target's, credentials and path included. */
  readonly url: string
  readonly setMood: (mood: Mood) => void
  readonly stop: () => Promise<void>
}

/** `onAnswer` is told what the target itself answered. */
export async function startFaultProxy(
  target: string,
  onAnswer: (asked: IncomingMessage, status: number) => void = () => {},
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true })
  let mood: Mood = 'well'

  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { method, url: path, headers } = asked
    const onward = request({ hostname, port, method, path, headers, agent }, (got) => {
      onAnswer(asked, got.statusCode ?? 0)
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.on('error', () => answer.destroy()).pipe(answer)
    })
    // The target is being started again, or whoever asked was killed: either way there is no answer.
    onward.on('error', () => answer.destroy())
    asked.on('error', () => onward.destroy()).pipe(onward)
  }

  const server = createServer((asked, answer) => {
    if (mood === 'errs') answer.writeHead(500).end()
    else if (mood === 'refuses') answer.writeHead(429, { 'retry-after': '1' }).end()
    else if (mood === 'drops') asked.socket.destroy()
    else if (mood === 'lags') void pause(LAG_MS).then(() => pass(asked, answer))
    else pass(asked, answer)
  })
  // Websockets pass as bytes, and are cut with everything else when the mood turns.
  const through = new Set<Socket>()
  server.on('upgrade', (asked: IncomingMessage, near: Socket) => {
    if (mood !== 'well') return near.destroy()
    const far = connect({ host: hostname, port: Number(port) }, () => {
      const lines = [`${asked.method} ${asked.url} HTTP/1.1`]
      for (let at = 0; at < asked.rawHeaders.length; at += 2)
        lines.push(`${asked.rawHeaders[at]}: ${asked.rawHeaders[at + 1]}`)
      far.write(`${lines.join('\r\n')}\r\n\r\n`)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      through.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          through.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    setMood: (next) => {
      mood = next
      if (mood !== 'well') for (const socket of through) socket.destroy()
    },
    stop: async () => {
      for (const socket of through) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}
