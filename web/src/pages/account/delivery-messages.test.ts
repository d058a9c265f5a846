import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from '../../api/use-alerts.ts'
import { messagesOf } from './delivery-messages.ts'

const delivery = (id: number, eventId: number, more: Partial<Delivery> = {}) =>
  ({
    id,
    channel: 'webhook',
    status: 'sent',
    createdAt: '2026-01-01T00:00:00.000Z',
    event: { id: eventId, chainSlug: 'base', txHash: '0xa', severity: eventId === 2 ? 'high' : 'info' },
    ...more,
  }) as Delivery

test('all events and subscriptions of a transaction are one message', () => {
  const messages = messagesOf([delivery(14, 3), delivery(13, 2), delivery(12, 1), delivery(11, 1)])
  assert.deepEqual(
    messages.map(({ main, others, delivery: { id } }) => [main.id, others.map((event) => event.id), id]),
    [[2, [1, 3], 14]],
  )
})

test('another channel, time or status is another message', () => {
  const others = [{ channel: 'email' }, { createdAt: '2026-01-01T00:00:01.000Z' }, { status: 'failed' }] as const
  assert.equal(messagesOf([delivery(1, 1), ...others.map((more, at) => delivery(at + 2, 1, more))]).length, 4)
})
