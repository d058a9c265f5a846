/** The MCP server over both transports, called by the SDK's own client, which validates every result by its schema. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { recordedBlockFile, recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { SAMPLES, seedControl } from '../../../../testing/support/sample-control.ts'
import { GATEWATCH, makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { sql } from '../../platform/sql.ts'
import { MESSAGES_PER_MINUTE } from './mcp-routes.ts'

const MODERN = '2026-07-28'
const store = await createTestDatabase()
const { database } = store
const blocks = temporaryFolder()
writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
const clock = testClock('2026-11-15T12:00:00.000Z')
const { url } = await startService(store, { clock, env: { ROLES: 'serve,index', BTC_BLOCKS_DIR: blocks } })
await seedControl(database)
const account = await makeTestAccount(database, { plan: 'team', utxoPlan: 'pro' })
const v1 = await makeTestKey(database, account, 'v1')
const v2 = await makeTestKey(database, account, 'v2')
const coins = recordedOracle().addresses.filter(({ utxos }) => utxos.length > 0)
const [source, target] = [coins[0]?.address ?? '', coins[1]?.address ?? '']
await eventually(async () => {
  const { status } = await fetch(`${url}/api/v2/block/1`, { headers: { 'x-api-key': v2.key } })
  clock.advance(1_100)
  return status === 200 || undefined
})

const BOTH = { authorization: `Bearer ${v1.key}`, 'x-api-key': v2.key }

async function connect(
  headers: Readonly<Record<string, string>>,
  mode: VersionNegotiationMode = { pin: MODERN },
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  after(() => client.close())
  return client
}

async function connectStdio(env: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const { PATH = '', HOME = '' } = process.env
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [GATEWATCH, 'mcp'],
      cwd: temporaryFolder(),
      env: { PATH, HOME, ...env },
    }),
  )
  after(() => client.close())
  return client
}

const textOf = ({ content }: Awaited<ReturnType<Client['callTool']>>): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

/** A valid call of every tool. */
const vault = { chain: 'ethereum', address: SAMPLES.vault }
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  search: { q: 'Meadow' },
  contract_profile: vault,
  contract_powers: vault,
  control_events: { severity: 'critical' },
  pending_changes: {},
  address_powers: { chain: 'ethereum', address: SAMPLES.council },
  protocol: { slug: 'meadow' },
  coin_address: { address: source },
  coin_utxos: { address: source, limit: 2 },
  coin_history: { address: source },
  coin_health: { address: source },
  coin_transaction: { txid: coins[0]?.utxos[0]?.txid },
  wallet: { descriptor: `addr(${source})` },
  wallet_utxos: { descriptor: `addr(${source})` },
  wallet_history: { descriptor: `addr(${source})` },
  simulate_payment: { fromAddress: source, toAddress: target, amount: 1_000 },
  fee_rates: {},
}

for (const [title, open] of [
  ['streamable HTTP, revision 2026-07-28', () => connect(BOTH)],
  ['streamable HTTP, revisions of 2025', () => connect(BOTH, 'legacy')],
  ['stdio', () => connectStdio({ GATEWATCH_URL: url, GATEWATCH_API_KEY: `${v1.key},${v2.key}` })],
] as const)
  test(`every tool returns what its schema promises: ${title}`, async () => {
    const client = await open()
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(CALLS).sort())
    for (const { name } of tools) {
      clock.advance(1_100)
      const result = await client.callTool({ name, arguments: CALLS[name] ?? {} })
      assert.notEqual(result.isError, true, `${name}: ${textOf(result)}`)
      assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent, name)
    }
  })

test('a result is the response of the route', async () => {
  const client = await connect(BOTH)
  const { structuredContent } = await client.callTool({ name: 'control_events', arguments: { limit: 2 } })
  const response = await fetch(`${url}/v1/events?limit=2`, { headers: BOTH })
  assert.deepEqual(structuredContent, await response.json())
  const powers = await client.callTool({ name: 'contract_powers', arguments: vault })
  assert.deepEqual(Object.keys((powers.structuredContent as { data: object }).data), [
    'chain',
    'address',
    'controlProfile',
    'powers',
  ])
})

test('one key in either header is enough, and only its tools are listed', async () => {
  for (const [headers, expected] of [
    [{ authorization: `Bearer ${v2.key}` }, ['fee_rates', false]],
    [{ 'x-api-key': v1.key }, ['contract_profile', false]],
  ] as const) {
    const client = await connect(headers)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.equal(names.includes(expected[0]), true)
    assert.equal(names.includes('fee_rates') && names.includes('contract_profile'), expected[1])
    assert.equal(names.includes('search'), true)
    const other = names.includes('fee_rates') ? 'contract_profile' : 'fee_rates'
    await assert.rejects(client.callTool({ name: other, arguments: {} }), /Unknown tool/)
  }
})

