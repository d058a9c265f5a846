/** Private keys in every part of a request: refused, not repeated, not logged and not stored. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { identifier, sql } from '../../server/src/platform/sql.ts'
import { recordedBlockFile } from '../coins/fixtures.ts'
import { hdKey } from '../coins/hd-keys.ts'
import { createTestDatabase } from '../support/database.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { eventually } from '../support/receivers.ts'
import { AUTH_SECRET, makeTestAccount, makeTestKey, spawnService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ADDRESS = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const checked = (body: Buffer): string =>
  base58.encode(Uint8Array.from(Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)])))
const { tprv, tpub, secretAt } = hdKey('a private key')
const versioned = (version: string): string => {
  const body = Buffer.from(base58.decode(tprv)).subarray(4, -4)
  return checked(Buffer.concat([Buffer.from(version, 'hex'), body]))
}
const wif = (version: number, ...mark: number[]): string =>
  checked(Buffer.concat([Buffer.from([version]), secretAt(0), Buffer.from(mark)]))

/** Extended keys of Bitcoin, of test networks and of Litecoin, and single ones, compressed and not. */
const SECRETS = [
  ...['0488ade4', '04358394', '049d7878', '04b2430c', '019d9cfe', '01b26792', '0436ef7d'].map(versioned),
  wif(0x80, 1),
  wif(0x80),
  wif(0xef, 1),
  wif(0xb0, 1),
  wif(0xb0),
].map(keepSecretOfTest)

const { database, url: databaseUrl } = await createTestDatabase()
const blocks = temporaryFolder()
writeFileSync(join(blocks, 'blk00000.dat'), recordedBlockFile())
const service = await spawnService({
  DATABASE_URL: databaseUrl,
  AUTH_SECRET,
  ROLES: 'serve,index',
  BTC_BLOCKS_DIR: blocks,
  LOG_LEVEL: 'trace',
})
const account = await makeTestAccount(database, { utxoPlan: 'enterprise' })
const { key } = await makeTestKey(database, account, 'v2')
await eventually(async () => {
  const response = await fetch(`${service.url}/api/v2/block/1`, { headers: { 'x-api-key': key } })
  return response.status === 200 || undefined
})

type Sent = { readonly status: number; readonly text: string }

async function send(path: string, body?: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const response = await fetch(service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, text: await response.text() }
}
const post = (path: string, body: object): Promise<Sent> => send(`/api/v2${path}`, JSON.stringify(body))
const codeOf = ({ status, text }: Sent): string => `${status} ${(JSON.parse(text) as { code?: string }).code}`

const kept = await post('/wallets/keep', { descriptor: `wpkh(${tpub}/0/*)`, name: 'public' })
const { walletId } = (JSON.parse(kept.text) as { data: { walletId: string } }).data

test('a wallet with a private key is refused as such', async () => {
  for (const secret of SECRETS)
    for (const [path, body] of [
      ['/wallets', { descriptor: secret }],
      ['/wallets', { descriptor: `wpkh(${secret}/0/*)` }],
      ['/wallets/utxos', { descriptor: `wsh(multi(1,${tpub}/0/*,[deadbeef/0h]${secret}))` }],
      ['/wallets/simulate', { descriptor: `tr(${secret})#aaaaaaaa`, toAddress: ADDRESS, sendAll: true }],
      ['/wallets/keep', { descriptor: ` ${secret}\n`, name: 'a' }],
      ['/wallets/keep', { descriptor: `wpkh(${tpub}/1/*)`, name: `backup ${secret}`.slice(0, 100) }],
      ['/analyze/batch', { addresses: [ADDRESS, secret] }],
    ] as const) {
      const response = await post(path, body)
      assert.equal(codeOf(response), '400 PRIVATE_KEY_REFUSED', `${path}: ${response.text}`)
    }
})

