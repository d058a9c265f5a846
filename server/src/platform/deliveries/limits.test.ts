import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitHosts, limitRecipients } from './limits.ts'

const LIMITS = { initial: 2, max: 16, failing: 3 }

test('a recipient starts with few attempts, gets more after a success, and one after a failure', () => {
  const recipients = limitRecipients(LIMITS)
  recipients.begin(1)
  assert.deepEqual([...recipients.freeSlots(0).listed], [[1, 1]])
  recipients.begin(1)
  recipients.end(1, { ok: true })
  assert.deepEqual([...recipients.freeSlots(0).listed], [[1, 15]])
  recipients.end(1, { ok: false })
  assert.deepEqual([[...recipients.freeSlots(0).listed], recipients.inFlight()], [[[1, 1]], 0])
  recipients.begin(1)
  recipients.end(1, { ok: true })
  assert.deepEqual([...recipients.freeSlots(0).listed], [], 'an idle recipient without failures is forgotten')
})

test('a paused recipient gets no attempts until its pause ends', () => {
  const recipients = limitRecipients(LIMITS)
  recipients.begin(1)
  recipients.end(1, { ok: true, pausedUntil: 100 })
  assert.deepEqual([...recipients.freeSlots(99).listed], [[1, 0]])
  assert.deepEqual([...recipients.freeSlots(100).listed], [])
})

test('failing recipients share a fixed number of attempts', () => {
  const recipients = limitRecipients(LIMITS)
  for (let id = 1; id <= 5; id++) {
    recipients.begin(id)
    recipients.end(id, { ok: false })
  }
  for (let id = 1; id <= 3; id++) recipients.begin(id)
  recipients.begin(6)
  const { listed } = recipients.freeSlots(0)
  assert.deepEqual([listed.get(4), listed.get(5), listed.get(6)], [0, 0, 1])
  recipients.end(1, { ok: false })
  assert.equal(recipients.freeSlots(0).listed.get(4), 1)
})

test('recipients on one host share its limit', () => {
  const hosts = limitHosts(2)
  hosts.begin('a.example')
  hosts.begin('a.example')
  hosts.begin('b.example')
  hosts.begin(null)
  assert.deepEqual(Object.fromEntries(hosts.freeSlots().listed), { 'a.example': 0, 'b.example': 1 })
  for (const host of ['a.example', 'b.example', null]) hosts.end(host)
  assert.deepEqual(Object.fromEntries(hosts.freeSlots().listed), { 'a.example': 1 })
})
