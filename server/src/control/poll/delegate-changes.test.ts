import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf } from '../../../../testing/support/control-records.ts'
import type { AccountSummary } from '../../../../vocabulary/accounts.ts'
import { eventText } from '../../../../vocabulary/event-sentence.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { delegateChanges } from './delegate-changes.ts'

const [contract, owner, thief] = [hexOf(1, 20), hexOf(2, 20), hexOf(3, 20)]
const EOA: AccountSummary = { kind: 'eoa' }
const DELEGATED: AccountSummary = { kind: 'eoa', delegatedTo: thief }

const node = (address: typeof owner, account: AccountSummary, more: Partial<ControlNode> = {}): ControlNode => ({
  chainId: 1,
  address,
  role: { code: 'address' },
  account,
  label: 'single_key',
  delaySeconds: 0,
  notes: [],
  paths: [],
  ...more,
})
const ownedBy = (account: AccountSummary): ControlNode =>
  node(contract, { kind: 'unjudged' }, { paths: [node(owner, account)] })
const signedBy = (account: AccountSummary, signersNeeded: number): ControlNode =>
  node(contract, { kind: 'unjudged' }, { signers: [{ address: owner, account }], signersNeeded })

const changes = (from: ControlNode, to: ControlNode) =>
  delegateChanges({ chainId: 1, address: contract }, { number: 9 }, from, to).map(({ key, severity, args }) => {
    assert.equal(key, 'slot.delegate_changed')
    return [severity, eventText({ eventKey: key, args: args as Record<string, unknown> })]
  })

test('a delegation of the last key is critical, that of one of several signers high, its end information', () => {
  const text = `Account with control ${owner} now acts through code at ${thief} (EIP-7702)`
  assert.deepEqual(changes(ownedBy(EOA), ownedBy(DELEGATED)), [['critical', text]])
  assert.deepEqual(changes(signedBy(EOA, 2), signedBy(DELEGATED, 2)), [['high', text]])
  assert.deepEqual(changes(signedBy(EOA, 1), signedBy(DELEGATED, 1)), [['critical', text]])
  assert.deepEqual(changes(ownedBy(DELEGATED), ownedBy(EOA)), [
    ['info', `Account with control ${owner} no longer delegates to code`],
  ])
})

test('contract code at an account that had only a key is critical', () => {
  assert.deepEqual(changes(ownedBy(EOA), ownedBy({ kind: 'unknown_contract' })), [
    ['critical', `Account with control ${owner} had only a key and has contract code now`],
  ])
})

test('what did not change, was not judged, is new or was a contract before is not reported', () => {
  assert.deepEqual(changes(ownedBy(DELEGATED), ownedBy(DELEGATED)), [])
  assert.deepEqual(changes(ownedBy(EOA), ownedBy({ kind: 'unjudged' })), [])
  assert.deepEqual(changes(node(contract, { kind: 'unjudged' }), ownedBy(DELEGATED)), [])
  assert.deepEqual(changes(ownedBy({ kind: 'unknown_contract' }), ownedBy({ kind: 'proxy_admin' })), [])
})
