/** Conformance tests for implementations of the key-value store interface. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kv, prefixRange, withSnapshot } from '../../server/src/coins/index/kv.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

export function kvConformance(name: string, make: () => Kv): void {
  async function withKv(body: (kv: Kv) => void): Promise<void> {
    const kv = make()
    try {
      body(kv)
    } finally {
      await kv.close()
    }
  }

  const rows = (kv: Kv, range: Parameters<ReturnType<Kv['snapshot']>['range']>[1]): string[] =>
    withSnapshot(kv, (reader) =>
      Array.from(
        reader.range('meta', range),
        ({ key, value }) => `${key.toString('latin1')}=${value.toString('latin1')}`,
      ),
    )

  test(`${name}: reads written values, including empty ones`, () =>
    withKv((kv) => {
      kv.write((writer) => {
        writer.put('meta', bytes('b'), bytes('2'))
        writer.put('meta', bytes('a'), bytes(''))
        writer.put('coins', bytes('b'), bytes('other table'))
      })
      withSnapshot(kv, (reader) => {
        assert.deepEqual(reader.get('meta', bytes('a')), bytes(''))
        assert.equal(reader.get('meta', bytes('c')), undefined)
        assert.deepEqual(reader.getMany('meta', [bytes('c'), bytes('b')]), [undefined, bytes('2')])
      })
    }))

  test(`${name}: ranges are in byte order, in both directions, with both bounds`, () =>
    withKv((kv) => {
      const keys = ['\x00', '\x01\xff', '\x02', '\x02\x00', '\x7f', '\x80', '\xff', '\xff\xff']
      kv.write((writer) => {
        for (const key of keys.toReversed()) writer.put('meta', bytes(key), bytes('v'))
      })
      const found = (range: Parameters<typeof rows>[1]): string[] =>
        withSnapshot(kv, (reader) => Array.from(reader.range('meta', range), ({ key }) => key.toString('latin1')))
      assert.deepEqual(found({}), keys)
      assert.deepEqual(found({ reverse: true }), keys.toReversed())
      const [lower, upper] = [bytes('\x01\xff'), bytes('\x80')]
      assert.deepEqual(found({ gte: lower, lt: upper }), keys.slice(1, 5))
      assert.deepEqual(found({ gte: lower, lt: upper, reverse: true }), keys.slice(1, 5).toReversed())
      assert.deepEqual(found({ gte: lower, lt: upper, reverse: true, limit: 2 }), ['\x7f', '\x02\x00'])
      assert.deepEqual(found({ gte: bytes('\x03'), lt: bytes('\x04'), reverse: true }), [])
      assert.deepEqual(found(prefixRange(bytes('\x02'))), ['\x02', '\x02\x00'])
      assert.deepEqual(found(prefixRange(bytes('\xff'))), ['\xff', '\xff\xff'])
      assert.deepEqual(found({ lt: bytes('\x90'), reverse: true, limit: 1 }), ['\x80'])
      assert.deepEqual(found({ gte: bytes('\x03'), limit: 1 }), ['\x7f'])
    }))

  test(`${name}: a change that throws writes nothing`, () =>
    withKv((kv) => {
      kv.write((writer) => writer.put('meta', bytes('a'), bytes('1')))
      assert.throws(
        () =>
          kv.write((writer) => {
            writer.put('meta', bytes('a'), bytes('2'))
            writer.put('coins', bytes('x'), bytes('2'))
            writer.delete('meta', bytes('a'))
            throw new Error('stop')
          }),
        /stop/,
      )
      assert.deepEqual(rows(kv, {}), ['a=1'])
      assert.equal(
        withSnapshot(kv, (reader) => reader.get('coins', bytes('x'))),
        undefined,
      )
    }))

  test(`${name}: a change sees its own writes, inserts only new keys and reports what it deleted`, () =>
    withKv((kv) => {
      kv.write((writer) => {
        assert.equal(writer.insert('meta', bytes('a'), bytes('1')), true)
        assert.equal(writer.insert('meta', bytes('a'), bytes('2')), false)
        assert.deepEqual(writer.get('meta', bytes('a')), bytes('1'))
        writer.put('meta', bytes('c'), bytes('3'))
        assert.equal(writer.insert('meta', bytes('b'), bytes('2')), true)
        assert.equal(writer.insert('meta', bytes('b'), bytes('9')), false)
        assert.equal(writer.delete('meta', bytes('c')), true)
        assert.equal(writer.delete('meta', bytes('c')), false)
        writer.put('meta', bytes('bb'), bytes('4'))
        const found = Array.from(writer.range('meta', {}), ({ key }) => key.toString('latin1'))
        assert.deepEqual(found, ['a', 'b', 'bb'])
      })
      assert.deepEqual(rows(kv, {}), ['a=1', 'b=2', 'bb=4'])
    }))

  test(`${name}: a snapshot does not change`, () =>
    withKv((kv) => {
      kv.write((writer) => writer.put('meta', bytes('a'), bytes('1')))
      const before = kv.snapshot()
      kv.write((writer) => {
        writer.put('meta', bytes('a'), bytes('2'))
        writer.put('meta', bytes('b'), bytes('2'))
      })
      assert.deepEqual(before.get('meta', bytes('a')), bytes('1'))
      assert.equal([...before.range('meta', {})].length, 1)
      before.close()
      assert.deepEqual(rows(kv, {}), ['a=2', 'b=2'])
    }))

  test(`${name}: a range of a snapshot continues unchanged across a commit`, () =>
    withKv((kv) => {
      const keys = Array.from({ length: 500 }, (_, i) => bytes(String(1000 + i)))
      kv.write((writer) => {
        for (const key of keys) writer.put('meta', key, key)
      })
      const snapshot = kv.snapshot()
      const found: Buffer[] = []
      for (const { key } of snapshot.range('meta', {})) {
        found.push(key)
        if (found.length === 100) {
          kv.write((writer) => {
            for (const deleted of keys) writer.delete('meta', deleted)
          })
        }
      }
      snapshot.close()
      assert.deepEqual(found, keys)
    }))

  test(`${name}: many rows written in any order are read in key order`, () =>
    withKv((kv) => {
      const expected = new Map<string, string>()
      for (let round = 0; round < 3; round++) {
        kv.write((writer) => {
          for (let i = 0; i < 2_000; i++) {
            const key = Buffer.from([(i * 7919) & 0xff, (i * 31) & 0xff, round])
            writer.put('meta', key, Buffer.alloc((i % 40) * 100, i))
            expected.set(key.toString('hex'), `${(i % 40) * 100}`)
          }
        })
      }
      const found = withSnapshot(kv, (reader) =>
        Array.from(reader.range('meta', {}), ({ key, value }) => [key.toString('hex'), `${value.length}`] as const),
      )
      assert.deepEqual(
        found,
        [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    }))
}
