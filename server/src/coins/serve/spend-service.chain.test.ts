/** The whole service with a real node over HTTP: fees, a payment, an analysis, and a batch with its callback. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { readJson } from '../../../../testing/coins/fixtures.ts'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'

describe('a service with Litecoin', { skip: missingLitecoind(), timeout: 120_000 }, async () => {
  if (missingLitecoind() !== false) return
  const calls: { headers: Record<string, string>; body: string }[] = []
  const receiver = createServer((incoming, outgoing) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    incoming.on('end', () => {
      calls.push({ headers: incoming.headers as Record<string, string>, body })
      outgoing.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  after(() => receiver.close())
  const daemon = await startLitecoind()
  after(daemon.remove)
  await daemon.call('createwallet', 'a')
  await daemon.call('generatetoaddress', 110, await daemon.wallet('a')('getnewaddress', '', 'bech32'))
  const store = await createTestDatabase()
  const service = await startService(store, { env: { LTC_RPC_URL: daemon.url, ALERT_ALLOW_PRIVATE: 'true' } })
  const account = await makeTestAccount(store.database, { utxoPlan: 'enterprise' })
  const { key } = await makeTestKey(store.database, account, 'v2')

  type ApiResponse = {
    readonly status: number
    readonly data: Record<string, unknown>
    readonly code: string | undefined
  }
  const send = async (path: string, body?: unknown): Promise<ApiResponse> => {
    const response = await fetch(`${service.url}/api/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { data = {}, code } = (await response.json()) as { data?: Record<string, unknown>; code?: string }
    return { status: response.status, data, code }
  }

  test('a private key is refused, and no log contains it', async () => {
    await eventually(async () => ((await send('/status?chain=ltc')).data['synced'] === true ? true : undefined))
    const { scripts } = readJson<{ scripts: readonly (readonly [string])[] }>('descriptors.json')
    const [descriptor = ''] = scripts.find(([text]) => text.includes('xprv')) ?? []
    keepSecretOfTest(/xprv\w+/.exec(descriptor)?.[0] ?? assert.fail())
    const { status, code } = await send('/wallets', { chain: 'ltc', descriptor })
    assert.deepEqual([status, code], [400, 'PRIVATE_KEY_REFUSED'])
  })

  test('fees, a payment and an analysis', async () => {
    await eventually(async () => ((await send('/status?chain=ltc')).data['synced'] === true ? true : undefined))
    const a = daemon.wallet('a')
    const [from, to] = [await a<string>('getnewaddress', '', 'bech32'), await a<string>('getnewaddress', '', 'legacy')]
    await a('sendtoaddress', from, 1.5)
    const hash = (await daemon.call<string[]>('generatetoaddress', 1, await a('getnewaddress')))[0]
    await eventually(async () => ((await send(`/block/${hash}?chain=ltc`)).status === 200 ? true : undefined))
    // Right after a block the mempool is unknown, and another fee source is used.
    const fees = await eventually(async () => {
      const { data } = await send('/fees?chain=ltc')
      return data['source'] === 'mempool' ? data : undefined
    })
    assert.deepEqual([fees['unit'], fees['low'], fees['urgent']], ['sat/vB', 1, 1])
    const request = { chain: 'ltc', fromAddress: from, toAddress: to, amount: 100_000_000, psbt: true }
    const paid = await eventually(async () => {
      const { data } = await send('/simulate', request)
      return data['viable'] === true ? data : undefined
    })
    assert.deepEqual(
      [paid['totalInput'], paid['inputCount'], paid['outputCount'], paid['dustThreshold']],
      [150_000_000, 1, 2, 5_460],
    )
    const signed = await a<{ complete: boolean }>('walletprocesspsbt', paid['psbt'])
    assert.equal(signed.complete, true)
    assert.deepEqual((await send(`/health/${from}?chain=ltc`)).data['grade'], 'A')
    assert.equal((await send(`/analyze/${from}?chain=ltc`)).data['scriptType'], 'p2wpkh')
    assert.equal((await send(`/analyze/${from}`)).code, 'CHAIN_DISABLED')
  })

  test('a batch is analyzed and its signed callback arrives', async () => {
    const address = await daemon.wallet('a')<string>('getnewaddress', '', 'bech32')
    const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const { status, data } = await send('/analyze/batch', { chain: 'ltc', addresses: [address, 'x'], webhookUrl })
    assert.deepEqual([status, data['status']], [202, 'queued'])
    const call = await eventually(() => calls[0])
    const secret = keepSecretOfTest(String(data['webhookSecret']))
    const message = new Webhook(secret).verify(call.body, call.headers) as { event: string; summary: unknown }
    assert.deepEqual([message.event, message.summary], ['batch.completed', { ok: 1, failed: 1 }])
    const delivered = await eventually(async () => {
      const { webhook } = (await send(`/analyze/batch/${String(data['batchId'])}`)).data as {
        webhook: { status: string }
      }
      return webhook.status === 'delivered' ? webhook : undefined
    })
    assert.equal(delivered.status, 'delivered')
  })
})
