/** Test cases of profiles: setups, the label of each, and accounts that several setups share. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import type { Label } from '../../vocabulary/labels.ts'
import { reasonTexts } from '../../vocabulary/reasons.ts'
import { at, SampleWorld } from './sample-world.ts'

export type Case = {
  readonly setup: string
  readonly build: (world: SampleWorld) => Hex
  readonly label: Label
  /** Matches the text of the reasons. */
  readonly reason?: RegExp
}

export function testCases(cases: readonly Case[]): void {
  for (const { setup, build, label, reason } of cases)
    void test(`${setup}: ${label}`, () => {
      const world = new SampleWorld()
      const profile = world.profile(build(world))
      const reasons = reasonTexts(profile.reasons).join('\n')
      assert.equal(profile.label, label, reasons)
      if (reason !== undefined) assert.match(reasons, reason)
    })
}

export const ZERO: Hex = '0x0000000000000000000000000000000000000000'
export const eoa = at('a key')
export const signers = (count: number): readonly Hex[] => Array.from({ length: count }, (_, n) => at(`signer ${n}`))
export const council = (w: SampleWorld): Hex => w.safe('council', 3, signers(5))
export const locked = (w: SampleWorld): Hex => w.timelock('lock', 172_800, [council(w)])
/** A transparent proxy whose ProxyAdmin has this owner. */
export const behind = (w: SampleWorld, owner: Hex): Hex => w.transparent('target', w.proxyAdmin('admin', owner))
/** A slot that no standard names. */
export const HIDDEN: Hex = `0x${(99).toString(16).padStart(64, '0')}`