test('labels with a private key are not imported', async () => {
  for (const secret of SECRETS) {
    const escaped = `\\u${secret.charCodeAt(0).toString(16).padStart(4, '0')}${secret.slice(1)}`
    const lines = [
      `{"type":"addr","ref":"${ADDRESS}","label":"${secret}"}`,
      `{"type":"xpub","ref":"${secret}","label":"a"}`,
      `{"type":"xpub","ref":"${escaped}","label":"a"}`,
      `{"type":"pubkey","ref":"02","label":"a","note":{"deep":["${secret}"]}}`,
      `{"type":"pubkey","ref":"02","label":"a","${secret}":1}`,
    ]
    const response = await post(`/wallets/${walletId}/labels`, { bip329: lines.join('\n') })
    const { data } = JSON.parse(response.text) as { data: { imported: number; ignoredCount: number } }
    assert.deepEqual([response.status, data.imported, data.ignoredCount], [200, 0, lines.length])
    assert.ok(!response.text.includes(secret))
  }
})

test('other parts of a request with a private key are refused, and no response repeats it', async () => {
  for (const secret of SECRETS) {
    const requests: readonly Promise<Sent>[] = [
      ...['address', 'tx', 'block', 'analyze', 'health', 'subscriptions', 'wallets', 'notifications', 'nothing'].map(
        (name) => send(`/api/v2/${name}/${secret}`),
      ),
      send(`/api/v2/address/${secret}/utxos?cursor=${secret}`),
      send(`/api/v2/fees?chain=${secret}`),
      send(`/api/v2/subscriptions?cursor=${secret}`),
      send(`/api/v2/blocks/at?time=${secret}`),
      send(`/public/coins/btc/address/${secret}`),
      send(`/public/coins/${secret}/address/a`),
      send('/api/v2/fees', undefined, { 'x-api-key': secret }),
      send('/v1/events', undefined, { authorization: `Bearer ${secret}` }),
      send('/api/v2/wallets', `{"descriptor":"${secret}"`),
      send('/api/v2/wallets', secret),
      send('/api/v2/wallets', `["${secret}"]`),
      send('/api/v2/wallets', secret, { 'content-type': 'text/plain' }),
      send('/api/v2/wallets', `descriptor=${secret}`, { 'content-type': 'application/x-www-form-urlencoded' }),
      post('/wallets', { descriptor: [secret] }),
      post('/wallets', { walletId: secret }),
      post('/simulate', { fromAddress: secret, toAddress: secret, amount: 1 }),
      post('/simulate', { fromAddress: 'a', toAddress: 'b', amount: 1, descriptor: `wpkh(${secret})` }),
      post('/simulate', { fromAddress: 'a', toAddress: 'b', amount: 1, redeemScript: secret }),
      post('/subscriptions', { address: secret }),
      post('/subscriptions', { txid: secret }),
      post('/tx', { transactions: [secret] }),
      post('/utxos/inspect', { outpoints: [secret] }),
    ]
    for (const [i, { status, text }] of (await Promise.all(requests)).entries()) {
      assert.ok(status >= 400 && status < 500, `request ${i}: ${status}`)
      assert.ok(!text.includes(secret), `request ${i} repeats it: ${text.slice(0, 300)}`)
    }
    // The sender reads the names of unknown parameters and fields.
    assert.equal((await send(`/api/v2/fees?${secret}=1`)).status, 400)
    assert.equal((await send('/api/v2/wallets', `{"descriptor":"a","${secret}":1}`)).status, 400)
    await send('/api/v2/fees', undefined, {
      'user-agent': secret,
      referer: `https://example.org/${secret}`,
      'x-request-id': secret,
      traceparent: secret,
    })
  }
})

test('no log line and no row of the database contains one', async () => {
  await service.stop()
  const logged = service.output()
  assert.ok(logged.length > 1_000)
  const { rows: tables } = await database.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  let stored = ''
  for (const { name } of tables) {
    const { rows } = await database.query<{ row: string }>(sql`select t::text as row from ${identifier(name)} t`)
    stored += rows.map(({ row }) => row).join('\n')
  }
  for (const secret of SECRETS) {
    assert.ok(!logged.includes(secret), `logged: ${lineWith(logged, secret)}`)
    assert.ok(!stored.includes(secret), `stored: ${lineWith(stored, secret)}`)
    const hex = Buffer.from(secret).toString('hex')
    assert.ok(!stored.includes(hex))
  }
})

const lineWith = (text: string, secret: string): string | undefined =>
  text.split('\n').find((line) => line.includes(secret))
