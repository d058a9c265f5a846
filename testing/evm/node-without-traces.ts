/** The same chain at an endpoint that cannot trace, as most public ones. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import type { Anvil } from './anvil.ts'

type Request = { readonly id: number; readonly method: string }

const isTrace = ({ method }: Request): boolean => /^(?:debug|trace)_/.test(method)
const refusal = ({ id, method }: Request) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32601, message: `the method ${method} does not exist` },
})

/** Stops after the tests of the file. */
export async function withoutTraces(node: Anvil): Promise<Anvil> {
  const send = async (body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return await (await fetch(node.url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const answer = async (body: Request | readonly Request[]): Promise<unknown> => {
    if ('method' in body) return isTrace(body) ? refusal(body) : await send(body)
    const others = body.filter((request) => !isTrace(request))
    const answers = others.length === 0 ? [] : ((await send(others)) as readonly unknown[])
    return [...answers, ...body.filter(isTrace).map(refusal)]
  }
  const server = createServer((request, response) => {
    void text(request)
      .then(async (body) => await answer(JSON.parse(body) as Request | readonly Request[]))
      .then(
        (result) => response.setHeader('content-type', 'application/json').end(JSON.stringify(result)),
        () => response.writeHead(500).end(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { ...node, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
