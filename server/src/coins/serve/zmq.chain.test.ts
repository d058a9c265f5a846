/** ZMQ notifications, with a real publisher and a poll interval that is too long to matter. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { XPublisher } from 'zeromq'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { indexTip } from '../index/follow.ts'
import { startIndexWriter, type WriterEvent } from '../index/index-writer.ts'
import { getAddress } from './address-view.ts'
import { startChainService } from './chain-service.ts'

const HOUR_MS = 3_600_000

type Announcer = {
  /** Resolves when this many clients have subscribed to blocks: a publisher drops messages without subscribers. */
  readonly subscribed: (subscribers: number) => Promise<void>
  readonly announce: (topic: string, body: Buffer) => Promise<void>
  readonly close: () => void
}

/** Publishes like `-zmqpubhashblock` and `-zmqpubhashtx`, because the node of the tests is built without ZMQ. */
async function startAnnouncer(port: number): Promise<Announcer> {
  // Verbose: every subscription is reported, not only the first of a topic.
  const socket = new XPublisher({ linger: 0, verbosity: 'allSubs' })
  await socket.bind(`tcp://127.0.0.1:${port}`)
  let subscriptions = 0
  void (async () => {
    for await (const [message] of socket) if (String(message) === '\u0001hashblock') subscriptions++
  })()
  let sequence = 0
  return {
    subscribed: async (subscribers) => void (await eventually(() => subscriptions >= subscribers || undefined)),
    announce: async (topic, body) => {
      const counter = Buffer.alloc(4)
      counter.writeUInt32LE(sequence++)
      await socket.send([topic, body, counter])
    },
    close: () => socket.close(),
  }
}

describe('a node that announces', { skip: missingLitecoind(), timeout: 120_000 }, async () => {
  if (missingLitecoind() !== false) return
  const daemon = await startLitecoind()
  after(daemon.remove)
  await daemon.call('createwallet', 'a')
  const a = daemon.wallet('a')
  const miner = await a<string>('getnewaddress', '', 'bech32')
  await daemon.call('generatetoaddress', 105, miner)
  const port = await freePort()
  const zmqUrl = `tcp://127.0.0.1:${port}`
  const events: WriterEvent[] = []
  const errors = () =>
    events.filter((event) => event.type === 'no_notifications' || (event.type === 'fault' && event.fault))
  let announcer = await startAnnouncer(port)
  after(() => announcer.close())
  const options = { chain: 'ltc', rpcUrl: daemon.url, dataDir: temporaryFolder(), zmqUrl, pollMs: HOUR_MS } as const
  const writer = startIndexWriter(options, (event) => events.push(event))
  after(writer.stop)
  const serving = startChainService(options, { onFault: (_loop, fault) => assert.equal(fault, undefined) })
  after(serving.stop)
  const servedAt = (hash: string | undefined) =>
    eventually(() => {
      const chain = serving.find()
      return chain !== undefined && indexTip(chain.index)?.hash === hash && chain.mempool.blockHash === hash
        ? chain
        : undefined
    })
  const mine = async (): Promise<string> => (await daemon.call<[string]>('generatetoaddress', 1, miner))[0]

  test('a block is indexed when it is announced, hours before the next poll', async () => {
    await announcer.subscribed(2)
    await servedAt(await daemon.call<string>('getbestblockhash'))
    for (const topic of ['hashblock', 'rawblock', 'sequence']) {
      const hash = await mine()
      const body = Buffer.from(hash, 'hex')
      await announcer.announce(topic, topic === 'sequence' ? Buffer.concat([body, Buffer.from('C')]) : body)
      await servedAt(hash)
    }
  })

  test('an unconfirmed transaction appears when it is announced', async () => {
    const to = await a<string>('getnewaddress', '', 'bech32')
    const txid = await a<string>('sendtoaddress', to, 1)
    await announcer.announce('hashtx', Buffer.from(txid, 'hex'))
    const chain = await eventually(() =>
      serving.find()?.mempool.find(txid) === undefined ? undefined : serving.find(),
    )
    assert.equal(chain && getAddress(chain, to).unconfirmedBalance, 100_000_000n)
  })

  test('a lost publisher is reported once, and missed blocks are indexed when it is back', async () => {
    announcer.close()
    await eventually(() => (errors().length > 0 ? true : undefined))
    const hash = await mine()
    announcer = await startAnnouncer(port)
    await announcer.subscribed(2)
    await servedAt(hash)
    assert.deepEqual(
      errors().map(({ type }) => type),
      ['no_notifications'],
    )
    const next = await mine()
    await announcer.announce('hashblock', Buffer.from(next, 'hex'))
    await servedAt(next)
  })
})

test('without a publisher the node is polled, and the error is reported once', {
  skip: missingLitecoind(),
}, async () => {
  const daemon = await startLitecoind()
  try {
    const events: WriterEvent[] = []
    const zmqUrl = `tcp://127.0.0.1:${await freePort()}`
    const options = { chain: 'ltc', rpcUrl: daemon.url, dataDir: temporaryFolder(), zmqUrl, pollMs: 20 } as const
    const writer = startIndexWriter(options, (event) => events.push(event))
    await daemon.call('createwallet', 'a')
    const miner = await daemon.wallet('a')<string>('getnewaddress')
    for (let height = 1; height <= 3; height++) {
      await daemon.call('generatetoaddress', 1, miner)
      await eventually(() => events.find((event) => event.type === 'followed' && event.tip?.height === height))
    }
    await eventually(() => events.find(({ type }) => type === 'no_notifications'))
    await writer.stop()
    const errors = events.filter((event) => event.type === 'no_notifications')
    assert.equal(errors.length, 1)
    assert.match(errors[0]?.reason ?? '', /no ZMQ publisher at tcp:/)
  } finally {
    await daemon.remove()
  }
})
