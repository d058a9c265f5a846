/** From a contract on a real chain to a real mail server, the Telegram Bot API and a verified webhook. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { zeroHash } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { artifact, call } from '../../../../testing/evm/scenario.ts'
import { caughtUp } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { botServer, eventually, hookReceiver, mailSink } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, signIn, startService } from '../../../../testing/support/service.ts'
import { saveContract } from '../registry/contracts.ts'

type Payload = {
  readonly type: string
  readonly data: {
    readonly retracts?: string
    readonly events: readonly {
      readonly event: { readonly eventKey: string; readonly txHash: string; readonly args: Record<string, string> }
      readonly changes: readonly { readonly what: string; readonly from: string | null; readonly to: string | null }[]
      readonly queued: {
        readonly phase: string
        readonly earliestExecution: string | null
        readonly calls: readonly { readonly function: string | null }[]
      } | null
      readonly contracts: readonly { readonly address: string; readonly name: string | null; readonly url: string }[]
    }[]
  }
}

test('an upgrade, a queued call and a reorg reach mail, Telegram and webhook', {
  skip: anvilMissing,
}, async () => {
  const store = await createTestDatabase()
  const { database } = store
  const [node, sink, bot, receiver] = await Promise.all([anvilForTests(1), mailSink(), botServer(), hookReceiver()])
  const evm = await evmOf(node)
  const [me] = evm.accounts as readonly [`0x${string}`]
  const logic = await evm.deploy(artifact('Vault'))
  const next = await evm.deploy(artifact('VaultTwo'))
  const proxy = await evm.deploy(openZeppelin5('ERC1967Proxy'), logic.address, call(logic, 'initialize', [me]))
  const vault = { ...proxy, abi: logic.abi }
  const timelock = await evm.deploy(openZeppelin5('TimelockController'), 3_600n, [me], [me], me)
  await saveContract(database, { chainId: 1, address: vault.address }, { name: 'Vault <b>&', protocol: 'Example' })
  await saveContract(database, { chainId: 1, address: timelock.address }, { kind: 'timelock_oz' })
  const service = await startService(store, {
    env: {
      ROLES: 'serve,watch,deliver',
      ETHEREUM_RPC_URL: node.url,
      ETHEREUM_CONFIRMATIONS: '0',
      SMTP_URL: sink.url,
      MAIL_FROM: 'alerts@example.org',
      TELEGRAM_BOT_TOKEN: bot.token,
      TELEGRAM_API_URL: bot.url,
      ALERT_ALLOW_PRIVATE: 'true',
    },
  })
  const account = await makeTestAccount(database, { plan: 'team' })
  const { key } = await makeTestKey(database, account, 'v1')
  const cookie = await signIn(service, account)
  const request = async (method: string, path: string, body?: object) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { cookie, origin: service.url, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return await response.json()
  }
  const { webhook } = (await request('PUT', '/me/channels/webhook', { url: `${receiver.url}/hook` })) as {
    webhook: { secret: string }
  }
  keepSecretOfTest(webhook.secret)
  const verified = (call: { body: string; headers: Record<string, string> }) =>
    new Webhook(webhook.secret).verify(call.body, call.headers) as Payload
  await request('POST', '/me/subscriptions', {
    chain: 'ethereum',
    address: vault.address,
    minSeverity: 'high',
    channels: { email: true },
  })

  // A code works once, in a group or a private chat. A wrong code gets another reply.
  const { code } = (await request('POST', '/me/channels/telegram/link')) as { code: string }
  keepSecretOfTest(code)
  bot.write({ id: 77, type: 'private', first_name: 'Ann' }, '/start wrong-code')
  bot.write({ id: -1001, type: 'supergroup', title: 'Ops' }, `/start@gatewatch_bot ${code}`)
  bot.write({ id: 78, type: 'private', first_name: 'Bob' }, `/start ${code}`)
  await eventually(() => (bot.sent.length === 3 ? true : undefined))
  assert.deepEqual(
    bot.sent.map(({ chat_id: chat, text }) => [chat, /is linked/.test(text)]),
    [
      [77, false],
      [-1001, true],
      [78, false],
    ],
  )
  bot.sent.length = 0
  await caughtUp(database, node)

  const txHash = await evm.send(vault, 'upgradeToAndCall', [next.address, call(next, 'reinitialize', [2n])])
  const hook = await eventually(() => receiver.calls[0])
  const payload = verified(hook)
  assert.equal(payload.type, 'control.changed')
  assert.deepEqual(
    payload.data.events.map(({ event }) => [event.eventKey, event.txHash]),
    [
      ['proxy.upgraded', txHash],
      ['proxy.initialized', txHash],
    ],
  )
  const [upgrade] = payload.data.events
  assert.deepEqual(upgrade?.changes, [{ what: 'Implementation', from: null, to: next.address }])
  assert.deepEqual(
    upgrade?.contracts.map(({ address, name, url }) => [address, name, url]),
    [[vault.address, 'Vault <b>&', `${service.url}/contracts/ethereum/${vault.address}`]],
  )

  const mail = await eventually(() => sink.mails[0])
  assert.match(
    mail.subject ?? '',
    /^CRITICAL: Implementation upgraded to 0x\w{4}…\w{4} · Vault <b>& on Ethereum \(and 1 more\)$/,
  )
  for (const part of [vault.address, next.address, `/contracts/ethereum/${vault.address}`, `/tx/${txHash}`])
    assert.ok(mail.text?.includes(part) && typeof mail.html === 'string' && mail.html.includes(part), part)
  assert.match(String(mail.html), /Vault &lt;b&gt;&amp;/)
  assert.ok(
    (mail.headers.get('list') as unknown as { unsubscribe: { url: string } }).unsubscribe.url.startsWith(service.url),
  )

  const chat = await eventually(() => bot.sent[0])
  assert.equal(chat.chat_id, -1001)
  assert.match(chat.text, /Vault &lt;b&gt;&amp;/)
  assert.ok(chat.text.includes(`<b>CRITICAL: Implementation upgraded to ${next.address}</b>`))

  await evm.send({ ...vault, abi: next.abi }, 'upgradeToAndCall', [logic.address, '0x'])
  assert.deepEqual(verified(await eventually(() => receiver.calls[1])).data.events[0]?.changes, [
    { what: 'Implementation', from: next.address, to: logic.address },
  ])

  // A queued call and its cancellation. The account is not subscribed to the timelock, which controls nothing.
  const queuedCall = [
    vault.address,
    0n,
    call(vault, 'transferOwnership', [timelock.address]),
    zeroHash,
    zeroHash,
  ] as const
  await evm.send(timelock, 'schedule', [...queuedCall, 3_600n])
  const warned = verified(await eventually(() => receiver.calls[2])).data.events[0]
  assert.equal(warned?.queued?.phase, 'queued')
  assert.deepEqual(
    warned?.queued?.calls.map((queued) => queued.function),
    ['transferOwnership(address)'],
  )
  const block = await node.rpc<{ timestamp: `0x${string}` }>('eth_getBlockByNumber', 'latest', false)
  assert.equal(Date.parse(warned?.queued?.earliestExecution ?? ''), (Number(block.timestamp) + 3_600) * 1_000)
  await evm.send(timelock, 'cancel', [warned?.event.args.id])
  const canceled = verified(await eventually(() => receiver.calls[3])).data.events[0]
  assert.deepEqual([canceled?.queued?.phase, canceled?.queued?.calls.length], ['canceled', 1])

  // A reorg removes the block of the cancellation: its messages are retracted, by mail too.
  await eventually(() => (sink.mails.length === 4 ? true : undefined))
  const sentId = receiver.calls[3]?.headers['webhook-id']
  await node.rpc('anvil_reorg', 1, [])
  await evm.mine()
  const retraction = verified(await eventually(() => receiver.calls[4]))
  assert.deepEqual(
    [retraction.type, retraction.data.retracts, retraction.data.events[0]?.event.eventKey],
    ['control.retracted', sentId, 'timelock.cancelled'],
  )
  await eventually(() => (sink.mails.some(({ subject }) => subject?.startsWith('Retracted: ')) ? true : undefined))

  type Row = { status: string; attempts: number; channel: string; event: { eventKey: string } }
  await eventually(async () => {
    const { items } = (await request('GET', '/me/notifications')) as { items: Row[] }
    return items.every(({ status }) => status === 'sent' || status === 'canceled') ? true : undefined
  })
  const response = await fetch(`${service.url}/v1/me/notifications`, { headers: { authorization: `Bearer ${key}` } })
  const { data: rows } = (await response.json()) as { data: Row[] }
  assert.equal(rows.length, 15, 'five events on three channels')
  // A group gets one message in three seconds, so the retracted event may never have been sent there.
  const unsent = rows.filter(({ status }) => status === 'canceled')
  assert.ok(unsent.every(({ channel, event }) => channel === 'telegram' && event.eventKey === 'timelock.cancelled'))
  const sent = rows.filter(({ status }) => status === 'sent')
  assert.deepEqual(new Set(sent.map(({ attempts }) => attempts)), new Set([1]))
  await service.stop()
})
