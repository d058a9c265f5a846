import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { describeTools, type OpenApi } from './described-tools.ts'
import { createMcpServer } from './mcp-server.ts'

const DIGITS = '9007199254740993'
const openApi = readFileSync(join(import.meta.dirname, '..', '..', '..', 'openapi.json'), 'utf8')
const tools = describeTools(JSON.parse(openApi) as OpenApi)

test('an amount beyond 2^53 reaches the client with every digit, also in a shortened result', async () => {
  for (const history of ['', `"history":[${Array.from({ length: 9_000 }, () => '123456789').join()}],`]) {
    const body = `{"success":true,"data":{${history}"totalReceived":${DIGITS}}}`
    const send = () => Promise.resolve({ status: 200, retryAfter: undefined, body })
    const { fetch } = createMcpHandler(() => createMcpServer({ tools, apis: ['v2'], send }))
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'coin_address', arguments: { address: 'x' } },
    }
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const response = await fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) }),
    )
    const text = await response.text()
    assert.match(text, new RegExp(`\\\\"totalReceived\\\\":${DIGITS}\\}`))
    assert.match(text, new RegExp(`"structuredContent":.*"totalReceived":${DIGITS}\\}`))
  }
})
