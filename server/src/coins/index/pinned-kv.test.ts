import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { type Kv, withSnapshot } from './kv.ts'
import { pinnedKv } from './pinned-kv.ts'

const key = Buffer.from('a')
const read = (kv: Kv): string | undefined => withSnapshot(kv, (reader) => reader.get('meta', key)?.toString())

test('a pinned snapshot is used until the next pin, and closed after its last reader', () => {
  const store = openMemoryKv()
  let open = 0
  const counted: Kv = {
    ...store,
    snapshot: () => {
      open++
      const snapshot = store.snapshot()
      return { ...snapshot, close: () => open-- }
    },
  }
  const put = (text: string): void => store.write((writer) => writer.put('meta', key, Buffer.from(text)))
  const pinned = pinnedKv(counted)
  put('1')
  assert.equal(read(pinned.kv), '1')
  pinned.pin()
  put('2')
  assert.equal(read(pinned.kv), '1')
  const reader = pinned.kv.snapshot()
  pinned.pin()
  assert.deepEqual([read(pinned.kv), reader.get('meta', key)?.toString(), open], ['2', '1', 2])
  reader.close()
  reader.close()
  assert.equal(open, 1)
  pinned.release()
  put('3')
  assert.deepEqual([read(pinned.kv), open], ['3', 0])
})
