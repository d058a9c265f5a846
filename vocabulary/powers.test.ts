import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label } from './labels.ts'
import { decisivePower, type Power, type PowerEffect, powerText, powerTone, shortPowerText } from './powers.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'

const power = (effect: PowerEffect, label: Label, ...held: readonly Label[]): Power => ({
  effect,
  class: effect === 'pause' ? 'high' : 'critical',
  functions: [],
  holders: held.map((each) => ({
    chainId: 1,
    address: ADDRESS,
    kind: 'safe',
    role: 'owner',
    label: each,
    delaySeconds: 0,
  })),
  label,
  delaySeconds: 0,
  ...(label === 'unknown' ? { unknown: 'table' } : {}),
})

test('holders that are not known do not make a power of a multisig better', () => {
  const mint = power('mint', 'unknown', 'timelocked', 'multisig')
  assert.equal(powerTone(mint), 'amber')
  assert.equal(shortPowerText(mint), 'Multisig can mint')
  assert.equal(
    powerText(mint),
    `A multisig without delay (${ADDRESS}) can mint; the contract keeps a table of accounts that cannot be listed.`,
  )
  assert.equal(powerTone(power('mint', 'unknown')), 'grey')
})

test('what a key can do decides, before that it can appoint others', () => {
  const [grant, mint, pause] = [
    power('grant', 'single_key'),
    power('mint', 'single_key'),
    power('pause', 'single_key'),
  ] as const
  assert.equal(decisivePower('green', [mint, grant, pause]), mint)
  assert.equal(decisivePower('green', [grant, mint]), mint)
  assert.equal(decisivePower('green', [grant, pause]), grant, 'the pause is less harmful')
  assert.equal(decisivePower('red', [grant, mint]), undefined)
})
