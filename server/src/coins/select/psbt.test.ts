import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction as SignedTransaction } from '@scure/btc-signer'
import { readJson } from '../../../../testing/coins/fixtures.ts'
import { hash160 } from '../parse/sha256.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { compactSize, encodePsbts, type PsbtInput, type PsbtOutput, REPLACEABLE, serializeStripped } from './psbt.ts'

const encodePsbt = (inputs: readonly PsbtInput[], outputs: readonly PsbtOutput[]): string =>
  encodePsbts(inputs, outputs, { locktime: 0, sequence: REPLACEABLE }).v0
const script = Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(20, 7)])
const other = Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(20, 8)])
const input = (txid: string, vout: number, given: Partial<PsbtInput> = {}): PsbtInput => ({
  txid: txid.repeat(32),
  vout,
  value: 50_000,
  script,
  previous: undefined,
  ...given,
})

test('inputs are sorted by outpoint and outputs by amount, so the order does not reveal the change', () => {
  const outputs = [
    { value: 60_000, script },
    { value: 30_000, script: other },
  ]
  const one = encodePsbt([input('bb', 0), input('aa', 1), input('aa', 0)], outputs)
  const same = encodePsbt([input('aa', 0), input('bb', 0), input('aa', 1)], outputs.toReversed())
  assert.equal(one, same)
  const hex = Buffer.from(one, 'base64').toString('hex')
  assert.ok(hex.startsWith('70736274ff0100'), 'magic and the unsigned transaction')
  assert.ok(hex.indexOf(`${'aa'.repeat(32)}00000000`) < hex.indexOf(`${'aa'.repeat(32)}01000000`))
  assert.ok(hex.indexOf('aa'.repeat(32)) < hex.indexOf('bb'.repeat(32)))
  assert.ok(hex.indexOf(other.toString('hex')) < hex.lastIndexOf(script.toString('hex')))
})

test('both versions hold the same transaction', () => {
  const nested = Buffer.concat([Buffer.from([0xa9, 20]), hash160(script), Buffer.from([0x87])])
  const inputs = [input('bb', 7), input('aa', 1, { script: nested, redeemScript: script })]
  const outputs = Array.from({ length: 300 }, (_, i) => ({ value: 1_000 + i, script: i % 2 === 0 ? script : other }))
  const { v0, v2 } = encodePsbts(inputs, outputs, { locktime: 700_000, sequence: 0xffff_fffe })
  const [first, second] = [v0, v2].map((text) =>
    SignedTransaction.fromPSBT(Buffer.from(text, 'base64'), { allowUnknownOutputs: true }),
  )
  assert.deepEqual(second?.unsignedTx, first?.unsignedTx)
  assert.deepEqual([second?.lockTime, second?.inputsLength, second?.outputsLength], [700_000, 2, 300])
  assert.equal(second?.getInput(0).sequence, 0xffff_fffe)
  assert.deepEqual(second?.getInput(0).redeemScript, first?.getInput(0).redeemScript)
  assert.ok(Buffer.from(v2, 'base64').includes(Buffer.from([1, 0xfb, 4, 2, 0, 0, 0])))
})

test('a key that a script contains twice is listed once', () => {
  const key = Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 9)])
  const origin = { key, fingerprint: Buffer.from('deadbeef', 'hex'), path: [0, 1] }
  const { v0, v2 } = encodePsbts(
    [input('aa', 0, { witnessScript: Buffer.alloc(71, 4), keys: [origin, origin] })],
    [{ value: 1_000, script, keys: [origin, { ...origin, path: [0, 2] }] }],
    { locktime: 0, sequence: REPLACEABLE },
  )
  for (const text of [v0, v2]) {
    const bytes = Buffer.from(text, 'base64')
    const field = (type: number) =>
      bytes.toString('hex').split(`22${type.toString(16).padStart(2, '0')}${key.toString('hex')}`)
    assert.deepEqual([field(6).length - 1, field(2).length - 1], [1, 1])
  }
})

test('a PSBT includes redeem script and witness script', () => {
  const redeemScript = Buffer.alloc(22, 3)
  const witnessScript = Buffer.alloc(105, 4)
  const hex = Buffer.from(
    encodePsbt([input('aa', 0, { redeemScript, witnessScript })], [{ value: 1, script }]),
    'base64',
  )
  assert.ok(hex.includes(Buffer.concat([Buffer.from([1, 4, 22]), redeemScript])))
  assert.ok(hex.includes(Buffer.concat([Buffer.from([1, 5, 105]), witnessScript])))
})

test('a transaction serialized without witness hashes to its txid', () => {
  const recorded = readJson<readonly { readonly txid: string; readonly hex: string }[]>('btc-regtest', 'mempool.json')
  for (const { txid, hex } of recorded) {
    const stripped = serializeStripped(parseTransaction(Buffer.from(hex, 'hex'), { mweb: false }))
    assert.equal(parseTransaction(stripped, { mweb: false }).txid, txid)
    const highest = parseTransaction(Buffer.from(`ffffffff${hex.slice(8)}`, 'hex'), { mweb: false })
    assert.equal(highest.version, 0xffff_ffff)
    assert.equal(parseTransaction(serializeStripped(highest), { mweb: false }).txid, highest.txid)
  }
  assert.deepEqual(
    [252, 253, 65_535, 65_536].map((value) => compactSize(value).toString('hex')),
    ['fc', 'fdfd00', 'fdffff', 'fe00000100'],
  )
})
