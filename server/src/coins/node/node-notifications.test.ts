import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { XPublisher } from 'zeromq'
import { freePort } from '../../../../testing/support/port.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { openNodeNotifications } from './node-notifications.ts'

test('a gap in the numbers of sequence messages is reported before the next message, also when they wrap', async () => {
  const zmqUrl = `tcp://127.0.0.1:${await freePort()}`
  const socket = new XPublisher({ linger: 0 })
  after(() => socket.close())
  await socket.bind(zmqUrl)
  let isSubscribed = false
  void (async () => {
    for await (const [message] of socket) if (String(message) === '\u0001sequence') isSubscribed = true
  })()
  const received: string[] = []
  const notifications = await openNodeNotifications({
    pollMs: 3_600_000,
    zmqUrl,
    withTransactions: true,
    onSequence: (body, isConnected) => {
      if (body !== undefined) received.push(body.toString('latin1', 0, 1))
      else if (isConnected) received.push('gap')
    },
  })
  after(notifications.close)
  await eventually(() => isSubscribed || undefined)
  const numbers = [4_294_967_293, 4_294_967_294, 4_294_967_295, 0, 1, 3, 4, 2]
  for (const [i, number] of numbers.entries()) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32LE(number)
    await socket.send(['sequence', Buffer.from(`${i}${'.'.repeat(31)}A`), counter])
  }
  await eventually(() => received.includes('7') || undefined)
  assert.deepEqual(received, ['0', '1', '2', '3', '4', 'gap', '5', '6', 'gap', '7'])
})
