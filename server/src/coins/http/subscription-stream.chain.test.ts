/** From a payment at a real node to a verified webhook and the stream, through the whole service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { eventually, hookReceiver } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, signIn, startService } from '../../../../testing/support/service.ts'
import { openStream } from '../../../../testing/support/sse.ts'
import { revokeKey } from '../../accounts/api-keys.ts'

type Payload = {
  readonly type: string
  readonly data: {
    readonly retracts?: string
    readonly events: readonly {
      readonly event: { readonly kind: string; readonly txid: string; readonly received: number }
      readonly title: string
      readonly url: string
    }[]
  }
}

test('a payment, its confirmation and a reorg reach webhook and stream', {
  skip: missingLitecoind(),
}, async (context) => {
  const store = await createTestDatabase()
  const { database } = store
  const [daemon, receiver] = [await startLitecoind(), await hookReceiver()]
  context.after(() => daemon.remove())
  await daemon.call('createwallet', 'a')
  const wallet = daemon.wallet('a')
  const miner = await wallet<string>('getnewaddress', '', 'bech32')
  await daemon.call('generatetoaddress', 110, miner)
  const service = await startService(store, {
    env: { ROLES: 'serve,index,deliver', LTC_RPC_URL: daemon.url, ALERT_ALLOW_PRIVATE: 'true' },
  })
  const account = await makeTestAccount(database, { utxoPlan: 'pro' })
  const { id: keyId, key } = await makeTestKey(database, account, 'v2')
  const cookie = await signIn(service, account)
  const response = await fetch(`${service.url}/me/channels/webhook`, {
    method: 'PUT',
    headers: { cookie, origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/hook` }),
  })
  const { webhook } = (await response.json()) as { webhook: { secret: string } }
  keepSecretOfTest(webhook.secret)
  const address = await wallet<string>('getnewaddress', '', 'bech32')
  const subscribe = () =>
    fetch(`${service.url}/api/v2/subscriptions`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ chain: 'ltc', address, events: ['seen', 'confirmed'], channels: ['webhook'] }),
    })
  await eventually(async () => ((await subscribe()).status === 200 ? true : undefined))
  const stream = await openStream(`${service.url}/api/v2/stream`, { 'x-api-key': key })
  const received = async (count: number) => {
    const call = await eventually(() => receiver.calls[count - 1])
    return new Webhook(webhook.secret).verify(call.body, call.headers) as Payload
  }

  const txid = await wallet<string>('sendtoaddress', address, 1.25)
  const seen = await received(1)
  assert.deepEqual(
    [seen.type, seen.data.events.map(({ event }) => [event.kind, event.txid, event.received])],
    ['coins.changed', [['seen', txid, 125_000_000]]],
  )
  assert.deepEqual(
    seen.data.events.map(({ title, url }) => [title, url]),
    [['Payment of 1.25 LTC received, unconfirmed', `${service.url}/coins/ltc/tx/${txid}`]],
  )
  const [hash] = await daemon.call<string[]>('generatetoaddress', 1, miner)
  assert.deepEqual(
    (await received(2)).data.events.map(({ event }) => event.kind),
    ['confirmed'],
  )
  await daemon.call('invalidateblock', hash)
  for (let i = 0; i < 2; i++) await daemon.call('generateblock', miner, [])
  const retraction = await received(3)
  assert.equal(retraction.type, 'coins.retracted')
  assert.equal(retraction.data.retracts, receiver.calls[1]?.headers['webhook-id'])

  await stream.until(3)
  const sent = () =>
    stream.messages.map(({ event, data }) => {
      const { kind, txid: of } = JSON.parse(data) as { kind: string; txid: string }
      return [event, kind, of]
    })
  const story = [
    ['reported', 'seen', txid],
    ['reported', 'confirmed', txid],
    ['retracted', 'confirmed', txid],
  ]
  assert.deepEqual(sent(), story)
  const resumed = await openStream(`${service.url}/api/v2/stream`, {
    'x-api-key': key,
    'last-event-id': stream.messages[0]?.id ?? '',
  })
  await resumed.until(2)
  assert.deepEqual(
    resumed.messages.map(({ id }) => id),
    stream.messages.slice(1).map(({ id }) => id),
  )
  await daemon.call('generatetoaddress', 1, miner)
  await stream.until(4)
  assert.deepEqual(sent(), [...story, ['reported', 'confirmed', txid]])
  resumed.close()
  await revokeKey(database, keyId)
  await daemon.call('generatetoaddress', 1, miner)
  const other = await wallet<string>('sendtoaddress', address, 1)
  assert.ok(other.length > 0)
  await stream.ended
  assert.equal(stream.messages.at(-1)?.event, 'end')
})
