/** A sample of the adversary suite. `label.ts` labels all of it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Label } from '../../vocabulary/labels.ts'
import { anvilForTests, anvilMissing } from '../evm/anvil.ts'
import { FREE } from '../evm/control.ts'
import { CHAIN_ID } from '../evm/profiles.ts'
import type { Case, Twin } from './case.ts'
import { appliedValues, appliedValueTwins } from './cases/applied-values.ts'
import { betweenContracts } from './cases/between-contracts.ts'
import { brokenAssumptions } from './cases/broken-assumptions.ts'
import { castVotes, castVoteTwins } from './cases/cast-votes.ts'
import { deadSigners, deadSignerTwins } from './cases/dead-signers.ts'
import { earlierRules } from './cases/earlier-rules.ts'
import { earnedVotes } from './cases/earned-votes.ts'
import { managedLogic, managedTwins } from './cases/managed.ts'
import { walks } from './cases/walks.ts'
import { type Instance, instancesOf } from './cases.ts'
import { chainFor } from './chain.ts'
import { createLabeler } from './labeler.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const labeler = anvilMissing === false ? await createLabeler(await anvilForTests(CHAIN_ID, FREE)) : undefined
after(() => labeler?.close())

async function labelOf(entry: Instance<Case | Twin>): Promise<Label> {
  assert.ok(labeler !== undefined)
  const { address } = await entry.build(chainFor(labeler.environment, entry.name, entry.with))
  return (await labeler.profileOf(address)).label
}
async function assertTrue(attacks: readonly Case[], twins: readonly Twin[] = []): Promise<void> {
  for (const entry of instancesOf(attacks).filter((each) => each.with === 'optimized' && each.hardfork === undefined)) {
    const label = await labelOf(entry)
    assert.ok(entry.truth.includes(label), `${entry.title}: ${label}`)
  }
  for (const entry of instancesOf(twins).filter((each) => each.with === 'optimized'))
    assert.equal(await labelOf(entry), entry.deserves, entry.title)
}

test('no label is greener than the truth where others control controllers, or other rules held', options, () =>
  assertTrue([...walks, ...earlierRules, ...betweenContracts]),
)

test('no label is greener than the truth where votes are cast for others', options, () =>
  assertTrue(castVotes, castVoteTwins),
)

test('no label is greener than the truth where votes are not earned, or taken from others', options, () =>
  assertTrue(earnedVotes),
)

test('no label is greener than the truth where too few signers have a key', options, () =>
  assertTrue(deadSigners, deadSignerTwins),
)

test('no label is greener than the truth where an assumption of the analysis is broken', options, () =>
  assertTrue(brokenAssumptions),
)

test('no label is greener than the truth where a manager is asked about the caller', options, () =>
  assertTrue(managedLogic, managedTwins),
)

// Building these lets days pass.
test('no label is greener than the truth where owners apply what others decide', options, () =>
  assertTrue(appliedValues, appliedValueTwins),
)
