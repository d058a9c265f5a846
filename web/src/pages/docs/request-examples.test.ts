import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocsOperation } from '../../../../scripts/docs-modules.mjs'
import { exampleValues, requestExamples, requestOf } from './request-examples.ts'

const LIST: DocsOperation = {
  id: 'get-v1-contracts',
  method: 'GET',
  path: '/v1/contracts/{chain}/{address}',
  summary: '',
  nodes: [],
  credentials: 'bearerKey',
  parameters: [
    { name: 'chain', place: 'path', required: true, type: 'string', example: 'ethereum' },
    { name: 'address', place: 'path', required: true, type: 'string', example: '0x01' },
    { name: 'limit', place: 'query', required: false, type: 'integer', example: '5' },
  ],
  errors: [],
}

const SPEND: DocsOperation = {
  ...LIST,
  id: 'post-api-v2-simulate',
  method: 'POST',
  path: '/api/v2/simulate',
  credentials: 'apiKey',
  parameters: [],
  body: { type: 'object', fields: [], example: { amount: 5, note: "it's" } },
}

test('required parameters have their examples, optional ones are left out', () => {
  const request = requestOf(LIST, exampleValues(LIST), 'https://host')
  assert.equal(request.url, 'https://host/v1/contracts/ethereum/0x01')
  assert.deepEqual(request.headers, [['Authorization', 'Bearer gw_live_YOUR_KEY']])
})

test('what the reader types is encoded', () => {
  const values = { parameters: { chain: 'a/b', address: '?', limit: 'x&y=1' }, body: '', key: ' k ' }
  const request = requestOf(LIST, values, '')
  assert.equal(request.url, '/v1/contracts/a%2Fb/%3F?limit=x%26y%3D1')
  assert.deepEqual(request.headers, [['Authorization', 'Bearer k']])
})

test('every language quotes the body', () => {
  const examples = Object.fromEntries(requestExamples(requestOf(SPEND, exampleValues(SPEND), 'https://host')))
  assert.equal(
    examples.curl,
    `curl -X POST 'https://host/api/v2/simulate' \\
  -H 'X-API-Key: utxo_live_YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "amount": 5,
  "note": "it'\\''s"
}'`,
  )
  assert.ok(examples.Python?.includes(`data="{\\n  \\"amount\\": 5,\\n  \\"note\\": \\"it's\\"\\n}".encode(),`))
  assert.ok(examples.Go?.includes('strings.NewReader("{\\n'))
  assert.ok(examples.TypeScript?.includes('body: JSON.stringify({\n'))
})
