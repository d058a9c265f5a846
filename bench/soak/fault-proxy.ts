/** A proxy in front of a node or a receiver that forwards requests, or injects faults. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** HTTP 500, HTTP 429, a closed connection, a delayed response. */
export const FAULT_MODES = ['errs', 'refuses', 'drops', 'lags'] as const
export type Mode = 'forwards' | (typeof FAULT_MODES)[number]

const LAG_MS = 3_000

export type FaultProxy = {
  /** The target's URL, with credentials and path, on the port of the proxy. */
  readonly url: string
  readonly setMode: (mode: Mode) => void
  readonly stop: () => Promise<void>
}

/** `onResponse` gets every status that the target itself returned. */
export async function startFaultProxy(
  target: string,
  onResponse: (incoming: IncomingMessage, status: number) => void = () => {},
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true })
  let mode: Mode = 'forwards'

  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url: path, headers } = incoming
    const outgoing = request({ hostname, port, method, path, headers, agent }, (received) => {
      onResponse(incoming, received.statusCode ?? 0)
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.on('error', () => response.destroy()).pipe(response)
    })
    // The target restarts, or the caller was killed.
    outgoing.on('error', () => response.destroy())
    incoming.on('error', () => outgoing.destroy()).pipe(outgoing)
  }

  const server = createServer((incoming, response) => {
    if (mode === 'errs') response.writeHead(500).end()
    else if (mode === 'refuses') response.writeHead(429, { 'retry-after': '1' }).end()
    else if (mode === 'drops') incoming.socket.destroy()
    else if (mode === 'lags') void pause(LAG_MS).then(() => forward(incoming, response))
    else forward(incoming, response)
  })
  // WebSockets are forwarded as bytes; every fault mode closes them.
  const sockets = new Set<Socket>()
  server.on('upgrade', (incoming: IncomingMessage, callerSocket: Socket) => {
    if (mode !== 'forwards') return callerSocket.destroy()
    const targetSocket = connect({ host: hostname, port: Number(port) }, () => {
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`]
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`)
      targetSocket.write(`${lines.join('\r\n')}\r\n\r\n`)
    })
    for (const [one, other] of [
      [callerSocket, targetSocket],
      [targetSocket, callerSocket],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
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
    setMode: (next) => {
      mode = next
      if (mode !== 'forwards') for (const socket of sockets) socket.destroy()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}
