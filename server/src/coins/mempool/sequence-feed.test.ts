import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { readSequenceEvent, type SequenceEvent, SequenceFeed } from './sequence-feed.ts'

const name = (prefix: string, number: number): string => `${prefix}${number}`

test('the changes of random mempools equal listings, whatever messages are lost', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seededRandom(seed)
    const feed = new SequenceFeed()
    const mempool = new Set<string>()
    const blocks = new Map<string, readonly string[]>([['b0', []]])
    const view = new Set<string>()
    let tip = 'b0'
    let sequence = 1
    let isLate = false
    let listings = 0
    const publish = (event: SequenceEvent): void => {
      // The subscriber notices a lost message by the number of the next one.
      if (isLate) feed.lose()
      isLate = random.chance(0.02)
      if (!isLate) feed.receive(event)
    }
    for (let step = 1; step <= 120; step++) {
      const draw = random.next()
      if (draw < 0.6) {
        mempool.add(name('t', step))
        publish({ label: 'A', hash: name('t', step), sequence: sequence++ })
      } else if (draw < 0.75 && mempool.size > 0) {
        const txid = random.pick([...mempool])
        mempool.delete(txid)
        publish({ label: 'R', hash: txid, sequence: sequence++ })
      } else if (draw < 0.85) {
        const confirmed = [...mempool].filter(() => random.chance(0.5))
        for (const txid of confirmed) mempool.delete(txid)
        tip = name('b', step)
        blocks.set(tip, [...confirmed, name('unseen', step)])
        publish({ label: 'C', hash: tip })
      } else {
        if (isLate) {
          feed.lose()
          isLate = false
        }
        const changes = feed.changes(tip, (hash) => blocks.get(hash))
        assert.notEqual(changes, 'wait')
        if (changes === undefined || changes === 'wait') {
          listings++
          feed.list([...mempool], sequence, tip)
          view.clear()
          for (const txid of mempool) view.add(txid)
        } else {
          for (const txid of changes.removed) view.delete(txid)
          for (const txid of changes.added) view.add(txid)
        }
        feed.accept(tip)
        assert.deepEqual([...view].sort(), [...mempool].sort(), `seed ${seed}, step ${step}`)
      }
    }
    assert.ok(listings < 18, `${listings} listings`)
  }
})

test('messages from before a listing are ignored, those during it are applied', () => {
  const feed = new SequenceFeed()
  feed.receive({ label: 'A', hash: 'old', sequence: 4 })
  feed.receive({ label: 'R', hash: 'gone', sequence: 5 })
  feed.receive({ label: 'A', hash: 'new', sequence: 6 })
  feed.list(['gone', 'kept'], 5, 'b')
  assert.deepEqual(
    feed.changes('b', () => undefined),
    { added: ['new'], removed: ['gone'] },
  )
  // Not accepted, so they are returned again.
  assert.deepEqual(
    feed.changes('b', () => undefined),
    { added: ['new'], removed: ['gone'] },
  )
  feed.accept('b')
  assert.deepEqual(
    feed.changes('b', () => undefined),
    { added: [], removed: [] },
  )
})

test('a block whose message or transactions are missing is waited for, and then listed', () => {
  const feed = new SequenceFeed()
  feed.receive({ label: 'A', hash: 't', sequence: 1 })
  feed.list(['t'], 2, 'b1')
  assert.equal(
    feed.changes('b2', () => undefined),
    'wait',
  )
  feed.receive({ label: 'C', hash: 'b2' })
  feed.receive({ label: 'A', hash: 'u', sequence: 2 })
  assert.equal(
    feed.changes('b2', () => undefined),
    'wait',
  )
  assert.deepEqual(
    feed.changes('b2', () => ['t']),
    { added: ['u'], removed: ['t'] },
  )
  feed.accept('b2')
  for (let i = 0; i < 20; i++)
    assert.equal(
      feed.changes('b3', () => undefined),
      'wait',
    )
  assert.equal(
    feed.changes('b3', () => undefined),
    undefined,
  )
})

test('a node that announces only blocks, a disconnected block and a lasting difference need listings', () => {
  const silent = new SequenceFeed()
  silent.receive({ label: 'C', hash: 'b' })
  silent.list(['t'], 1, 'b')
  assert.equal(
    silent.changes('b', () => []),
    undefined,
  )

  const feed = new SequenceFeed()
  feed.receive({ label: 'A', hash: 't', sequence: 1 })
  feed.list(['t'], 2, 'b')
  for (let i = 0; i < 30; i++) feed.compare(2)
  assert.deepEqual(
    feed.changes('b', () => []),
    { added: [], removed: [] },
  )
  feed.compare(2)
  assert.equal(
    feed.changes('b', () => []),
    undefined,
  )
  feed.list(['t'], 2, 'b')
  feed.receive({ label: 'D', hash: 'b' })
  assert.equal(
    feed.changes('a', () => []),
    undefined,
  )
})

test('messages are read from their bytes', () => {
  const hash = Buffer.alloc(32, 0xab)
  const number = Buffer.alloc(8)
  number.writeBigUInt64LE(77n)
  const hex = hash.toString('hex')
  assert.deepEqual(readSequenceEvent(Buffer.concat([hash, Buffer.from('C')])), { label: 'C', hash: hex })
  assert.deepEqual(readSequenceEvent(Buffer.concat([hash, Buffer.from('A'), number])), {
    label: 'A',
    hash: hex,
    sequence: 77,
  })
  assert.equal(readSequenceEvent(Buffer.concat([hash, Buffer.from('A')])), undefined)
  assert.equal(readSequenceEvent(hash), undefined)
})
