import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlEventOf, eventView } from '../registry/control-event.ts'
import { event } from './schemas.ts'

test('an event has the documented order of fields, also where no schema serializes it', () => {
  const stored = controlEventOf({
    id: 1,
    chain_id: 1,
    block_number: 2,
    block_time: new Date(0),
    tx_hash: Buffer.alloc(32),
    log_index: 3,
    address: Buffer.alloc(20),
    event_key: 'pause.paused',
    category: 'pause',
    severity: 0,
    args: {},
    is_init: false,
    name: null,
    protocol: null,
    kind: null,
  })
  assert.deepEqual(Object.keys(eventView(stored)), Object.keys(event.shape))
})
