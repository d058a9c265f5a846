/** Compares the labels of attacks and twins with the truth, in tests. The chain belongs to one test file. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Label } from '../../vocabulary/labels.ts'
import { anvilForTests, anvilMissing } from '../evm/anvil.ts'
import { FREE } from '../evm/control.ts'
import { CHAIN_ID } from '../evm/profiles.ts'
import type { Case, Twin } from './case.ts'
import { type Instance, instancesOf } from './cases.ts'
import { chainFor } from './chain.ts'
import { createLabeler } from './labeler.ts'

/** Options of a test that labels systems. */
export const LABELING = anvilMissing === false ? {} : { skip: anvilMissing }

const labeler = anvilMissing === false ? await createLabeler(await anvilForTests(CHAIN_ID, FREE)) : undefined
after(() => labeler?.close())

async function labelOf(entry: Instance<Case | Twin>): Promise<Label> {
  assert.ok(labeler !== undefined)
  const { address } = await entry.build(chainFor(labeler.environment, entry.name, entry.with))
  return (await labeler.profileOf(address)).label
}

export async function assertTrue(attacks: readonly Case[], twins: readonly Twin[] = []): Promise<void> {
  for (const entry of instancesOf(attacks).filter((each) => each.with === 'optimized' && each.hardfork === undefined)) {
    const label = await labelOf(entry)
    assert.ok(entry.truth.includes(label), `${entry.title}: ${label}`)
  }
  for (const entry of instancesOf(twins).filter((each) => each.with === 'optimized'))
    assert.equal(await labelOf(entry), entry.deserves, entry.title)
}
