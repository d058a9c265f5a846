/** An endpoint that responds with what no node responds with, over real sockets. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { systemTiming } from '../../lib/clock.ts'
import { createRpcPool } from './pool.ts'
import { getBlockNumber, getLogs, type RpcRequest } from './requests.ts'
import { NoEndpointError } from './rpc-error.ts'

const BRACKETS = Buffer.alloc(47 * 1_048_576, '[')

/** Responds to `method` with megabytes of brackets, without their length. Other methods get the chain id. */
async function hostileEndpoint(method: string): Promise<string> {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const call = JSON.parse(text) as { id: number; method: string }
      if (call.method !== method) return response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: '0x1' }))
      response.on('error', () => {})
      response.write(BRACKETS)
      return response.end()
    })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const [method, request, expected] of [
  ['eth_chainId', getBlockNumber, /^127\.0\.0\.1:\d+: eth_chainId: the response is larger than 16 kB$/],
  ['eth_getLogs', getLogs(5, 5, {}), /^127\.0\.0\.1:\d+: eth_getLogs: the response nests deeper than 7 levels$/],
] as const) {
  test(`47 MB of brackets in response to ${method} are refused and do not block the process`, async () => {
    const pool = createRpcPool(
      { timing: systemTiming, report: () => {} },
      { chain: 'ethereum', chainId: 1, urls: [await hostileEndpoint(method)], timeoutMs: 120_000 },
    )
    after(() => pool.close())
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    const error = await pool.request<unknown>(request as RpcRequest<unknown>).catch((thrown: unknown) => thrown)
    clearInterval(counting)
    assert.ok(error instanceof NoEndpointError)
    assert.match(error.errors[0]?.message ?? '', expected)
    // The logs arrive in hundreds of chunks; parsing them at once would allow one turn.
    assert.ok(method === 'eth_chainId' || turns > 1, `${turns} turns`)
  })
}