test('resources: protocols are listed, contracts and protocols are read', async () => {
  const client = await connect(BOTH)
  const { resources } = await client.listResources()
  assert.ok(resources.some(({ uri }) => uri === 'gatewatch://protocols/meadow'))
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['gatewatch://contracts/{chain}/{address}', 'gatewatch://protocols/{slug}'],
  )
  for (const uri of ['gatewatch://protocols/meadow', `gatewatch://contracts/1/${SAMPLES.vault}`]) {
    const { contents } = await client.readResource({ uri })
    const [content] = contents
    assert.ok(content !== undefined && 'text' in content)
    assert.equal(typeof JSON.parse(content.text).data, 'object')
  }
  for (const uri of [
    'gatewatch://contracts/1/../me',
    'gatewatch://protocols/%2e%2e',
    'gatewatch://protocols/%ff',
    'gatewatch://protocols/unknown',
    'file:///etc/passwd',
    'https://example.org/',
    '',
  ])
    await assert.rejects(client.readResource({ uri }), uri)
})

test('hostile arguments get a refusal of the route, and reach no other route', async () => {
  const client = await connect(BOTH)
  for (const [name, args, expected] of [
    ['contract_profile', {}, /chain: is missing/],
    ['contract_profile', { chain: 'ethereum', address: '..' }, /address: is missing or is not a text/],
    ['contract_profile', { chain: '..', address: 'me' }, /chain: is missing/],
    ['contract_profile', { chain: 'ethereum', address: '../../me/subscriptions' }, /invalid_address/],
    ['contract_profile', { chain: 'doge', address: SAMPLES.vault }, /unknown_chain/],
    ['contract_profile', { ...vault, extra: 1 }, /extra: is not a known parameter/],
    ['contract_profile', { chain: { toString: 1 }, address: [] }, /chain: is missing/],
    ['control_events', { limit: 1e9 }, /invalid_request: limit/],
    ['control_events', { limit: { a: 1 } }, /limit: must be a text, a number or a boolean/],
    ['control_events', { key: '\ud800' }, /not valid Unicode/],
    ['control_events', { key: 'a\u0000b' }, /invalid_request/],
    ['control_events', { 'chain=base&limit': 1 }, /not a known parameter/],
    ['control_events', { ['__proto__x']: 1, constructor: 'x' }, /not a known parameter/],
    ['control_events', { key: 'x'.repeat(5_000) }, /uri_too_long/],
    ['search', { q: "'; drop table contract; --" }, undefined],
    ['protocol', { slug: 'a/b?c#d' }, /protocol_not_found/],
    ['simulate_payment', { fromAddress: source, toAddress: target, amount: '1' }, /INVALID_PARAMETER: amount/],
    ['simulate_payment', { fromAddress: source, toAddress: target, amount: 1, broadcast: true }, /broadcast/],
    ['wallet', { descriptor: 'xprv' }, /INVALID_DESCRIPTOR/],
    ['coin_address', { address: 'x', chain: 'doge' }, /INVALID/],
  ] as const) {
    clock.advance(1_100)
    const result = await client.callTool({ name, arguments: args })
    if (expected === undefined) assert.notEqual(result.isError, true)
    else {
      assert.equal(result.isError, true, JSON.stringify(args))
      assert.match(textOf(result), expected)
    }
  }
})

