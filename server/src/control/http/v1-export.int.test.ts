/** Exports and feeds over real HTTP: the same rows as the pages, whole. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish, subscribe, upgradeOf } from '../../../../testing/support/alerts.ts'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, signIn, startService } from '../../../../testing/support/service.ts'
import { v1Caller } from '../../../../testing/support/v1-caller.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { saveChannel } from '../alerts/channels.ts'
import { addEventKinds } from '../feed/event-kinds.ts'
import { saveContract } from '../registry/contracts.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock(new Date().toISOString())
const service = await startService(store, { clock, env: { ROLES: 'serve' } })
const account = await makeTestAccount(database, { plan: 'team' })
const { key } = await makeTestKey(database, account, 'v1')
const get = v1Caller(service, clock, key)
const exported = async (
  path: string,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${key}` },
) => {
  clock.advance(1_100)
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1)

const POOL = { chainId: 1, address: hexOf(0xf001, 20) }
/** A name that a contract's owner could choose to break a document or a spreadsheet. */
const HOSTILE = '=cmd()"<b>&\',x'
await saveContract(database, POOL, { name: HOSTILE, protocol: 'Example', kind: 'proxy_uups' })
const START = Date.parse('2026-10-01T00:00:00Z')
await addEventKinds(database, [{ key: 'proxy.upgraded', category: 'upgrade' }])
for (let n = 0; n < 4; n++) await storeEvent(database, POOL, { blockTime: START + n * 1_000 })
/** More than one page of an export. */
const many = Array.from({ length: 1_100 }, (_, n) => upgradeOf(hexOf(0xe000 + (n % 7), 20), { severity: 'high' }))
await publish(database, many, false)

test('the export of the feed has every event of its pages, with the same filters', async () => {
  for (const query of ['', `&address=${POOL.address}`, '&severity=critical', '&chain=base']) {
    const pages: object[] = []
    for (let cursor = ''; ; ) {
      const { body } = await get(`/v1/events?limit=200${query}${cursor}`)
      pages.push(...body.data)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    const { type, text } = await exported(`/v1/events/export?format=ndjson${query}`)
    assert.equal(type, 'application/x-ndjson; charset=utf-8')
    assert.deepEqual(
      linesOf(text).map((line) => JSON.parse(line) as object),
      pages,
    )
    const csv = await exported(`/v1/events/export?format=csv${query}`)
    assert.equal(linesOf(csv.text).length, pages.length + 1)
  }
})

test('a CSV has the columns of an event, and text that is neither a formula nor a new field', async () => {
  const { type, text } = await exported(`/v1/events/export?format=csv&address=${POOL.address}`)
  const [header, first] = text.split('\r\n')
  assert.equal(type, 'text/csv; charset=utf-8')
  assert.equal(
    header,
    'id,chainId,chainSlug,blockNumber,blockTime,txHash,logIndex,address,eventKey,category,severity,isInit,contract.name,contract.protocol,contract.kind,args',
  )
  assert.ok(first?.includes(`,"'=cmd()""<b>&',x",Example,proxy_uups,"{""implementation"":`), first)
})

test('the export of deliveries has those of the account only', async () => {
  await saveChannel(database, account.id, 'webhook', { target: 'https://hooks.example/in' })
  const other = await makeTestAccount(database, { plan: 'team' })
  await saveChannel(database, other.id, 'webhook', { target: 'https://hooks.example/in' })
  const watched = hexOf(0xf0f0, 20)
  for (const { id } of [account, other]) await subscribe(database, { id }, watched)
  await publish(database, [upgradeOf(watched), upgradeOf(watched)])
  const { body } = await get('/v1/me/notifications')
  assert.equal(body.data.length, 2)
  const { text } = await exported('/v1/me/notifications/export')
  assert.equal(linesOf(text).length, 2)
  assert.partialDeepStrictEqual(
    linesOf(text).map((line) => JSON.parse(line) as object),
    body.data,
  )
})

test('the export of labels has all changes of a contract', async () => {
  const changes = ['single_key', 'multisig', 'timelocked']
  for (const [n, label] of changes.entries())
    await database.query(
      sql`insert into control_profile_change (chain_id, address, block_number, from_label, to_label, cause) values ($1, $2, $3, $4, $5, $6)`,
      [1, toBytes(POOL.address), n, changes[n - 1] ?? null, label, '[]'],
    )
  const { text } = await exported(`/v1/contracts/ethereum/${POOL.address}/labels/export?format=csv`)
  assert.deepEqual(
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(1)),
    [
      ['2', 'multisig', 'amber', 'timelocked', 'green', '[]'],
      ['1', 'single_key', 'red', 'multisig', 'amber', '[]'],
      ['0', '', '', 'single_key', 'red', '[]'],
    ],
  )
})

