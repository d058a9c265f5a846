/** Kills the process that follows a chain and delivers its events with SIGKILL, while a reorg removes its blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { accountWithWebhook } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { eventually, serve } from '../../../../testing/support/receivers.ts'
import { AUTH_SECRET, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { sql } from '../../platform/sql.ts'
import { saveCoinSubscription } from './subscription-store.ts'

const KILLS = 2
const PAYMENTS = 4

type Webhook = {
  readonly id: string
  readonly type: string
  readonly retracts: string | undefined
  readonly events: readonly number[]
}
type Record = { readonly id: number; readonly kind: string; readonly txid: string; readonly isOpen: boolean }

test('each event is one record and one message when processes are killed and blocks are replaced', {
  skip: missingLitecoind(),
  timeout: 600_000,
}, async (t) => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const daemon = await startLitecoind()
  t.after(() => daemon.remove())
  await daemon.call('createwallet', 'a')
  const wallet = daemon.wallet('a')
  const miner = await wallet<string>('getnewaddress', '', 'bech32')
  await daemon.call('generatetoaddress', 130, miner)
  const address = await wallet<string>('getnewaddress', '', 'bech32')

  const arrived: Webhook[] = []
  const waiting: (() => void)[] = []
  let isHolding = true
  const url = await serve((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const { type, data } = JSON.parse(text) as {
        type: string
        data: { retracts?: string; events: { event: { id: number } }[] }
      }
      const id = String(request.headers['webhook-id'])
      arrived.push({ id, type, retracts: data.retracts, events: data.events.map(({ event }) => event.id) })
      const respond = () => response.writeHead(204).end()
      if (isHolding && arrived.length % 3 === 0) waiting.push(respond)
      else respond()
    })
  })
  const { id: accountId } = await accountWithWebhook(database, url)
  const subscription = await saveCoinSubscription(
    database,
    {
      accountId,
      chain: 'ltc',
      kind: 'address',
      target: address,
      events: ['seen', 'confirmed'],
      confirmations: 1,
      channels: ['webhook'],
      fromHeight: await daemon.call<number>('getblockcount'),
    },
    10,
  )
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET,
    ROLES: 'serve,index,deliver',
    LTC_RPC_URL: daemon.url,
    ALERT_ALLOW_PRIVATE: 'true',
    DATA_DIR: temporaryFolder(),
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  }
  const start = () => spawnGatewatch(['start'], { env, cwd: temporaryFolder() })
  const records = async (): Promise<readonly Record[]> => {
    const { rows } = await database.query<Record>(
      sql`select id, kind, encode(txid, 'hex') as txid, retracted_at is null as "isOpen" from coin_event
       where subscription_id = $1 order by id`,
      [subscription?.id],
    )
    return rows
  }
  /** Waits until each transaction has an event of this kind that holds. */
  const untilReported = (kind: string, txids: readonly string[]) =>
    eventually(async () => {
      const open = new Set((await records()).flatMap((each) => (each.kind === kind && each.isOpen ? [each.txid] : [])))
      return txids.every((txid) => open.has(txid)) || undefined
    })
  const pay = async (): Promise<string[]> => {
    const txids: string[] = []
    while (txids.length < PAYMENTS) txids.push(await wallet<string>('sendtoaddress', address, 0.5 + txids.length / 10))
    return txids
  }

  const paid: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const { child, exit } = start()
    const txids = await pay()
    paid.push(...txids)
    await untilReported('seen', txids)
    const [block = ''] = await daemon.call<string[]>('generatetoaddress', 1, miner)
    await untilReported('confirmed', paid)
    const enough = arrived.length + 2
    await eventually(() => arrived.length >= enough || undefined)
    child.kill('SIGKILL')
    await exit
    // A branch without payments replaces the block while no process runs.
    await daemon.call('invalidateblock', block)
    for (let n = 0; n < 2; n++) await daemon.call('generateblock', miner, [])
    // Leases and claims of the process expire.
    await database.query(sql`update lease set expires_at = '-infinity'`)
    await database.query(sql`update alert_message set next_at = now() where claim is not null`)
  }
  isHolding = false
  for (const respond of waiting) respond()
  const { child, exit } = start()
  // Every payment is back in the mempool, so the last confirmations are retracted before they are reported again.
  await eventually(
    async () => (await records()).every(({ kind, isOpen }) => kind !== 'confirmed' || !isOpen) || undefined,
  )
  await daemon.call('generatetoaddress', 1, miner)
  await untilReported('confirmed', paid)
  const messages = await eventually(async () => {
    const { rows } = await database.query<{ uid: string; status: string; attempts: number }>(
      sql`select uid, status, attempts from alert_message`,
    )
    return rows.every(({ status }) => status === 'sent' || status === 'cancelled') ? rows : undefined
  })
  child.kill('SIGTERM')
  assert.deepEqual(await exit, { code: 0, signal: null })

  const all = await records()
  const open = all.filter(({ isOpen }) => isOpen)
  assert.deepEqual(
    open.map(({ kind, txid }) => `${kind} ${txid}`).toSorted(),
    paid.flatMap((txid) => [`confirmed ${txid}`, `seen ${txid}`]).toSorted(),
    'one record for each event that holds',
  )
  assert.ok(all.length - open.length >= PAYMENTS, 'reorgs retracted events')

  const byId = new Map(arrived.map((webhook) => [webhook.id, webhook]))
  const sent = messages.filter(({ status }) => status === 'sent')
  for (const { uid } of sent) assert.ok(byId.has(`alert_${uid}`), `message ${uid} arrived`)
  for (const { uid, attempts } of messages)
    assert.ok(arrived.filter(({ id }) => id === `alert_${uid}`).length <= attempts)
  assert.ok(
    messages.some(({ attempts }) => attempts > 1),
    'at least one attempt was interrupted',
  )
  const reported = [...byId.values()].filter(({ type }) => type === 'coins.changed').flatMap(({ events }) => events)
  assert.equal(new Set(reported).size, reported.length, 'no event is in two messages')
  const retracted = [...byId.values()].filter(({ retracts }) => retracts !== undefined).flatMap(({ events }) => events)
  assert.equal(new Set(retracted).size, retracted.length, 'no event is retracted twice')
  assert.deepEqual(
    reported.filter((id) => !retracted.includes(id)).toSorted((a, b) => a - b),
    open.map(({ id }) => id),
    'the recipient knows exactly the events that hold',
  )
  assert.ok(
    retracted.every((id) => reported.includes(id)),
    'nothing is retracted that was not reported',
  )
})
