/** What holds depends on where a transaction is, not on how it came there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { type Activity, COIN_EVENT_KINDS, mute, type Place, stepOf, type Wanted } from './transitions.ts'

const NEW: Activity = {
  txid: 'a',
  block: undefined,
  received: 1,
  sent: 1,
  spends: true,
  isSpender: false,
  prevouts: ['b:0'],
  open: new Set(),
  muted: new Set(),
  replacedBy: undefined,
}
const LIMITS = { tip: 100, undoDepth: 50 }
const ALL = { kind: 'address', events: COIN_EVENT_KINDS, confirmations: 3 } as const
const at = (height: number, branch = 'x'): Place => ({ at: 'block', block: { height, hash: `${branch}${height}` } })
const MEMPOOL: Place = { at: 'mempool' }
const DROPPED: Place = { at: 'gone', replacedBy: undefined }
const REPLACED: Place = { at: 'gone', replacedBy: 'c' }

/** Goes through places and returns what each step reports. */
function storyOf(places: readonly Place[], wanted: Wanted = ALL): string[][] {
  let activity: Activity | undefined = NEW
  return places.map((place) => {
    const { added, retracted, next } = stepOf(wanted, activity ?? NEW, place, LIMITS)
    activity = next
    return [...added.map((kind) => `+${kind}`), ...retracted.map(({ kind, because }) => `-${kind} ${because}`)]
  })
}

test('a payment is seen and spent, then confirmed at the depth that is wanted', () => {
  assert.deepEqual(storyOf([MEMPOOL, MEMPOOL, at(100), at(99), at(98), at(97)]), [
    ['+seen', '+spent'],
    [],
    [],
    [],
    ['+confirmed'],
    [],
  ])
  assert.deepEqual(storyOf([at(98)]), [['+confirmed', '+spent']])
})

test('a reorg retracts the confirmation, and keeps it if the new branch has it', () => {
  assert.deepEqual(storyOf([at(98), MEMPOOL, at(98, 'y')]), [
    ['+confirmed', '+spent'],
    ['+seen', '-confirmed reorganized'],
    ['+confirmed'],
  ])
  assert.deepEqual(storyOf([at(98), at(97, 'y')]), [['+confirmed', '+spent'], []])
  assert.deepEqual(storyOf([at(98), DROPPED]), [
    ['+confirmed', '+spent'],
    ['-confirmed reorganized', '-spent reorganized'],
  ])
})

test('a replaced transaction can return', () => {
  assert.deepEqual(storyOf([MEMPOOL, REPLACED, DROPPED, MEMPOOL]), [
    ['+seen', '+spent'],
    ['+replaced', '-seen replaced', '-spent replaced'],
    [],
    ['+seen', '+spent', '-replaced returned'],
  ])
  assert.deepEqual(storyOf([MEMPOOL, DROPPED]), [
    ['+seen', '+spent'],
    ['-seen dropped', '-spent dropped'],
  ])
})

test('while the mempool is not known, nothing is seen or dropped', () => {
  const unknown: Place = { at: 'unknown' }
  assert.deepEqual(storyOf([MEMPOOL, unknown, at(98), unknown]), [
    ['+seen', '+spent'],
    [],
    ['+confirmed'],
    ['-confirmed reorganized'],
  ])
})

test('what holds at the end does not depend on the places before, except for having been seen', () => {
  const random = seededRandom(25)
  const places = [MEMPOOL, DROPPED, REPLACED, at(100), at(98), at(97, 'y')]
  for (let round = 0; round < 2_000; round++) {
    const last = random.pick(places)
    const path = [...Array.from({ length: random.below(8) }, () => random.pick(places)), last]
    let activity: Activity | undefined = NEW
    const open = new Set<string>()
    for (const place of path) {
      const step = stepOf(ALL, activity ?? NEW, place, LIMITS)
      for (const kind of step.added) {
        assert.ok(!open.has(kind), 'an event that holds is not reported again')
        open.add(kind)
      }
      for (const { kind } of step.retracted) assert.ok(open.delete(kind), 'only what holds is retracted')
      activity = step.next
      assert.deepEqual(new Set(activity?.open ?? []), open)
    }
    const direct = new Set<string>(stepOf(ALL, NEW, last, LIMITS).added)
    // Seen stays in a block, and replaced stays while the transaction is gone.
    const kept = last.at === 'block' ? 'seen' : last.at === 'gone' ? 'replaced' : ''
    open.delete(kept)
    direct.delete(kept)
    assert.deepEqual(open, direct, JSON.stringify(path))
  }
})

test('an event that is not reported is not retracted, and counts again when it holds again', () => {
  const muted = mute(ALL, stepOf(ALL, NEW, MEMPOOL, LIMITS).next ?? NEW, ['seen', 'spent'])
  assert.deepEqual([muted?.open, muted?.muted], [new Set(), new Set(['seen', 'spent'])])
  const confirmed = stepOf(ALL, muted ?? NEW, at(98), LIMITS)
  assert.deepEqual([confirmed.added, confirmed.retracted], [['confirmed'], []])
  assert.equal(mute(ALL, confirmed.next ?? NEW, ['confirmed']), undefined, 'nothing of it was reported')
  assert.notEqual(mute({ ...ALL, kind: 'transaction' }, confirmed.next ?? NEW, ['confirmed']), undefined)
  const dropped = stepOf(ALL, muted ?? NEW, DROPPED, LIMITS)
  assert.deepEqual([dropped.added, dropped.retracted, dropped.next], [[], [], undefined])
})

test('a replaced transaction ends when no reorg can reach its replacement', () => {
  const replaced = stepOf(ALL, { ...NEW, open: new Set(['seen']) }, REPLACED, LIMITS)
  assert.equal(replaced.next?.replacedBy, 'c')
  const ended = stepOf(ALL, replaced.next ?? NEW, { ...REPLACED, isFinal: true }, LIMITS)
  assert.deepEqual([ended.added, ended.retracted, ended.next], [[], [], undefined])
})