async function post(body: string, headers: Readonly<Record<string, string>> = BOTH, method = 'POST') {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

test('requests without a valid key are refused before their body is read', async () => {
  const unknown = `gw_live_${'A'.repeat(43)}`
  for (const [headers, code] of [
    [{}, 'unauthorized'],
    [{ authorization: 'Basic x' }, 'invalid_api_key'],
    [{ authorization: `Bearer ${unknown}` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${unknown}`, 'x-api-key': v2.key }, 'invalid_api_key'],
  ] as const) {
    const { status, text, headers: sent } = await post('{', headers)
    assert.deepEqual([status, JSON.parse(text).error.code], [401, code])
    assert.equal(sent.get('www-authenticate'), 'Bearer')
  }
})

test('hostile messages get an error and no stack trace', async () => {
  const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
  for (const body of [
    '',
    '{',
    'null',
    '1',
    '"x"',
    '[]',
    `[${LIST},${LIST}]`,
    '{}',
    '{"jsonrpc":"1.0"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"\\u0000"}',
    '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":[]}}',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":${nested}}}}`,
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":1}}',
    '{"__proto__":{"a":1}}',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(300_000) }),
  ]) {
    const { status, text } = await post(body)
    assert.ok(status < 500, `${status} for ${body.slice(0, 80)}`)
    assert.match(text, /error|INVALID/i, body.slice(0, 80))
    assert.doesNotMatch(text, /node_modules|\.ts:|at .*\(/)
  }
  for (const method of ['GET', 'DELETE', 'PUT']) assert.equal((await post('', BOTH, method)).status, 405)
  const foreign = await post(LIST, { ...BOTH, origin: 'https://example.org' })
  assert.deepEqual([foreign.status, JSON.parse(foreign.text).error.code], [403, 'cross_origin'])
  assert.equal((await post(LIST, { ...BOTH, 'content-type': 'application/xml' })).status, 415)
})

test('a call counts toward the limits of its key and is logged with its route', async () => {
  const { key, id } = await makeTestKey(database, account, 'v1')
  const client = await connect({ authorization: `Bearer ${key}` })
  const outcomes: boolean[] = []
  for (let n = 0; n < 61; n++)
    outcomes.push((await client.callTool({ name: 'pending_changes', arguments: {} })).isError !== true)
  assert.deepEqual([outcomes.filter(Boolean).length, outcomes.at(-1)], [60, false])
  const refused = await client.callTool({ name: 'pending_changes', arguments: {} })
  assert.match(textOf(refused), /^rate_limited: .*retry after \d+ seconds/)
  const endpoints = await eventually(async () => {
    const { rows } = await database.query<{ endpoint: string; count: number }>(
      sql`select endpoint, count(*)::int as count from request_log where key_id = $1 group by 1`,
      [id],
    )
    return (rows[0]?.count ?? 0) >= 62 ? rows : undefined
  })
  assert.deepEqual(endpoints, [{ endpoint: '/v1/pending', count: 62 }])
})

test('messages that call nothing are limited too', async () => {
  const { key } = await makeTestKey(database, account, 'v1')
  const headers = { authorization: `Bearer ${key}` }
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const statuses = await Promise.all(Array.from({ length: MESSAGES_PER_MINUTE + 5 }, () => post(ping, headers)))
  assert.equal(statuses.filter(({ status }) => status === 429).length, 5)
  assert.ok(statuses.find(({ status }) => status === 429)?.headers.has('retry-after'))
})

test('stdio: a wrong setting is an error, an unreachable service is one of the call', async () => {
  for (const env of [{}, { GATEWATCH_URL: 'ftp://x', GATEWATCH_API_KEY: v1.key }, { GATEWATCH_URL: url }])
    await assert.rejects(connectStdio(env))
  const client = await connectStdio({ GATEWATCH_URL: 'http://127.0.0.1:1', GATEWATCH_API_KEY: v1.key })
  const result = await client.callTool({ name: 'pending_changes', arguments: {} })
  assert.match(textOf(result), /^The service cannot be reached/)
})

test('stdio: hostile lines end nothing, and standard output has messages alone', async () => {
  const child = spawn(process.execPath, [GATEWATCH, 'mcp'], {
    cwd: temporaryFolder(),
    env: { PATH: process.env.PATH, GATEWATCH_URL: url, GATEWATCH_API_KEY: v1.key },
  })
  after(() => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const call = (id: unknown, name: unknown, args: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
  for (const line of [
    '',
    '{',
    'null',
    '[]',
    '\u0000\u0007',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    'x'.repeat(1_000_000),
    call(2, '__proto__', {}),
    call(3, 'contract_profile', { chain: '../me', address: '\u0000' }),
    call(4, 'contract_profile', { ['__proto__']: { chain: 'ethereum' } }),
  ])
    child.stdin.write(`${line}\n`)
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'initialize', params: hello })}\n`)
  const messages = await eventually(() => {
    const lines = output.split('\n').slice(0, -1)
    const parsed = lines.map((line) => JSON.parse(line) as { jsonrpc: string; id?: unknown; result?: unknown })
    return parsed.some(({ id, result }) => id === 'last' && result !== undefined) ? parsed : undefined
  })
  assert.ok(messages.every(({ jsonrpc }) => jsonrpc === '2.0'))
  assert.doesNotMatch(output + errors, /node_modules|\.ts:\d/)
  child.stdin.end()
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})
