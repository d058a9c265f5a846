/** A sample of the adversary suite. `label.ts` labels all of it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anvilForTests, anvilMissing } from '../evm/anvil.ts'
import { FREE } from '../evm/control.ts'
import { CHAIN_ID } from '../evm/profiles.ts'
import { betweenContracts } from './cases/between-contracts.ts'
import { castVotes, castVoteTwins } from './cases/cast-votes.ts'
import { earlierRules } from './cases/earlier-rules.ts'
import { walks } from './cases/walks.ts'
import { instancesOf } from './cases.ts'
import { chainFor } from './chain.ts'
import { createLabeler } from './labeler.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const labeler = anvilMissing === false ? await createLabeler(await anvilForTests(CHAIN_ID, FREE)) : undefined
after(() => labeler?.close())

test('no label is greener than the truth where others control controllers, or other rules held', options, async () => {
  assert.ok(labeler !== undefined)
  const { environment, profileOf } = labeler
  const attacks = [...walks, ...earlierRules, ...betweenContracts]
  for (const entry of instancesOf(attacks).filter((each) => each.with === 'optimized')) {
    const { address } = await entry.build(chainFor(environment, entry.name, entry.with))
    const { label } = await profileOf(address)
    assert.ok(entry.truth.includes(label), `${entry.title}: ${label}`)
  }
})

test('no label is greener than the truth where votes are cast for others', options, async () => {
  assert.ok(labeler !== undefined)
  const { environment, profileOf } = labeler
  for (const entry of instancesOf(castVotes).filter((each) => each.with === 'optimized')) {
    const { address } = await entry.build(chainFor(environment, entry.name, entry.with))
    const { label } = await profileOf(address)
    assert.ok(entry.truth.includes(label), `${entry.title}: ${label}`)
  }
  for (const entry of instancesOf(castVoteTwins).filter((each) => each.with === 'optimized')) {
    const { address } = await entry.build(chainFor(environment, entry.name, entry.with))
    assert.equal((await profileOf(address)).label, entry.deserves, entry.title)
  }
})
