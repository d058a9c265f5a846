/** Advice on stuck Bitcoin payments, full RBF and version 3 included, is what a real node accepts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckedBump, checkBumps } from '../../../../testing/coins/core-bumps.ts'
import { bitcoindPath } from '../../../../testing/coins/core-payments.ts'
import { readJson } from '../../../../testing/coins/fixtures.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { type BumpTx, planChild, planReplacement, TRUC_VERSION } from '../select/bump.ts'
import { signedAgainWeight } from '../select/observed-spend.ts'
import { virtualSize } from '../select/weights.ts'

const { version, bumps: recorded } = readJson<{ readonly version: string; readonly bumps: readonly CheckedBump[] }>(
  'btc-bumps.json',
)

function assertAgrees({ name, policy, rule, signals, replacement, child, ...each }: CheckedBump): void {
  assert.equal(replacement.answer, 'accepted', name)
  assert.match(replacement.below, /insufficient fee/, name)
  const isTruc = name.startsWith('version 3')
  assert.equal(rule, isTruc ? 'truc' : signals ? 'bip125' : policy.isFullRbf ? 'full-rbf' : null, name)
  if (child === null) {
    assert.equal(each.childReason, 'TRUC_HAS_CHILD', name)
    assert.match(each.secondChild ?? '', /insufficient fee|TRUC|v3/i, name)
  } else {
    assert.equal(child.answer, 'accepted', name)
    // A signature can be shorter than assumed.
    assert.ok(child.packageRate >= child.rate && child.packageRate < child.rate + 1, `${name}: ${child.packageRate}`)
  }
  if (signals && !isTruc && each.descendants.length === 0) assert.notEqual(each.bumpfee, null, name)
  if (each.bumpfee !== null) assert.equal(each.bumpfee.fee, each.bumpfee.advised, name)
}

test('recorded answers: the node accepts what is advised, and not one satoshi less', () => {
  assert.match(version, /29|30|31/)
  assert.deepEqual(new Set(recorded.map(({ rule }) => rule)), new Set(['bip125', 'full-rbf', 'truc']))
  for (const bump of recorded) assertAgrees(bump)
})

test('recorded answers: the fees are the ones advised today', () => {
  for (const { name, hex, fee, descendants, policy, signals, replacement, child, childReason } of recorded) {
    const parsed = parseTransaction(Buffer.from(hex, 'hex'), { mweb: false })
    const tx: BumpTx = { txid: parsed.txid, fee, vsize: virtualSize(parsed.weight), parents: [] }
    const below = descendants.map((each, i) => ({ ...each, txid: `${i}`, parents: [parsed.txid] }))
    const vsize = virtualSize(signedAgainWeight(parsed))
    assert.equal(
      planReplacement(tx, below, { rate: replacement.rate, policy, signals, vsize }).minFee,
      replacement.fee,
      name,
    )
    const family = { ancestors: [], descendants: below, descendantsOf: () => ({ count: 0, vsize: 0 }) }
    const isTruc = parsed.version === TRUC_VERSION
    const planned = planChild(tx, family, { rate: replacement.rate, policy, isTruc, vsize: child?.vsize ?? 110 })
    assert.equal(planned.reason, childReason, name)
    if (child !== null) assert.equal(planned.fee, child.fee, name)
  }
})

test('a real node accepts what is advised', {
  skip: bitcoindPath === undefined && 'no bitcoind on the PATH; the recorded answers are checked instead',
}, async () => {
  for (const bump of (await checkBumps(bitcoindPath ?? '')).bumps) assertAgrees(bump)
})
