import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paced } from './telegram-pace.ts'

test('no second holds more than thirty messages, to whomever they go', async () => {
  let now = 1_000
  const sentAt: number[] = []
  const waiting: { readonly at: number; readonly wake: () => void }[] = []
  const telegram = paced(
    {
      sendMessage: async () => void sentAt.push(now),
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
  await telegram.sendMessage('1', 'after a rest, at once')
  assert.equal(sentAt.at(-1), now)
  assert.equal(sentAt.length, 101)
  for (const from of sentAt) assert.ok(sentAt.filter((at) => at >= from && at < from + 1_000).length <= 30)
})
