import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { Decoded } from './event-context.ts'
import { addressesOfRepeated, collapse } from './unverified-events.ts'

const [FORGER, KNOWN]: readonly Hex[] = [`0x${'f0'.repeat(20)}`, `0x${'d0'.repeat(20)}`]

const entry = (
  address: Hex | undefined,
  key: string,
  logIndex: number,
  { block = 1, subject = undefined as Hex | undefined } = {},
) =>
  ({
    log: { address, blockHash: `0x${block}`, logIndex },
    event: { key, args: {}, subject },
    isInit: false,
  }) as unknown as Decoded

const REFERENCED = new Set([KNOWN as Hex])

test('repeated events of a contract that nothing refers to collapse, those of others never', () => {
  const forged = Array.from({ length: 100 }, (_, n) => entry(FORGER, 'proxy.upgraded', n))
  const real = Array.from({ length: 100 }, (_, n) => entry(KNOWN, 'proxy.upgraded', 100 + n))
  const { kept, more } = collapse([...forged, ...real], REFERENCED)
  assert.deepEqual(kept, [...forged.slice(0, 3), ...real])
  assert.deepEqual([...more], [[forged[2], 97]])
})

test('a contract keeps ten events in a block, whatever their keys', () => {
  const forged = Array.from({ length: 60 }, (_, n) => entry(FORGER, `key.${n % 20}`, n))
  const { kept, more } = collapse(forged, REFERENCED)
  assert.equal(kept.length, 10)
  assert.deepEqual([...more.values()], [50])
  assert.equal(collapse([...forged, entry(FORGER, 'key.0', 1, { block: 2 })], REFERENCED).kept.length, 11)
})

test('events about a contract that is referred to are counted apart', () => {
  const others = Array.from({ length: 20 }, (_, n) => entry(FORGER, 'factory.proxy_upgraded', n))
  const about = entry(FORGER, 'factory.proxy_upgraded', 20, { subject: KNOWN as Hex })
  assert.ok(collapse([...others, about], REFERENCED).kept.includes(about))
  assert.deepEqual([...addressesOfRepeated([...others, about])], [FORGER, KNOWN])
})
