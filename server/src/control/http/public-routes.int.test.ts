/** The `/public` routes of contract control. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { at } from '../../../../testing/evm/sample-world.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { looseSql } from '../../../../testing/support/loose-sql.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { loseTheKeys, publish, SAMPLES, seedControl } from '../../../../testing/support/sample-control.ts'
import { serverAt } from '../../../../testing/support/server-at.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { VISITS_PER_MINUTE } from '../../accounts/throttling.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { saveControllers } from '../alerts/alert-matches.ts'
import { saveContract } from '../registry/contracts.ts'
import { requestPoll } from '../registry/poll-requests.ts'

const store = await createTestDatabase()
await seedControl(store.database)
const { url } = await startService(store, { env: { TRUST_PROXY: '1' } })
const { key } = await makeTestKey(store.database, await makeTestAccount(store.database, { plan: 'team' }), 'v1')

type Answer = { data: Record<string, unknown> & { contracts: { name: string; label: string }[] } }
const get = async (path: string, headers = {}) => {
  const response = await fetch(`${url}${path}`, { headers })
  return { status: response.status, body: (await response.json()) as Answer }
}

test('events, contracts and protocols equal the responses of /v1', async () => {
  for (const path of [
    '/events?severity=high&limit=3',
    `/contracts/ethereum/${SAMPLES.vault}`,
    '/contracts/ethereum/nonsense',
    '/protocols/meadow',
    '/protocols/atlantis',
  ])
    assert.deepEqual(
      await get(`/public/control${path}`),
      await get(`/v1${path}`, { authorization: `Bearer ${key}` }),
      path,
    )
})

test('the control page has the tree, the label changes and the states', async () => {
  const { body } = await get(`/public/control/contracts/ethereum/${SAMPLES.vault}/control`)
  assert.partialDeepStrictEqual(body.data, {
    profile: { label: 'timelocked', tone: 'green' },
    stale: false,
    tree: { address: SAMPLES.vault, paths: [{ kind: 'proxy_admin', paths: [{ kind: 'timelock_oz' }] }] },
    labels: [{ from: null, to: 'timelocked' }],
  })
  const missing = await get(`/public/control/contracts/base/0x${'12'.repeat(20)}/control`)
  assert.partialDeepStrictEqual(missing, { status: 404, body: { error: { code: 'contract_not_found' } } })
})

test('the list of protocols and the overview count labels and tones', async () => {
  // A key that can mint makes an otherwise green contract red.
  await store.database.query(sql`update control_profile set tone = 'red' where chain_id = 1 and address = $1`, [
    Buffer.from(SAMPLES.vault.slice(2), 'hex'),
  ])
  const { body: list } = await get('/public/control/protocols')
  assert.partialDeepStrictEqual(list.data, [
    { slug: 'clover', contracts: 1 },
    {
      slug: 'meadow',
      contracts: 3,
      summary: { total: 3, singleKey: 1, timelocked: 1, multisig: 1 },
      tones: { red: 2, amber: 1, green: 0 },
    },
  ])
  const { body: all } = await get('/public/control/overview')
  assert.partialDeepStrictEqual(all.data, {
    summary: { singleKey: 1, multisig: 2, timelocked: 2, immutable: 1 },
    tones: { red: 2 },
    events24h: { critical: 4, high: 4, info: 1 },
  })
})

test('names are registered names, not those that contracts return', async () => {
  await store.database.query(
    looseSql`insert into contract (chain_id, address, name, kind, source) values (1, '\\x${'78'.repeat(20)}', 'USD Coin', 'unknown', 'discovered')`,
  )
  const { body } = await get('/public/control/names')
  const names = body.data as unknown as { chainSlug: string; address: string; name: string }[]
  assert.deepEqual(
    names.find(({ address }) => address === SAMPLES.council),
    { chainSlug: 'ethereum', address: SAMPLES.council, name: 'Meadow Council' },
  )
  assert.ok(!names.some(({ name }) => name === 'USD Coin'))
})

test('search finds names, protocols, addresses and transactions; patterns are plain text', async () => {
  const found = async (text: string) => (await get(`/public/control/search?q=${encodeURIComponent(text)}`)).body.data
  const byName = await found('mead')
  assert.deepEqual(
    byName.contracts.map(({ name }) => name),
    ['Meadow Vault', 'Meadow Bridge', 'Meadow Council', 'Meadow Timelock'],
  )
  assert.partialDeepStrictEqual(byName, { protocols: [{ slug: 'meadow', contracts: 3 }] })
  assert.deepEqual((await found('%')).contracts, [])
  assert.partialDeepStrictEqual(await found(SAMPLES.bridge.toUpperCase().replace('0X', '0x')), {
    contracts: [{ address: SAMPLES.bridge, chainSlug: 'ethereum', label: 'single_key' }],
  })
  const emitter = `0x${'77'.repeat(20)}` as const
  await publish(store.database, [
    { key: 'pause.paused', category: 'pause', severity: 'high', address: emitter, minutesAgo: 5, args: {} },
  ])
  assert.partialDeepStrictEqual(await found(emitter), {
    contracts: [{ address: emitter, name: null, label: 'unknown' }],
  })
  const { rows } = await store.database.query<{ hash: string }>(
    sql`select encode(tx_hash, 'hex') as hash from control_event e join event_kind k on k.id = e.kind_id where k.key = 'safe.removed_owner'`,
  )
  const hash = `0x${rows[0]?.hash}`
  assert.partialDeepStrictEqual(await found(hash), {
    transactions: [{ chainSlug: 'ethereum', hash, events: 1 }],
    isComplete: true,
  })
  const path = `/public/control/transactions/ethereum/${hash}`
  assert.partialDeepStrictEqual((await get(path)).body.data, [
    { address: SAMPLES.council, eventKey: 'safe.removed_owner' },
  ])
  assert.equal((await get(path.replace('ethereum', 'base'))).status, 404)
  assert.equal((await get(`/public/control/transactions/ethereum/0x${'00'.repeat(32)}`)).status, 404)
  assert.equal((await get('/public/control/transactions/ethereum/0x12')).status, 400)
})

test('search takes a URL, the first digits of an address, a signer, an event key and a misspelled protocol', async () => {
  const found = async (text: string) => (await get(`/public/control/search?q=${encodeURIComponent(text)}`)).body.data
  const bridge = { contracts: [{ address: SAMPLES.bridge, chainSlug: 'ethereum' }] }
  assert.partialDeepStrictEqual(await found(`https://etherscan.io/address/${SAMPLES.bridge}#code`), bridge)
  assert.partialDeepStrictEqual(await found(SAMPLES.bridge.slice(2)), bridge)
  assert.partialDeepStrictEqual(await found(SAMPLES.bridge.slice(0, 9)), bridge)
  const signer = `0x${'5e'.repeat(20)}` as const
  await saveControllers(
    store.database,
    { chainId: 1, address: SAMPLES.bridge },
    { controllers: [{ chainId: 1, address: signer }], beacon: undefined, isComplete: false },
  )
  assert.partialDeepStrictEqual(await found(signer), {
    contracts: [],
    accounts: [{ address: signer, chainSlug: 'ethereum', controls: 1 }],
  })
  assert.partialDeepStrictEqual(await found('safe.removed'), {
    eventKinds: [{ key: 'safe.removed_owner', category: 'multisig' }],
  })
  assert.partialDeepStrictEqual(await found('medaow'), { protocols: [{ slug: 'meadow', contracts: 3 }] })
  assert.partialDeepStrictEqual(await found('mxaxoq'), { protocols: [] })
  await saveContract(store.database, { chainId: 1, address: `0x${'6e'.repeat(20)}` }, { protocol: 'Juniper Lending' })
  for (const text of ['junipr', 'lendnig', 'Juniper Lnding'])
    assert.partialDeepStrictEqual(await found(text), { protocols: [{ slug: 'juniper-lending' }] }, text)
})

test('the events of a protocol are read to the first, setup events included', async () => {
  const ids: number[] = []
  let cursor = ''
  do {
    const { body } = await get(`/public/control/protocols/meadow/events?limit=3${cursor}`)
    const { data, nextCursor } = body as unknown as { data: { id: number }[]; nextCursor: string | null }
    ids.push(...data.map(({ id }) => id))
    cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`
  } while (cursor !== '')
  const { body } = await get('/public/control/protocols/meadow')
  const { recentEvents } = body.data as unknown as { recentEvents: { id: number }[] }
  assert.ok(recentEvents.length > 3)
  assert.deepEqual(
    ids,
    recentEvents.map(({ id }) => id),
  )
  assert.equal((await get('/public/control/protocols/atlantis/events')).status, 404)
  assert.equal((await get('/public/control/protocols/meadow/events?cursor=x')).status, 400)
})

test('the past of a contract: as recorded at a block or a time, from one change until the next', async () => {
  const path = `/public/control/contracts/ethereum/${SAMPLES.market}`
  const { body: before } = await get(`${path}/control`)
  const [{ blockNumber: first }] = before.data.versions as [{ blockNumber: number }]
  await loseTheKeys(store.database)
  const past = async (at: string) => await get(`${path}/past?at=${encodeURIComponent(at)}`)
  const old = await past(String(first))
  assert.partialDeepStrictEqual(old.body.data, {
    from: { blockNumber: first },
    label: { to: 'multisig' },
    state: { blockNumber: first, fields: { admin: at('old admin') } },
    control: { profile: { label: 'multisig' }, blockNumber: first },
  })
  const { blockNumber: second } = old.body.data.until as { blockNumber: number }
  assert.deepEqual((await past(String(second - 1))).body, old.body)
  for (const text of [String(second), '2100-01-01T00:00:00Z'])
    assert.partialDeepStrictEqual((await past(text)).body.data, {
      from: { blockNumber: second },
      until: null,
      state: { fields: { admin: at('market admin') } },
      control: { profile: { label: 'single_key' } },
    })
  assert.partialDeepStrictEqual(await past('1'), { status: 404, body: { error: { code: 'not_recorded' } } })
  assert.partialDeepStrictEqual(await past('2020-01-01T00:00:00Z'), { status: 404 })
  for (const text of ['', 'yesterday', '-1', '1'.repeat(16)])
    assert.partialDeepStrictEqual(await past(text), { status: 400, body: { error: { code: 'invalid_request' } } }, text)
})

test('the control page says that a poll is to come', async () => {
  const path = `/public/control/contracts/ethereum/${SAMPLES.token}/control`
  await publish(store.database, [
    { key: 'pause.paused', category: 'pause', severity: 'high', address: SAMPLES.token, minutesAgo: 0, args: {} },
  ])
  assert.equal((await get(path)).body.data.isUpdating, true)
  await store.database.query(sql`delete from poll_request where address = $1`, [toBytes(SAMPLES.token)])
  assert.equal((await get(path)).body.data.isUpdating, false)
  await requestPoll(store.database, { chainId: 1, address: SAMPLES.token }, 60)
  assert.equal((await get(path)).body.data.isUpdating, false, 'a later poll only repeats')
})

test('visitors are limited per network and minute', async () => {
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const statuses = await Promise.all(
    Array.from({ length: VISITS_PER_MINUTE + 5 }, async () => (await get('/public/control/overview', from)).status),
  )
  assert.equal(statuses.filter((status) => status === 200).length, VISITS_PER_MINUTE)
  const refused = await fetch(`${url}/public/control/overview`, { headers: from })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await get('/public/control/overview', { 'x-forwarded-for': '203.0.113.8' })).status, 200)
})

test('one network can keep fifty streams open', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' }
  const stopped = new AbortController()
  const open = await Promise.all(
    Array.from({ length: 50 }, () => fetch(`${url}/public/control/stream`, { headers: from, signal: stopped.signal })),
  )
  assert.deepEqual([...new Set(open.map(({ status }) => status))], [200])
  const refused = await fetch(`${url}/public/control/stream`, { headers: from })
  assert.equal(refused.status, 503)
  assert.partialDeepStrictEqual(await refused.json(), { error: { code: 'unavailable' } })
  stopped.abort()
})

test('a client that does not read the stream is disconnected', async () => {
  const server = await serverAt(url)
  const listening = async (): Promise<{ readonly client: Socket; readonly socket: Socket }> => {
    const accepted = once(server, 'connection')
    const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    client.write('GET /public/control/stream HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.10\r\n\r\n')
    const [socket] = (await accepted) as [Socket]
    await once(client, 'data')
    return { client, socket }
  }
  const [reading, idle] = [await listening(), await listening()]
  let received = 0
  reading.client.on('data', ({ length }) => (received += length))
  idle.client.pause()
  const event = { key: 'pause.paused', category: 'pause', severity: 'high', address: SAMPLES.token } as const
  const tell = async (length: number): Promise<void> => {
    const news = { ...event, minutesAgo: 0, args: { text: 'x'.repeat(length) } }
    await publish(store.database, [news, news, news, news, news])
  }
  await eventually(async () => {
    await tell(1)
    return received > 0 || undefined
  })
  // Writes events one by one until the socket buffers are full and the server has to buffer.
  for (let round = 0; round < 100 && !idle.socket.destroyed; round++) {
    const wanted = received + 500_000
    await tell(100_000)
    await eventually(() => received >= wanted || undefined)
  }
  assert.deepEqual([idle.socket.destroyed, reading.socket.destroyed], [true, false])
  for (const { client } of [reading, idle]) client.destroy()
})
