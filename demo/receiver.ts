/** The other end of the demo's alerts: takes webhooks as any receiver should, and says no to what nobody signed. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { webhookHeaders } from '../server/src/lib/standard-webhook.ts'

export type Receiver = { readonly url: string; readonly stop: () => Promise<void> }

const HOST = '127.0.0.1'
const PATH = '/alerts-of-the-demo'
/** As https://www.standardwebhooks.com has it: what is older might be a repetition by somebody who listened in. */
const TOLERANCE_MS = 5 * 60_000

/** `secret` is asked for at every message: it may be changed in the settings meanwhile. */
export async function startReceiver(secret: () => Promise<string>): Promise<Receiver> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<number> => {
      if (request.method !== 'POST') return 405
      return isSigned(request.headers, await text(request), await secret()) ? 200 : 401
    }
    const answered = answer().catch(() => 500)
    void answered.then((status) => response.writeHead(status).end())
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

/** Whether a URL is the one of this receiver, now or at an earlier start. */
export const isReceiver = (url: string): boolean => url.startsWith(`http://${HOST}:`) && url.endsWith(PATH)

function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  const at = Number(timestamp) * 1_000
  if (id === undefined || !(Math.abs(Date.now() - at) < TOLERANCE_MS)) return false
  const expected = webhookHeaders({ id, secret, body, at })['webhook-signature'] ?? ''
  return signatures?.split(' ').includes(expected) === true
}
