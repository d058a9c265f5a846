import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../rpc/parse.ts'
import { assertOnChain, blocksByNumber, type ChainSnapshot, OtherBranchError } from './chain-snapshot.ts'

/** Block 20 is final; the window is sparse, as after a start. */
const snapshot = {
  chain: 'test',
  lastFinalized: 20,
  window: [
    { number: 20, hash: '0x20', time: 0 },
    { number: 24, hash: '0x24', time: 0 },
  ],
} as unknown as ChainSnapshot

const check = (blockNumber: number, blockHash: string): void =>
  assertOnChain(snapshot, blocksByNumber(snapshot), [{ blockNumber, blockHash } as Log])

test('logs of stored blocks are accepted by hash, those of older blocks by number', () => {
  check(24, '0x24')
  check(20, '0x20')
  check(19, '0xany')
})

test('logs of another branch are refused', () => {
  assert.throws(() => check(24, '0x24b'), OtherBranchError)
  assert.throws(() => check(20, '0x20b'), OtherBranchError)
})

test('logs of a block that may be replaced and is not stored are refused', () => {
  assert.throws(() => check(22, '0x22'), OtherBranchError)
  assert.throws(() => check(21, '0x21'), OtherBranchError)
  assert.throws(() => check(25, '0x25'), OtherBranchError)
})
