/** A sample of the adversary suite with the compiler settings that change code most. `label.ts` labels all of it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anvilForTests, anvilMissing } from '../evm/anvil.ts'
import { FREE } from '../evm/control.ts'
import { CHAIN_ID } from '../evm/profiles.ts'
import { CASES, instancesOf, TWINS } from './cases.ts'
import { chainFor } from './chain.ts'
import { createLabeler } from './labeler.ts'

/** Sources with few imports: the compiler needs a few seconds for them. */
const ATTACKS = [
  'the caller names the contract that weighs its vote',
  'the caller gives the weight of its vote',
  'a holder votes as often as it likes',
]
const TWIN = 'a vote that counts as of the block of the proposal'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const labeler = anvilMissing === false ? await createLabeler(await anvilForTests(CHAIN_ID, FREE)) : undefined
after(() => labeler?.close())

for (const settings of ['unoptimized', 'via IR'] as const)
  test(`no label is greener than the truth with code that is compiled ${settings}`, options, async () => {
    assert.ok(labeler !== undefined)
    const { environment, profileOf } = labeler
    const attacks = instancesOf(CASES).filter((entry) => entry.with === settings && ATTACKS.includes(entry.name))
    assert.equal(attacks.length, ATTACKS.length)
    for (const entry of attacks) {
      const { address } = await entry.build(chainFor(environment, entry.name, settings))
      const { label } = await profileOf(address)
      assert.ok(entry.truth.includes(label), `${entry.title}: ${label}`)
    }
    const twin = instancesOf(TWINS).find((entry) => entry.with === settings && entry.name === TWIN)
    assert.ok(twin !== undefined)
    const { address } = await twin.build(chainFor(environment, twin.name, settings))
    assert.equal((await profileOf(address)).label, twin.deserves, twin.title)
  })