test('the export of requests has those of the log', async () => {
  const cookie = await signIn(service, account)
  const token = await fetch(`${service.url}/api/auth/token`, { headers: { cookie } })
  const headers = { authorization: `Bearer ${((await token.json()) as { token: string }).token}` }
  const query = 'endpoint=/v1/events&status=2xx'
  const page = await fetch(`${service.url}/api/v1/analytics/logs?${query}&pageSize=100`, { headers })
  const { data } = (await page.json()) as { readonly data: { readonly logs: readonly object[] } }
  assert.ok(data.logs.length > 5)
  const { text } = await exported(`/api/v1/analytics/logs/export?${query}`, headers)
  assert.deepEqual(
    linesOf(text).map((line) => JSON.parse(line) as object),
    data.logs,
  )
  assert.equal((await exported('/api/v1/analytics/logs/export?scope=all', headers)).status, 403)
})

test('an export needs a key and known parameters', async () => {
  assert.equal((await exported('/v1/events/export', {})).status, 401)
  for (const query of ['format=xml', 'limit=5', 'chain=doge'])
    assert.equal((await exported(`/v1/events/export?${query}`)).status, 400, query)
})

/** Returns the texts of all elements by name. Throws if the document is not well formed. */
function parseXml(document: string): (name: string) => readonly string[] {
  const body = document.replace(/^<\?xml[^>]*\?>\n/, '')
  const found: (readonly [string, string])[] = []
  const open: string[] = []
  let text = ''
  for (const piece of body.split(/(<[^<>]*>)/)) {
    const [, close, name = '', empty] = /^<(\/?)([\w:]+)[^<>]*?(\/?)>$/.exec(piece) ?? []
    if (close === undefined) {
      assert.doesNotMatch(piece, /[<>"']|&(?!(amp|lt|gt|quot|apos);)/)
      text = piece
    } else if (close === '/') {
      assert.equal(open.pop(), name)
      found.push([
        name,
        text
          .replaceAll('&lt;', '<')
          .replaceAll('&apos;', "'")
          .replaceAll('&quot;', '"')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
      ])
      text = ''
    } else if (empty !== '/') open.push(name)
  }
  assert.deepEqual(open, [])
  return (name) => found.filter(([other]) => other === name).map(([, value]) => value)
}

test('feeds are well-formed Atom and RSS, whatever a contract is called', async () => {
  for (const [format, type, entry, id] of [
    ['atom', 'application/atom+xml', 'entry', 'id'],
    ['rss', 'application/rss+xml', 'item', 'guid'],
  ] as const) {
    for (const path of [
      `/feeds/events.${format}?severity=critical`,
      `/feeds/contracts/ethereum/${POOL.address}.${format}`,
      `/feeds/protocols/example.${format}`,
    ]) {
      const response = await fetch(service.url + path)
      const text = await response.text()
      assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`, text)
      const textsOf = parseXml(text)
      assert.ok(textsOf(entry).length >= 4, path)
      assert.ok(textsOf('title').some((title) => title.includes(HOSTILE)))
      assert.ok(textsOf(id).every((value) => value.startsWith('tag:127.0.0.1,2026:event-') || format === 'atom'))
      const again = await fetch(service.url + path, {
        headers: { 'if-none-match': response.headers.get('etag') ?? '' },
      })
      assert.deepEqual([again.status, await again.text()], [304, ''])
    }
  }
  assert.equal((await fetch(`${service.url}/feeds/protocols/nothing.atom`)).status, 404)
  assert.equal((await fetch(`${service.url}/feeds/contracts/ethereum/0x1.atom`)).status, 400)
})

test('feeds write amounts of a token with its decimals and its symbol', async () => {
  const token = { chainId: 1, address: hexOf(0xf002, 20) }
  await saveContract(database, token, { name: 'Dollar' })
  await database.query(sql`update contract set metadata = '{"symbol": "USD", "decimals": 6}' where name = 'Dollar'`)
  await addEventKinds(database, [{ key: 'fiat.minter_configured', category: 'token_admin' }])
  const args = { minter: hexOf(0xaa, 20), minterAllowedAmount: '5000000000000' }
  await publish(database, [upgradeOf(token.address, { key: 'fiat.minter_configured', category: 'token_admin', args })])
  const text = await (await fetch(`${service.url}/feeds/contracts/ethereum/${token.address}.atom`)).text()
  assert.match(text, / can mint up to 5,000,000 USD</)
})
