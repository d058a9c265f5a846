/** Earlier attacks of the adversary suite. `label.ts` labels all of it. */
import { test } from 'node:test'
import { betweenContracts } from './cases/between-contracts.ts'
import { earlierRules } from './cases/earlier-rules.ts'
import { walks } from './cases/walks.ts'
import { assertTrue, LABELING } from './true-labels.ts'

test('no label is greener than the truth where others control controllers', LABELING, () =>
  assertTrue([...walks, ...betweenContracts]),
)

// Building these lets days pass.
test('no label is greener than the truth where other rules held', LABELING, () => assertTrue(earlierRules))
