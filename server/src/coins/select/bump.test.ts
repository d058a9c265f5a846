import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { type BumpTx, type Family, isPaidAt, planChild, planReplacement } from './bump.ts'

const policy = { incrementalRate: 1, minRate: 1, isFullRbf: false }
const txOf = (txid: string, fee: number, vsize: number, parents: readonly string[] = []): BumpTx => ({
  txid,
  fee,
  vsize,
  parents,
})
const familyOf = (parts: Partial<Family> = {}): Family => ({
  ancestors: [],
  descendants: [],
  descendantsOf: () => ({ count: 0, vsize: 0 }),
  ...parts,
})
const stuck = txOf('stuck', 200, 200)

test('a replacement pays the fees it removes and its own relay, and has a higher rate', () => {
  const terms = { rate: 5, policy, signals: true, vsize: 200 }
  const alone = planReplacement(stuck, [], terms)
  assert.deepEqual([alone.reason, alone.minFee, alone.fee, alone.cost, alone.feeRate], [null, 400, 1_000, 800, 5])
  const low = planReplacement(stuck, [], { ...terms, rate: 1 })
  assert.deepEqual([low.fee, low.feeRate], [400, 2], 'the minimum, if the wanted rate is below it')
  const descendants = [txOf('a', 3_000, 100, ['stuck']), txOf('b', 500, 100, ['a'])]
  const many = planReplacement(stuck, descendants, terms)
  assert.deepEqual([many.replacedCount, many.replacedFees, many.minFee, many.cost], [3, 3_700, 3_900, 3_700])
  const cheap = planReplacement(stuck, [], { ...terms, rate: 1, policy: { ...policy, incrementalRate: 0 } })
  assert.equal(cheap.minFee, 201, 'more than the same rate, also where relay is free')
})

test('full RBF replaces what does not signal, and a hundred transactions are the most', () => {
  const terms = { rate: 5, policy, signals: false, vsize: 200 }
  assert.equal(planReplacement(stuck, [], terms).reason, 'NOT_SIGNALED')
  assert.equal(planReplacement(stuck, [], { ...terms, policy: { ...policy, isFullRbf: true } }).reason, null)
  const descendants = Array.from({ length: 100 }, (_, i) => txOf(`${i}`, 1, 100, ['stuck']))
  assert.equal(planReplacement(stuck, descendants, { ...terms, signals: true }).reason, 'TOO_MANY_REPLACED')
  assert.equal(planReplacement(stuck, descendants.slice(1), { ...terms, signals: true }).reason, null)
})

test('a child pays for the transaction and for ancestors that are not mined anyway', () => {
  const terms = { rate: 10, policy, isTruc: false, vsize: 110 }
  const alone = planChild(stuck, familyOf(), terms)
  assert.deepEqual([alone.fee, alone.packageCount, alone.feeRate], [10 * 310 - 200, 1, 10])
  const slow = planChild({ ...stuck, parents: ['slow'] }, familyOf({ ancestors: [txOf('slow', 100, 100)] }), terms)
  assert.deepEqual([slow.fee, slow.packageCount], [10 * 410 - 300, 2])
  const fast = planChild({ ...stuck, parents: ['fast'] }, familyOf({ ancestors: [txOf('fast', 5_000, 100)] }), terms)
  assert.deepEqual(
    [fast.fee, fast.packageCount],
    [alone.fee, 1],
    'a fast parent is mined without help, and does not pay',
  )
  const rich = planChild(txOf('rich', 9_000, 200), familyOf(), terms)
  assert.deepEqual([rich.fee, rich.packageCount], [1_100, 0])
})

test('package limits and version 3', () => {
  const terms = { rate: 10, policy, isTruc: false, vsize: 110 }
  const line = (length: number) => Array.from({ length }, (_, i) => txOf(`${i}`, 100, 100))
  assert.equal(planChild(stuck, familyOf({ ancestors: line(23) }), terms).reason, null)
  assert.equal(planChild(stuck, familyOf({ ancestors: line(24) }), terms).reason, 'TOO_MANY_ANCESTORS')
  assert.equal(planChild(stuck, familyOf({ ancestors: [txOf('big', 1, 100_700)] }), terms).reason, 'TOO_MANY_ANCESTORS')
  // 25 with the transaction and the child, and one more by the carve-out.
  assert.equal(planChild(stuck, familyOf({ descendants: line(24) }), terms).reason, null)
  assert.equal(planChild(stuck, familyOf({ descendants: line(25) }), terms).reason, 'TOO_MANY_DESCENDANTS')
  assert.equal(
    planChild(stuck, familyOf({ ancestors: line(1), descendants: line(24) }), terms).reason,
    'TOO_MANY_DESCENDANTS',
  )
  assert.equal(
    planChild(stuck, familyOf({ ancestors: line(1), descendantsOf: () => ({ count: 24, vsize: 2_400 }) }), terms)
      .reason,
    'TOO_MANY_DESCENDANTS',
  )
  const truc = { ...terms, isTruc: true }
  assert.equal(planChild(stuck, familyOf(), truc).reason, null)
  assert.equal(planChild(stuck, familyOf({ descendants: line(1) }), truc).reason, 'TRUC_HAS_CHILD')
  assert.equal(planChild(stuck, familyOf({ ancestors: line(1) }), truc).reason, 'TOO_MANY_ANCESTORS')
  assert.equal(planChild(stuck, familyOf(), { ...truc, vsize: 1_001 }).reason, 'TRUC_CHILD_TOO_LARGE')
})

test('a child makes the transaction paid, and one satoshi less does not, for random families', () => {
  const random = seededRandom(81)
  let needed = 0
  for (let i = 0; i < 2_000; i++) {
    const ancestors: BumpTx[] = []
    for (let n = 0; n < random.below(6); n++)
      ancestors.push(
        txOf(
          `a${n}`,
          random.below(5_000),
          100 + random.below(400),
          ancestors.filter(() => random.chance(0.4)).map(({ txid }) => txid),
        ),
      )
    const tx = txOf(
      'tx',
      random.below(3_000),
      100 + random.below(400),
      ancestors.map(({ txid }) => txid),
    )
    const rate = 1 + random.below(40)
    const child = planChild(tx, familyOf({ ancestors }), { rate, policy, isTruc: false, vsize: 110 })
    const withFee = (fee: number) => [...ancestors, tx, txOf('child', fee, 110, ['tx'])]
    assert.ok(isPaidAt(rate, 'tx', withFee(child.fee)) && isPaidAt(rate, 'child', withFee(child.fee)))
    if (isPaidAt(rate, 'tx', [...ancestors, tx])) continue
    needed++
    assert.ok(!isPaidAt(rate, 'tx', withFee(child.fee - 1)))
  }
  assert.ok(needed > 500)
})
