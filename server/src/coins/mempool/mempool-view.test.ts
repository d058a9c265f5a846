import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MempoolTx, MempoolView } from './mempool-view.ts'

function tx(
  txid: string,
  spends: readonly [string, number, string, number][],
  pays: readonly [string, number][],
): MempoolTx {
  return {
    txid,
    bytes: Buffer.alloc(0),
    inputs: spends.map(([from, vout, script, value]) => ({ txid: from, vout, script, value })),
    outputs: pays.map(([script, value]) => ({ script, value })),
    fee: 1,
    vsize: 100,
    minedVsize: 100,
    time: 1,
  }
}

test('arrivals after a version are listed once they are visible', () => {
  const view = new MempoolView()
  view.add(tx('a', [], [['alice', 1]]))
  const { version } = view
  view.stageAdded(tx('b', [], [['bob', 1]]))
  assert.deepEqual(view.arrivedAfter(version), [])
  view.publish(undefined)
  const names = (after: number) => view.arrivedAfter(after)?.map(({ txid }) => txid)
  assert.deepEqual([names(0), names(version), names(view.version)], [['a', 'b'], ['b'], []])
  view.remove('b')
  assert.deepEqual(names(version), [])
  for (let i = 0; i < 20_000; i++) view.stageAdded(tx(`c${i}`, [], [['carol', 1]]))
  view.publish(undefined)
  assert.equal(names(version), undefined, 'too many arrived since')
  view.clear()
  assert.equal(names(view.version), undefined, 'the view was cleared')
})

test('in a chain of unconfirmed payments only the last coins are unspent, and the balance matches', () => {
  const view = new MempoolView()
  view.add(
    tx(
      'a',
      [['confirmed', 0, 'alice', 100]],
      [
        ['bob', 60],
        ['alice', 39],
      ],
    ),
  )
  view.add(tx('b', [['a', 0, 'bob', 60]], [['carol', 59]]))
  assert.deepEqual(view.coinsOf('bob'), [])
  assert.deepEqual(view.coinsOf('alice'), [{ txid: 'a', vout: 1, value: 39 }])
  assert.deepEqual(
    [view.balanceChange('alice'), view.balanceChange('bob'), view.balanceChange('carol')],
    [-61n, 0n, 59n],
  )
  assert.equal(view.findSpender('confirmed', 0), 'a')
})

test('a replacement may be added before or after the replaced transaction is removed', () => {
  for (const order of ['removed first', 'added first']) {
    const view = new MempoolView()
    view.add(tx('old', [['coin', 0, 'alice', 100]], [['bob', 99]]))
    if (order === 'removed first') view.remove('old')
    view.add(tx('new', [['coin', 0, 'alice', 100]], [['carol', 95]]))
    view.remove('old')
    assert.equal(view.findSpender('coin', 0), 'new', order)
    assert.deepEqual([view.balanceChange('bob'), view.balanceChange('carol')], [0n, 95n])
    assert.equal(view.size, 1)
  }
})

test('a removed transaction leaves no trace in the view', () => {
  const view = new MempoolView()
  view.add(tx('a', [['coin', 0, 'alice', 100]], [['bob', 99]]))
  view.blockHash = 'block'
  view.remove('a')
  view.remove('a')
  assert.deepEqual([view.size, view.ofScript('alice'), view.findSpender('coin', 0)], [0, [], undefined])
  view.clear()
  assert.equal(view.blockHash, undefined)
})

test('staged changes become visible together, and removed transactions are freed in parts', () => {
  const view = new MempoolView()
  for (const txid of ['a', 'b', 'c']) view.add(tx(txid, [[`coin-${txid}`, 0, 'alice', 100]], [['bob', 99]]))
  view.stageRemoved('a')
  view.stageRemoved('b')
  // Removed and added again in the same change.
  view.stageAdded(tx('b', [['coin-b', 0, 'alice', 100]], [['bob', 99]]))
  view.stageAdded(tx('d', [['coin-a', 0, 'alice', 100]], [['carol', 98]]))
  // Added and removed in the same change.
  view.stageAdded(tx('e', [['coin-e', 0, 'alice', 100]], [['carol', 98]]))
  view.stageRemoved('e')
  assert.deepEqual([view.size, [...view.txids()].sort(), view.findSpender('coin-a', 0)], [3, ['a', 'b', 'c'], 'a'])
  assert.equal(view.balanceChange('carol'), 0n)
  view.publish('block')
  const after = [view.size, [...view.txids()].sort(), view.findSpender('coin-a', 0), view.balanceChange('carol')]
  assert.deepEqual(after, [3, ['b', 'c', 'd'], 'd', 98n])
  while (view.sweep(1)) continue
  assert.deepEqual(
    [view.size, [...view.txids()].sort(), view.findSpender('coin-a', 0), view.balanceChange('carol')],
    after,
  )
  // A transaction that was removed arrives again before it was freed.
  view.stageRemoved('d')
  view.publish('block')
  view.stageAdded(tx('d', [['coin-a', 0, 'alice', 100]], [['carol', 98]]))
  view.publish('block')
  view.sweep(100)
  assert.deepEqual([view.size, view.findSpender('coin-a', 0)], [3, 'd'])
})
