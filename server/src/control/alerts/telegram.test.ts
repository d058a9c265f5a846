import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitRate } from './telegram.ts'

test('the bot sends at most thirty messages in any second', async () => {
  let now = 1_000
  const sentAt: number[] = []
  const waiting: { readonly at: number; readonly wake: () => void }[] = []
  const telegram = limitRate(
    {
      sendMessage: async () => void sentAt.push(now),
      answerCallback: () => Promise.resolve(),
      replaceButton: () => Promise.resolve(),
      getUpdates: () => Promise.resolve([]),
      getUsername: () => Promise.resolve('bot'),
    },
    { now: () => now, sleep: (ms) => new Promise((wake) => waiting.push({ at: now + ms, wake })) },
  )
  const burst = () => Promise.all(Array.from({ length: 100 }, (_, chat) => telegram.sendMessage(String(chat), 'x')))
  const first = burst()
  for (const { at, wake } of waiting.splice(0)) {
    now = at
    wake()
    await Promise.resolve()
  }
  await first
  now += 10_000
  await telegram.sendMessage('1', 'sent at once after a pause')
  assert.equal(sentAt.at(-1), now)
  assert.equal(sentAt.length, 101)
  for (const from of sentAt) assert.ok(sentAt.filter((at) => at >= from && at < from + 1_000).length <= 30)
})
