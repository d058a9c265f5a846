/** The demo's webhook receiver: verifies signatures and refuses unsigned messages. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { webhookHeaders } from '../server/src/platform/deliveries/webhook.ts'

export type Receiver = { readonly url: string; readonly stop: () => Promise<void> }

const HOST = '127.0.0.1'
const PATH = '/alerts-of-the-demo'
/** As https://www.standardwebhooks.com recommends: an older message may be replayed by an attacker. */
const TOLERANCE_MS = 5 * 60_000

/** `secret` is read for every message, because it can be changed in the settings. */
export async function startReceiver(secret: () => Promise<string>): Promise<Receiver> {
  const server = createServer((request, response) => {
    const statusOf = async (): Promise<number> => {
      if (request.method !== 'POST') return 405
      return isSigned(request.headers, await text(request), await secret()) ? 200 : 401
    }
    const status = statusOf().catch(() => 500)
    void status.then((code) => response.writeHead(code).end())
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether a URL is this receiver's, of this start or an earlier one. */
export const isReceiver = (url: string): boolean => url.startsWith(`http://${HOST}:`) && url.endsWith(PATH)

function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  const at = Number(timestamp) * 1_000
  if (id === undefined || !(Math.abs(Date.now() - at) < TOLERANCE_MS)) return false
  const expected = webhookHeaders({ id, secret, body, at })['webhook-signature'] ?? ''
  return signatures?.split(' ').includes(expected) === true
}
