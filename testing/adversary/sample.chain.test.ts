/** The newest attacks of the adversary suite. `label.ts` labels all of it. */
import { test } from 'node:test'
import { appliedValues, appliedValueTwins } from './cases/applied-values.ts'
import { brokenAssumptions } from './cases/broken-assumptions.ts'
import { castVotes, castVoteTwins } from './cases/cast-votes.ts'
import { deadSigners, deadSignerTwins } from './cases/dead-signers.ts'
import { earnedVotes } from './cases/earned-votes.ts'
import { managedLogic, managedTwins } from './cases/managed.ts'
import { unopposedVotes, unopposedVoteTwins } from './cases/unopposed-votes.ts'
import { assertTrue, LABELING } from './true-labels.ts'

test('no label is greener than the truth where votes are cast for others', LABELING, () =>
  assertTrue(castVotes, castVoteTwins),
)

test('no label is greener than the truth where votes are not earned, or taken from others', LABELING, () =>
  assertTrue(earnedVotes),
)

test('no label is greener than the truth where voters cannot stop a proposal', LABELING, () =>
  assertTrue(unopposedVotes, unopposedVoteTwins),
)

test('no label is greener than the truth where too few signers have a key', LABELING, () =>
  assertTrue(deadSigners, deadSignerTwins),
)

test('no label is greener than the truth where an assumption of the analysis is broken', LABELING, () =>
  assertTrue(brokenAssumptions),
)

test('no label is greener than the truth where a manager is asked about the caller', LABELING, () =>
  assertTrue(managedLogic, managedTwins),
)

// Building these lets days pass.
test('no label is greener than the truth where owners apply what others decide', LABELING, () =>
  assertTrue(appliedValues, appliedValueTwins),
)
