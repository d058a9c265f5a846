/** Every lie of a Safe Transaction Service is dropped and counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concatHex, type Hex, hashMessage, numberToHex, pad } from 'viem'
import {
  entryOf,
  hashOf,
  type Proposal,
  signer,
  startSafeService,
} from '../../../../../testing/support/safe-service.ts'
import { readSignature } from '../../profile/safe-transaction.ts'
import { createSafeService } from './safe-service.ts'
import { rememberingSigners, type Safe, verifyTransactions } from './verify-transactions.ts'

const [ONE, TWO, FOREIGN] = [signer(1), signer(2), signer(9)]
const low = (address: Hex): Hex => address.toLowerCase() as Hex
const SAFE_ADDRESS: Hex = `0x${'5afe'.padStart(40, '0')}`
const CONTRACT: Hex = `0x${'c0'.padStart(40, '0')}`
const SAFE: Safe = {
  chainId: 1,
  address: SAFE_ADDRESS,
  version: [1, 4, 1],
  owners: [low(ONE.address), low(TWO.address), CONTRACT],
  threshold: 2,
  nonce: 5n,
}
const checks = {
  isApproved: async (owner: Hex) => owner === low(TWO.address),
  isAccepted: async (_owner: Hex, _transaction: unknown, signature: Hex) => signature === '0xabcd',
  readSignature: rememberingSigners(2),
}
const proposal = (changes: Partial<Proposal> = {}): Proposal => ({
  safe: SAFE_ADDRESS,
  to: `0x${'70'.padStart(40, '0')}`,
  data: '0x12345678',
  nonce: 5,
  signers: [ONE],
  ...changes,
})

const service = await startSafeService()
const client = createSafeService({ url: service.url })

/** What is left of these entries, as the owners that confirmed each, and what was dropped. */
async function verified(...entries: readonly Awaited<ReturnType<typeof entryOf>>[]) {
  service.entries.set(SAFE_ADDRESS, [...entries])
  const { transactions, dropped } = await verifyTransactions(checks, SAFE, await client.list(SAFE_ADDRESS, 0n))
  return [transactions.map(({ confirmedBy }) => confirmedBy), dropped] as const
}

test('signatures of owners are accepted: keys, messages, approvals and contracts', async () => {
  const [one, two] = [low(ONE.address), low(TWO.address)]
  assert.deepEqual(await verified(await entryOf(proposal({ signers: [TWO, ONE] }))), [[[one, two]], {}])
  const hash = hashOf(proposal())
  const message = await ONE.sign({ hash: hashMessage({ raw: hash }) })
  const asMessage = concatHex([message.slice(0, -2) as Hex, numberToHex(Number(`0x${message.slice(-2)}`) + 4)])
  const approved = concatHex([pad(two), pad('0x', { size: 32 }), '0x01'])
  const byContract = concatHex([pad(CONTRACT), pad('0x41'), '0x00', pad('0x02'), '0xabcd'])
  const confirmations = [
    { owner: ONE.address, signature: asMessage },
    { owner: TWO.address, signature: approved },
    { owner: CONTRACT, signature: byContract },
  ]
  assert.deepEqual(await verified(await entryOf(proposal(), { confirmations })), [[[one, two, CONTRACT]], {}])
})

test('a changed field is another hash', async () => {
  const fields = { to: CONTRACT, value: '1', data: '0x12345679', operation: 1, safeTxGas: 1, baseGas: 1, gasPrice: '1' }
  const others = { gasToken: CONTRACT, refundReceiver: CONTRACT, nonce: 6 }
  for (const [name, value] of Object.entries({ ...fields, ...others }))
    assert.deepEqual(await verified(await entryOf(proposal(), { [name]: value })), [[], { wrong_hash: 1 }], name)
  const ofOtherChain = await entryOf(proposal({ chainId: 10 }))
  const ofOldRelease = await entryOf(proposal({ version: '1.2.0' }))
  assert.deepEqual(await verified(ofOtherChain, ofOldRelease), [[], { wrong_hash: 2 }])
})

test('transactions of another Safe, with a used nonce, repeated or malformed are dropped', async () => {
  const good = await entryOf(proposal())
  const other = await entryOf(proposal({ safe: CONTRACT }))
  const used = await entryOf(proposal({ nonce: 4 }))
  const malformed = [
    { ...good, nonce: 5.5 },
    { ...good, data: '0x1' },
    { ...good, safe: null },
    { ...good, value: 1.5 },
  ]
  const [left, dropped] = await verified(good, other, used, good, ...(malformed as never[]))
  assert.equal(left.length, 1)
  assert.deepEqual(dropped, { other_safe: 1, used_nonce: 1, repeated: 1, malformed: 4 })
})

test('signatures of others and of other hashes do not count, and nothing counts without a signature', async () => {
  const foreign = await entryOf(proposal({ signers: [FOREIGN] }))
  assert.deepEqual(await verified(foreign), [[], { foreign_signature: 1, unsigned: 1 }])
  const { confirmations } = (await entryOf(proposal({ nonce: 7 }))) as unknown as { confirmations: object[] }
  assert.deepEqual(await verified(await entryOf(proposal(), { confirmations })), [
    [],
    { foreign_signature: 1, unsigned: 1 },
  ])
  const claimed = (signature: Hex) => ({ owner: ONE.address, signature })
  const stolen = claimed(await FOREIGN.sign({ hash: hashOf(proposal()) }))
  const approval = claimed(concatHex([pad(low(ONE.address)), pad('0x', { size: 32 }), '0x01']))
  const contract = {
    owner: CONTRACT,
    signature: concatHex([pad(CONTRACT), pad('0x41'), '0x00', pad('0x02'), '0xffff']),
  }
  const outside = { owner: CONTRACT, signature: concatHex([pad(CONTRACT), pad('0x4100'), '0x00']) }
  const bad = [stolen, approval, contract, outside, claimed('0x'), claimed(`0x${'ff'.repeat(65)}`), { owner: 'x' }, 7]
  assert.deepEqual(await verified(await entryOf(proposal(), { confirmations: bad })), [
    [],
    { foreign_signature: 1, invalid_signature: 5, unsigned: 1 },
  ])
  assert.deepEqual(await verified(await entryOf(proposal({ signers: [] }))), [[], { unsigned: 1 }])
})

test('repeated signatures of a contract are checked on the chain once', async () => {
  let count = 0
  const counting = { ...checks, isAccepted: () => Promise.resolve((count += 1) < 0) }
  const confirmations = Array.from({ length: 90 }, (_, n) => ({
    owner: CONTRACT,
    signature: concatHex([pad(CONTRACT), pad('0x41'), '0x00', pad('0x02'), numberToHex(n, { size: 2 })]),
  }))
  service.entries.set(SAFE_ADDRESS, [await entryOf(proposal(), { confirmations })])
  const { dropped } = await verifyTransactions(counting, SAFE, await client.list(SAFE_ADDRESS, 0n))
  assert.deepEqual([count, dropped], [1, { invalid_signature: 90, unsigned: 1 }])
})

test('a signature with a length beyond its end is refused', async () => {
  const signature = concatHex([pad(CONTRACT), pad('0x41'), '0x00', `0x${'ff'.repeat(32)}`, '0xabcd'])
  assert.equal(await readSignature(hashOf(proposal()), signature), undefined)
})
