/** For tests: setups with the label they must get, and the people who recur in them. */
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
  /** In one of the reasons. */
  readonly says?: RegExp
}

export function testCases(cases: readonly Case[]): void {
  for (const { setup, build, label, says } of cases)
    void test(`${setup}: ${label}`, () => {
      const world = new SampleWorld()
      const profile = world.profile(build(world))
      const reasons = reasonTexts(profile.reasons).join('\n')
      assert.equal(profile.label, label, reasons)
      if (says !== undefined) assert.match(reasons, says)
    })
}

export const ZERO: Hex = '0x0000000000000000000000000000000000000000'
export const eoa = at('a key')
export const people = (count: number): readonly Hex[] => Array.from({ length: count }, (_, n) => at(`person ${n}`))
export const council = (w: SampleWorld): Hex => w.safe('council', 3, people(5))
export const locked = (w: SampleWorld): Hex => w.timelock('lock', 172_800, [council(w)])
/** A transparent proxy whose ProxyAdmin has this owner. */
export const behind = (w: SampleWorld, owner: Hex): Hex => w.transparent('target', w.proxyAdmin('admin', owner))
/** A slot that no standard names. */
export const HIDDEN: Hex = `0x${(99).toString(16).padStart(64, '0')}`
